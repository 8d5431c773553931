// SPDX-License-Identifier: GPL-3.0-or-later
// The program as its user starts it: words in, exit code, sentences and files out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/support/farstate_program.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::farstate;
using testing::Outcome;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::json;

std::string english() {
  std::string text;
  const char* words[] = {"the ", "river ", "ran ", "past ", "a ", "quiet ", "mill ", "and ", "on.\n"};
  for (int i = 0; i < 3000; ++i) text += words[(i * 5 + i / 7) % 9];
  return text;
}

const std::string kSmallRun = " --context 24 --batch 3 --lr 1e-3 --save-every 5";

TEST(Terminal, HelpVersionAndUsage) {
  EXPECT_EQ(farstate("--help").code, 0);
  for (const char* command : {"info", "measure", "train", "experiment", "generate", "tokenize", "plot",
                              "selftest"}) {
    const Outcome help = farstate(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(farstate("--help").output, HasSubstr(command));
  }
  EXPECT_EQ(farstate("--version").code, 0);
  EXPECT_EQ(farstate("").code, 2);
  EXPECT_EQ(farstate("fly").code, 2);
  EXPECT_EQ(farstate("train demo --steps many").code, 2);
  EXPECT_THAT(farstate("train demo --intervention magic").output, HasSubstr("random-noise"));
}

TEST(Terminal, SelftestPasses) {
  const Outcome outcome = farstate("selftest");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("All checks passed"));
}

