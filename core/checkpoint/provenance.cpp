// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/provenance.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {

using Json = nlohmann::ordered_json;

Provenance provenance_from_json(const std::string& text, const std::string& source) {
  const Json json = parse_json(text);
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
  };
  if (!json.is_object()) fail("it is not a JSON object.");
  Provenance p;
  const auto number = [&](const char* key) {
    if (!json.contains(key)) return int64_t{0};
    const Json& value = json[key];
    if (!value.is_number_integer() || value.get<int64_t>() < 0) {
      fail(fmt::format("\"{}\" is {}, but must be a whole number from 0.", key, short_text(value)));
    }
    return value.get<int64_t>();
  };
  p.trained_context = number("trained_context");
  p.steps = number("steps");
  const auto word = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
  };
  p.trained_with = word("trained_with");
  p.text = word("text");
  if (json.contains("recipe") && json["recipe"].is_object()) {
    p.recipe = json["recipe"].dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return p;
}

std::string to_json(const Provenance& provenance) {
  Json json;
  json["schema"] = "farstate.model/1";
  json["trained_context"] = provenance.trained_context;
  json["trained_with"] = provenance.trained_with;
  json["steps"] = provenance.steps;
  if (!provenance.text.empty()) json["text"] = provenance.text;
  if (!provenance.recipe.empty()) json["recipe"] = Json::parse(provenance.recipe);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace farstate
