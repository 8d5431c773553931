// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/bench_report.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/refusal.h"

namespace farstate {
namespace {

using Json = nlohmann::json;

BenchReport report() {
  BenchReport r;
  r.program = "1.2.3";
  r.libraries = {{"LibTorch", "2.11.0"}};
  r.machine.processor = "a processor";
  r.recipe = R"({"quick": true})";
  r.gemm_gflops = 100;
  r.roofline_gflops = 200;
  TrainSpeed train;
  train.model_dim = 64;
  train.gflops = 50;
  train.share_of_roofline = 0.25;
  train.timing = {5, 0.5, true};
  r.train = {train};
  r.evaluate.emplace_back().peak_memory_mb = 321;
  r.kernels.emplace_back().name = "gemm";
  return r;
}

TEST(BenchReport, JsonHasThePromisedShape) {
  const Json json = Json::parse(to_json(report()));
  EXPECT_EQ(json["schema"], "farstate.bench/1");
  EXPECT_EQ(json["gemm_gflops"], 100);
  EXPECT_EQ(json["roofline_gflops"], 200);
  EXPECT_EQ(json["recipe"]["quick"], true);
  EXPECT_EQ(json["libraries"][0]["version"], "2.11.0");
  for (const char* key : {"params", "layers", "d_model", "context", "batch", "dtype", "tokens_per_second",
                          "gflops", "share_of_roofline"}) {
    EXPECT_TRUE(json["train"][0].contains(key)) << key;
  }
  EXPECT_EQ(json["train"][0]["d_model"], 64);
  EXPECT_EQ(json["train"][0]["timing"]["runs"], 5);
  for (const char* key : {"shape", "length", "dtype", "tokens_per_second", "peak_memory_mb", "peak_of"}) {
    EXPECT_TRUE(json["evaluate"][0].contains(key)) << key;
  }
  EXPECT_EQ(json["evaluate"][0]["peak_memory_mb"], 321);
  EXPECT_EQ(json["kernels"][0]["name"], "gemm");
}

TEST(BenchReport, AFigureThatIsNotFiniteIsRefused) {
  BenchReport r = report();
  r.train[0].gflops = std::numeric_limits<double>::infinity();
  EXPECT_NE(testing::refusal([&] { to_json(r); }, ErrorKind::kInternal).find("not finite"),
            std::string::npos);
}

}  // namespace
}  // namespace farstate
