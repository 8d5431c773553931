// SPDX-License-Identifier: GPL-3.0-or-later
// The worker behind the window: its states, its order, and that nothing hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/rng.h"
#include "core/checkpoint/model_files.h"
#include "core/session/jobs.h"
#include "core/session/runner.h"
#include "core/store/run_store.h"
#include "tests/support/runner_desk.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;
using namespace std::chrono_literals;
using testing::Desk;
using testing::kHang;
using testing::small;
using testing::small_bytes;

TEST(LocalRunner, LoadMeasuresTheUntouchedModelThenIsReady) {
  Desk desk;
  EXPECT_TRUE(desk.until_state(RunState::kIdle));
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  EXPECT_EQ(desk.measurements.back()->step, 0);
  ASSERT_NE(desk.last.model, nullptr);
  EXPECT_EQ(desk.last.model->name, "demo");
  EXPECT_GT(desk.last.data->train_tokens, 0);
  EXPECT_EQ(*desk.last.recipe, small());
  EXPECT_TRUE(desk.points.empty());
}

TEST(LocalRunner, RunTrainsMeasuresAndEndsReady) {
  Desk desk;
  desk.runner->load(small());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  ASSERT_TRUE(desk.until_measured());
  EXPECT_EQ(desk.measurements.back()->step, 30);
  EXPECT_EQ(desk.measurements.back()->intervention, Intervention::kStatePassing);
  for (size_t i = 0; i < desk.points.size(); ++i) {
    EXPECT_EQ(desk.points[i].step, static_cast<int64_t>(i) + 1);
  }
}

TEST(LocalRunner, SameNumbersAsTheTerminalProgram) {
  Desk desk;
  desk.runner->load(small());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  const TrainOutcome terminal = train(small(), {}, {});
  const Series& loss = terminal.results.series[0];
  ASSERT_EQ(loss.y.size(), 30U);
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(desk.points[i].loss, loss.y[i]) << "step " << i + 1;
}

TEST(LocalRunner, PauseMeasureAndResumeChangeNoNumber) {
  Desk straight;
  straight.runner->load(small());
  straight.runner->run();
  ASSERT_TRUE(straight.until([&] { return straight.points.size() == 30; }));

  Desk desk;
  desk.runner->load(small());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() >= 5; }));
  desk.runner->pause();
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  const size_t held = desk.points.size();
  desk.runner->measure();
  ASSERT_TRUE(desk.until([&] {
    return !desk.measurements.empty() && desk.measurements.back()->complete &&
           desk.measurements.back()->step == static_cast<int64_t>(held);
  }));
  EXPECT_EQ(desk.points.size(), held) << "a paused run does not step";
  EXPECT_EQ(desk.last.state, RunState::kPaused);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(desk.points[i].loss, straight.points[i].loss);
}

TEST(LocalRunner, StepIsExactlyOneStepAndThenPaused) {
  Desk desk;
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->step();
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  EXPECT_EQ(desk.points.size(), 1U);
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 2; }));
  ASSERT_TRUE(desk.until([&] { return desk.measurements.back()->complete && desk.measurements.back()->step == 2; }));
  EXPECT_EQ(desk.points.size(), 2U);
}

TEST(LocalRunner, StopKeepsWhatWasDoneAndRunGoesOn) {
  Desk desk;
  RunConfig config = small();
  config.train.steps = 100000;
  desk.runner->load(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() >= 3; }));
  desk.runner->stop();
  ASSERT_TRUE(desk.until_state(RunState::kReady));
  const size_t done = desk.points.size();
  config.train.steps = 4;
  desk.runner->configure(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == done + 4; }));
  EXPECT_EQ(desk.points.back().step, static_cast<int64_t>(done) + 4);
}

TEST(LocalRunner, ChangingTheInterventionWhileItRunsLeavesAnEvent) {
  Desk desk;
  RunConfig config = small();
  config.train.steps = 100000;
  desk.runner->load(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() >= 2; }));
  InterventionConfig tbtt;
  tbtt.kind = Intervention::kTbtt;
  desk.runner->set_intervention(tbtt);
  ASSERT_TRUE(desk.until([&] { return !desk.events.empty(); }));
  EXPECT_EQ(desk.events[0].kind, "change");
  EXPECT_THAT(desk.events[0].text, HasSubstr("truncated BPTT"));
  EXPECT_EQ(desk.last.intervention.kind, Intervention::kTbtt);
  const size_t then = desk.points.size();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() > then; })) << "it goes on";
}

TEST(LocalRunner, AnEstimateLeavesTheWeightsAsTheyAre) {
  Desk straight;
  straight.runner->load(small());
  straight.runner->run();
  ASSERT_TRUE(straight.until([&] { return straight.points.size() == 30; }));
  Desk desk;
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->estimate(small());
  ASSERT_TRUE(desk.until([&] { return desk.last.cost != nullptr; }));
  EXPECT_EQ(desk.last.cost->problem, "");
  EXPECT_GT(desk.last.cost->estimate.seconds_per_step, 0);
  EXPECT_GT(desk.last.cost->estimate.seconds_measuring, 0);
  EXPECT_EQ(desk.last.state, RunState::kReady);
  RunConfig wrong = small();
  wrong.train.context = 1 << 30;
  desk.runner->estimate(wrong);
  ASSERT_TRUE(desk.until([&] { return desk.last.cost->recipe == wrong; }));
  EXPECT_NE(desk.last.cost->problem, "") << "a sentence in the answer, and no error";
  EXPECT_FALSE(desk.last.error);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(desk.points[i].loss, straight.points[i].loss);
}

