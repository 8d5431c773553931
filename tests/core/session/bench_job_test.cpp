// SPDX-License-Identifier: GPL-3.0-or-later
// What is timed, what is refused, and that a figure is the work over its time. How fast it is, is no
// matter of tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "core/base/stop.h"
#include "core/session/bench.h"
#include "core/session/bench_kernels.h"
#include "core/session/bench_models.h"
#include "core/models/tensor_spec.h"
#include "tests/support/refusal.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::TempFolder;

constexpr const char* kHuggingFace = R"({"model_type": "mamba2", "hidden_size": 16,
  "num_hidden_layers": 2, "num_heads": 4, "head_dim": 8, "state_size": 8, "n_groups": 1,
  "conv_kernel": 4, "expand": 2, "vocab_size": 64, "tie_word_embeddings": true})";
constexpr const char* kStateSpaces = R"({"d_model": 16, "n_layer": 2, "vocab_size": 64,
  "ssm_cfg": {"layer": "Mamba2", "headdim": 8, "d_state": 8}})";

BenchReport run(const BenchJob& job) {
  return bench(job, [](const auto&, const auto&) {}, [](const auto&) {});
}

class BenchGivenShape : public ::testing::TestWithParam<const char*> {};

TEST_P(BenchGivenShape, IsTimedAlone) {
  const TempFolder folder;
  BenchJob job;
  job.model_config = folder.write("config.json", GetParam());
  job.context = 24;
  job.batch = 3;
  job.length = 100;
  job.dtype = "float32";
  job.quick = true;
  BenchPlan planned;
  int64_t figures = 0;
  const BenchReport report = bench(
      job, [&](const BenchReport&, const BenchPlan& plan) { planned = plan; },
      [&](const BenchReport&) { ++figures; });
  EXPECT_EQ(planned.trainings, 1);
  EXPECT_EQ(planned.evaluations, 1);
  EXPECT_EQ(planned.kernels, 0);
  EXPECT_GT(planned.seconds, 0);
  EXPECT_EQ(figures, 2);

  ASSERT_EQ(report.train.size(), 1U);
  const TrainSpeed& train = report.train[0];
  EXPECT_EQ(train.layers, 2);
  EXPECT_EQ(train.model_dim, 16);
  EXPECT_EQ(train.context, 24);
  EXPECT_EQ(train.batch, 3);
  EXPECT_GE(train.timing.runs, 3);
  EXPECT_DOUBLE_EQ(train.tokens_per_second, 72 / train.timing.seconds);
  EXPECT_DOUBLE_EQ(train.share_of_roofline, train.gflops / report.roofline_gflops);
  ASSERT_EQ(report.evaluate.size(), 1U);
  const EvaluateSpeed& evaluate = report.evaluate[0];
  EXPECT_EQ(evaluate.params, train.params);
  EXPECT_EQ(evaluate.length, 100);
  EXPECT_DOUBLE_EQ(evaluate.tokens_per_second, 100 / evaluate.timing.seconds);
  // Three times the forward pass's operations for each token that is trained on.
  EXPECT_NEAR(train.gflops / train.tokens_per_second,
              3 * evaluate.gflops / evaluate.tokens_per_second, 1e-12);
  EXPECT_GT(evaluate.peak_memory_mb, 1);
  EXPECT_GE(report.roofline_gflops, report.gemm_gflops);
  EXPECT_GT(report.gemm_gflops, 0);
  ASSERT_FALSE(report.kernels.empty());
  for (const KernelSpeed& kernel : report.kernels) EXPECT_EQ(kernel.name, "gemm");
}

INSTANTIATE_TEST_SUITE_P(BothSpellings, BenchGivenShape, ::testing::Values(kHuggingFace, kStateSpaces));

TEST(Bench, DefaultsOfAGivenShape) {
  const TempFolder folder;
  BenchJob job;
  job.model_config = folder.write("config.json", kHuggingFace);
  job.dtype = "float32";
  job.quick = true;
  const BenchReport report = run(job);
  ASSERT_EQ(report.train.size(), 1U);
  EXPECT_EQ(report.train[0].context, 512);
  EXPECT_EQ(report.train[0].batch, 4);
  ASSERT_EQ(report.evaluate.size(), 1U);
  EXPECT_EQ(report.evaluate[0].length, 512) << "the context";
}

TEST(Bench, KernelsOfAGivenShape) {
  const TempFolder folder;
  BenchJob job;
  job.model_config = folder.write("config.json", kHuggingFace);
  job.context = 70;
  job.batch = 2;
  job.parts = {"kernels"};
  job.quick = true;
  const BenchReport report = run(job);
  EXPECT_TRUE(report.train.empty());
  EXPECT_TRUE(report.evaluate.empty());
  std::vector<std::string> names;
  for (const KernelSpeed& kernel : report.kernels) {
    names.push_back(kernel.name);
    EXPECT_GT(kernel.gflops, 0) << kernel.name;
    EXPECT_GT(kernel.gbytes_per_second, 0) << kernel.name;
    EXPECT_GT(kernel.share_of_roofline, 0) << kernel.name;
  }
  EXPECT_THAT(names, ::testing::IsSupersetOf(
                         {"gemm", "ssd_scan", "ssd_scan backward", "ssd_step", "causal_conv1d",
                          "causal_conv1d backward", "gated_rmsnorm", "gated_rmsnorm backward",
                          "head_nll", "head_nll backward", "state_stats"}));
}

