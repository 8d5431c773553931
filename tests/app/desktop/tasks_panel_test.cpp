// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/tasks_panel.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "app/desktop/models/score_table.h"
#include "app/desktop/panels/sample_card.h"
#include "app/desktop/panels/score_setup.h"
#include "app/desktop/panels/scores_card.h"
#include "app/desktop/panels/task_card.h"
#include "app/desktop/plots/score_plot.h"
#include "app/desktop/task_buttons.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/widgets/accuracy_map.h"
#include "app/desktop/widgets/probability_bar.h"
#include "app/desktop/widgets/sample_view.h"
#include "app/desktop/widgets/segmented.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/animated_tasks.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedTasks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr RunState kAllStates[] = {
    RunState::kIdle,          RunState::kLoading,  RunState::kReady,
    RunState::kRunning,       RunState::kPaused,   RunState::kEvaluating,
    RunState::kExperimenting, RunState::kStopping, RunState::kFailed};

TEST(TaskButtons, AreAFunctionOfTheStateAndWhatIsThere) {
  ModelInfo mute, reads;
  reads.tokenizer = "bytes";
  TaskScores running, ended;
  running.running = true;
  for (const RunState state : kAllStates) {
    SCOPED_TRACE(static_cast<int>(state));
    const bool free = state == RunState::kReady || state == RunState::kPaused;
    const bool works = state == RunState::kRunning || state == RunState::kEvaluating ||
                       state == RunState::kExperimenting;
    EXPECT_EQ(task_buttons(state, nullptr, nullptr), TaskButtons{});
    EXPECT_EQ(task_buttons(state, &mute, nullptr), (TaskButtons{.train = free}));
    EXPECT_EQ(task_buttons(state, &reads, &ended),
              (TaskButtons{.ask = free || works, .score = free, .train = free}));
    EXPECT_EQ(task_buttons(state, &reads, &running).stop, state == RunState::kEvaluating);
    if (free) {
      EXPECT_EQ(task_hint(state, &reads, nullptr), QString());
      EXPECT_THAT(task_hint(state, &mute, nullptr).toStdString(), HasSubstr("tokenizer"));
    }
  }
}

class TasksPage : public WindowTest {
 protected:
  AnimatedTasks* open_page(const char* task) {
    auto* runner = open_with<AnimatedTasks>({1440, 900});
    window_->load();
    take(8);
    window_->show_task(task);
    answer();
    return runner;
  }
  void take(int moments) {
    for (int i = 0; i < moments; ++i) window_->pump()->drain();
  }
  // The question that is due leaves after a moment in which more of them may come.
  void answer() {
    const auto asked = fake_->task_questions.size();
    EXPECT_TRUE(QTest::qWaitFor([&] { return fake_->task_questions.size() > asked; }));
    take(2);
  }
  void score_all(AnimatedTasks* runner) {
    page()->score();
    runner->per_take_trials = 100000;
    take(3);
  }
  void click_segment(Segmented* choice, int at) {
    choice->choose(at);
    Q_EMIT choice->changed(at);
  }
  TasksPanel* page() const { return window_->tasks_panel(); }
  SampleCard* sample() const { return page()->sample(); }
  ScoresCard* scores() const { return page()->scores(); }
  ScoreSetup* setup() const { return scores()->setup(); }
};

TEST_F(TasksPage, WhatAModelCannotReadIsNoSampleButAWordOnWhatToDo) {
  auto* runner = open_page("passkey");
  ASSERT_TRUE(sample()->bar()->isVisible());
  auto trial = std::make_shared<TaskTrial>();
  trial->number = runner->task_questions.back().number;
  trial->problem = "The text has \" The\", and there is no such token.";
  sample()->show_trial(trial);
  EXPECT_FALSE(sample()->bar()->isVisible());
  EXPECT_EQ(sample()->output_text(), QString());
  const std::string words = sample()->text()->toPlainText().toStdString();
  EXPECT_THAT(words, HasSubstr("Choose another task"));
  EXPECT_THAT(words, HasSubstr(trial->problem));
}

TEST_F(TasksPage, AsksTheSampleThatIsChosenOnceItIsSeen) {
  auto* runner = open_with<AnimatedTasks>({1440, 900});
  window_->load();
  take(8);
  QTest::qWait(120);
  EXPECT_TRUE(runner->task_questions.empty()) << "nobody looks at the page";
  window_->show_task("passkey");
  answer();
  ASSERT_EQ(runner->task_questions.size(), 1u);
  const TaskQuestion& first = runner->task_questions.front();
  EXPECT_EQ(first.task.name, "passkey");
  EXPECT_EQ(first.length, AnimatedTasks::kContext);
  EXPECT_DOUBLE_EQ(first.depth, 0.5);
  EXPECT_EQ(sample()->verdict_text(), u"Right."_s);
  EXPECT_THAT(sample()->output_text().toStdString(), HasSubstr("48213"));
  EXPECT_GT(sample()->bar()->probability().value_or(0), 0.5);
  EXPECT_FALSE(sample()->bar()->faint());
  EXPECT_THAT(sample()->origin_text().toStdString(), HasSubstr("as loaded"));
  sample()->next()->click();
  answer();
  EXPECT_EQ(runner->task_questions.back().sample, 1);
  EXPECT_THAT(sample()->output_text().toStdString(), HasSubstr("48350"));
}