// While it runs the weights at hand are held, and a stop of it ends no run.
TEST(LocalRunner, ASearchForARateIsOnWeightsOfItsOwn) {
  Desk desk;
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->step();
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  LrSearch search;
  search.steps = 30;
  desk.runner->find_rate(small(), search);
  ASSERT_TRUE(desk.until([&] { return desk.last.rates != nullptr; }));
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  EXPECT_EQ(desk.last.rates->losses, find_learning_rate(small(), search, {}).losses);
  EXPECT_FALSE(desk.last.rates->sentence.empty());
  search.steps = 10000;
  desk.runner->find_rate(small(), search);
  ASSERT_TRUE(
      desk.until([&] { return desk.last.rates != nullptr && desk.last.rates->losses.size() > 2; }));
  desk.runner->stop();
  ASSERT_TRUE(desk.until_state(RunState::kPaused)) << "the run is still held";
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
}

TEST(LocalRunner, ResetGoesBackToTheLoadedWeights) {
  Desk desk;
  desk.runner->load(small());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  const std::vector<TrainPoint> first = desk.points;
  const uint64_t epoch = desk.last.epoch;
  desk.runner->reset();
  ASSERT_TRUE(desk.until([&] { return desk.last.epoch > epoch; }));
  EXPECT_TRUE(desk.points.empty());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  for (size_t i = 0; i < 30; ++i) EXPECT_EQ(desk.points[i].loss, first[i].loss);
}

TEST(LocalRunner, AFailureIsASentenceAndALoadLeadsOut) {
  Desk desk;
  RunConfig bad = small();
  bad.model.model = "/no/such/model";
  desk.runner->load(bad);
  ASSERT_TRUE(desk.until_state(RunState::kFailed));
  ASSERT_TRUE(desk.last.error.has_value());
  EXPECT_THAT(desk.last.error->message, HasSubstr("There is no model at /no/such/model"));
  EXPECT_EQ(desk.last.error->kind, ErrorKind::kBadInput);
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  EXPECT_FALSE(desk.last.error.has_value());
}

TEST(LocalRunner, AModelThatCannotBeOpenedCostsNothingOfTheOpenOne) {
  Desk desk;
  desk.runner->load(small());
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 1 && desk.last.state == RunState::kPaused; }));
  const uint64_t epoch = desk.last.epoch;
  RunConfig bad = small();
  bad.model.model = "/no/such/model";
  desk.runner->load(bad);
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_EQ(desk.last.epoch, epoch) << "its curves are still those of the open model";
  EXPECT_EQ(desk.last.state, RunState::kPaused);
  ASSERT_NE(desk.last.model, nullptr);
  EXPECT_EQ(desk.last.model->name, "demo");
  EXPECT_EQ(*desk.last.recipe, small());
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 2; }));
  EXPECT_EQ(desk.points.back().step, 2) << "and its training goes on";
}

TEST(LocalRunner, LooksWithoutLoading) {
  Desk desk;
  ModelSource source;
  desk.runner->inspect(source);
  ASSERT_TRUE(desk.until([&] { return desk.last.report != nullptr; }));
  EXPECT_EQ(desk.last.report->asked, "demo");
  EXPECT_EQ(desk.last.report->problem, "");
  EXPECT_EQ(desk.last.report->model.vocabulary, 98);
  source.model = "/no/such/model";
  desk.runner->inspect(source);
  ASSERT_TRUE(desk.until([&] { return desk.last.report != nullptr && desk.last.report->asked == source.model; }));
  EXPECT_THAT(desk.last.report->problem, HasSubstr("There is no model at"));
  EXPECT_FALSE(desk.last.error.has_value());
  EXPECT_EQ(desk.last.state, RunState::kIdle);
  EXPECT_EQ(desk.last.model, nullptr);
}

TEST(LocalRunner, DivergenceIsASentenceAndKeepsTheModel) {
  Desk desk;
  RunConfig config = small();
  config.intervention.kind = Intervention::kRandomNoise;
  config.intervention.sigma = 1e38;
  config.intervention.zero_probability = 0;
  desk.runner->load(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_THAT(desk.last.error->message, HasSubstr("diverged at step 4"));
  EXPECT_EQ(desk.last.error->kind, ErrorKind::kDiverged);
  EXPECT_EQ(desk.last.state, RunState::kReady) << "the weights before the step are still there";
  InterventionConfig zero;
  desk.runner->set_intervention(zero);
  desk.runner->run();
  const size_t passed_over = 3;
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == passed_over + 30; }));
}