TEST(Bench, RefusesWhatItCantTime) {
  const TempFolder folder;
  const std::string config = folder.write("config.json", kHuggingFace);
  const auto says = [&](const std::function<void(BenchJob&)>& change, ErrorKind kind,
                        const std::vector<std::string>& parts) {
    BenchJob job;
    job.model_config = config;
    change(job);
    const std::string sentence = refusal([&] { run(job); }, kind);
    for (const std::string& part : parts) EXPECT_THAT(sentence, HasSubstr(part));
  };
  const auto usage = ErrorKind::kBadUsage;
  says([](BenchJob& j) { j.context = 0; }, usage, {"--context", "0"});
  says([](BenchJob& j) { j.batch = -1; }, usage, {"--batch", "-1"});
  says([](BenchJob& j) { j.length = 0; }, usage, {"--length", "0"});
  says([](BenchJob& j) { j.dtype = "float16"; }, usage, {"float16", "bfloat16"});
  says([](BenchJob& j) { j.parts = {"train", "fly"}; }, usage, {"fly", "evaluate"});
  says([](BenchJob& j) { j.model_config.clear(); j.batch = 2; }, usage, {"--batch", "--model-config"});
  says([&](BenchJob& j) { j.model_config = folder.file("none.json"); }, ErrorKind::kBadInput,
       {"none.json"});
  const std::string other = folder.write("other.json", R"({"model_type": "llama"})");
  says([&](BenchJob& j) { j.model_config = other; }, ErrorKind::kBadInput, {"other.json", "llama"});
  std::string zero = kHuggingFace;
  zero.replace(zero.find("\"num_hidden_layers\": 2"), 22, "\"num_hidden_layers\": 0");
  const std::string layers = folder.write("zero.json", zero);
  says([&](BenchJob& j) { j.model_config = layers; }, ErrorKind::kBadInput,
       {"zero.json", "num_hidden_layers"});
}

TEST(Bench, RefusesWhatDoesNotFitBeforeAnythingIsTimed) {
  const TempFolder folder;
  const auto sentence = [&](const std::string& config, int64_t context, int64_t batch) {
    BenchJob job;
    job.model_config = folder.write("config.json", config);
    job.context = context;
    job.batch = batch;
    return refusal([&] { run(job); }, ErrorKind::kOutOfMemory);
  };
  EXPECT_THAT(sentence(kHuggingFace, 1 << 20, 1 << 20), HasSubstr("--batch"));
  // Each size is allowed, and their products are beyond 64 bits.
  const std::string huge = R"({"model_type": "mamba2", "hidden_size": 1048576,
    "num_hidden_layers": 10000, "num_heads": 1048576, "head_dim": 1048576, "state_size": 1048576,
    "n_groups": 1048576, "conv_kernel": 4, "vocab_size": 64})";
  EXPECT_THAT(sentence(huge, 1, 1), HasSubstr("GB"));
}

TEST(Bench, StopsWhereverItIs) {
  const TempFolder folder;
  for (const bool while_planned : {true, false}) {
    BenchJob job;
    job.model_config = folder.write("config.json", kHuggingFace);
    job.quick = true;
    std::stop_source source;
    const StopScope scope(source.get_token());
    int64_t figures = 0;
    EXPECT_EQ(refusal(
                  [&] {
                    bench(
                        job, [&](const auto&, const auto&) { if (while_planned) source.request_stop(); },
                        [&](const auto&) {
                          ++figures;
                          source.request_stop();
                        });
                  },
                  ErrorKind::kInterrupted) == "accepted",
              false);
    EXPECT_EQ(figures, while_planned ? 0 : 1);
  }
}

TEST(Bench, RefusesAMachineThatComputesWrongNumbers) {
  EXPECT_NO_THROW(refuse_wrong_numbers({{"right", 1e-7, 1e-5, true}}));
  const std::string sentence = refusal(
      [] {
        refuse_wrong_numbers({{"right", 1e-7, 1e-5, true}, {"the scan", 0.5, 1e-5, false}});
      },
      ErrorKind::kInternal);
  EXPECT_THAT(sentence, HasSubstr("the scan"));
  EXPECT_THAT(sentence, HasSubstr("selftest"));
}

TEST(Bench, OperatorsEqualTheirOracles) {
  const std::vector<SelftestCheck> checks = check_operators();
  EXPECT_EQ(checks.size(), 5U);
  for (const SelftestCheck& check : checks) EXPECT_TRUE(check.passed) << check.name << " " << check.error;
}

TEST(Bench, ShapesHaveTheirNamesParameters) {
  // 0.1M stands for 0.07 million, 1M for 0.7 and 10M for 8.5.
  const std::vector<std::pair<int64_t, int64_t>> around = {
      {60'000, 120'000}, {600'000, 1'200'000}, {8'000'000, 12'000'000}};
  const std::vector<BenchShape> shapes = small_shapes();
  ASSERT_EQ(shapes.size(), around.size());
  for (size_t i = 0; i < shapes.size(); ++i) {
    int64_t count = 0;
    for (const TensorSpec& spec : mamba2_tensor_specs(shapes[i].config)) {
      int64_t elements = 1;
      for (const int64_t size : spec.shape) elements *= size;
      count += elements;
    }
    EXPECT_GT(count, around[i].first) << shapes[i].name;
    EXPECT_LT(count, around[i].second) << shapes[i].name;
  }
}

TEST(Stopwatch, MedianOfTheRunsAfterTheFirst) {
  int64_t runs = 0, waits = 0;
  const Timing timing = time_work([&] { ++runs; }, {.runs = 7, .seconds = 0, .patience = 10},
                                  [&] { ++waits; });
  EXPECT_EQ(timing.runs, 7);
  EXPECT_TRUE(timing.warm);
  EXPECT_EQ(runs, 8);
  EXPECT_EQ(waits, 8);
  runs = 0;
  const Timing once = time_work([&] { ++runs; }, {.runs = 7, .seconds = 0, .patience = 0});
  EXPECT_EQ(once.runs, 1);
  EXPECT_FALSE(once.warm);
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace farstate