TEST_F(TasksPage, OfADraggedDepthTheNewestIsAskedWhenTheAnswerHasCome) {
  auto* runner = open_page("passkey");
  runner->answers = false;
  const size_t before = runner->task_questions.size();
  for (int depth = 51; depth <= 60; ++depth) sample()->depth()->setValue(depth);
  ASSERT_TRUE(QTest::qWaitFor([&] { return runner->task_questions.size() == before + 1; }));
  EXPECT_DOUBLE_EQ(runner->task_questions.back().depth, 0.6);
  sample()->depth()->setValue(70);
  sample()->depth()->setValue(80);
  QTest::qWait(150);
  EXPECT_EQ(runner->task_questions.size(), before + 1) << "the answer is still on its way";
  EXPECT_TRUE(sample()->bar()->faint()) << "the old answer is not that of the depth shown";
  EXPECT_THAT(sample()->origin_text().toStdString(), HasSubstr("reading"));
  runner->answers = true;
  take(2);
  ASSERT_EQ(runner->task_questions.size(), before + 2);
  EXPECT_DOUBLE_EQ(runner->task_questions.back().depth, 0.8);
  take(2);
  EXPECT_FALSE(sample()->bar()->faint());
}

TEST_F(TasksPage, AnAnswerOfWeightsThatHaveChangedSaysSo) {
  open_page("passkey");
  window_->run_main_action();
  take(3);
  EXPECT_THAT(sample()->origin_text().toStdString(), HasSubstr("changed since"));
  EXPECT_TRUE(sample()->bar()->faint());
}

TEST_F(TasksPage, LongTextsAreLeftOutAroundWhatMatters) {
  open_page("passkey");
  sample()->lengths()->setCurrentIndex(sample()->lengths()->count() - 1);
  Q_EMIT sample()->lengths()->activated(sample()->lengths()->currentIndex());
  answer();
  const std::string text = sample()->text()->toPlainText().toStdString();
  EXPECT_THAT(text, HasSubstr("The pass key is 48213. Remember it"));
  EXPECT_THAT(text, HasSubstr("… about "));
  EXPECT_LT(text.size(), 2500u);
  EXPECT_EQ(sample()->verdict_text(), u"Wrong."_s);
  EXPECT_THAT(sample()->output_text().toStdString(), HasSubstr("right is “48213”"));
}

TEST_F(TasksPage, TheMapFillsAndAStopKeepsItsCells) {
  auto* runner = open_page("passkey");
  EXPECT_FALSE(scores()->placeholder().isEmpty());
  setup()->lengths()->setText(u"64, 128, 1k"_s);
  setup()->trials()->setValue(10);
  setup()->button()->click();
  ASSERT_EQ(runner->scored.size(), 1u);
  const RunConfig& asked = runner->scored.front();
  EXPECT_EQ(asked.task.name, "passkey");
  EXPECT_THAT(asked.score.lengths, ElementsAre(64, 128, 1024));
  EXPECT_EQ(asked.score.trials, 10);
  take(20);
  ASSERT_EQ(scores()->maps().size(), 1);
  const AccuracyMap* map = scores()->maps().front();
  EXPECT_THAT(map->content().lengths, ElementsAre(64, 128, 1024));
  EXPECT_THAT(map->content().depths, ElementsAre(0.1, 0.5, 0.9));
  ASSERT_NE(map->point_at({0, 0}), nullptr);
  EXPECT_FALSE(map->point_at({0, 0})->complete());
  EXPECT_EQ(map->point_at({2, 2}), nullptr) << "not scored yet";
  EXPECT_EQ(map->tip_at({2, 2}).rows.front().label, u"not scored yet"_s);
  EXPECT_EQ(setup()->button()->text(), u"Stop"_s);
  EXPECT_THAT(setup()->words().toStdString(), HasSubstr("left"));
  EXPECT_THAT(scores()->words().toStdString(), HasSubstr("so far"));
  setup()->button()->click();
  take(2);
  EXPECT_FALSE(window_->tasks_panel()->json().empty());
  ASSERT_NE(map->point_at({0, 0}), nullptr) << "cells outlive the stop";
  EXPECT_EQ(setup()->button()->text(), u"Score again"_s);
  score_all(runner);
  EXPECT_TRUE(map->point_at({2, 2})->complete());
  EXPECT_EQ(map->point_at({0, 0})->trials, 10) << "it went on, and did not count twice";
  // T = 64: between the first and the second column.
  EXPECT_EQ(map->context_line(), map->rect_of({0, 1}).left());
  EXPECT_EQ(map->text_at({0, 0}).isEmpty(), map->rect_of({0, 0}).width() < 24);
}

