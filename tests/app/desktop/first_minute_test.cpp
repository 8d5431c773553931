// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows of a built-in model before and while it is loaded, in place of it, and after
// the repair.
#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "app/desktop/hints.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/remedy_panel.h"
#include "app/desktop/panels/theory_page.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/callout.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/origin_chip.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using namespace std::chrono_literals;
using enum Intervention;

constexpr int64_t kContext = 64, kTwinSteps = 200;

class FirstMinuteTest : public WindowTest {
 protected:
  void SetUp() override {
    remember_hints_wanted(true);
    remember_twins_wanted(true);
  }
  void TearDown() override {
    remember_hints_wanted(true);
    remember_twins_wanted(true);
  }

  // A base that fails, and two of its twins.
  BuiltIns built_ins() const override {
    return BuiltIns({{"demo", "", "facts", kZero},
                     {"demo-control", "demo", "facts", kZero},
                     {"demo-state-passing", "demo", "facts", kStatePassing}},
                    [](const EmbeddedModel& model) -> std::optional<Recording> {
                      const bool base = model.base.empty();
                      auto m = measurement(base ? 0 : kTwinSteps, model.intervention,
                                           level(model.name), 0, 0);
                      m->recorded = true;
                      m->recipe.model.model = model.name;
                      Recording out;
                      out.model.name = model.name;
                      out.model.trained_context = kContext;
                      out.made = QStringLiteral("2026-11-30");
                      out.measurement = std::move(m);
                      return out;
                    });
  }

  static double level(const std::string& model) {
    return model == "demo" ? 10 : model == "demo-control" ? 12 : 1;
  }

  RunnerUpdate with_model(const std::string& name, RunState state, uint64_t epoch) {
    RunnerUpdate u = update(state, epoch);
    std::shared_ptr<ModelInfo>& model = models_[epoch];
    if (model == nullptr) {
      model = std::make_shared<ModelInfo>();
      model->name = name;
      model->source = "embedded";
      model->trained_context = kContext;
      auto recipe = std::make_shared<RunConfig>(fake_->loaded);
      recipe->model.model = name;
      recipes_[epoch] = recipe;
    }
    u.model = model;
    u.data = data_;
    u.recipe = recipes_[epoch];
    u.intervention = u.recipe->intervention;
    return u;
  }

  // Bins up to `reach`; all of them: complete.
  static std::shared_ptr<Measurement> live(const std::string& model, double level, uint64_t epoch,
                                           double reach = 1e9) {
    auto m = measurement(0, kZero, level, epoch, epoch);
    m->recipe.model.model = model;
    Series& s = m->series.front();
    while (!s.x.empty() && s.x.back() > reach) {
      for (auto* values : {&s.x, &s.y}) values->pop_back();
      for (auto* edges : {&s.bin_begin, &s.bin_end}) edges->pop_back();
      m->complete = false;
    }
    Series norm = s;  // the map has a line at T where it has rows
    norm.name = "state_norm";
    norm.layer = norm.head = 0;
    m->series.push_back(std::move(norm));
    return m;
  }

  void deliver_live(const std::string& model, double level, uint64_t epoch, double reach = 1e9) {
    RunnerUpdate u = with_model(model, reach < 1e9 ? RunState::kEvaluating : RunState::kReady, epoch);
    u.measurements.push_back(live(model, level, epoch, reach));
    deliver(std::move(u));
  }

  void open_and_measure() {
    open();
    window_->load();
    deliver_live("demo", level("demo"), 1);
    fake_->calls.clear();
  }

  std::map<uint64_t, std::shared_ptr<ModelInfo>> models_;  // by epoch
  std::map<uint64_t, std::shared_ptr<const RunConfig>> recipes_;
  std::shared_ptr<const DataInfo> data_ = std::make_shared<DataInfo>();

  // Once the plot has been drawn with the line that the hint points at.
  bool hint_shows(const Callout* hint) {
    return QTest::qWaitFor([&] {
      Q_EMIT window_->pump()->ticked();
      return !hint->isHidden();
    });
  }

  QString chip() const { return window_->plots()->perplexity()->origin()->text(); }
  QString state_chip() const { return window_->plots()->state()->origin()->text(); }
};

