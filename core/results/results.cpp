// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/results.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
Json numbers(const std::vector<Number>& values, int64_t& non_finite) {
  Json array = Json::array();
  for (const Number value : values) {
    if (std::isfinite(value)) {
      array.push_back(value);
    } else {
      array.push_back(nullptr);
      ++non_finite;
    }
  }
  return array;
}

Json optional_index(const std::optional<int64_t>& index) {
  return index.has_value() ? Json(*index) : Json(nullptr);
}

Json to_json(const Series& series, int64_t& non_finite) {
  Json json;
  json["name"] = series.name;
  json["x_name"] = series.x_name;
  json["x"] = numbers(series.x, non_finite);
  json["y"] = numbers(series.y, non_finite);
  json["lower"] = numbers(series.lower, non_finite);
  json["upper"] = numbers(series.upper, non_finite);
  if (!series.bin_begin.empty()) {
    json["bin_begin"] = series.bin_begin;
    json["bin_end"] = series.bin_end;
  }
  json["layer"] = optional_index(series.layer);
  json["head"] = optional_index(series.head);
  json["unit"] = series.unit;
  json["sequences"] = series.sequences;
  return json;
}

}  // namespace

std::string to_json(const Results& results, int64_t& non_finite) {
  non_finite = 0;
  Json root;
  root["schema"] = "farstate.results/1";
  root["recipe"] = results.recipe.empty() ? Json(nullptr) : Json::parse(results.recipe);
  root["series"] = Json::array();
  for (const Series& series : results.series) {
    root["series"].push_back(to_json(series, non_finite));
  }
  if (!results.per_position.nll.empty()) {
    Json& per_position = root["per_position"];
    per_position["tokens"] = results.per_position.tokens;
    per_position["nll"] = Json::array();
    for (const std::vector<float>& row : results.per_position.nll) {
      per_position["nll"].push_back(numbers(row, non_finite));
    }
  }
  root["notes"] = results.notes;
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace farstate