TEST(Terminal, InfoSaysWhatTheDemoIs) {
  const TempFolder folder;
  const Outcome outcome = farstate("info demo --json " + folder.file("info.json"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.output, HasSubstr("Mamba-2"));
  const Json json = Json::parse(read_all(folder.file("info.json")));
  EXPECT_EQ(json["tokenizer"], "embedded demo/tokenizer.json");
  EXPECT_GT(json["tensors"].size(), 5U);
  EXPECT_THAT(farstate("info demmo").output, HasSubstr("demo, demo-control, "));
}

TEST(Terminal, MeasureWritesTheCurves) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const Outcome outcome = farstate("measure " LETTERS " --data " + text +
                                   " --length 200 --sequences 2 --per-position --effrem-length 64 --json " +
                                   folder.file("m.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const Json json = Json::parse(read_all(folder.file("m.json")));
  EXPECT_EQ(json["schema"], "farstate.results/1");
  EXPECT_EQ(json["recipe"]["measure"]["part"], "held-out");
  EXPECT_EQ(json["per_position"]["tokens"].size(), 2U);
  EXPECT_EQ(json["per_position"]["tokens"][0].size(), 200U);
  EXPECT_EQ(json["per_position"]["nll"][1].size(), 199U);
  std::set<std::string> names;
  for (const Json& series : json["series"]) names.insert(series["name"]);
  for (const char* name : {"perplexity", "loss", "state_norm", "state_std", "state_max", "effrem"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(Terminal, MeasurePrintsTheHeadsThatStandOut) {
  const std::string measure =
      "measure demo --length 256 --sequences 8 --probes state,distribution,dynamics --pins 64,200 --sort ";
  const auto table = [](const std::string& output) {  // the numbers of each row
    std::istringstream lines(output.substr(output.find("norm at T")));
    std::string line;
    std::getline(lines, line);
    std::vector<std::vector<std::string>> rows;
    while (std::getline(lines, line) && !line.empty()) {
      std::istringstream words(line);
      rows.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
    }
    return rows;
  };
  for (const auto& [order, column] : {std::pair<std::string, size_t>{"half-life", 5}, {"norm", 3}}) {
    const Outcome outcome = farstate(measure + order);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("The law of the states after 64 tokens"));
    const auto rows = table(outcome.output);
    ASSERT_EQ(rows.size(), 8U) << outcome.output;
    for (size_t i = 0; i < rows.size(); ++i) {
      ASSERT_EQ(rows[i].size(), 8U);
      EXPECT_NE(rows[i][7], "-") << "the law of every head, since there are few";
      const size_t above = i == 0 ? 0 : i - 1;
      EXPECT_LE(std::stod(rows[i][column]), std::stod(rows[above][column]));
    }
  }
  const Outcome beyond = farstate("measure demo --length 256 --probes distribution --pins 300");
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.output, HasSubstr("a pin is 300"));
}

TEST(Terminal, TheTablesRecipeMakesTheSameTable) {
  const TempFolder folder;
  const std::string first = folder.file("a.csv");
  const Outcome outcome = farstate(
      "measure demo --length 100 --sequences 2 --probes perplexity,dynamics --csv " + first);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("half-life"));
  EXPECT_THAT(read_all(first), HasSubstr("\r\nhalf_life,1,"));
  const std::string again = folder.file("b.csv");
  EXPECT_EQ(farstate("measure --recipe " + first + ".recipe.json --csv " + again).code, 0);
  EXPECT_EQ(read_all(again), read_all(first));
  EXPECT_EQ(farstate("measure demo --csv " + first + " --json " + first).code, 2);
}

TEST(Terminal, TrainResumesToTheSameBits) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const std::string base = "train " LETTERS " --data " + text + kSmallRun + " --intervention state-passing";
  ASSERT_EQ(farstate(base + " --steps 9 --out " + folder.file("whole")).code, 0);
  ASSERT_EQ(farstate(base + " --steps 4 --out " + folder.file("parts")).code, 0);
  const Outcome resumed = farstate("train --resume " + folder.file("parts") + " --steps 5");
  ASSERT_EQ(resumed.code, 0) << resumed.output;
  EXPECT_EQ(read_all(folder.file("whole/model.safetensors")),
            read_all(folder.file("parts/model.safetensors")));
  const Outcome measured = farstate("measure " + folder.file("parts") + " --data " + text +
                                    " --length 100 --sequences 1 --probes perplexity");
  EXPECT_EQ(measured.code, 0) << measured.output;
}

TEST(Terminal, ExperimentComparesArmsOverSeeds) {
  const TempFolder folder;
  const std::string command = "experiment demo --arms zero,tbtt --seeds 2 --steps 2 --batch 2"
                              " --length 200 --sequences 2 --probes perplexity --json ";
  const Outcome outcome = farstate(command + folder.file("e.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("2T = 128"));
  const Json json = Json::parse(read_all(folder.file("e.json")));
  ASSERT_EQ(json["arms"].size(), 4u);
  EXPECT_EQ(json["arms"][3]["arm"], "tbtt");
  EXPECT_EQ(json["arms"][3]["seed"], 8);
  EXPECT_EQ(json["table"]["tbtt"]["T"]["seeds"], 2);
  EXPECT_EQ(json["base"]["arm"], "base");
  EXPECT_EQ(json["arms"][3]["stage"], "done");
  EXPECT_EQ(json["arms"][3]["series"][0]["name"], "train_loss");
  EXPECT_EQ(json["arms"][3]["snapshots"][0]["step"], 0);
  const Outcome turns = farstate(command + folder.file("t.json") + " --interleave --no-store");
  ASSERT_EQ(turns.code, 0) << turns.output;
  EXPECT_EQ(Json::parse(read_all(folder.file("t.json")))["table"], json["table"]);
  EXPECT_EQ(farstate("experiment demo --arms zero,sideways").code, 2);
}

TEST(Terminal, InterruptedTrainingIsSavedAndResumes) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const std::string run = folder.file("run");
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "w", stderr);
    const char* program = FARSTATE_BIN_DIR "/farstate";
    execl(program, program, "train", LETTERS, "--data", text.c_str(), "--steps", "1000000", "--context",
          "24", "--batch", "3", "--save-every", "5", "--out", run.c_str(), nullptr);
    _exit(127);
  }
  // As soon as a first save is there, the program is in its loop.
  for (int i = 0; i < 600 && !std::filesystem::exists(run + "/model.safetensors"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const Outcome resumed = farstate("train --resume " + run + " --steps 2");
  EXPECT_EQ(resumed.code, 0) << resumed.output;
}

TEST(Terminal, BadInputGetsASentenceAndCode3) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const auto expect = [](const std::string& arguments, const char* part) {
    const Outcome outcome = farstate(arguments);
    EXPECT_EQ(outcome.code, 3) << arguments << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(part)) << arguments;
  };
  expect("measure " LETTERS " --data " + folder.file("none.txt"), "No such file");
  expect("measure " LETTERS " --data " + folder.write("empty.txt", ""), "is empty");
  expect("measure " LETTERS " --data " + folder.write("bad.txt", "ab\xFF"), "not UTF-8");
  expect("measure " LETTERS " --data " + text + " --length 1000000", "a sequence of 1000000 is wanted");
  expect("train " LETTERS " --steps 1 --data " + text + " --context 1000000", "longer than the training part");
  expect("measure " + folder.file("none"), "There is no model");
  expect("info " + text, "config.json");
  expect("train --resume " + folder.path(), "training.safetensors");
  expect("generate " LETTERS " --prompt a --initial-state " + folder.file("none"), "No such file");
  expect("measure demo --json " + folder.file("none/m.json"), "No such file");
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  expect("measure " LETTERS " --data " + folder.file("pipe"), "no regular file");
}

