// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/results.h"

#include <nlohmann/json.hpp>

#include "core/results/series_json.h"

namespace farstate {

namespace {
using Json = nlohmann::ordered_json;
}

std::string to_json(const Results& results, int64_t& non_finite) {
  non_finite = 0;
  Json root;
  root["schema"] = "farstate.results/1";
  root["recipe"] = results.recipe.empty() ? Json(nullptr) : Json::parse(results.recipe);
  root["series"] = Json::array();
  for (const Series& series : results.series) {
    root["series"].push_back(series_json(series, non_finite));
  }
  if (!results.per_position.nll.empty()) {
    Json& per_position = root["per_position"];
    per_position["tokens"] = results.per_position.tokens;
    per_position["nll"] = Json::array();
    for (const std::vector<float>& row : results.per_position.nll) {
      per_position["nll"].push_back(numbers_json(row, non_finite));
    }
  }
  root["notes"] = results.notes;
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace farstate