// The store that the environment names, for as long as it lives.
class StoreOfItsOwn {
 public:
  StoreOfItsOwn() : before_(std::getenv("FARSTATE_STORE") ? std::getenv("FARSTATE_STORE") : "") {
    setenv("FARSTATE_STORE", path().c_str(), 1);
  }
  ~StoreOfItsOwn() {
    before_.empty() ? unsetenv("FARSTATE_STORE") : setenv("FARSTATE_STORE", before_.c_str(), 1);
  }
  std::string path() const { return folder_.file("runs.sqlite"); }

 private:
  testing::TempFolder folder_;
  std::string before_;
};

TEST(LocalRunner, ARunIsRecordedAndItsRecipeGivesItsWeights) {
  const StoreOfItsOwn place;
  RunConfig config = small();
  {
    Desk desk;
    desk.runner->load(config);
    desk.runner->step();
    desk.runner->step();
    ASSERT_TRUE(desk.until([&] { return desk.points.size() == 2; }));
    InterventionConfig tbtt;
    tbtt.kind = Intervention::kTbtt;
    desk.runner->set_intervention(tbtt);
    desk.runner->step();
    ASSERT_TRUE(desk.until([&] {
      return desk.points.size() == 3 && desk.last.state == RunState::kPaused;
    }));
  }  // closing the window ends the run
  const std::unique_ptr<RunStore> store = RunStore::open(place.path());
  const std::vector<StoredRun> runs = store->list();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].status, RunStatus::kStopped);
  EXPECT_EQ(runs[0].steps, 3);
  EXPECT_EQ(runs[0].checkpoint_step, 3);
  const RunCurves curves = store->curves(runs[0].id);
  EXPECT_EQ(curves.points.size(), 3U);
  ASSERT_FALSE(curves.events.empty());
  EXPECT_THAT(curves.events[0].text, HasSubstr("truncated BPTT"));

  RunConfig recipe = run_config_from_json(runs[0].recipe);
  EXPECT_FALSE(recipe.changes.empty());
  recipe.train.steps = 3;
  const testing::TempFolder folder;
  TrainJob job;
  job.out = folder.file("again");
  job.record = false;
  train(recipe, job, {});
  EXPECT_EQ(read_file(job.out + "/model.safetensors"),
            read_file(runs[0].folder + "/model.safetensors"));
}

TEST(LocalRunner, SaveWritesAModelThatLoads) {
  const TempFolder folder;
  Desk desk;
  desk.runner->load(small());
  desk.runner->step();
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  desk.runner->save(folder.file("model"));
  ASSERT_TRUE(desk.until([&] { return !desk.events.empty() && desk.events.back().kind == "saved"; }));
  EXPECT_EQ(load_model(folder.file("model")).provenance.steps, 1);

  // Somebody's folder is not overwritten, and the model is still there to be saved elsewhere.
  folder.write("theirs", "x");
  desk.runner->save(folder.path());
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_THAT(desk.last.error->message, HasSubstr("is not empty"));
  EXPECT_EQ(desk.last.state, RunState::kPaused);
  desk.runner->save(folder.file("again"));
  ASSERT_TRUE(desk.until([&] { return std::filesystem::exists(folder.file("again/farstate.json")); }));
}

TEST(LocalRunner, CurvesBelongToTheLawThatMadeTheWeights) {
  Desk desk;
  desk.runner->load(small());
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 30; }));
  ASSERT_TRUE(desk.until_measured());
  EXPECT_EQ(desk.measurements.front()->step, 0) << "the untouched model is always measured first";
  desk.runner->set_intervention({});  // chosen, but nothing was trained with it
  desk.runner->measure();
  const size_t before = desk.measurements.size();
  ASSERT_TRUE(desk.until([&] { return desk.measurements.size() > before && desk.measurements.back()->complete; }));
  EXPECT_EQ(desk.measurements.back()->intervention, Intervention::kStatePassing);
}

StateQuestion question(uint64_t number, std::vector<int64_t> positions) {
  StateQuestion q;
  q.number = number;
  q.positions = std::move(positions);
  q.focus = {1, 2};
  return q;
}

TEST(LocalRunner, AnswersAQuestionAboutTheStates) {
  Desk desk;
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->examine(question(3, {64, 1000}));
  bool busy = false;
  ASSERT_TRUE(desk.until([&] {
    busy = busy || desk.last.state != RunState::kReady;
    return desk.last.states != nullptr;
  }));
  EXPECT_FALSE(busy) << "no button has anything to do with it";
  const StateReport& report = *desk.last.states;
  EXPECT_EQ(report.question, 3U);
  EXPECT_EQ(report.epoch, desk.last.epoch);
  EXPECT_EQ(report.step, 0);
  EXPECT_EQ(report.sequences, 2);
  EXPECT_THAT(report.recipe, HasSubstr("\"length\": 128"));
  EXPECT_THAT(report.positions, ::testing::ElementsAre(64, 128));
  EXPECT_THAT(report.notes, ::testing::Contains(HasSubstr("1000 lies outside")));
  EXPECT_EQ(report.heads.size(), 8U);
  ASSERT_EQ(report.text.size(), 2U);
  EXPECT_FALSE(report.text[0].tokens[0].text.empty());
  ASSERT_TRUE(desk.until([&] { return desk.last.phase.empty(); }));

  const uint64_t epoch = desk.last.epoch;
  desk.runner->reset();
  ASSERT_TRUE(desk.until([&] { return desk.last.epoch > epoch; }));
  EXPECT_EQ(desk.last.states, nullptr) << "that was another model";
}