TEST_F(FirstMinuteTest, RecordedCurvesAreThereBeforeAnythingIsLoaded) {
  open();
  ASSERT_NE(window_->book().base(), nullptr);
  EXPECT_TRUE(window_->book().base()->recorded);
  EXPECT_EQ(chip(), QStringLiteral("Recorded"));
  EXPECT_TRUE(window_->plots()->perplexity()->origin()->toolTip().contains(u"2026-11-30"));
  EXPECT_TRUE(window_->plots()->perplexity()->origin()->isVisible());
  EXPECT_TRUE(fake_->calls.empty());
}

TEST_F(FirstMinuteTest, NothingRecordedIsShownOfAnotherText) {
  open();
  RunConfig recipe;
  recipe.data.path = "book.txt";
  EXPECT_FALSE(measures_the_same(recipe, *window_->built_ins().recording("demo")->measurement));
  recipe = RunConfig();
  recipe.measure.length = 512;
  EXPECT_FALSE(measures_the_same(recipe, *window_->built_ins().recording("demo")->measurement));
  EXPECT_TRUE(measures_the_same(RunConfig(), *window_->built_ins().recording("demo")->measurement));
}

TEST_F(FirstMinuteTest, TheLiveSweepReplacesThemAndIsTheSame) {
  open();
  window_->load();
  deliver_live("demo", 10, 1, 200);
  EXPECT_EQ(chip(), QStringLiteral("Live"));
  EXPECT_TRUE(window_->book().recorded_beyond());
  EXPECT_FALSE(window_->agreement().has_value());
  // Beyond the front the recorded curve goes on.
  const Series* shown = find_series(window_->book().current()->series, "perplexity");
  EXPECT_EQ(shown->x.size(), 12U);
  deliver_live("demo", 10, 1);
  ASSERT_TRUE(window_->agreement().has_value());
  EXPECT_TRUE(window_->agreement()->same);
  EXPECT_EQ(state_chip(), QStringLiteral("Live, same as recorded"));
  EXPECT_TRUE(window_->notice()->isHidden());
}

// A distance of 7e-5 between two predictions has lost digits that these had.
TEST(Recordings, DifferByWhatMattersOfACurve) {
  const auto curve = [](std::vector<double> y) {
    Measurement m;
    Series s;
    s.name = "effrem";
    s.x = {1, 2};
    s.y = std::move(y);
    m.series.push_back(s);
    return m;
  };
  EXPECT_LE(compare(curve({0.9, 6.74e-5}), curve({0.9, 6.75e-5})).difference, kSameCurves);
  EXPECT_FALSE(compare(curve({0.9, 6.74e-5}), curve({0.9, 6.75e-5})).same);
  EXPECT_GT(compare(curve({0.9, 0.1}), curve({0.9, 0.1003})).difference, kSameCurves);
  EXPECT_NEAR(compare(curve({0, 0.4}), curve({0, 0.8})).difference, 0.5, 1e-12);
}

TEST_F(FirstMinuteTest, ALiveCurveThatDiffersIsSaid) {
  open();
  window_->load();
  deliver_live("demo", 10.5, 1);
  ASSERT_TRUE(window_->agreement().has_value());
  EXPECT_FALSE(window_->agreement()->same);
  EXPECT_GT(window_->agreement()->difference, kSameCurves);
  EXPECT_EQ(state_chip(), QStringLiteral("Live, differs from recorded"));
  EXPECT_TRUE(window_->notice()->text().contains(u"position"));
}

TEST_F(FirstMinuteTest, ARoundingOfAnotherProcessorIsTheSame) {
  const auto a = live("demo", 10, 1), b = live("demo", 10 * (1 + 1e-5), 1);
  const Agreement agreement = compare(*a, *b);
  EXPECT_FALSE(agreement.same);
  EXPECT_LT(agreement.difference, kSameCurves);
  EXPECT_EQ(short_sentence_of(agreement), QStringLiteral("same as recorded"));
}

