// SPDX-License-Identifier: GPL-3.0-or-later
// A card's Markdown, cut at its headings.
#pragma once

#include "app/desktop/story/story.h"

namespace farstate::desktop {

// `source` is the file's name in complaints. Throws Error(kBadInput).
StoryCard read_card(const QString& markdown, const QString& source);

}  // namespace farstate::desktop