TEST(LocalRunner, TheNewestQuestionIsAnsweredAlsoWhileItTrains) {
  Desk desk;
  RunConfig config = small();
  config.train.steps = 100000;
  desk.runner->load(config);
  desk.runner->run();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() >= 2; }));
  for (uint64_t i = 1; i <= 20; ++i) desk.runner->examine(question(i, {32}));
  ASSERT_TRUE(desk.until([&] { return desk.last.states != nullptr && desk.last.states->question == 20; }));
  EXPECT_GT(desk.last.states->step, 0);
  EXPECT_EQ(desk.last.state, RunState::kRunning);
  const size_t then = desk.points.size();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() > then; })) << "it goes on";
}

TEST(LocalRunner, AnOvertakenQuestionIsAskedAgainAndAStoppedOneIsNot) {
  Desk desk;
  RunConfig config = small();
  config.measure.sequences = 16;  // a look that takes a moment
  config.measure.length = 4096;
  config.measure.probes = {"perplexity"};
  desk.runner->load(config);
  ASSERT_TRUE(desk.until_measured());
  const auto until_looking = [&] {
    return desk.until([&] { return desk.last.phase == "looking into the states"; });
  };
  desk.runner->examine(question(1, {4096}));
  ASSERT_TRUE(until_looking());
  desk.runner->step();  // goes first
  ASSERT_TRUE(desk.until([&] { return desk.last.states != nullptr; }));
  EXPECT_EQ(desk.last.states->question, 1U);
  EXPECT_EQ(desk.last.states->step, 1) << "of the model as it is now";

  desk.runner->examine(question(2, {4096}));
  ASSERT_TRUE(until_looking());
  desk.runner->stop();
  ASSERT_TRUE(desk.until_state(RunState::kReady));
  const size_t measured = desk.measurements.size();
  desk.runner->measure();
  ASSERT_TRUE(desk.until([&] {
    return desk.measurements.size() > measured && desk.measurements.back()->complete;
  }));
  EXPECT_EQ(desk.last.states->question, 1U);
}

TEST(LocalRunner, AQuestionThatCannotBeAnsweredIsASentenceAndNoFailure) {
  Desk desk;
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
  StateQuestion wrong = question(4, {64});
  wrong.focus = {9, 0};
  desk.runner->examine(wrong);
  ASSERT_TRUE(desk.until([&] { return desk.last.states != nullptr; }));
  EXPECT_EQ(desk.last.states->question, 4U);
  EXPECT_THAT(desk.last.states->notes, ::testing::Contains(HasSubstr("2 layers of 4 heads")));
  EXPECT_FALSE(desk.last.error.has_value());
}

TEST(LocalRunner, CurvesArriveWhileItSweeps) {
  Desk desk;
  RunConfig config = small();
  config.measure.length = 65536;
  config.measure.sequences = 4;
  config.measure.part = "all";
  config.measure.probes = {"perplexity", "state", "distribution", "effrem"};
  desk.runner->load(config);
  ASSERT_TRUE(desk.until_measured());
  // How many parts there are depends on the machine; the last ones are the sweep's and EffRem's.
  ASSERT_GE(desk.measurements.size(), 2U);
  std::vector<std::string> notes;
  for (const auto& m : desk.measurements) {
    EXPECT_EQ(m->id, desk.measurements.front()->id);
    notes.insert(notes.end(), m->notes.begin(), m->notes.end());
  }
  ASSERT_FALSE(notes.empty()) << "4 sequences are too few for the law";
  EXPECT_EQ(std::set<std::string>(notes.begin(), notes.end()).size(), notes.size()) << "each once";
  for (const Series& series : desk.measurements.back()->series) {
    EXPECT_THAT(series.name, HasSubstr("effrem")) << "the rest has arrived before";
  }
}

using Stage = Generation::Stage;

GenerationRequest prompt_of(const std::string& prompt, int64_t tokens) {
  GenerationRequest request;
  request.prompt = prompt;
  request.sampling.tokens = tokens;
  return request;
}

// A model of bytes is loaded, measured and quiet.
struct TextDesk : Desk {
  TextDesk() {
    runner->load(small_bytes());
    EXPECT_TRUE(until_measured());
  }
  ::testing::AssertionResult until_stage(Stage stage, RunState state = RunState::kReady) {
    return until([&] {
      return last.state == state && last.generation != nullptr && last.generation->stage == stage;
    });
  }
  ::testing::AssertionResult until_kept(size_t count) {
    return until([&] { return last.generation != nullptr && last.generation->kept.size() == count; });
  }
  std::vector<int64_t> ids() const {
    std::vector<int64_t> ids;
    for (const GeneratedToken& token : generated) ids.push_back(token.id);
    return ids;
  }
};

