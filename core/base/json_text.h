// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON value in a sentence: short, and safe for values that are nested without end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace farstate {

inline std::string short_text(const nlohmann::ordered_json& json) {
  if (json.is_array()) return "an array";
  if (json.is_object()) return "an object";
  constexpr size_t kMost = 60;
  std::string text = json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "…";
  return text;
}

}  // namespace farstate
