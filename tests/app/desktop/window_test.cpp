// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QDialog>
#include <QElapsedTimer>
#include <QLabel>
#include <QSpinBox>
#include <QTabBar>
#include <QToolButton>

#include "app/desktop/models/comparison_model.h"
#include "app/desktop/paint_coordinator.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/ending_notice.h"
#include "app/desktop/widgets/notice_banner.h"
#include "tests/app/desktop/plot_mouse.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using farstate::testing::AnimatedRunner;

void wheel(LivePlot* plot, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
  QWidget* canvas = canvas_of(plot);
  const QPointF at(canvas->width() / 2.0, canvas->height() / 2.0);
  QWheelEvent event(at, canvas->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton,
                    modifiers, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas, &event);
}

void hover(LivePlot* plot, double fraction_x, double fraction_y) {
  QWidget* canvas = canvas_of(plot);
  const QPointF at(canvas->width() * fraction_x, canvas->height() * fraction_y);
  QMouseEvent event(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                    Qt::NoModifier);
  QApplication::sendEvent(canvas, &event);
}

// Lets the coordinator paint what is dirty, whatever its rate.
void settle(MainWindow& window) {
  QTest::qWait(40);
  Q_EMIT window.pump()->ticked();
  QTest::qWait(20);
}

TEST_F(WindowTest, ChoosesInterventionsByKeyWhileTraining) {
  open();
  deliver(update(RunState::kRunning));
  for (const auto& [key, kind] : {std::pair(Qt::Key_4, Intervention::kStatePassing),
                                  std::pair(Qt::Key_5, Intervention::kTbtt),
                                  std::pair(Qt::Key_6, Intervention::kCorrelatedNoise),
                                  std::pair(Qt::Key_7, Intervention::kMixture),
                                  std::pair(Qt::Key_2, Intervention::kRandomNoise)}) {
    QTest::keyClick(window_.get(), key);
    ASSERT_FALSE(fake_->interventions.empty());
    EXPECT_EQ(fake_->interventions.back().kind, kind);
  }
  EXPECT_EQ(fake_->count("set_intervention"), 5);
}

TEST_F(WindowTest, KeysRunStepStopAndReset) {
  open();
  deliver(update(RunState::kReady));
  QTest::keyClick(window_.get(), Qt::Key_Space);
  QTest::keyClick(window_.get(), Qt::Key_Period);
  QTest::keyClick(window_.get(), Qt::Key_R);
  deliver(update(RunState::kRunning));
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  EXPECT_THAT(fake_->calls, ::testing::ElementsAre("run", "step", "reset", "stop"));
}