TEST(Terminal, BadArgumentsGetASentenceAndCode2) {
  const TempFolder folder;
  const auto expect = [](const std::string& arguments, const char* part) {
    const Outcome outcome = farstate(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(part)) << arguments;
  };
  expect("train demo --batch 0", "batch is 0");
  expect("train demo --init x.json", "choose one of them");
  expect("train --resume " + folder.path() + " --steps -5", "steps is -5");
  expect("measure demo --probes colour", "\"colour\"");
  expect("generate " LETTERS " --prompt ''", "prompt is empty");
  expect("train demo --seed -1", "--seed");
  expect("train demo --seed 99999999999999999999999", "--seed");
  folder.write("occupied", "x");
  expect("train demo --steps 1 --out " + folder.path(), "is not empty");
  expect("measure --recipe " + folder.write("r.json", "{\"sead\":1}"), "unknown key \"sead\"");
}

TEST(Terminal, WhatABrokenFirstSaveLeavesCanBeTrainedInto) {
  const TempFolder folder;
  folder.write("config.json", "{}");
  folder.write("training.safetensors.17.part", "half");
  const Outcome outcome =
      farstate("train demo --steps 1 --context 16 --batch 2 --out " + folder.path());
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST(Terminal, DivergenceIsCode5AndSavesNothingBroken) {
  const TempFolder folder;
  const Outcome outcome =
      farstate("train demo --intervention random-noise --sigma 1e38 --zero-probability 0 --steps 3"
               " --context 16 --batch 2 --out " + folder.file("run"));
  EXPECT_EQ(outcome.code, 5) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("diverged at step 3"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("run/model.safetensors")));
  const Outcome huge = farstate("train demo --steps 1 --warmup 0 --lr 1e300 --context 16 --batch 2"
                                " --out " + folder.file("huge"));
  EXPECT_EQ(huge.code, 5) << huge.output;
  EXPECT_FALSE(std::filesystem::exists(folder.file("huge/model.safetensors")));
}

TEST(Terminal, GenerateIsReproducibleAndTakesAState) {
  const TempFolder folder;
  const std::string base = "generate " LETTERS " --prompt abc --tokens 40 ";
  const Outcome a = farstate(base + "--seed 1 --save-state " + folder.file("s"));
  EXPECT_EQ(a.code, 0) << a.output;
  EXPECT_THAT(a.output, ::testing::StartsWith("abc"));
  EXPECT_EQ(farstate(base + "--seed 1").output, a.output);
  EXPECT_NE(farstate(base + "--seed 2").output, a.output);
  const Outcome carried = farstate(base + "--temperature 0 --initial-state " + folder.file("s"));
  EXPECT_EQ(carried.code, 0) << carried.output;
}