TEST_F(FirstMinuteTest, HintsPointWhereTheSweepPassesTAndThenAtTheChoices) {
  open();
  window_->hints()->set_pause(0ms);
  window_->load();
  deliver_live("demo", 10, 1, 40);
  EXPECT_TRUE(window_->hints()->limit()->isHidden());
  QTest::qWait(50);
  Q_EMIT window_->pump()->ticked();
  QTest::qWait(50);
  deliver_live("demo", 10, 1, 200);
  EXPECT_TRUE(hint_shows(window_->hints()->limit()));
  EXPECT_TRUE(window_->hints()->limit()->title().contains(u"64"));
  QTest::qWait(30);
  EXPECT_TRUE(window_->hints()->start()->isHidden());  // the sweep goes on
  deliver_live("demo", 10, 1);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !window_->hints()->start()->isHidden(); }));
  // A click on the words goes to what lies below them.
  const Callout* hint = window_->hints()->start();
  const QPoint middle = hint->geometry().center();
  EXPECT_NE(window_->centralWidget()->childAt(middle), hint);
  window_->initial_state()->choose(kStatePassing);
  EXPECT_TRUE(hint->isHidden());
  EXPECT_TRUE(window_->hints()->limit()->isHidden());
}

TEST_F(FirstMinuteTest, HintsAreSwitchedOffForGood) {
  open();
  window_->load();
  deliver_live("demo", 10, 1);
  const Callout* hint = window_->hints()->limit();
  ASSERT_TRUE(hint_shows(hint));
  hint->never_button()->click();
  EXPECT_TRUE(hint->isHidden());
  EXPECT_FALSE(hints_wanted());
  open();
  models_.clear();
  window_->load();
  deliver_live("demo", 10, 1);
  EXPECT_TRUE(window_->hints()->limit()->isHidden());
}

TEST_F(FirstMinuteTest, ChoosingAnInitialStateShowsItsTwinAtOnce) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  EXPECT_EQ(fake_->calls, std::vector<std::string>{"load"});
  EXPECT_EQ(fake_->loaded.model.model, "demo-state-passing");
  EXPECT_EQ(fake_->loaded.intervention.kind, kStatePassing);
  // Before the runner has said anything: recorded, and called so.
  const MeasurementBook& book = window_->book();
  ASSERT_NE(book.current(), book.base());
  EXPECT_EQ(book.current()->intervention, kStatePassing);
  EXPECT_EQ(book.current()->step, kTwinSteps);
  EXPECT_FALSE(book.base()->recorded);  // the ghost
  EXPECT_EQ(chip(), QStringLiteral("Recorded"));
  EXPECT_TRUE(window_->remedy()->text().contains(u"post-trained before"));
  // A part of the base's sweep that is still on its way changes nothing.
  deliver_live("demo", 10, 1);
  EXPECT_EQ(book.current()->intervention, kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  EXPECT_EQ(book.current()->intervention, kStatePassing);
  EXPECT_EQ(book.current()->step, kTwinSteps);
  EXPECT_FALSE(book.current()->recorded);
  ASSERT_NE(book.base(), nullptr);
  EXPECT_EQ(book.base()->recipe.model.model, "demo");
  EXPECT_EQ(state_chip(), QStringLiteral("Live, same as recorded"));
}

// Arms begin at the base, as a training by hand does, whatever is shown in its place.
TEST_F(FirstMinuteTest, AComparisonTrainsTheUntouchedModelAndNotItsTwin) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  fake_->calls.clear();
  window_->start_experiment({{"zero", "state-passing"}, 1, "", true});
  EXPECT_EQ(fake_->count("load"), 1);
  ASSERT_EQ(fake_->experiments.size(), 1U);
  EXPECT_EQ(fake_->loaded.model.model, "demo");
  EXPECT_EQ(fake_->experiments.back().first.model.model, "demo");
}

// Its states are of the steps that its curves are of, and nothing newer is waited for.
TEST_F(FirstMinuteTest, StatesOfATwinAreNoOlderThanItsCurves) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  const auto deliver_states_of = [this](uint64_t epoch) {
    RunnerUpdate u = with_model("demo-state-passing", RunState::kReady, 2);
    auto states = std::make_shared<StateReport>();
    states->epoch = epoch;
    states->recipe = to_json(*recipes_[epoch]);
    u.states = states;
    deliver(std::move(u));
  };
  deliver_states_of(2);
  ASSERT_NE(window_->states(), nullptr);
  EXPECT_EQ(window_->states()->step, window_->book().current()->step);
  deliver_states_of(1);  // the base's own, late
  EXPECT_EQ(window_->states()->step, 0);
}

