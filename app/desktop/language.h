// SPDX-License-Identifier: GPL-3.0-or-later
// The languages that the window speaks, and which of them it speaks now.
#pragma once

#include <QString>
#include <optional>

namespace farstate::desktop {

enum class Language { kSystem, kEnglish, kChinese };

QString language_name(Language language);  // by itself: "简体中文"

// "system", "en", "zh_CN", as in settings and on the command line; empty: none of them.
std::optional<Language> language_from(const QString& code);

// All that was said through worded() or in changeEvent() is said anew. Numbers follow. Needs the
// application.
void set_language(Language language);
Language language_chosen();  // what the last set_language() was asked for; kSystem: not yet

// As the person chose it; kSystem: never.
Language remembered_language();
void remember_language(Language language);

}  // namespace farstate::desktop
