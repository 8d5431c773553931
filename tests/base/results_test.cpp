// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/results.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/results/run_record.h"

namespace farstate {
namespace {

using Json = nlohmann::json;

TEST(Results, JsonHasThePromisedShape) {
  Results results;
  results.recipe = R"({"seed":3})";
  Series series;
  series.name = "state_norm";
  series.x_name = "position";
  series.unit = "1";
  series.x = {1, 2.5};
  series.y = {0.5, std::numeric_limits<double>::quiet_NaN()};
  series.layer = 1;
  series.head = 0;
  series.sequences = 4;
  results.series = {series};
  results.per_position.tokens = {{5, 6, 7}};
  results.per_position.nll = {{0.25F, std::numeric_limits<float>::infinity()}};
  int64_t non_finite = 0;
  const Json json = Json::parse(to_json(results, non_finite));
  EXPECT_EQ(non_finite, 2);
  EXPECT_EQ(json["schema"], "farstate.results/1");
  EXPECT_EQ(json["recipe"]["seed"], 3);
  const Json& s = json["series"][0];
  EXPECT_EQ(s["name"], "state_norm");
  EXPECT_EQ(s["x_name"], "position");
  EXPECT_EQ(s["x"], Json({1.0, 2.5}));
  EXPECT_EQ(s["y"][0], 0.5);
  EXPECT_TRUE(s["y"][1].is_null());
  EXPECT_EQ(s["lower"], Json::array());
  EXPECT_EQ(s["layer"], 1);
  EXPECT_EQ(s["head"], 0);
  EXPECT_EQ(s["unit"], "1");
  EXPECT_EQ(s["sequences"], 4);
  EXPECT_EQ(json["per_position"]["tokens"], Json({{5, 6, 7}}));
  EXPECT_EQ(json["per_position"]["nll"][0][0], 0.25);
  EXPECT_TRUE(json["per_position"]["nll"][0][1].is_null());
}

TEST(Results, OfTheWholeModelHasNullLayerAndHead) {
  Results results;
  results.series.emplace_back();
  int64_t non_finite = 0;
  const Json json = Json::parse(to_json(results, non_finite));
  EXPECT_TRUE(json["series"][0]["layer"].is_null());
  EXPECT_TRUE(json["series"][0]["head"].is_null());
  EXPECT_FALSE(json.contains("per_position"));
}

TEST(Results, TrainingCurve) {
  const std::vector<Series> series = train_series({{1, 5.5, 1, 1e-3, 1000}, {2, 5.0, 1, 1e-3, 1100}});
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "train_loss");
  EXPECT_EQ(series[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(series[0].y, (std::vector<double>{5.5, 5.0}));
  EXPECT_EQ(series[1].name, "tokens_per_second");
  EXPECT_EQ(series[1].y, (std::vector<double>{1000, 1100}));
}

}  // namespace
}  // namespace farstate
