// SPDX-License-Identifier: GPL-3.0-or-later
// A close look at states as JSON and back. The keys are the names of the members; what is absent
// in the report has no key (docs/FORMATS.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/results/state_report.h"

namespace farstate {

// Adds up in `non_finite` the numbers that became null.
nlohmann::ordered_json to_json(const StateReport& report, int64_t& non_finite);

// Throws Error(kBadInput) naming `source`, the key below "states", what was found and what was
// wanted. All lists are as long, and all matrices as large, as the report itself says.
StateReport state_report_from_json(const nlohmann::ordered_json& json, const std::string& source);

}  // namespace farstate