TEST_F(TasksPage, ScoresStayWithTheWeightsThatMadeThem) {
  auto* runner = open_page("babilong");
  score_all(runner);
  InterventionConfig law;
  law.kind = Intervention::kStatePassing;
  runner->set_intervention(law);
  window_->run_main_action();
  take(5);
  ASSERT_EQ(scores()->plot()->curves().size(), 1);
  EXPECT_EQ(scores()->plot()->curves().front().rank, ScorePlot::Rank::kEarlier)
      << "the weights on screen are others now";
  take(220);
  score_all(runner);
  ASSERT_EQ(scores()->plot()->curves().size(), 2);
  EXPECT_EQ(scores()->plot()->curves()[0].name, u"As loaded"_s);
  EXPECT_EQ(scores()->plot()->curves()[1].name, u"State passing, 200 steps"_s);
  EXPECT_EQ(scores()->plot()->curves()[1].rank, ScorePlot::Rank::kNow);
  EXPECT_THAT(page()->json(), HasSubstr("state-passing, 200 steps"));
  EXPECT_THAT(scores()->words().toStdString(), HasSubstr("State passing, 200 steps"));
}

TEST_F(TasksPage, KindsAreToldApartAndTogether) {
  auto* runner = open_page("babilong");
  score_all(runner);
  ASSERT_TRUE(scores()->kinds()->isVisible());
  const int64_t all = runner->scored.back().score.trials * 5;
  EXPECT_THAT(as_csv(scores()->table()->numbers()).toStdString(), HasSubstr("," + std::to_string(all) + ","));
  scores()->kinds()->setCurrentIndex(1);
  Q_EMIT scores()->kinds()->activated(1);
  const std::string one = std::to_string(runner->scored.back().score.trials);
  EXPECT_THAT(as_csv(scores()->table()->numbers()).toStdString(), HasSubstr("," + one + ","));
}

TEST_F(TasksPage, TheTasksTextIsLoadedAndLeftAgain) {
  auto* runner = open_page("register");
  page()->about()->keys()->setValue(48);
  page()->about()->train()->click();
  EXPECT_EQ(runner->loaded.task.name, "register");
  EXPECT_EQ(runner->loaded.task.keys, 48);
  take(8);
  EXPECT_THAT(page()->about()->readiness().toStdString(), HasSubstr("this task's"));
  EXPECT_EQ(page()->about()->train()->text(), u"Back to the text"_s);
  page()->about()->train()->click();
  EXPECT_EQ(runner->loaded.task.name, "");
}

TEST_F(TasksPage, AnExperimentsRunsAppearWithTheirSeeds) {
  auto* runner = open_page("babilong");
  page()->about()->train()->click();
  take(8);
  runner->per_take = 300;
  runner->turns = 20;
  window_->start_experiment({{"zero", "state-passing"}, 2, "", true});
  take(6);
  window_->show_task("babilong");
  take(1);
  const auto curves = scores()->plot()->curves();
  ASSERT_EQ(curves.size(), 3);
  EXPECT_EQ(curves[2].name, u"State passing, experiment, 2 seeds"_s);
  EXPECT_THAT(curves[2].details.front().toStdString(), HasSubstr("2 seeds"));
  EXPECT_THAT(scores()->words().toStdString(), HasSubstr("ranges are those of the seeds"));
}

TEST_F(TasksPage, ThePapersFiguresAreALayerOfTheirOwn) {
  auto* runner = open_page("babilong");
  score_all(runner);
  const auto own = scores()->plot()->curves().size();
  ASSERT_TRUE(scores()->reference()->isVisible());
  scores()->reference()->setChecked(true);
  const auto curves = scores()->plot()->curves();
  ASSERT_GT(curves.size(), own);
  EXPECT_EQ(curves.front().rank, ScorePlot::Rank::kReference);
  EXPECT_TRUE(curves.front().low.empty()) << "no trials are known, so there is no interval";
  EXPECT_THAT(page()->json(), ::testing::Not(HasSubstr("780m")));
  window_->show_task("register");
  EXPECT_FALSE(scores()->reference()->isVisible()) << "the paper does not have it";
}

TEST_F(TasksPage, WhatCannotBeReadIsNotScored) {
  open_page("passkey");
  setup()->lengths()->setText(u"64, soon"_s);
  EXPECT_FALSE(setup()->button()->isEnabled());
  EXPECT_THAT(setup()->words().toStdString(), HasSubstr("\"soon\""));
  setup()->lengths()->setText(u"64 4k"_s);
  EXPECT_TRUE(setup()->button()->isEnabled());
  EXPECT_THAT(setup()->config().lengths, ElementsAre(64, 4096));
  setup()->depths()->setText(u"0.1, 1.5"_s);
  EXPECT_FALSE(setup()->button()->isEnabled());
}

TEST_F(TasksPage, AModelWithoutATokenizerIsTold) {
  auto* runner = open_with<AnimatedTasks>({1440, 900});
  runner->tokenizer.clear();
  window_->load();
  take(8);
  window_->show_task("passkey");
  QTest::qWait(120);
  EXPECT_TRUE(runner->task_questions.empty());
  EXPECT_FALSE(setup()->button()->isEnabled());
  EXPECT_THAT(sample()->text()->toPlainText().toStdString(), HasSubstr("tokenizer"));
}

}  // namespace
}  // namespace farstate::desktop