TEST_F(FirstMinuteTest, FromTwinToTwinAndBackToTheUntouchedModel) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  window_->initial_state()->choose(kZero);
  EXPECT_EQ(fake_->loaded.model.model, "demo-control");
  deliver_live("demo-control", 12, 3);
  EXPECT_EQ(window_->book().current()->intervention, kZero);
  EXPECT_EQ(window_->book().earlier().size(), 1U);
  window_->remedy()->base_button()->click();
  EXPECT_EQ(fake_->loaded.model.model, "demo");
  EXPECT_EQ(window_->book().current(), window_->book().base());
  EXPECT_EQ(window_->shown_twin(), nullptr);
}

TEST_F(FirstMinuteTest, RunTrainsTheUntouchedModelAndNotItsTwin) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  fake_->calls.clear();
  window_->run_main_action();
  EXPECT_EQ(fake_->calls, (std::vector<std::string>{"load", "run"}));
  EXPECT_EQ(fake_->loaded.model.model, "demo");
  EXPECT_EQ(fake_->loaded.intervention.kind, kStatePassing);
  // The twin's curve stays to compare with, and is not taken for what is trained now.
  const auto curves = curves_of(window_->book(), "perplexity", false);
  ASSERT_EQ(curves.size(), 2);
  EXPECT_TRUE(curves[1].name.endsWith(u", post-trained demo"));
  EXPECT_EQ(legend_of(curves).back().label, QStringLiteral("post-trained demo"));
  const QCustomPlot* canvas = window_->plots()->perplexity()->canvas();
  window_->plots()->perplexity()->refresh();
  EXPECT_EQ(canvas->findChild<QCPItemText*>(QStringLiteral("other-model")) != nullptr, true);
  RunnerUpdate u = with_model("demo", RunState::kEvaluating, 4);
  auto part = std::make_shared<Measurement>(*measurement(20, kStatePassing, 1, 9, 4));
  part->recipe.model.model = "demo";
  part->complete = false;
  u.measurements.push_back(part);
  deliver(std::move(u));
  EXPECT_EQ(curves_of(window_->book(), "perplexity", false).size(), 2);
  EXPECT_FALSE(window_->book().front("perplexity").has_value());
  window_->plots()->perplexity()->refresh();
  EXPECT_EQ(canvas->findChild<QCPItemText*>(QStringLiteral("other-model")) != nullptr, false);
}

TEST_F(FirstMinuteTest, WithoutTwinsAChoiceIsForTheNextTrainingAlone) {
  remember_twins_wanted(false);
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  EXPECT_EQ(fake_->calls, std::vector<std::string>{"set_intervention"});
}

TEST_F(FirstMinuteTest, AModelThatWasTrainedOnStaysWhenAnotherStateIsChosen) {
  open_and_measure();
  RunnerUpdate u = with_model("demo", RunState::kReady, 1);
  u.step = 12;
  deliver(std::move(u));
  window_->initial_state()->choose(kStatePassing);
  EXPECT_EQ(fake_->calls, std::vector<std::string>{"set_intervention"});
}

