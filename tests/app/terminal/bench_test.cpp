// SPDX-License-Identifier: GPL-3.0-or-later
// farstate bench as its user starts it. No test asks how fast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/support/farstate_program.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::farstate;
using testing::Outcome;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::json;

class BenchCommand : public ::testing::Test {
 protected:
  TempFolder folder;
  std::string config = folder.write("config.json", R"({"model_type": "mamba2", "hidden_size": 32,
      "num_hidden_layers": 2, "num_heads": 4, "head_dim": 16, "state_size": 16, "n_groups": 1,
      "conv_kernel": 4, "expand": 2, "vocab_size": 256, "tie_word_embeddings": true})");
  std::string json = folder.file("bench.json");
};

TEST_F(BenchCommand, PrintsATableAndWritesTheSameFigures) {
  const Outcome outcome = farstate("bench --quick --model-config " + config +
                                   " --context 48 --batch 2 --length 300 --parts train,evaluate,kernels "
                                   "--threads 1 --json " + json);
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  // Twice on a processor with instructions for bfloat16.
  EXPECT_THAT(outcome.output, AnyOf(HasSubstr("1 training, 1 evaluation"),
                                    HasSubstr("2 trainings, 2 evaluations")));
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("roofline"), HasSubstr("median of"),
                                    HasSubstr("head_nll backward"), HasSubstr("Written to " + json)));
  const Json report = Json::parse(read_all(json));
  EXPECT_EQ(report["schema"], "farstate.bench/1");
  EXPECT_EQ(report["machine"]["threads"], 1);
  EXPECT_FALSE(report["machine"]["processor"].get<std::string>().empty());
  EXPECT_EQ(report["libraries"][0]["name"], "LibTorch");
  EXPECT_EQ(report["recipe"]["model_config"], config);
  EXPECT_GT(report["gemm_gflops"], 0.0);
  EXPECT_GE(report["roofline_gflops"], report["gemm_gflops"]);
  const Json& train = report["train"][0];
  EXPECT_EQ(train["context"], 48);
  EXPECT_EQ(train["batch"], 2);
  EXPECT_EQ(train["dtype"], "float32");
  EXPECT_GT(train["tokens_per_second"], 0.0);
  EXPECT_GT(train["share_of_roofline"], 0.0);
  const Json& evaluate = report["evaluate"][0];
  EXPECT_EQ(evaluate["length"], 300);
  EXPECT_GT(evaluate["peak_memory_mb"], 20.0) << "the program itself is part of it";
}

TEST_F(BenchCommand, MistakesAreSentences) {
  const auto refused = [&](const std::string& words, int code, const char* says) {
    const Outcome outcome = farstate("bench --quick --json " + json + " " + words);
    EXPECT_EQ(outcome.code, code) << words << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(says)) << words;
    EXPECT_FALSE(std::filesystem::exists(json)) << words;
  };
  refused("--context 64", 2, "--model-config");
  refused("--model-config " + config + " --batch 0", 2, "--batch");
  refused("--model-config " + config + " --length -4", 2, "--length");
  refused("--model-config " + config + " --dtype float16", 2, "bfloat16");
  refused("--parts speed", 2, "evaluate");
  refused("--model-config " + folder.file("none.json"), 3, "none.json");
  refused("--model-config " + folder.write("bad.json", "{"), 3, "bad.json");
  refused("--model-config " + config + " --context 1000000 --batch 1000000", 4, "--batch");
  EXPECT_EQ(farstate("bench --json " + folder.file("no/such/folder.json")).code, 3);
}

TEST_F(BenchCommand, CtrlCEndsItAndNothingIsWritten) {
  const std::string log = folder.file("log");
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(log.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    execl(FARSTATE_BIN_DIR "/farstate", "farstate", "bench", "--model-config", config.c_str(), "--json",
          json.c_str(), nullptr);
    _exit(127);
  }
  // Once it has said what it will do, at least two seconds of runs are before it.
  for (int tries = 0; tries < 3000; ++tries) {
    if (std::filesystem::exists(log) && read_all(log).find("to be timed") != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << read_all(log);
  EXPECT_EQ(WEXITSTATUS(status), 130) << read_all(log);
  EXPECT_THAT(read_all(log), HasSubstr("to be timed"));
  EXPECT_EQ(folder.entries(), 2U) << "the log and config.json";
}

}  // namespace
}  // namespace farstate