TEST(LocalRunner, TheTextIsThatOfTheTerminalProgram) {
  std::string prompt;
  for (int i = 0; i < 700; ++i) prompt += static_cast<char>('A' + (i * 7 + i / 5) % 20);
  GenerateJob job;
  job.model = small_bytes().model;
  job.request = prompt_of(prompt, 40);
  job.request.sampling.top_p = 0.9;
  job.request.initial.kind = InitialState::Kind::kRandomNoise;
  job.request.initial.edits = {{StateEdit::Kind::kScale, 0.5, {{1, 0}}, 0}};
  TextDesk desk;
  desk.runner->generate(job.request);
  ASSERT_TRUE(desk.until_stage(Stage::kDone));
  std::vector<GeneratedToken> terminal;
  const GenerateOutcome outcome =
      generate(job, [&](const GeneratedToken& token) { terminal.push_back(token); });
  ASSERT_EQ(desk.generated.size(), 740U);
  ASSERT_EQ(terminal.size(), 740U);
  for (size_t i = 0; i < 740; ++i) {
    EXPECT_EQ(desk.generated[i].index, static_cast<int64_t>(i));
    EXPECT_EQ(desk.generated[i].id, terminal[i].id);
    EXPECT_TRUE(i == 0 || desk.generated[i].loss == terminal[i].loss) << i;
    EXPECT_EQ(desk.generated[i].norms, terminal[i].norms);
    EXPECT_EQ(desk.generated[i].text, terminal[i].text);
  }
  EXPECT_EQ(desk.last.generation->entropy, outcome.generation.entropy);
  EXPECT_EQ(desk.last.generation->request, job.request);
}

TEST(LocalRunner, AStoppedTextGoesOnAsIfNothingHadBeen) {
  TextDesk desk;
  desk.runner->generate(prompt_of("the quiet mill", 60));
  ASSERT_TRUE(desk.until_stage(Stage::kDone));
  const std::vector<int64_t> whole = desk.ids();
  ASSERT_EQ(whole.size(), 74U);

  desk.runner->generate(prompt_of("the quiet mill", 1000000));
  ASSERT_TRUE(desk.until([&] { return desk.last.state == RunState::kEvaluating && desk.ids().size() > 14; }));
  EXPECT_EQ(desk.last.phase, "generating");
  desk.runner->stop();
  ASSERT_TRUE(desk.until_stage(Stage::kHeld));
  const size_t held = desk.generated.size();
  EXPECT_EQ(desk.last.generation->read, static_cast<int64_t>(held));
  EXPECT_TRUE(desk.last.generation->problem.empty());
  SamplingConfig more;
  more.tokens = held < 74 ? 74 - static_cast<int64_t>(held) : 1;
  desk.runner->go_on(more);
  ASSERT_TRUE(desk.until_stage(Stage::kDone));
  std::vector<int64_t> ids = desk.ids();
  ASSERT_GE(ids.size(), 74U);
  ids.resize(74);
  EXPECT_EQ(ids, whole);
}

TEST(LocalRunner, CommandsHoldATextAndAHeldRunStaysHeld) {
  TextDesk desk;
  desk.runner->step();
  ASSERT_TRUE(desk.until_state(RunState::kPaused));
  desk.runner->generate(prompt_of("abc", 1000000));
  ASSERT_TRUE(desk.until_stage(Stage::kGenerating, RunState::kEvaluating));
  desk.runner->pause();
  ASSERT_TRUE(desk.until_stage(Stage::kHeld, RunState::kPaused));
  SamplingConfig more;
  more.tokens = 1000000;
  desk.runner->go_on(more);
  ASSERT_TRUE(desk.until_stage(Stage::kGenerating, RunState::kEvaluating));
  desk.runner->stop();
  ASSERT_TRUE(desk.until_stage(Stage::kHeld, RunState::kPaused));

  // Trained further, the model can't go on with what the old weights read.
  desk.runner->go_on(more);
  ASSERT_TRUE(desk.until_stage(Stage::kGenerating, RunState::kEvaluating));
  desk.runner->keep_state("before", -1);
  ASSERT_TRUE(desk.until_kept(1));
  desk.runner->step();
  ASSERT_TRUE(desk.until_stage(Stage::kHeld, RunState::kPaused));
  desk.runner->go_on(more);
  ASSERT_TRUE(desk.until([&] { return !desk.last.generation->problem.empty(); }));
  EXPECT_THAT(desk.last.generation->problem, HasSubstr("trained since"));

  // The state is there, and predicts nothing.
  GenerationRequest request = prompt_of("", 3);
  request.initial = {InitialState::Kind::kKept, 1, "before", {}};
  desk.runner->generate(request);
  ASSERT_TRUE(desk.until_stage(Stage::kDone, RunState::kPaused));
  EXPECT_THAT(desk.last.generation->problem, HasSubstr("prompt is empty"));
  request.prompt = "x";
  desk.runner->generate(request);
  ASSERT_TRUE(desk.until([&] { return desk.generated.size() == 4; }));
  EXPECT_TRUE(std::isnan(desk.generated[0].loss));
}