TEST(Terminal, GenerateSaysWhatItRead) {
  const TempFolder folder;
  const std::string json_file = folder.file("g.json");
  const Outcome outcome = farstate("generate " LETTERS " --prompt 'aé' --tokens 4 --losses --json " + json_file);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("\"é\""));
  const Json json = Json::parse(read_all(json_file));
  EXPECT_EQ(json["schema"], "farstate.generation/1");
  EXPECT_EQ(json["prompt"], "aé");
  EXPECT_EQ(json["prompt_tokens"], 3);
  ASSERT_EQ(json["tokens"].size(), 7U);
  EXPECT_TRUE(json["tokens"][0]["loss"].is_null());
  EXPECT_GT(json["tokens"][1]["loss"], 0);
  EXPECT_EQ(json["tokens"][2]["text"], "é");
  EXPECT_EQ(json["tokens"][2]["prompt"], true);
  EXPECT_EQ(json["tokens"][3]["prompt"], false);
  ASSERT_EQ(json["norms"].size(), 7U);
  EXPECT_EQ(json["norms"][6]["norms"].size(), 8U);
  EXPECT_EQ(json["next"].size(), 12U);
  EXPECT_EQ(json["complete"], true);

  // The same prompt in a file and through a pipe; neither is printed again.
  const std::string prompt = folder.write("p", "aé");
  const Outcome from_file = farstate("generate " LETTERS " --tokens 4 --prompt-file " + prompt);
  EXPECT_EQ("aé" + from_file.output, farstate("generate " LETTERS " --tokens 4 --prompt 'aé'").output);
  EXPECT_EQ(farstate("generate " LETTERS " --tokens 4 --prompt-file - < " + prompt).output, from_file.output);
}

TEST(Terminal, GenerateGoesOnFromAFileAndChangesItsHeads) {
  const TempFolder folder;
  const std::string state = folder.file("s");
  const std::string base = "generate " LETTERS " --temperature 0 ";
  const std::string whole = farstate(base + "--prompt 'the mill' --tokens 20").output;
  const std::string begun = farstate(base + "--prompt 'the mill' --tokens 8 --save-state " + state).output;
  const std::string rest = farstate(base + "--prompt '' --tokens 12 --initial-state " + state).output;
  EXPECT_EQ(begun.substr(0, begun.size() - 1) + rest, whole);

  const auto losses = [&](const std::string& edits) {
    const Outcome outcome = farstate(base + "--prompt abc --tokens 0 --json " + folder.file("j") +
                                     " --initial-state " + state + edits);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return Json::parse(read_all(folder.file("j")))["tokens"];
  };
  const Json untouched = losses("");
  EXPECT_EQ(losses(" --scale-state 1")[2], untouched[2]);
  EXPECT_NE(losses(" --scale-state 0.5")[2], untouched[2]);
  EXPECT_NE(losses(" --zero-heads 0.1,1.2")[2], untouched[2]);
  EXPECT_EQ(losses(" --scale-state 0")[2],
            losses(" --zero-heads 0.0,0.1,0.2,0.3,1.0,1.1,1.2,1.3")[2]);
  const Json noisy = losses(" --noise-heads all --noise 0.5");
  EXPECT_NE(noisy[2], untouched[2]);
  EXPECT_EQ(losses(" --noise-heads all --noise 0.5")[2], noisy[2]);

  const auto refused = [&](const std::string& arguments, const char* part) {
    const Outcome outcome = farstate("generate " LETTERS " --prompt a " + arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(part)) << arguments;
  };
  const std::string from = "--initial-state " + state;
  refused(from + " --zero-heads 5", "\"5\" is no head");
  refused(from + " --zero-heads 0.1x", "\"0.1x\" is no head");
  refused(from + " --zero-heads 2.0", "no head 2.0");
  refused(from + " --noise 0.5", "--noise-heads");
  refused("--scale-state 2", "stays zero");
  refused("--prompt-file " + state, "choose one");
}

