// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/results.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/results/run_record.h"
#include "core/results/series_csv.h"

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

TEST(SeriesCsv, ARowForEveryValueAndNothingWhereThereIsNothing) {
  Series binned;
  binned.name = "perplexity";
  binned.x_name = "position";
  binned.unit = "a \"unit\", quoted";
  binned.x = {1.5, 64};
  binned.y = {0.1, std::numeric_limits<double>::quiet_NaN()};
  binned.lower = {1.0 / 3, -std::numeric_limits<double>::infinity()};
  binned.upper = {1e300, std::numeric_limits<double>::infinity()};
  binned.bin_begin = {1, 3};
  binned.bin_end = {3, 1099511627776};
  binned.sequences = 8;
  Series plain;
  plain.name = "state_norm";
  plain.x_name = "position";
  plain.unit = "1";
  plain.x = {2};
  plain.y = {5e-324};
  plain.layer = 0;
  plain.head = 3;
  plain.sequences = 1;
  std::ostringstream out;
  write_csv(out, {binned, plain});
  EXPECT_EQ(out.str(),
            "name,layer,head,x_name,x,y,lower,upper,bin_begin,bin_end,unit,sequences\r\n"
            "perplexity,,,position,1.5,0.1,0.3333333333333333,1e+300,1,3,"
            "\"a \"\"unit\"\", quoted\",8\r\n"
            "perplexity,,,position,64,NaN,-Inf,Inf,3,1099511627776,"
            "\"a \"\"unit\"\", quoted\",8\r\n"
            "state_norm,0,3,position,2,5e-324,,,,,1,1\r\n");
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