TEST(LocalRunner, StatesAreKeptWrittenReadAndDropped) {
  const TempFolder folder;
  TextDesk desk;
  desk.runner->generate(prompt_of("the quiet mill", 30));
  ASSERT_TRUE(desk.until_stage(Stage::kDone));
  const std::vector<GeneratedToken> whole = desk.generated;
  desk.runner->keep_state("mill", 20);
  desk.runner->keep_state("end", -1);
  ASSERT_TRUE(desk.until_kept(2));
  EXPECT_EQ(desk.last.generation->kept[0].position, 20);
  EXPECT_THAT(desk.last.generation->kept[0].origin, HasSubstr("“the quiet mill”"));
  desk.runner->write_state("mill", folder.file("s"));
  desk.runner->read_state("again", folder.file("s"));
  ASSERT_TRUE(desk.until_kept(3));
  EXPECT_EQ(desk.last.generation->kept[2].origin, "file s");
  EXPECT_EQ(desk.last.generation->kept[2].position, 20);
  EXPECT_EQ(desk.last.generation->kept[2].norm, desk.last.generation->kept[0].norm);

  GenerationRequest request = prompt_of("", 5);
  request.sampling.temperature = 0;
  std::vector<int64_t> first;
  for (const char* name : {"mill", "again"}) {
    request.initial = {InitialState::Kind::kKept, 1, name, {}};
    const uint64_t id = desk.last.generation->id;
    desk.runner->generate(request);
    ASSERT_TRUE(desk.until([&] {
      return desk.last.generation->id > id && desk.generated.size() == 5;
    })) << name;
    if (first.empty()) first = desk.ids();
    EXPECT_EQ(desk.ids(), first) << name;
  }
  desk.runner->edit_state({{StateEdit::Kind::kZero, 1, {}, 0}});
  ASSERT_TRUE(desk.until([&] { return !desk.last.generation->before_edit.empty(); }));
  EXPECT_GT(desk.last.generation->edit_divergence, 0);

  // What fails is said, and ends nothing.
  desk.runner->write_state("none", folder.file("t"));
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_THAT(desk.last.error->message, HasSubstr("\"none\""));
  desk.runner->keep_state("beyond", 999);
  ASSERT_TRUE(desk.until([&] {
    return desk.last.error.has_value() && desk.last.error->message.find("999") != std::string::npos;
  }));
  EXPECT_EQ(desk.last.state, RunState::kReady);

  desk.runner->drop_state("end");
  ASSERT_TRUE(desk.until_kept(2));
  const uint64_t epoch = desk.last.epoch;
  desk.runner->reset();  // the same model: a new epoch, without its text
  ASSERT_TRUE(desk.until([&] { return desk.last.epoch == epoch + 1; }));
  ASSERT_TRUE(desk.until_kept(2));
  EXPECT_EQ(desk.last.generation->stage, Stage::kNone);
  RunConfig other = small_bytes();
  other.model.precision = "bfloat16";
  desk.runner->load(other);
  ASSERT_TRUE(desk.until([&] { return desk.last.epoch == epoch + 2; }));
  EXPECT_EQ(desk.last.generation, nullptr);
}

TEST(LocalRunner, WhatATextCantBeReadFromIsItsProblem) {
  TextDesk desk;
  desk.runner->generate(prompt_of("", 3));
  ASSERT_TRUE(desk.until_stage(Stage::kDone));
  EXPECT_THAT(desk.last.generation->problem, HasSubstr("prompt is empty"));
  EXPECT_FALSE(desk.last.error.has_value());
  GenerationRequest request;
  request.prompt_file = "/none/there";
  desk.runner->generate(request);
  ASSERT_TRUE(desk.until([&] {
    return desk.last.generation->problem.find("No such file") != std::string::npos;
  }));
  desk.runner->generate(prompt_of("a", 3));
  ASSERT_TRUE(desk.until([&] { return desk.generated.size() == 4; }));
  EXPECT_TRUE(desk.last.generation->problem.empty());
}

TEST(LocalRunner, EndsAtAnyMoment) {
  Rng rng(4, RngStream::kMeasure);
  for (int i = 0; i < 20; ++i) {
    Desk desk;
    desk.runner->load(small());
    desk.runner->run();
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(60)));
  }
}

TaskQuestion task_question(int number) {
  TaskQuestion question;
  question.number = static_cast<uint64_t>(number);
  question.task.name = "register";
  question.length = 256;
  return question;
}

RunConfig register_scoring() {
  RunConfig config = small_bytes();
  config.task.name = "register";
  config.score.lengths = {256, 1024};
  config.score.trials = 8;
  return config;
}

TEST(LocalRunner, RandomCommandsNeverHangIt) {
  Desk desk;
  Rng rng(11, RngStream::kMeasure);
  RunConfig config = small_bytes();
  desk.runner->load(config);
  for (int i = 0; i < 200; ++i) {
    switch (rng.below(17)) {
      case 0: desk.runner->run(); break;
      case 1: desk.runner->pause(); break;
      case 2: desk.runner->step(); break;
      case 3: desk.runner->stop(); break;
      case 4: desk.runner->reset(); break;
      case 5: desk.runner->measure(); break;
      case 6: desk.runner->load(config); break;
      case 8: desk.runner->generate(prompt_of("the mill", 1000)); break;
      case 9: desk.runner->go_on({}); break;
      case 10: desk.runner->keep_state("one", rng.below(40) - 1); break;
      case 11: desk.runner->edit_state({{StateEdit::Kind::kScale, 0.5, {}, 0}}); break;
      case 7:
        config.intervention.kind = static_cast<Intervention>(rng.below(kInterventionCount));
        desk.runner->set_intervention(config.intervention);
        break;
      case 13: desk.runner->try_task(task_question(i)); break;
      case 14: desk.runner->score(register_scoring()); break;
      case 15:
        config.task.name = config.task.name.empty() ? "register" : "";
        desk.runner->load(config);
        break;
      case 12: desk.runner->examine(question(static_cast<uint64_t>(i), {64})); break;
      default: desk.runner->configure(config); break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(rng.below(8)));
    desk.pump();
  }
  desk.runner->stop();
  ASSERT_TRUE(desk.until([&] {
    return desk.last.state == RunState::kReady || desk.last.state == RunState::kIdle;
  }));
  desk.runner->load(small());
  ASSERT_TRUE(desk.until_measured());
}

