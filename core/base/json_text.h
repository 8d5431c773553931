// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of files from elsewhere: read, and shown in a sentence.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace farstate {

// Discarded (is_discarded()) if the text is no JSON, or nests deeper than any file that we read:
// copying and writing a value recurse, and a file of brackets would end on the stack's end.
inline nlohmann::ordered_json parse_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kDeepest = 100;
  bool deep = false;
  const auto not_deeper = [&](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  Json json = Json::parse(text, not_deeper, /*allow_exceptions=*/false);
  return deep ? Json(Json::value_t::discarded) : json;
}

// Short, and safe for values that are nested without end.

inline std::string short_text(const nlohmann::ordered_json& json) {
  if (json.is_array()) return "an array";
  if (json.is_object()) return "an object";
  constexpr size_t kMost = 60;
  std::string text = json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  if (text.size() > kMost) text = text.substr(0, kMost) + "…";
  return text;
}

}  // namespace farstate