TEST_F(FirstMinuteTest, RepairsLiveByTimeWithStatePassingAndSaysWhatCameOfIt) {
  open_and_measure();
  window_->remedy()->repair_button()->click();
  EXPECT_EQ(fake_->calls, (std::vector<std::string>{"set_intervention", "run_for"}));
  EXPECT_EQ(fake_->interventions.back().kind, kStatePassing);
  EXPECT_EQ(fake_->run_seconds, MainWindow::kRepairSeconds);
  const auto at = [&](RunState state, int64_t step, double left) {
    RunnerUpdate u = with_model("demo", state, 1);
    u.intervention.kind = kStatePassing;
    u.step = step;
    u.seconds_left = left;
    deliver(std::move(u));
  };
  at(RunState::kRunning, 10, 20);
  EXPECT_EQ(window_->repair().stage(), Repair::Stage::kRunning);
  EXPECT_FALSE(window_->remedy()->repair_button()->isVisible());
  at(RunState::kPaused, 10, 20);
  EXPECT_EQ(window_->repair().stage(), Repair::Stage::kPaused);
  EXPECT_EQ(window_->repair().seconds_left(), 20);
  at(RunState::kRunning, 150, 0);
  at(RunState::kEvaluating, 160, -1);
  EXPECT_EQ(window_->repair().stage(), Repair::Stage::kMeasuring);
  RunnerUpdate done = with_model("demo", RunState::kReady, 1);
  done.step = 160;
  done.measurements.push_back(measurement(160, kStatePassing, 1, 5));
  deliver(std::move(done));
  ASSERT_EQ(window_->repair().stage(), Repair::Stage::kDone);
  // Octave bins at [32,64) and [512,1024): the 6th and the 10th; see measurement().
  EXPECT_NEAR(*window_->repair().before(), 20.0 / 16, 1e-12);
  EXPECT_NEAR(*window_->repair().after(), 11.0 / 7, 1e-12);
  EXPECT_TRUE(window_->remedy()->text().contains(u"160 steps in 25 s"));
  EXPECT_TRUE(window_->remedy()->text().contains(u"1.25"));
}

TEST_F(FirstMinuteTest, ARepairBeginsFromTheUntouchedModel) {
  open_and_measure();
  window_->initial_state()->choose(kStatePassing);
  deliver_live("demo-state-passing", 1, 2);
  fake_->calls.clear();
  window_->repair_live();
  EXPECT_EQ(fake_->calls, (std::vector<std::string>{"load", "run_for"}));
  EXPECT_EQ(fake_->loaded.model.model, "demo");
  deliver(with_model("demo-state-passing", RunState::kRunning, 2));  // the old epoch's is not it
  EXPECT_EQ(window_->repair().stage(), Repair::Stage::kStarting);
  deliver(with_model("demo", RunState::kRunning, 3));
  EXPECT_EQ(window_->repair().stage(), Repair::Stage::kRunning);
}

TEST_F(FirstMinuteTest, ARepairOfATrainedModelResetsItFirst) {
  open_and_measure();
  RunnerUpdate u = with_model("demo", RunState::kReady, 1);
  u.step = 12;
  deliver(std::move(u));
  window_->repair_live();
  EXPECT_EQ(fake_->calls, (std::vector<std::string>{"reset", "set_intervention", "run_for"}));
}

TEST_F(FirstMinuteTest, TheModelMenuListsBasesWithTheirTwins) {
  open();
  QStringList names;
  for (QMenu* menu : window_->findChildren<QMenu*>()) {
    if (menu->title() != text_name("facts")) continue;
    for (const QAction* action : menu->actions()) {
      if (!action->isSeparator()) names.push_back(action->text());
    }
    for (QAction* action : menu->actions()) {
      if (action->text().contains(u"state passing")) action->trigger();
    }
    break;
  }
  EXPECT_EQ(names.size(), 3);
  EXPECT_EQ(fake_->loaded.model.model, "demo-state-passing");
  EXPECT_EQ(window_->shown_twin(), nullptr);  // a model of its own
}

TEST_F(FirstMinuteTest, TheTheoryPageSaysThatItIsAnAnalogyAndFollowsItsControls) {
  open();
  window_->show_theory();
  TheoryPage& page = *window_->theory();
  EXPECT_TRUE(page.isVisible());
  EXPECT_FALSE(window_->initial_state()->isVisible());
  EXPECT_TRUE(page.label().contains(u"analogy"));
  EXPECT_GT(page.covered(), 0.9);  // at T
  page.set_tokens(TheoryPage::kMostTokens);
  const double zero = page.covered();
  EXPECT_LT(zero, 0.7);
  page.choose(ToyStart::kOwnEnds);
  EXPECT_GT(page.covered(), zero + 0.2);
  page.set_tokens(10);
  page.play(true);
  EXPECT_TRUE(QTest::qWaitFor([&] { return page.tokens() > 20; }));
  window_->show_task("passkey");
  EXPECT_FALSE(page.playing());
  EXPECT_TRUE(window_->initial_state()->isVisible());
}

}  // namespace
}  // namespace farstate::desktop
