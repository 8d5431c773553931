// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/experiment_panel.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>
#include <QTreeView>

#include "app/desktop/experiment_buttons.h"
#include "app/desktop/language.h"
#include "app/desktop/models/arm_table.h"
#include "app/desktop/models/arms_model.h"
#include "app/desktop/panels/arm_table_card.h"
#include "app/desktop/panels/arms_card.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/multiples_card.h"
#include "app/desktop/panels/preset_sheet.h"
#include "app/desktop/panels/rate_sheet.h"
#include "app/desktop/plots/arm_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/rate_plot.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/widgets/history_slider.h"
#include "app/desktop/widgets/segmented.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/animated_experiment.h"

namespace farstate::desktop {
namespace {

using farstate::testing::AnimatedExperiment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Primary = ExperimentButtons::Primary;

constexpr RunState kAllStates[] = {
    RunState::kIdle,          RunState::kLoading,  RunState::kReady,
    RunState::kRunning,       RunState::kPaused,   RunState::kEvaluating,
    RunState::kExperimenting, RunState::kStopping, RunState::kFailed};

TEST(ExperimentButtons, AreAFunctionOfTheStateAndTheStages) {
  for (const RunState state : kAllStates) {
    SCOPED_TRACE(static_cast<int>(state));
    const bool free = state == RunState::kReady || state == RunState::kPaused;
    const bool live = state == RunState::kExperimenting;
    const auto buttons = [&](StageCount runs) { return experiment_buttons(state, runs); };
    const ExperimentButtons none{}, start{Primary::kStart, true, false, false};
    EXPECT_EQ(buttons({.done = 3, .failed = 1}), free   ? start
                                                 : live ? (ExperimentButtons{Primary::kResumeAll})
                                                        : none);
    EXPECT_EQ(buttons({.waiting = 2, .running = 1}),
              live   ? (ExperimentButtons{Primary::kPauseAll, true, true, false})
              : free ? (ExperimentButtons{Primary::kResumeAll, true, true, true})
                     : none);
    EXPECT_EQ(buttons({.paused = 2, .done = 1}),
              live   ? (ExperimentButtons{Primary::kResumeAll, true, true, false})
              : free ? (ExperimentButtons{Primary::kResumeAll, true, true, true})
                     : none);
  }
}

TEST(ArmActions, AreAFunctionOfTheStateAndTheChosenRuns) {
  for (const RunState state : kAllStates) {
    SCOPED_TRACE(static_cast<int>(state));
    const bool free = state == RunState::kReady || state == RunState::kPaused;
    const bool live = state == RunState::kExperimenting;
    const auto may = [&](StageCount runs) { return arm_actions(state, runs); };
    const ArmActions none{};
    EXPECT_EQ(may({}), none);
    EXPECT_EQ(may({.failed = 1}), none);
    if (!free && !live) {
      EXPECT_EQ(may({.running = 1, .paused = 1, .done = 1}), none);
      continue;
    }
    EXPECT_EQ(may({.waiting = 1}),
              (ArmActions{.pause = live, .resume = free, .stop = true, .extend = true}));
    EXPECT_EQ(may({.running = 1}),
              (ArmActions{.pause = live, .stop = true, .extend = true, .fork = true}));
    EXPECT_EQ(may({.paused = 1}),
              (ArmActions{.resume = true, .stop = true, .extend = true, .fork = true}));
    EXPECT_EQ(may({.done = 1}), (ArmActions{.extend = true, .fork = true}));
  }
}

class ExperimentPage : public WindowTest {
 protected:
  AnimatedExperiment* open_page(QSize size = {1440, 900}) {
    auto* runner = open_with<AnimatedExperiment>(size);
    window_->load();
    for (int i = 0; i < 8; ++i) window_->pump()->drain();
    window_->start_experiment({{"zero", "state-passing"}, 2, "", true});
    EXPECT_EQ(runner->experiments.size(), 1u);
    return runner;
  }
  void take(int moments) {
    for (int i = 0; i < moments; ++i) window_->pump()->drain();
  }
  ExperimentPanel* page() const { return window_->experiment_panel(); }
  ComparisonSetup* setup() const { return page()->setup(); }
  QTreeView* rows() const { return page()->arms()->rows(); }
  ArmsModel* model() const { return page()->arms()->model(); }
  void select(int arm, int seed = -1) {
    const QModelIndex top = model()->index(arm, 0);
    const QModelIndex at = seed < 0 ? top : model()->index(seed, 0, top);
    rows()->selectionModel()->select(
        at, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  }
};

TEST_F(ExperimentPage, StartsWhatIsSetUpAndFolds) {
  auto* runner = open_with<AnimatedExperiment>();
  window_->load();
  take(8);
  window_->top_bar()->pages()->choose(2);
  Q_EMIT window_->top_bar()->pages()->changed(2);
  ASSERT_TRUE(page()->isVisible());
  EXPECT_FALSE(page()->placeholder().isEmpty());
  EXPECT_FALSE(setup()->folded());
  setup()->arm(Intervention::kRandomNoise)->click();
  setup()->more_arms()->setText(QStringLiteral("random-noise:sigma=0.3"));
  EXPECT_EQ(setup()->primary()->text(), QStringLiteral("Start comparison"));
  setup()->primary()->click();
  ASSERT_EQ(runner->experiments.size(), 1u);
  const auto& [config, plan] = runner->experiments.front();
  EXPECT_THAT(plan.arms, ElementsAre("zero", "fitted-noise", "state-passing", "tbtt",
                                     "random-noise:sigma=0.3"));
  EXPECT_EQ(plan.seeds, 3);
  EXPECT_TRUE(plan.interleaved);
  EXPECT_EQ(plan.out, "");
  EXPECT_EQ(config.train.evaluate_every, 0) << "how often curves come is left to the engine";
  take(1);
  EXPECT_TRUE(setup()->folded());
  EXPECT_TRUE(page()->placeholder().isEmpty());
  EXPECT_EQ(setup()->primary()->text(), QStringLiteral("Pause all"));
}

// Hands out what a test says besides what is animated.
class CostedExperiment : public AnimatedExperiment {
 public:
  std::optional<RunnerUpdate> take() override {
    std::optional<RunnerUpdate> update = AnimatedExperiment::take();
    if (!update) return update;
    update->cost = cost;
    update->rates = rates;
    if (searching) update->state = RunState::kEvaluating;
    return update;
  }
  std::shared_ptr<const CostAnswer> cost;
  std::shared_ptr<const LrFinding> rates;
  bool searching = false;
};

TEST_F(ExperimentPage, SaysWhatItWillTakeFromASecondOfWork) {
  auto* runner = open_with<CostedExperiment>();
  window_->load();
  take(8);
  EXPECT_EQ(runner->count("estimate"), 0) << "no work for a page that nobody looks at";
  window_->top_bar()->pages()->choose(2);
  Q_EMIT window_->top_bar()->pages()->changed(2);
  ASSERT_TRUE(QTest::qWaitFor([&] { return runner->count("estimate") == 1; }));
  CostAnswer answer;
  answer.recipe = runner->estimated.back();
  answer.estimate.seconds_per_step = 0.5;
  answer.estimate.seconds_measuring = 10;
  answer.estimate.memory.weights = 100'000'000;
  answer.estimate.memory.moments = 200'000'000;
  answer.estimate.bytes_needed = 600'000'000;
  answer.estimate.bytes_available = 10'000'000'000;
  RunConfig recipe = setup()->config();
  recipe.train.steps = 100;
  Q_EMIT page()->recipe_changed(recipe);
  setup()->set_plan({{"zero", "tbtt"}, 3, "", false});
  runner->cost = std::make_shared<const CostAnswer>(answer);
  take(1);
  // 6 runs of 100 x 0.5 s, and 7 measurements of 10 s: 370 s. The open model's weights beside those
  // of the run: 0.7 GB. On the disk 6 times two sets of weights and the moments: 2.4 GB.
  EXPECT_EQ(setup()->summary(),
            QStringLiteral("about 6.2 min · 700 MB of memory · 2.4 GB on the disk"));
  setup()->set_plan({{"zero", "tbtt"}, 3, "", true});
  EXPECT_THAT(setup()->summary().toStdString(), HasSubstr("2.2 GB of memory"))
      << "runs that take turns keep weights and moments: 0.7 + 5 x 0.3";
  recipe.train.batch *= 2;
  Q_EMIT page()->recipe_changed(recipe);
  EXPECT_EQ(setup()->summary(), QString()) << "it was of another batch";
  EXPECT_TRUE(QTest::qWaitFor([&] { return runner->count("estimate") == 2; }));
}

TEST_F(ExperimentPage, FindsARateAndTakesItOver) {
  auto* runner = open_with<CostedExperiment>();
  window_->load();
  take(8);
  window_->top_bar()->pages()->choose(2);
  Q_EMIT window_->top_bar()->pages()->changed(2);
  setup()->find_rate()->click();
  ASSERT_EQ(runner->searched.size(), 1u);
  RateSheet* sheet = page()->rate_sheet();
  ASSERT_NE(sheet, nullptr);
  EXPECT_EQ(sheet->stage(), Sheet::Stage::kAsking);
  LrFinding finding;
  for (int i = 0; i < 30; ++i) {
    finding.rates.push_back(1e-6 * std::pow(1.5, i));
    finding.losses.push_back(3 - 0.05 * i);
    finding.smoothed.push_back(3 - 0.05 * i);
  }
  runner->searching = true;
  runner->rates = std::make_shared<const LrFinding>(finding);
  take(1);
  EXPECT_TRUE(sheet->searching());
  EXPECT_FALSE(sheet->action()->isEnabled());
  finding.suggestion = 2e-3;
  finding.sentence = "Suggested: 0.002, by a rule.";
  runner->searching = false;
  runner->rates = std::make_shared<const LrFinding>(finding);
  take(1);
  EXPECT_EQ(sheet->stage(), Sheet::Stage::kReady);
  EXPECT_THAT(sheet->action()->text().toStdString(), HasSubstr("0.002"));
  sheet->action()->click();
  EXPECT_FALSE(sheet->isVisible());
  EXPECT_EQ(setup()->config().train.learning_rate, 2e-3);
  EXPECT_EQ(runner->count("stop"), 0);
}

TEST_F(ExperimentPage, ASearchThatIsClosedIsStopped) {
  auto* runner = open_with<CostedExperiment>();
  window_->load();
  take(8);
  setup()->find_rate()->click();
  page()->rate_sheet()->cancel()->click();
  EXPECT_EQ(runner->count("stop"), 1);
  EXPECT_FALSE(page()->rate_sheet()->isVisible());
}

TEST_F(ExperimentPage, AnArmThatCannotBeReadKeepsItFromStarting) {
  open_with<AnimatedExperiment>();
  window_->load();
  take(8);
  setup()->more_arms()->setText(QStringLiteral("random-noise:sigmo=0.3"));
  EXPECT_FALSE(setup()->primary()->isEnabled());
  EXPECT_THAT(setup()->problem().toStdString(), HasSubstr("sigmo"));
  setup()->more_arms()->setText(QStringLiteral("zero"));
  EXPECT_THAT(setup()->problem().toStdString(), HasSubstr("twice"));
  setup()->more_arms()->clear();
  EXPECT_TRUE(setup()->primary()->isEnabled());
  EXPECT_FALSE(setup()->arm(Intervention::kMixture)->isEnabled());  // no weights
}

TEST_F(ExperimentPage, PresetsAreOfferedWithHowWellTheyAreKnown) {
  open();
  EXPECT_TRUE(setup()->presets()->isVisibleTo(setup()));
  setup()->show_presets({});
  EXPECT_FALSE(setup()->presets()->isVisibleTo(setup()));
  setup()->show_presets(
      {{"p",
        "The paper's 370m",
        "As far as it is stated.",
        {{"train.steps", "500", "stated", ""}, {"intervention.sigma", "1", "unknown", ""}}}});
  EXPECT_TRUE(setup()->presets()->isVisibleTo(setup()));
  const QString tip = setup()->presets()->itemData(1, Qt::ToolTipRole).toString();
  EXPECT_THAT(tip.toStdString(), HasSubstr("unknown: our choice"));
  QSignalSpy chosen(page(), &ExperimentPanel::preset_chosen);
  setup()->presets()->setCurrentIndex(1);
  Q_EMIT setup()->presets()->activated(1);
  PresetSheet* sheet = page()->preset_sheet();
  ASSERT_NE(sheet, nullptr);
  EXPECT_EQ(chosen.size(), 0) << "its values are read first";
  EXPECT_EQ(sheet->table()->item(1, 2)->text(), QStringLiteral("not known: our choice"));
  set_language(Language::kChinese);
  EXPECT_EQ(sheet->table()->item(1, 2)->text(), QStringLiteral("未知：我们的选择"));
  set_language(Language::kEnglish);
  EXPECT_EQ(sheet->table()->item(1, 2)->text(), QStringLiteral("not known: our choice"));
  sheet->table()->item(1, 1)->setText(QStringLiteral("much"));
  EXPECT_EQ(sheet->stage(), Sheet::Stage::kRefused);
  sheet->table()->item(1, 1)->setText(QStringLiteral("0.25"));
  EXPECT_EQ(sheet->table()->item(1, 2)->text(), QStringLiteral("changed by you"));
  sheet->action()->click();
  EXPECT_EQ(chosen.size(), 1);
  EXPECT_EQ(window_->recipe().intervention.sigma, 0.25);
  EXPECT_EQ(window_->recipe().train.steps, 500);
  EXPECT_EQ(setup()->config().train.steps, 500);
}

TEST_F(ExperimentPage, ArmsAreRowsWithTheirSeedsBeneath) {
  open_page();
  take(60);
  ASSERT_EQ(model()->rowCount(), 3);  // base and two arms
  const QModelIndex zero = model()->index(1, 0);
  EXPECT_EQ(model()->rowCount(zero), 2);
  EXPECT_EQ(zero.data().toString(), QStringLiteral("Zero state"));
  EXPECT_EQ(model()->index(0, 1, zero).data().toString(), QStringLiteral("7"));
  EXPECT_EQ(model()->index(0, ArmsModel::kStage, zero).data().toString(),
            QStringLiteral("running"));
  EXPECT_THAT(model()->index(0, ArmsModel::kStep, zero).data().toString().toStdString(),
              HasSubstr("of 200"));
  EXPECT_FALSE(model()->index(0, ArmsModel::kLoss, zero).data().toString().isEmpty());
  EXPECT_FALSE(model()->index(0, ArmsModel::kLeft, zero).data().toString().isEmpty());
  EXPECT_EQ(model()->parent(model()->index(0, 0, zero)), zero);
}

TEST_F(ExperimentPage, CommandsGoToTheSelectedRuns) {
  auto* runner = open_page();
  take(30);
  const ArmsCard::Actions& actions = page()->arms()->actions();
  EXPECT_FALSE(actions.pause->isEnabled());  // nothing is selected
  select(2);                                 // both seeds of state passing
  actions.pause->trigger();
  ASSERT_EQ(runner->directions.size(), 1u);
  EXPECT_EQ(runner->directions[0].kind, ArmCommand::Kind::kPause);
  EXPECT_THAT(runner->directions[0].runs, ElementsAre(3, 4));
  take(1);
  EXPECT_FALSE(actions.pause->isEnabled());
  select(2, 1);
  actions.resume->trigger();
  page()->arms()->extend(50);
  EXPECT_THAT(runner->directions[1].runs, ElementsAre(4));
  EXPECT_EQ(runner->directions[2].kind, ArmCommand::Kind::kExtend);
  EXPECT_EQ(runner->directions[2].steps, 50);
  select(1, 0);
  const QList<QAction*> laws = actions.fork->actions();
  ASSERT_EQ(laws.size(), kInterventionCount);
  EXPECT_FALSE(laws[6]->isEnabled());  // a mixture without weights
  laws[4]->trigger();
  const ArmCommand& fork = runner->directions[3];
  EXPECT_EQ(fork.kind, ArmCommand::Kind::kFork);
  EXPECT_EQ(fork.arm, "tbtt");
  EXPECT_GT(fork.steps, 0);
  take(1);
  EXPECT_EQ(model()->rowCount(), 4);
  EXPECT_THAT(model()->index(3, 0).data().toString().toStdString(),
              HasSubstr("Truncated BPTT, from Zero state at"));
}

TEST_F(ExperimentPage, TheKeysOfTheRowsActWhereTheRowsHaveTheKeyboard) {
  auto* runner = open_page();
  take(30);
  select(1);
  QTest::keyClick(window_.get(), Qt::Key_P);
  EXPECT_TRUE(runner->directions.empty());
  rows()->setFocus();
  QTest::keyClick(rows(), Qt::Key_P);
  ASSERT_EQ(runner->directions.size(), 1u);
  EXPECT_THAT(runner->directions[0].runs, ElementsAre(1, 2));
}

TEST_F(ExperimentPage, PauseAllThenResumeAllOrStop) {
  auto* runner = open_page();
  take(20);
  setup()->primary()->click();
  EXPECT_EQ(runner->directions.back().kind, ArmCommand::Kind::kPause);
  EXPECT_TRUE(runner->directions.back().runs.empty());
  take(2);
  EXPECT_EQ(setup()->primary()->text(), QStringLiteral("Resume all"));
  setup()->primary()->click();
  EXPECT_EQ(runner->directions.back().kind, ArmCommand::Kind::kResume);
  take(2);
  setup()->stop_button()->click();
  EXPECT_EQ(runner->directions.back().kind, ArmCommand::Kind::kStop);
  take(2);
  EXPECT_EQ(setup()->primary()->text(), QStringLiteral("Start comparison"));
  EXPECT_TRUE(setup()->stop_button()->isHidden());
}

TEST_F(ExperimentPage, OneSmallPlotPerArmOnTheSameAxes) {
  open_page();
  take(60);
  MultiplesCard* multiples = page()->multiples();
  ASSERT_EQ(multiples->plots().size(), 2);
  for (ArmPlot* plot : multiples->plots()) plot->refresh();
  ArmPlot *zero = multiples->plots()[0], *passing = multiples->plots()[1];
  // Base behind, two seeds, and their mean in front.
  ASSERT_EQ(zero->content().curves.size(), 4);
  EXPECT_EQ(zero->content().curves[0].rank, ArmPlot::Rank::kBehind);
  const auto& seeds = zero->content().curves;
  EXPECT_DOUBLE_EQ(seeds[3].y[5], (seeds[1].y[5] + seeds[2].y[5]) / 2);
  EXPECT_EQ(seeds[3].rank, ArmPlot::Rank::kMean);
  EXPECT_EQ(zero->x_range(), passing->x_range());
  EXPECT_EQ(zero->y_range(), passing->y_range());
  // A zoom of one is that of all, and so is the way back.
  Q_EMIT zero->x_range_held(16, 256);
  EXPECT_EQ(passing->x_range(), (Extent{16, 256}));
  passing->follow();
  EXPECT_FALSE(zero->held());
  // Measured at the end only, and said so.
  multiples->choose(ArmQuantity::kRemembrance);
  EXPECT_EQ(zero->content().over, ArmPlot::Over::kDropped);
  EXPECT_FALSE(zero->content().empty.isEmpty());
  multiples->choose(ArmQuantity::kLoss);
  EXPECT_EQ(zero->content().over, ArmPlot::Over::kSteps);
}

TEST_F(ExperimentPage, AScaleChosenInOnePlotIsThatOfAll) {
  open_page();
  take(60);
  const auto plots = page()->multiples()->plots();
  ASSERT_GE(plots.size(), 2);
  EXPECT_TRUE(plots[1]->content().log_x);
  EXPECT_TRUE(plots[1]->content().log_y);
  window_->findChild<Segmented*>(QStringLiteral("view.experiment-x-scale"))->pick(2);
  window_->findChild<Segmented*>(QStringLiteral("view.experiment-y-scale"))->pick(2);
  for (ArmPlot* plot : plots) {
    EXPECT_EQ(plot->canvas()->xAxis->scaleType(), QCPAxis::stLinear);
    EXPECT_EQ(plot->canvas()->yAxis->scaleType(), QCPAxis::stLinear);
  }
  window_->actions().undo->trigger();
  EXPECT_EQ(plots[0]->canvas()->yAxis->scaleType(), QCPAxis::stLogarithmic);
}

TEST_F(ExperimentPage, HiddenArmsLeavePlotsAndTable) {
  open_page();
  take(60);
  select(1);
  page()->arms()->actions().only->trigger();
  EXPECT_EQ(page()->multiples()->plots().size(), 1);
  EXPECT_EQ(page()->table()->model()->rowCount(), 2);
  page()->arms()->actions().all->trigger();
  EXPECT_EQ(page()->multiples()->plots().size(), 2);
  page()->arms()->actions().hide->trigger();
  EXPECT_EQ(page()->multiples()->title_of(0).left(13), QStringLiteral("State passing"));
}

TEST_F(ExperimentPage, ABoxHidesAnArm) {
  open_page();
  take(60);
  const QModelIndex arm = model()->index(1, 0);
  EXPECT_EQ(arm.data(Qt::CheckStateRole).toInt(), Qt::Checked);
  EXPECT_FALSE(model()->flags(model()->index(0, 0)).testFlag(Qt::ItemIsUserCheckable));  // the base
  const QPoint box(rows()->visualRect(arm).left() + 8, rows()->visualRect(arm).center().y());
  QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {}, box);
  EXPECT_EQ(arm.data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
  EXPECT_EQ(page()->multiples()->plots().size(), 1);
  EXPECT_EQ(page()->table()->model()->rowCount(), 2);
  QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {}, box);
  EXPECT_EQ(page()->multiples()->plots().size(), 2);
}

// tensorflow#3782: more than a dozen arms are a list to search, and the plots follow it.
TEST_F(ExperimentPage, OfManyArmsWordsFindSome) {
  auto* runner = open_with<AnimatedExperiment>();
  window_->load();
  take(8);
  ExperimentPlan plan{{"zero", "state-passing"}, 1, "", true};
  for (int i = 1; i <= 12; ++i) {
    plan.arms.push_back("random-noise:sigma=" + std::to_string(i));
  }
  window_->start_experiment(plan);
  ASSERT_EQ(runner->experiments.size(), 1u);
  take(60);
  QLineEdit* filter = page()->arms()->filter();
  ASSERT_TRUE(filter->isVisible());
  filter->setText(QStringLiteral("SIGMA=1"));
  EXPECT_EQ(page()->multiples()->plots().size(), 4);  // 1, 10, 11, 12
  EXPECT_TRUE(rows()->isRowHidden(1, {}));
  EXPECT_FALSE(rows()->isRowHidden(0, {}));  // the base stays
  take(4);
  EXPECT_TRUE(rows()->isRowHidden(1, {}));
  page()->arms()->actions().all->trigger();
  EXPECT_TRUE(filter->text().isEmpty());
  EXPECT_EQ(page()->multiples()->plots().size(), 14);
}

TEST_F(ExperimentPage, TheSliderShowsWhatWasRecordedByThen) {
  open_page();
  take(80);  // two of four runs take a step at each moment: 60 steps of each
  HistorySlider* slider = page()->multiples()->slider();
  EXPECT_FALSE(slider->step());
  EXPECT_THAT(slider->text().toStdString(), ::testing::StartsWith("newest: step"));
  slider->go_to(20);
  EXPECT_EQ(slider->step(), 20);
  EXPECT_EQ(slider->text(), QStringLiteral("step 20 of 200, recorded"));
  EXPECT_THAT(page()->multiples()->title_of(0).toStdString(), HasSubstr("step 20"));
  const ArmTable* table = page()->table()->model();
  const QString then = table->index(2, 4).data().toString();
  take(40);
  EXPECT_EQ(slider->step(), 20);  // what comes does not move it
  EXPECT_EQ(table->index(2, 4).data().toString(), then);
  slider->go_to({});
  EXPECT_NE(table->index(2, 4).data().toString(), then);
  EXPECT_FALSE(slider->step());
  // By the keyboard: one record each, and Home is its own while it has the keyboard.
  slider->slider()->setFocus();
  QTest::keyClick(slider->slider(), Qt::Key_Home);
  EXPECT_EQ(slider->step(), 0);
  QTest::keyClick(slider->slider(), Qt::Key_Right);
  EXPECT_EQ(slider->step(), 10);
}

TEST(HistorySlider, PlaysToTheEndAndFollowsAgain) {
  HistorySlider slider;
  slider.show_steps({0, 10, 20}, 200, true);
  slider.play();
  EXPECT_TRUE(slider.plays());
  EXPECT_EQ(slider.step(), 0);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !slider.plays(); }, 5000));
  EXPECT_FALSE(slider.step());
  slider.show_steps({0, 10, 20, 30}, 200, false);
  EXPECT_EQ(slider.text(), QStringLiteral("step 30 of 200, recorded"));
}