// gpt4all#1472, #1982: a load on the heels of another, whose files are gone the next moment.
TEST(LocalRunner, AHundredLoadsLeaveTheLastModelAndNoMemoryBehind) {
  namespace fs = std::filesystem;
  Desk desk;
  const TempFolder folder;
  RunConfig lost = small_bytes();
  const fs::path files = lost.model.model, copy = fs::path(folder.path()) / "lost";
  lost.model.model = copy.string();
  int64_t before = 0;
  for (int round = 0; round < 100; ++round) {
    fs::copy(files, copy, fs::copy_options::recursive);
    desk.runner->load(lost);
    if (round % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(round % 10));
    desk.runner->load(small());
    fs::remove_all(copy);
    ASSERT_TRUE(desk.until_measured()) << round;
    ASSERT_EQ(desk.last.model->name, "demo") << round;
    ASSERT_FALSE(desk.last.error.has_value()) << round << ": " << desk.last.error->message;
    if (round == 19) before = resident_memory();  // what is allocated once is there by now
  }
  EXPECT_LE(resident_memory(), before + before / 20);
}

ExperimentPlan two_arms() {
  ExperimentPlan plan;
  plan.arms = {"zero", "tbtt"};
  plan.interleaved = true;
  return plan;
}

RunConfig quick() {
  RunConfig config = small();
  config.train.steps = 8;
  return config;
}

// Every run of the newest picture is in this stage.
bool all_are(const Desk& desk, ArmStage stage) {
  const auto& at = desk.last.experiment;
  return at != nullptr && std::all_of(at->runs.begin(), at->runs.end(),
                                      [&](const auto& run) { return run->stage == stage; });
}

// Arms that take hours, of which the first has begun.
::testing::AssertionResult begin_endless(Desk& desk, RunConfig config,
                                         const ExperimentPlan& plan = two_arms()) {
  config.train.steps = 100000;
  desk.runner->load(config);
  if (const auto measured = desk.until_measured(); !measured) return measured;
  desk.runner->experiment(config, plan);
  return desk.until([&] {
    return desk.last.experiment != nullptr && desk.last.experiment->runs[0]->steps > 2;
  });
}

TEST(LocalRunnerExperiment, HasTheNumbersOfTheTerminalAndLeavesTheModelAtHandAlone) {
  Desk desk;
  desk.runner->load(quick());
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 1 && desk.last.state == RunState::kPaused; }));
  desk.runner->experiment(quick(), two_arms());
  ASSERT_TRUE(desk.until_state(RunState::kExperimenting));
  ASSERT_TRUE(desk.until([&] { return all_are(desk, ArmStage::kDone) && !desk.last.experiment->running; }));
  ASSERT_TRUE(desk.until_state(RunState::kPaused)) << "the run that was held still is";
  const Experiment terminal = experiment(quick(), two_arms(), {}, {}).experiment;
  ASSERT_EQ(desk.last.experiment->runs.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const ArmRun& here = *desk.last.experiment->runs[i];
    const ArmRun& there = *terminal.runs[i];
    ASSERT_EQ(here.points.size(), there.points.size());
    for (size_t s = 0; s < here.points.size(); ++s) EXPECT_EQ(here.points[s].loss, there.points[s].loss);
    ASSERT_EQ(here.series.size(), there.series.size());
    for (size_t s = 0; s < here.series.size(); ++s) EXPECT_EQ(here.series[s].y, there.series[s].y);
    EXPECT_GT(here.stored_as, 0) << "it is in the store";
    EXPECT_TRUE(std::filesystem::exists(here.saved_in + "/training.safetensors"));
  }
  desk.runner->step();
  ASSERT_TRUE(desk.until([&] { return desk.points.size() == 2; }));
  EXPECT_EQ(desk.points[1].step, 2) << "its training goes on";
}

// It stands beside the training: its arms begin at the checkpoint, as that does.
TEST(LocalRunnerExperiment, AResetLeavesItThereAndItGoesOn) {
  Desk desk;
  ASSERT_TRUE(begin_endless(desk, quick()));
  const uint64_t epoch = desk.last.epoch;
  desk.runner->reset();
  ASSERT_TRUE(desk.until([&] {
    return desk.last.epoch > epoch && desk.last.state == RunState::kReady;
  }));
  ASSERT_NE(desk.last.experiment, nullptr);
  EXPECT_TRUE(all_are(desk, ArmStage::kPaused));
  const int64_t held = desk.last.experiment->runs[0]->steps;
  EXPECT_GT(held, 2);
  ArmCommand resume;
  resume.kind = ArmCommand::Kind::kResume;
  desk.runner->direct(resume);
  ASSERT_TRUE(desk.until([&] { return desk.last.experiment->runs[0]->steps > held; }));
  desk.runner->load(quick());  // another model is another comparison
  ASSERT_TRUE(desk.until([&] { return desk.last.experiment == nullptr; }));
}

