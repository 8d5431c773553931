// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/series_json.h"

namespace farstate {

namespace {

using Json = nlohmann::ordered_json;

Json optional_index(const std::optional<int64_t>& index) {
  return index.has_value() ? Json(*index) : Json(nullptr);
}

}  // namespace

Json series_json(const Series& series, int64_t& non_finite) {
  Json json;
  json["name"] = series.name;
  json["x_name"] = series.x_name;
  json["x"] = numbers_json(series.x, non_finite);
  json["y"] = numbers_json(series.y, non_finite);
  json["lower"] = numbers_json(series.lower, non_finite);
  json["upper"] = numbers_json(series.upper, non_finite);
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

}  // namespace farstate
