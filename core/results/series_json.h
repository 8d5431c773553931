// SPDX-License-Identifier: GPL-3.0-or-later
// A Series as a JSON object, for every document that holds some. Numbers that are not finite become
// null, since JSON has no other way, and `non_finite` is raised by their count.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/results/series.h"

namespace farstate {

template <typename Number>
nlohmann::ordered_json number_json(Number value, int64_t& non_finite) {
  if (std::isfinite(value)) return value;
  ++non_finite;
  return nullptr;
}

template <typename Number>
nlohmann::ordered_json numbers_json(const std::vector<Number>& values, int64_t& non_finite) {
  auto array = nlohmann::ordered_json::array();
  for (const Number value : values) array.push_back(number_json(value, non_finite));
  return array;
}

nlohmann::ordered_json series_json(const Series& series, int64_t& non_finite);

}  // namespace farstate
