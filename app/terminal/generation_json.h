// SPDX-License-Identifier: GPL-3.0-or-later
// A generated text for programs: "farstate.generation/1", docs/FORMATS.md.
#pragma once

#include <string>
#include <vector>

#include "core/session/jobs.h"

namespace farstate {

std::string to_json(const GenerateJob& job, const GenerateOutcome& outcome,
                    const std::vector<GeneratedToken>& tokens);

}  // namespace farstate