TEST(LocalRunnerExperiment, StopPausesAllAndResumeGoesOn) {
  Desk desk;
  RunConfig config = quick();
  config.train.evaluate_every = 1000;
  ASSERT_TRUE(begin_endless(desk, config));
  desk.runner->stop();
  ASSERT_TRUE(desk.until_state(RunState::kReady));
  EXPECT_TRUE(all_are(desk, ArmStage::kPaused));
  const int64_t held = desk.last.experiment->runs[0]->steps;
  ArmCommand resume;
  resume.kind = ArmCommand::Kind::kResume;
  resume.runs = {1};
  desk.runner->direct(resume);
  ASSERT_TRUE(desk.until([&] { return desk.last.experiment->runs[0]->steps > held; }));
  EXPECT_EQ(desk.last.experiment->runs[1]->stage, ArmStage::kPaused);
  ArmCommand stop;
  stop.kind = ArmCommand::Kind::kStop;
  desk.runner->direct(stop);
  ASSERT_TRUE(desk.until([&] { return all_are(desk, ArmStage::kStopped); }));
  ASSERT_TRUE(desk.until_state(RunState::kReady));
  EXPECT_FALSE(desk.last.experiment->runs[0]->series.empty()) << "measured where it is";
  EXPECT_TRUE(desk.last.experiment->runs[1]->series.empty()) << "it has not begun";
}

// Minutes of measuring: what waits for its end would be called a hang.
TEST(LocalRunnerExperiment, ALongMeasurementIsStoppedAndHearsCommands) {
  Desk desk;
  RunConfig config = quick();
  desk.runner->load(config);
  ASSERT_TRUE(desk.until_measured());
  config.measure.length = 1 << 20;
  config.measure.sequences = 64;
  config.measure.part = "all";
  config.data.path.clear();
  desk.runner->experiment(config, two_arms());
  ASSERT_TRUE(desk.until([&] {
    return desk.last.experiment != nullptr && desk.last.experiment->running &&
           desk.last.phase.starts_with("base: reading");
  }) || desk.last.error.has_value());
  ASSERT_FALSE(desk.last.error.has_value()) << desk.last.error->message;
  ArmCommand pause;
  pause.runs = {2};
  desk.runner->direct(pause);
  ASSERT_TRUE(desk.until([&] { return desk.last.experiment->runs[1]->stage == ArmStage::kPaused; }));
  EXPECT_EQ(desk.last.state, RunState::kExperimenting);
  desk.runner->stop();
  ASSERT_TRUE(desk.until_state(RunState::kReady));
  EXPECT_EQ(desk.last.experiment->base, nullptr);
}

TEST(LocalRunnerExperiment, ALoadEndsItAndKeepsItsFolders) {
  Desk desk;
  const TempFolder folder;
  ExperimentPlan plan = two_arms();
  plan.out = folder.file("out");
  ASSERT_TRUE(begin_endless(desk, quick(), plan));
  const uint64_t epoch = desk.last.epoch;
  desk.runner->load(quick());
  ASSERT_TRUE(desk.until([&] { return desk.last.epoch > epoch; }));
  EXPECT_EQ(desk.last.experiment, nullptr);
  ASSERT_TRUE(desk.until_measured());
  EXPECT_TRUE(std::filesystem::exists(folder.file("out/zero-seed7/training.safetensors")));
}

TEST(LocalRunnerExperiment, WhatCannotBeIsASentenceAndEndsNothing) {
  Desk desk;
  desk.runner->load(quick());
  ASSERT_TRUE(desk.until_measured());
  desk.runner->direct({});
  ASSERT_TRUE(desk.until([&] { return desk.last.error.has_value(); }));
  EXPECT_THAT(desk.last.error->message, HasSubstr("There is no experiment"));
  ExperimentPlan plan = two_arms();
  plan.arms.push_back("sideways");
  desk.runner->experiment(quick(), plan);
  ASSERT_TRUE(desk.until([&] {
    return desk.last.error.has_value() && desk.last.error->message.find("sideways") != std::string::npos;
  }));
  EXPECT_EQ(desk.last.state, RunState::kReady);
  desk.runner->experiment(quick(), two_arms());
  ArmCommand fork;
  fork.kind = ArmCommand::Kind::kFork;
  fork.runs = {9};
  fork.steps = 2;
  fork.arm = "tbtt";
  desk.runner->direct(fork);
  ASSERT_TRUE(desk.until([&] {
    return desk.last.error.has_value() && desk.last.error->message.find("no run 9") != std::string::npos;
  }));
  ASSERT_TRUE(desk.until([&] { return all_are(desk, ArmStage::kDone); }));
}

}  // namespace
}  // namespace farstate