TEST_F(ExperimentPage, TheTableMarksTheBestByWeightAndCanBeCopied) {
  auto* runner = open_page();
  runner->per_take = 40;
  take(30);
  const ArmTable* table = page()->table()->model();
  ASSERT_EQ(table->columnCount(), 6);
  EXPECT_EQ(table->headerData(5, Qt::Horizontal, Qt::DisplayRole).toString(),
            QStringLiteral("64T\n4,096"));
  EXPECT_TRUE(table->index(2, 5).data(ArmTable::kBestRole).toBool());
  EXPECT_TRUE(table->index(2, 5).data(Qt::FontRole).value<QFont>().bold());
  EXPECT_FALSE(table->index(1, 5).data(ArmTable::kBestRole).toBool());
  EXPECT_THAT(table->index(2, 5).data().toString().toStdString(), HasSubstr(" ± "));
  EXPECT_THAT(table->index(1, 0).data().toString().toStdString(), HasSubstr("(control)"));
  const QStringList csv = as_csv(table->numbers()).split(u'\n', Qt::SkipEmptyParts);
  EXPECT_EQ(csv.size(), 1 + 3 * 5);
  EXPECT_EQ(csv[0], QStringLiteral("name,arm,at,position,mean,std,low,high,seeds"));
  EXPECT_THAT(csv.back().toStdString(),
              ::testing::StartsWith("State passing,state-passing,64T,4096,"));
  const QStringList text = table->as_text().split(u'\n', Qt::SkipEmptyParts);
  ASSERT_EQ(text.size(), 4);
  EXPECT_EQ(text[0].size(), text[3].size());
  // The mean is that of core's own table.
  const auto core = perplexity_at(*runner->take()->experiment, "state-passing", 4096);
  const auto groups = arm_groups(*runner->take()->experiment);
  EXPECT_DOUBLE_EQ(spread_at(groups[1], 4096, {})->mean, core->mean);
  EXPECT_DOUBLE_EQ(spread_at(groups[1], 4096, {})->std, core->std);
}

