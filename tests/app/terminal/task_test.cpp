// SPDX-License-Identifier: GPL-3.0-or-later
// farstate task, as its user starts it: samples, training from scratch, scores, and what is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/results/task_scores.h"
#include "core/store/run_store.h"
#include "tests/support/farstate_program.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::farstate;
using testing::Outcome;
using testing::read_all;
using testing::TempFolder;
using Json = nlohmann::json;

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

class TaskCommand : public ::testing::Test {
 protected:
  Outcome task(const std::string& words) { return farstate("task " + words + " --store " + store); }
  // Two arms of a register that is too small to learn anything in so few steps.
  std::string train(const std::string& arms = "zero,tbtt") const {
    return "register train --arms " + arms + " --steps 3 --context 32 --batch 4 --keys 8 --layers 1 "
           "--d-model 16 --d-state 16 --head-dim 16 --lengths 32,64 --trials 2 --task-tokens 20000 "
           "--out " + folder.file("run");
  }

  TempFolder folder;
  std::string store = folder.file("runs.sqlite");
};

TEST_F(TaskCommand, GeneratesSamplesThatSayWhereTheirAnswersStand) {
  for (const std::string name : {"passkey", "babilong", "copying", "register"}) {
    const std::string file = folder.file(name + ".jsonl");
    const std::string words =
        "task " + name + " generate --length 300 --count 3 --seed 5 --out ";
    const Outcome outcome = farstate(words + file);
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("3 samples"));
    const std::vector<Json> lines = lines_of(read_all(file));
    ASSERT_EQ(lines.size(), 3U);
    for (const Json& line : lines) {
      const std::string text = line["text"];
      ASSERT_FALSE(line["answers"].empty());
      for (const char* spans : {"answers", "evidence"}) {
        for (const Json& span : line[spans]) {
          const size_t begin = span["begin"], end = span["end"];
          EXPECT_EQ(text.substr(begin, end - begin), span["text"]);
        }
      }
      EXPECT_EQ(text.find(line["prompt"]), 0U);
      EXPECT_EQ(line["prompt"].get<std::string>().size(), line["answers"][0]["begin"]);
      // Copying counts letters, each of them twice in the text, and three marks.
      EXPECT_LE(line["length"], name == "copying" ? 603 : 300);
    }
    EXPECT_NE(lines[0]["text"], lines[1]["text"]);
    EXPECT_EQ(farstate(words + folder.file("again")).code, 0);
    EXPECT_EQ(read_all(folder.file("again")), read_all(file)) << "the same seed";
  }
}

TEST_F(TaskCommand, GeneratesForTheTokenizerOfAModelOrInAFile) {
  const Outcome bytes = farstate("task passkey generate " LETTERS " --length 400 --depth 0.5");
  ASSERT_EQ(bytes.code, 0) << bytes.output;
  const std::vector<Json> lines = lines_of(bytes.output);
  ASSERT_EQ(lines.size(), 10U);
  EXPECT_EQ(lines[0]["length"], lines[0]["text"].get<std::string>().size()) << "it reads bytes";
  EXPECT_EQ(farstate("task passkey generate nowhere --length 400").code, 3);
  EXPECT_THAT(farstate("task passkey generate --length 5").output, HasSubstr("the shortest has"));
}

TEST_F(TaskCommand, TrainsScoresAndGoesOnFromTheStore) {
  const std::string json = folder.file("t.json"), csv = folder.file("t.csv");
  const Outcome trained = task(train() + " --json " + json + " --csv " + csv);
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_THAT(trained.output, AllOf(HasSubstr("base"), HasSubstr("zero"), HasSubstr("tbtt"),
                                    HasSubstr("share of right answers"), HasSubstr("Wilson")));
  const TaskScores scores = task_scores_from_json(read_all(json), json);
  ASSERT_EQ(scores.cells.size(), 6U) << "base and two arms at two lengths";
  EXPECT_EQ(scores.context, 32);
  std::set<std::string> arms;
  for (const TaskCell& cell : scores.cells) {
    EXPECT_EQ(cell.task, "register");
    EXPECT_EQ(cell.seed, 7U);
    EXPECT_EQ(cell.samples, 2);
    EXPECT_GT(cell.trials, 0);
    arms.insert(cell.arm);
  }
  EXPECT_EQ(arms, (std::set<std::string>{"base", "tbtt", "zero"}));
  EXPECT_THAT(read_all(csv), HasSubstr("\r\nregister,,predicted,64,,tbtt,7,2,2,"));
  for (const char* file : {"model/config.json", "model/tokenizer.json", "tbtt-seed7/model.safetensors",
                           "zero-seed7/tokenizer.json"}) {
    EXPECT_TRUE(std::filesystem::exists(folder.file(std::string("run/") + file))) << file;
  }

  // The folder stands for its arms, and with their own settings nothing is scored again.
  const size_t recorded = RunStore::open(store)->list_scorings().size();
  EXPECT_EQ(recorded, 3U);
  const Outcome again = task("register score " + folder.file("run") + " --json " + folder.file("s.json"));
  ASSERT_EQ(again.code, 0) << again.output;
  EXPECT_EQ(RunStore::open(store)->list_scorings().size(), recorded);
  const TaskScores scored = task_scores_from_json(read_all(folder.file("s.json")), "s.json");
  ASSERT_EQ(scored.cells.size(), 4U);
  for (const TaskCell& cell : scored.cells) {
    bool same = false;
    for (const TaskCell& before : scores.cells) {
      same = same || (before.arm == cell.arm && before.length == cell.length &&
                      before.correct == cell.correct && before.trials == cell.trials);
    }
    EXPECT_TRUE(same) << cell.arm << " " << cell.length;
  }
  EXPECT_EQ(scored.cells.front().arm, "zero") << "the control first";

  // One model, other lengths: scored anew, under the name that is asked for.
  const Outcome other = task("register score " + folder.file("run/tbtt-seed7") +
                             " --arm mine --lengths 48 --trials 1 --json " + folder.file("o.json"));
  ASSERT_EQ(other.code, 0) << other.output;
  const TaskScores mine = task_scores_from_json(read_all(folder.file("o.json")), "o.json");
  ASSERT_EQ(mine.cells.size(), 1U);
  EXPECT_EQ(mine.cells[0].arm, "mine");
  EXPECT_EQ(mine.cells[0].length, 48);
  EXPECT_EQ(RunStore::open(store)->list_scorings().size(), recorded + 1);
}