TEST(Terminal, TokenizeWritesIdsThatCanBeRead) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const std::string tokenizer = " --tokenizer " FARSTATE_GOLDEN_DIR "/tokenizer/neox.json";
  setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  const Outcome words = farstate("tokenize" + tokenizer + " --data " + text + " --limit 3");
  EXPECT_EQ(words.code, 0) << words.output;
  EXPECT_THAT(words.output, HasSubstr("bytes per token"));
  EXPECT_THAT(words.output, HasSubstr("MB/s"));
  EXPECT_THAT(farstate("tokenize" + tokenizer + " --data " + text).output, HasSubstr("kept"));
  const std::string ids = folder.file("ids.npy");
  const Outcome bytes = farstate("tokenize " LETTERS " --data " + text + " --out " + ids);
  EXPECT_EQ(bytes.code, 0) << bytes.output;
  const std::string measured = " --length 100 --sequences 1 --part all --probes perplexity --json ";
  ASSERT_EQ(farstate("measure " LETTERS " --tokens " + ids + measured + folder.file("a.json")).code, 0);
  ASSERT_EQ(farstate("measure " LETTERS " --data " + text + measured + folder.file("b.json")).code, 0);
  EXPECT_EQ(Json::parse(read_all(folder.file("a.json")))["series"],
            Json::parse(read_all(folder.file("b.json")))["series"]);
  const Outcome foreign = farstate("measure " LETTERS " --data " + text + tokenizer);
  EXPECT_EQ(foreign.code, 3);
  EXPECT_THAT(foreign.output, HasSubstr("belongs to another model"));
  unsetenv("XDG_CACHE_HOME");
}

// A small model of words from nothing but a text: the tokenizer is made, trained with, and found
// beside the model by whatever reads that.
TEST(Terminal, AModelOfWordsKeepsItsTokenizer) {
  const TempFolder folder;
  setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  const std::string text = folder.write("t.txt", english());
  const std::string words = folder.file("words");
  const Outcome made = farstate("tokenize --make words --data " + text + " --out " + words);
  ASSERT_EQ(made.code, 0) << made.output;
  EXPECT_THAT(made.output, HasSubstr("words/tokenizer.json"));
  EXPECT_THAT(made.output, HasSubstr("not known        0 of them"));
  const std::string config = folder.write("config.json", R"({"model_type": "mamba2", "hidden_size": 16,
      "num_hidden_layers": 1, "num_heads": 2, "head_dim": 16, "state_size": 8, "n_groups": 1,
      "expand": 2, "conv_kernel": 4, "vocab_size": 32, "tie_word_embeddings": true})");
  const std::string model = folder.file("model");
  const Outcome trained = farstate("train --init " + config + " --tokenizer " + words + " --data " + text +
                                   kSmallRun + " --steps 2 --no-store --out " + model);
  ASSERT_EQ(trained.code, 0) << trained.output;
  std::filesystem::remove_all(words);

  EXPECT_THAT(farstate("info " + model).output, HasSubstr("model/tokenizer.json"));
  const Outcome read = farstate("tokenize " + model + " --data " + text + " --limit 2");
  EXPECT_EQ(read.code, 0) << read.output;
  EXPECT_THAT(read.output, HasSubstr("model/tokenizer.json"));
  const Outcome measured =
      farstate("measure " + model + " --data " + text + " --length 64 --sequences 1 --probes perplexity");
  EXPECT_EQ(measured.code, 0) << measured.output;
  const Outcome generated = farstate("generate " + model + " --prompt 'the mill' --tokens 3 --losses");
  EXPECT_EQ(generated.code, 0) << generated.output;
  EXPECT_THAT(generated.output, HasSubstr("\" mill\""));

  const std::string foreign = folder.write("f.txt", "the zebra ran past the quiet mill");
  EXPECT_THAT(farstate("tokenize " + model + " --data " + foreign).output,
              HasSubstr("1 of the 7 tokens of " + foreign + " (14.3 %) are [UNK]"));
  unsetenv("XDG_CACHE_HOME");
}