TEST_F(ExperimentPage, SaysInWordsWhatItShowsAndAFailureWithItsReason) {
  auto* runner = open_page();
  runner->failing = "zero";
  runner->per_take = 40;
  take(30);
  EXPECT_THAT(page()->shows().toStdString(), HasSubstr("state passing has perplexity"));
  EXPECT_THAT(page()->open().toStdString(), HasSubstr("left out of the numbers: zero state"));
  const QModelIndex failed = model()->index(1, ArmsModel::kStage, model()->index(1, 0));
  EXPECT_EQ(failed.data().toString(), QStringLiteral("failed"));
  EXPECT_THAT(failed.data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("not finite"));
}

TEST_F(ExperimentPage, RecipeAndCommandOfARunAreCopied) {
  auto* runner = open_page();
  runner->resumable = true;
  window_->start_experiment({{"zero"}, 1, "", true});
  take(10);
  select(1);
  page()->arms()->actions().recipe->trigger();
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr("\"intervention\""));
  page()->arms()->actions().terminal->trigger();
  EXPECT_EQ(QApplication::clipboard()->text(),
            QStringLiteral("farstate train --resume '/runs/zero-seed7'"));
}

TEST_F(ExperimentPage, GoesWithItsModel) {
  open_page();
  take(20);
  window_->load();
  take(3);
  EXPECT_FALSE(page()->placeholder().isEmpty());
  EXPECT_FALSE(setup()->folded());
}

TEST_F(ExperimentPage, StepsSetHereAreThoseOfTheLeftColumn) {
  open();
  RunConfig recipe = window_->recipe();
  recipe.train.steps = 77;
  recipe.train.evaluate_every = 7;
  Q_EMIT page()->recipe_changed(recipe);
  EXPECT_EQ(window_->recipe().train.steps, 77);
  EXPECT_EQ(setup()->config().train.steps, 77);
  EXPECT_EQ(setup()->config().train.evaluate_every, 7);
}

TEST_F(ExperimentPage, EveryPartCanBeReachedByTheKeyboardAndHasAName) {
  open_page({1024, 600});
  take(20);
  for (QWidget* widget : page()->findChildren<QWidget*>()) {
    if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0) continue;
    const auto* button = qobject_cast<QAbstractButton*>(widget);
    EXPECT_FALSE(widget->accessibleName().isEmpty() &&
                 (button == nullptr || button->text().isEmpty()))
        << widget->metaObject()->className();
  }
}

}  // namespace
}  // namespace farstate::desktop