TEST_F(WindowTest, KeysTypeInsteadWhileAFieldHasTheFocus) {
  open();
  deliver(update(RunState::kReady));
  window_->activateWindow();
  auto* field = window_->training()->findChild<QSpinBox*>();
  field->setFocus();
  ASSERT_TRUE(QTest::qWaitFor([&] { return field->hasFocus(); }));
  field->selectAll();
  QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("45"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  EXPECT_EQ(fake_->calls.size(), 0U);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  EXPECT_EQ(field->value(), 45);
}

TEST_F(WindowTest, JoinsManyChangesOfASettingIntoFewCommands) {
  open();
  deliver(update(RunState::kReady));
  auto* field = window_->training()->findChild<QSpinBox*>();
  for (int i = 1; i <= 200; ++i) field->setValue(i);
  QTest::qWait(120);
  EXPECT_LE(fake_->count("configure"), 3);
  ASSERT_FALSE(fake_->configured.empty());
  EXPECT_EQ(fake_->configured.back().train.steps, 200);
}

TEST_F(WindowTest, LocksSettingsWhileTrainingAndSaysWhy) {
  open();
  deliver(update(RunState::kRunning));
  auto* field = window_->training()->findChild<QSpinBox*>();
  EXPECT_TRUE(field->isReadOnly());
  EXPECT_FALSE(field->toolTip().isEmpty());
  deliver(update(RunState::kPaused));
  EXPECT_FALSE(field->isReadOnly());
  EXPECT_TRUE(field->toolTip().isEmpty());
}

TEST_F(WindowTest, DropsUpdatesAndMeasurementsOfAnOlderEpoch) {
  open();
  RunnerUpdate fresh = update(RunState::kReady, 5);
  fresh.measurements = {measurement(0, Intervention::kZero, 1, 1, 5),
                        measurement(7, Intervention::kTbtt, 9, 2, 4)};
  deliver(fresh);
  RunnerUpdate stale = update(RunState::kRunning, 4);
  stale.measurements = {measurement(3, Intervention::kZero, 9, 3, 4)};
  deliver(stale);
  EXPECT_EQ(window_->state(), RunState::kReady);
  EXPECT_NE(window_->book().base(), nullptr);
  EXPECT_TRUE(window_->book().earlier().empty());
}

TEST_F(WindowTest, ResetKeepsEarlierCurvesAndLoadForgetsThem) {
  open();
  RunnerUpdate u = update(RunState::kReady, 1);
  u.measurements = {measurement(0, Intervention::kZero, 2, 1, 1),
                    measurement(50, Intervention::kTbtt, 1, 2, 1)};
  deliver(u);
  window_->actions().reset->trigger();
  deliver(update(RunState::kReady, 2));
  EXPECT_NE(window_->book().last_of(Intervention::kTbtt), nullptr);
  window_->load();
  deliver(update(RunState::kLoading, 3));
  EXPECT_NE(window_->book().base(), nullptr);  // the model that was open may come back
  RunnerUpdate loaded = update(RunState::kReady, 3);
  loaded.model = std::make_shared<ModelInfo>();
  deliver(loaded);
  EXPECT_EQ(window_->book().base(), nullptr);
}

TEST_F(WindowTest, ComparesValuesAtMeasuredPositionsOnly) {
  open();
  auto model = std::make_shared<ModelInfo>();
  model->trained_context = 64;
  RunnerUpdate u = update(RunState::kReady);
  u.model = model;
  u.measurements = {measurement(0, Intervention::kZero, 2, 1),
                    measurement(50, Intervention::kStatePassing, 1, 2)};
  deliver(u);
  const ComparisonModel& table = *window_->plots()->results()->comparison();
  ASSERT_EQ(table.rowCount(), 2);
  ASSERT_EQ(table.columnCount(), 7);  // name, step, T/2, T, 2T, 8T, 64T
  const auto header = [&](int c) {
    return table.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
  };
  EXPECT_EQ(header(2), QStringLiteral("32"));
  EXPECT_EQ(header(3), QStringLiteral("T = 64"));
  EXPECT_EQ(header(6), QStringLiteral("4,096"));
  // The bin [64,128) is the seventh, and the length itself ends the twelfth.
  EXPECT_EQ(table.index(0, 3).data().toString(), QStringLiteral("9.00"));
  EXPECT_EQ(table.index(0, 6).data().toString(), QStringLiteral("14.0"));
  EXPECT_EQ(table.index(1, 1).data().toString(), QStringLiteral("50"));
  EXPECT_EQ(table.index(1, 3).data().toString(), QStringLiteral("8.00"));
}

// Without a recorded context the columns stand at multiples of the one of post-training, and none
// of them is called T until the person has stated it.
TEST_F(WindowTest, ShowsNoContextThatIsNotRecordedUntilItIsStated) {
  open();
  auto model = std::make_shared<ModelInfo>();
  model->source = "/models/without";
  RunnerUpdate u = update(RunState::kReady);
  u.model = model;
  u.measurements = {measurement(0, Intervention::kZero, 2, 1)};
  deliver(u);
  const auto header = [&](int c) {
    return window_->plots()
        ->results()
        ->comparison()
        ->headerData(c, Qt::Horizontal, Qt::DisplayRole)
        .toString();
  };
  auto* context = window_->model_panel()->findChild<QSpinBox*>();
  ASSERT_TRUE(context->isVisible());
  EXPECT_EQ(context->text(), QStringLiteral("not recorded"));
  EXPECT_EQ(header(3), QStringLiteral("64"));
  context->setFocus();
  context->selectAll();
  QTest::keyClicks(context, QStringLiteral("128"));
  QTest::keyClick(context, Qt::Key_Return);
  EXPECT_EQ(header(3), QStringLiteral("T = 128"));
  deliver(update(RunState::kIdle));  // closed and opened again, it is remembered
  EXPECT_FALSE(context->isVisible());
  deliver(u);
  EXPECT_EQ(context->value(), 128);
  EXPECT_EQ(header(3), QStringLiteral("T = 128"));
}

TEST_F(WindowTest, MeasuringAgainNeverEmptiesAPlot) {
  MeasurementBook book;
  auto whole = measurement(0, Intervention::kZero, 2, 1);
  book.add(*whole);
  Measurement part = *whole;
  part.id = 2;
  part.complete = false;
  part.series[0].x.resize(3);
  part.series[0].y.resize(3);
  book.add(part);
  EXPECT_EQ(find_series(book.base()->series, "perplexity")->x.size(), whole->series[0].x.size());
  part.complete = true;
  book.add(part);
  EXPECT_EQ(find_series(book.base()->series, "perplexity")->x.size(), 3U);
}

TEST_F(WindowTest, MarksAChangeOfTheInitialState) {
  open();
  RunnerUpdate u = update(RunState::kRunning);
  u.train_points = {{1, 3.0, 1, 1e-3, 0}, {2, 2.5, 1, 1e-3, 0}, {3, 2.0, 1, 1e-3, 0}};
  u.events = {{2, "intervention", "tbtt from here"}};
  u.intervention.kind = Intervention::kTbtt;
  deliver(u);
  LossPlot* loss = window_->plots()->results()->loss();
  EXPECT_EQ(loss->marker_count(), 1);
}

TEST_F(WindowTest, ChangesWhileItTrainsAreMarkedOnTheLossAndNamedInTheRecipe) {
  open();
  RunnerUpdate u = update(RunState::kRunning);
  auto recipe = std::make_shared<RunConfig>();
  recipe->changes = {{10, "train.learning_rate", "0.001"}, {10, "measure.length", "512"}};
  u.recipe = recipe;
  for (int64_t step = 1; step <= 20; ++step) u.train_points.push_back({step, 0.5, 0, 0, 0});
  u.events = {{10, "change", "train.learning_rate 0.001 from here"}};
  deliver(u);
  LossPlot* loss = window_->plots()->results()->loss();
  EXPECT_EQ(loss->marker_count(), 1);
  loss->refresh();
  QTest::qWait(50);  // a replot is queued
  const Extent steps = loss->x_range();
  const double share = (10 - steps.low) / (steps.high - steps.low);
  constexpr double kLeft = 44, kSides = 44 + 14;  // the plot's margins
  hover_at(loss, {kLeft + share * (loss->width() - kSides), loss->height() / 2.0});
  ASSERT_NE(loss->shown_tip(), nullptr);
  ASSERT_EQ(loss->shown_tip()->rows.size(), 2);
  EXPECT_EQ(loss->shown_tip()->rows[1].label,
            QStringLiteral("train.learning_rate 0.001 from here"));
  const auto chips = window_->top_bar()->findChildren<QToolButton*>();
  const auto chip = std::find_if(chips.begin(), chips.end(), [](const QToolButton* button) {
    return button->accessibleName() == QStringLiteral("Recipe");
  });
  ASSERT_NE(chip, chips.end());
  EXPECT_TRUE((*chip)->text().endsWith(QStringLiteral("2 changes")));
  EXPECT_TRUE((*chip)->toolTip().contains(QStringLiteral("from step 10: measure.length = 512")));
}

// The initial state can be chosen after a load or a reset and before the first step.
TEST_F(WindowTest, ALossHasTheColourOfTheStateThatItsFirstStepBeganFrom) {
  open();
  RunnerUpdate u = update(RunState::kRunning);
  u.intervention.kind = Intervention::kTbtt;
  u.train_points = {{1, 0.5, 0, 0, 0}, {2, 0.4, 0, 0, 0}};
  deliver(u);
  const auto& segments = window_->plots()->results()->loss()->record().history.segments();
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(segments[0].kind, Intervention::kTbtt);
}

TEST_F(WindowTest, ShowsAThousandErrorsAsOneBanner) {
  open();
  for (int i = 0; i < 1000; ++i) {
    RunnerUpdate u = update(RunState::kReady);
    u.events = {{i, "warning", "the loss is not finite"}};
    deliver(u);
  }
  EXPECT_TRUE(window_->notice()->isVisible());
  EXPECT_EQ(window_->notice()->count(), 1000);
  EXPECT_TRUE(window_->findChildren<QDialog*>().isEmpty());
}

TEST_F(WindowTest, CountsAnErrorOnceHoweverOftenItIsRepeated) {
  open();
  RunnerUpdate u = update(RunState::kFailed);
  u.error = RunError{ErrorKind::kBadInput, "model.safetensors: the header is cut short."};
  for (int i = 0; i < 30; ++i) deliver(u);
  EXPECT_EQ(window_->notice()->count(), 1);
  EXPECT_EQ(window_->notice()->text(),
            QStringLiteral("model.safetensors: the header is cut short."));
}

TEST_F(WindowTest, HoldsAZoomedViewUntilItIsAskedToFollow) {
  auto* runner = open_with<AnimatedRunner>();
  window_->load();
  for (int i = 0; i < 6; ++i) window_->pump()->drain();
  settle(*window_);
  LivePlot* plot = window_->plots()->perplexity();
  const Extent home = plot->x_range();
  wheel(plot, 120);
  EXPECT_TRUE(plot->held());
  const Extent held = plot->x_range();
  EXPECT_LT(held.high / held.low, home.high / home.low);
  EXPECT_EQ(window_->plots()->state()->x_range(), held);  // the two share their x range
  runner->run();
  for (int i = 0; i < 25; ++i) window_->pump()->drain();
  settle(*window_);
  EXPECT_EQ(plot->x_range(), held);
  for (int i = 0; i < 200; ++i) wheel(plot, i % 2 == 0 ? -1200 : -120);
  EXPECT_GT(plot->x_range().low, 0);
  QTest::mouseDClick(canvas_of(plot), Qt::LeftButton, {}, canvas_of(plot)->rect().center());
  EXPECT_FALSE(plot->held());
  EXPECT_FALSE(window_->plots()->state()->held());
  EXPECT_EQ(plot->x_range(), plot->x_home());
}

TEST_F(WindowTest, TipsShowRealSamplesAndStayInTheWindow) {
  open_with<AnimatedRunner>({1024, 600});
  window_->load();
  for (int i = 0; i < 6; ++i) window_->pump()->drain();
  settle(*window_);
  for (LivePlot* plot : {static_cast<LivePlot*>(window_->plots()->state()),
                         static_cast<LivePlot*>(window_->plots()->perplexity()),
                         static_cast<LivePlot*>(window_->plots()->effrem())}) {
    hover(plot, 0.6, 0.5);
    ASSERT_NE(plot->shown_tip(), nullptr);
    EXPECT_FALSE(plot->shown_tip()->rows.isEmpty());
    EXPECT_TRUE(window_->rect().contains(plot->tip_box()->geometry()));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(canvas_of(plot), &leave);
    EXPECT_EQ(plot->shown_tip(), nullptr);
  }
}

TEST_F(WindowTest, SurvivesAFloodOfPoints) {
  open();
  window_->pump()->start();
  qint64 longest = 0;
  QElapsedTimer beat;
  beat.start();
  QTimer heart;
  heart.setTimerType(Qt::PreciseTimer);
  QObject::connect(&heart, &QTimer::timeout, [&] { longest = std::max(longest, beat.restart()); });
  heart.start(10);
  int64_t step = 0;
  for (int burst = 0; burst < 20; ++burst) {
    RunnerUpdate u = update(RunState::kRunning);
    for (int i = 0; i < 100000; ++i) {
      ++step;
      u.train_points.push_back({step, 2 + std::sin(0.001 * double(step)), 1, 1e-3, 0});
    }
    u.train_points[500].loss = std::numeric_limits<double>::quiet_NaN();
    fake_->push(std::move(u));
    QTest::qWait(40);
  }
  EXPECT_TRUE(fake_->mailbox.size() <= 1);
  EXPECT_LT(longest, 1500);  // generous: other programs may share this machine
}

TEST(DisplayRate, SlowsDownWhenPicturesCostTooMuch) {
  DisplayRate rate;
  EXPECT_EQ(rate.hz(), 30);
  rate.add_cost(10);
  EXPECT_EQ(rate.hz(), 30);
  rate.add_cost(30);
  EXPECT_EQ(rate.hz(), 15);
  rate.add_cost(22);  // not yet cheap enough to go back
  EXPECT_EQ(rate.hz(), 15);
  rate.add_cost(90);
  EXPECT_EQ(rate.hz(), 5);
  rate.add_cost(10);
  rate.add_cost(10);
  EXPECT_EQ(rate.hz(), 30);
}

TEST(StateRows, AreRatiosToTheValueAtT) {
  Series s;
  s.name = "state_norm";
  s.layer = 0;
  s.head = 1;
  s.x = {1, 3, 6, 12};
  s.y = {5, 10, 20, std::numeric_limits<double>::infinity()};
  s.bin_begin = {1, 2, 4, 8};
  s.bin_end = {2, 4, 8, 16};
  const auto rows = state_rows({s}, "state_norm", 3);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_DOUBLE_EQ(rows[0].ratio[0], 0.5);
  EXPECT_DOUBLE_EQ(rows[0].ratio[2], 2);
  EXPECT_TRUE(std::isnan(rows[0].ratio[3]));
  EXPECT_TRUE(state_rows({s}, "state_std", 3).empty());
}

class CloseTest : public WindowTest, public ::testing::WithParamInterface<RunState> {};

TEST_P(CloseTest, EndsInEveryState) {
  open();
  window_->pump()->start();
  deliver(update(GetParam()));
  close_and_wait();
}

INSTANTIATE_TEST_SUITE_P(States, CloseTest,
                         ::testing::Values(RunState::kIdle, RunState::kLoading, RunState::kReady,
                                           RunState::kRunning, RunState::kPaused,
                                           RunState::kEvaluating, RunState::kStopping,
                                           RunState::kFailed));

// A runner that needs a while to come to an end.
class SlowToEnd : public farstate::testing::FakeRunner {
 public:
  ~SlowToEnd() override { std::this_thread::sleep_for(std::chrono::milliseconds(700)); }
};

TEST_F(WindowTest, SaysSoWhenEndingTakesAWhile) {
  open_with<SlowToEnd>();
  QSignalSpy finished(window_.get(), &MainWindow::finished);
  window_->close();
  EXPECT_FALSE(window_->isVisible());
  const auto says_so = [] {
    for (const QWidget* widget : QApplication::topLevelWidgets()) {
      if (qobject_cast<const EndingNotice*>(widget) != nullptr && widget->isVisible()) return true;
    }
    return false;
  };
  EXPECT_FALSE(says_so());
  EXPECT_TRUE(QTest::qWaitFor(says_so, 650));
  EXPECT_TRUE(finished.wait(10000));
}

class ClippingTest : public WindowTest, public ::testing::WithParamInterface<QSize> {};

TEST_P(ClippingTest, EveryLabelAndButtonShowsItsWholeText) {
  open_with<AnimatedRunner>(GetParam());
  window_->load();
  for (int i = 0; i < 6; ++i) window_->pump()->drain();
  window_->initial_state()->choose(Intervention::kStatePassing);
  window_->run_main_action();
  for (int i = 0; i < 12; ++i) window_->pump()->drain();
  settle(*window_);
  for (const QWidget* widget : window_->findChildren<QWidget*>()) {
    if (!widget->isVisible()) continue;
    QString text;
    int needed = 0;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      text = label->text();
      const auto* shortens = dynamic_cast<const ElidedLabel*>(label);  // and has a tip
      needed = label->wordWrap() || shortens != nullptr ? 0 : label->sizeHint().width();
      if (shortens != nullptr && widget->parentWidget()->inherits("farstate::desktop::Card")) {
        EXPECT_FALSE(shortens->shown().contains(u'…')) << qPrintable(shortens->shown());
      }
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      text = button->text();
      needed = button->inherits("farstate::desktop::ElidedButton")
                   ? 0
                   : button->fontMetrics().horizontalAdvance(text);
    }
    EXPECT_LE(needed, widget->width()) << qPrintable(text);
    EXPECT_LE(widget->mapTo(window_.get(), widget->rect().topRight()).x(), window_->width())
        << qPrintable(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ClippingTest,
                         ::testing::Values(QSize(1024, 600), QSize(1440, 900)));

}  // namespace
}  // namespace farstate::desktop