TEST(Terminal, ATokenizerIsMadeOfWhatMakesSense) {
  const TempFolder folder;
  const std::string text = folder.write("t.txt", english());
  const std::string to = " --data " + text + " --out " + folder.file("c");
  const Outcome few = farstate("tokenize --make characters --vocabulary 5" + to);
  EXPECT_EQ(few.code, 0) << few.output;
  EXPECT_THAT(few.output, HasSubstr("5 characters"));
  const auto refused = [&](const std::string& arguments, int code, const char* part) {
    const Outcome outcome = farstate("tokenize " + arguments);
    EXPECT_EQ(outcome.code, code) << arguments << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(part)) << arguments;
  };
  refused("--make words" + to, 2, "already");
  refused("--make words --data " + text, 2, "needs --out");
  refused("--make letters" + to, 2, "letters");
  refused("--vocabulary 50" + to, 2, "needs --make");
  refused("--make words --vocabulary 1" + to, 2, "1");
  refused("demo --make words" + to, 2, "MODEL");
  refused("--make words --tokenizer x" + to, 2, "--tokenizer");
  refused("--make words --limit 5" + to, 2, "--limit");
  refused("--make words --out " + folder.file("d") + " --data " + folder.write("e.txt", ""), 3, "is empty");
  refused("--make words --out " + folder.file("d") + " --data " + folder.write("b", std::string(999, '\0')),
          3, "no UTF-8 text");
  EXPECT_FALSE(std::filesystem::exists(folder.file("d"))) << "nothing is left of what was refused";
}

TEST(Terminal, AttentionSaysWhatThePredictionLeansOn) {
  const TempFolder folder;
  const std::string command =
      "measure demo --length 300 --sequences 2 --probes attention --attention-layer 1 "
      "--attention-head 2 --attention-window 20 --json " +
      folder.file("m.json");
  const Outcome outcome = farstate(command);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("leans on it"));
  const Json attention = Json::parse(read_all(folder.file("m.json")))["states"]["attention"];
  EXPECT_EQ(attention["index"], Json({{"layer", 1}, {"head", 2}}));
  EXPECT_EQ(attention["first"], 280);
  EXPECT_EQ(attention["tokens"].size(), 20U);
  EXPECT_EQ(attention["weights"].size(), 400U);
  EXPECT_EQ(attention["leaning"].size(), 20U);
  const Outcome refused = farstate("measure demo --probes attention --attention-head 4");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("2 layers of 4 heads"));
}

// A build without the window has nothing that draws.
bool draws() { return access(FARSTATE_BIN_DIR "/farstate-desktop", X_OK) == 0; }

TEST(Terminal, PlotDrawsWhatMeasureWrote) {
  if (!draws()) GTEST_SKIP() << "built without the window";
  const TempFolder folder;
  const std::string results = folder.file("-m.json");  // a name is no option
  ASSERT_EQ(farstate("measure demo --length 200 --sequences 2 --json " + results).code, 0);
  const Outcome outcome =
      farstate("plot " + results + " --format both --theme dark --out " + folder.file("out"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("out/perplexity.png\n"));
  EXPECT_EQ(read_all(folder.file("out/state.png")).substr(1, 3), "PNG");
  EXPECT_THAT(read_all(folder.file("out/effrem.svg")), HasSubstr("&quot;measure&quot;"))
      << "the recipe is inside";
  const Outcome one = farstate("plot " + results + " --plots perplexity --size 300x200 --out " +
                               folder.file("one"));
  EXPECT_EQ(one.code, 0) << one.output;
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("one")), {}), 1);
}

TEST(Terminal, PlotSaysWhatItCannotDraw) {
  if (!draws()) GTEST_SKIP() << "built without the window";
  const TempFolder folder;
  const std::string bad = folder.write("bad.json", R"({"schema":"farstate.results/1"})");
  const std::string to = " --out " + folder.file("out");
  const Outcome outcome = farstate("plot " + bad + to);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.output, HasSubstr("bad.json: the key \"recipe\" is missing"));
  EXPECT_EQ(farstate("plot " + folder.file("none.json") + to).code, 3);
  EXPECT_EQ(farstate("plot " + bad + " --format pdf" + to).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST(Terminal, PlotWithoutTheWindowsProgramSaysSo) {
  const TempFolder folder;
  std::filesystem::copy_file(FARSTATE_BIN_DIR "/farstate", folder.file("farstate"));
  const std::string command =
      "PATH=/nowhere " + folder.file("farstate") + " plot x.json >" + folder.file("said") + " 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_THAT(read_all(folder.file("said")), HasSubstr("farstate-desktop"));
}

}  // namespace
}  // namespace farstate