TEST_F(TaskCommand, RunsAndTheirScoresAreShownExportedAndDeleted) {
  ASSERT_EQ(task(train()).code, 0);
  const std::string on = " --store " + store;
  EXPECT_THAT(farstate("runs list" + on).output, AllOf(HasSubstr("scored at"), HasSubstr("register")));
  EXPECT_THAT(farstate("runs show 2" + on).output,
              AllOf(HasSubstr("scores           "), HasSubstr("share of right answers")));
  EXPECT_EQ(farstate("runs export 2 --out " + folder.file("r.json") + on).code, 0);
  EXPECT_EQ(Json::parse(read_all(folder.file("r.json")))["cells"].size(), 2U);
  EXPECT_EQ(farstate("runs export 2 --format csv --out " + folder.file("tables") + on).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("tables/cells.csv")));

  const Outcome listed = task("scores");
  EXPECT_THAT(listed.output, AllOf(HasSubstr("base"), HasSubstr("tbtt"), HasSubstr(folder.file("run"))));
  const Outcome shown = task("scores show 2 --json " + folder.file("c.json"));
  EXPECT_EQ(shown.code, 0) << shown.output;
  EXPECT_EQ(task_scores_from_json(read_all(folder.file("c.json")), "c.json").cells.size(), 2U);
  EXPECT_EQ(task("scores delete 2 77").code, 2);
  EXPECT_EQ(RunStore::open(store)->list_scorings().size(), 3U) << "all or none";
  EXPECT_EQ(task("scores delete 2").code, 0);
  EXPECT_EQ(farstate("runs delete 3" + on).code, 0);
  EXPECT_EQ(RunStore::open(store)->list_scorings().size(), 1U) << "those of run 3 went with it";
}

TEST_F(TaskCommand, WithoutAStoreNothingIsRecorded) {
  const Outcome trained = farstate("task " + train("zero") + " --no-store");
  ASSERT_EQ(trained.code, 0) << trained.output;
  EXPECT_FALSE(std::filesystem::exists(store));
}

TEST_F(TaskCommand, PrintsThePapersFiguresAsWhatTheyAre) {
  const Outcome scored = task("passkey score " LETTERS " --lengths 256 --depths 0.5 --trials 1 --paper");
  ASSERT_EQ(scored.code, 0) << scored.output;
  EXPECT_THAT(scored.output, AllOf(HasSubstr("base, depth 0.5"), HasSubstr("digitised from the figure"),
                                   HasSubstr("Mamba-2 370m, fine-tuned with fitted noise, depth 0.9")));
  EXPECT_THAT(task("passkey score " LETTERS " --lengths 256 --depths 0.5 --trials 1").output,
              Not(HasSubstr("370m")));
}

TEST_F(TaskCommand, SaysWhatIsWrong) {
  const auto refused = [&](const std::string& words, int code, const char* says) {
    const Outcome outcome = task(words);
    EXPECT_EQ(outcome.code, code) << words << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(says)) << words;
  };
  EXPECT_EQ(farstate("task").code, 2);
  EXPECT_EQ(farstate("task passkey").code, 2);
  EXPECT_EQ(farstate("task chess generate --length 9").code, 2);
  refused("passkey train", 2, "--out");
  refused("passkey train demo --layers 3", 2, "MODEL names one already");
  refused("passkey train demo --init x.json", 2, "choose one of them");
  refused("copying train --d-model 24 --head-dim 64 --out " + folder.file("a"), 2, "--head-dim 64");
  refused("passkey train --tokenizer x --out " + folder.file("a"), 2, "--tokenizer goes with");
  refused("register train demo --arms magic --out " + folder.file("a"), 2, "magic");
  refused("passkey score", 2, "MODEL");
  refused("passkey score " + folder.file("none"), 3, "no model");
  refused("passkey score demo --trials 0", 2, "trials");
  refused("passkey score demo --depths 2", 2, "depth");
  refused("passkey score demo --json " + store + " --csv " + store, 2, "same file");
  refused("scores show 4", 2, "no scores 4");
  ASSERT_EQ(task(train()).code, 0);
  std::string deeper = train();
  deeper.replace(deeper.find("--layers 1"), 10, "--layers 2");
  refused(deeper, 2, "another model");
  refused(train() + " --characters", 2, "another vocabulary");
}

}  // namespace
}  // namespace farstate
