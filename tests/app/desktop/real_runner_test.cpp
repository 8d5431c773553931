// SPDX-License-Identifier: GPL-3.0-or-later
// The window on the real worker: the main job as a person does it, with the toggles used while it
// runs. The longest time that the window did not answer is printed; it depends on the machine and
// on what else it does, so it is not asserted.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "app/desktop/main_window.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_sheet.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/sample_card.h"
#include "app/desktop/panels/sampling_panel.h"
#include "app/desktop/panels/task_card.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/panels/text_card.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/token_flow.h"
#include "core/results/task_scores.h"
#include "core/session/runner.h"

namespace farstate::desktop {
namespace {

constexpr int kHangMs = 120000;

// Notes how late a timer of 10 ms fires: as late as a click would be answered.
class Heartbeat {
 public:
  Heartbeat() {
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      gaps_.push_back(static_cast<double>(clock_.nsecsElapsed()) / 1e6);
      clock_.restart();
    });
    clock_.start();
    timer_.start(10);
  }
  double quantile(double share) {
    std::sort(gaps_.begin(), gaps_.end());
    return gaps_.empty() ? 0 : gaps_[static_cast<size_t>(share * static_cast<double>(gaps_.size() - 1))];
  }

 private:
  QTimer timer_;
  QElapsedTimer clock_;
  std::vector<double> gaps_;
};

RunConfig short_run() {
  RunConfig config;
  config.train.steps = 60;
  config.train.batch = 8;
  config.measure.length = 512;
  config.measure.sequences = 4;
  config.measure.effrem_points = 6;
  config.intervention.kind = Intervention::kStatePassing;
  return config;
}

bool wait_for(const std::function<bool()>& condition) {
  return QTest::qWaitFor(condition, kHangMs);
}

TEST(RealRunner, TheMainJobWithTheTogglesUsedWhileItRuns) {
  MainWindow window(make_local_runner(), short_run(), ThemeMode::kLight);
  window.resize(1280, 800);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  Heartbeat heartbeat;
  window.load();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  window.run_main_action();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kRunning; }));
  for (const Qt::Key key : {Qt::Key_5, Qt::Key_3, Qt::Key_2, Qt::Key_1, Qt::Key_4}) {
    QTest::keyClick(&window, key);
    QTest::qWait(120);
  }
  QTest::keyClick(&window, Qt::Key_Space);  // pause, and on again
  ASSERT_TRUE(wait_for([&] { return window.state() != RunState::kRunning; }));
  if (window.state() == RunState::kPaused) QTest::keyClick(&window, Qt::Key_Space);
  ASSERT_TRUE(wait_for([&] {
    return window.state() == RunState::kReady && window.book().current() != nullptr &&
           window.book().current()->step > 0 && window.book().current()->complete;
  }));
  EXPECT_FALSE(window.error().has_value());
  std::printf("the window answered within %.0f ms, 99 %% of the time within %.0f ms\n",
              heartbeat.quantile(1.0), heartbeat.quantile(0.99));

  // The demo fails past what it was trained on, and the run has changed that.
  ASSERT_NE(window.book().base(), nullptr);
  const Series* before = find_series(window.book().base()->series, "perplexity");
  const Series* after = find_series(window.book().current()->series, "perplexity");
  ASSERT_NE(before, nullptr);
  ASSERT_NE(after, nullptr);
  EXPECT_GT(before->y.back(), 15.0);
  EXPECT_LT(after->y.back(), 0.8 * before->y.back());

  QSignalSpy finished(&window, &MainWindow::finished);
  window.close();
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
}

// Noise beyond all numbers makes the fourth step the last: three in a row are passed over.
TEST(RealRunner, ARunThatDivergesSaysWhereAndResetTrainsAgain) {
  RunConfig config = short_run();
  config.intervention.kind = Intervention::kRandomNoise;
  config.intervention.sigma = 1e38;
  config.intervention.zero_probability = 0;
  MainWindow window(make_local_runner(), config, ThemeMode::kLight, BuiltIns({}, {}));
  window.resize(1280, 800);
  window.show();
  window.load();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  window.run_main_action();
  ASSERT_TRUE(wait_for([&] { return window.notice()->isVisible(); }));
  EXPECT_EQ(window.state(), RunState::kReady);
  EXPECT_EQ(window.notice()->text().toStdString(),
            "Training diverged at step 4: the loss is nan, after 3 steps that were passed over. The "
            "weights are those before this step; try a smaller learning rate, or a smaller sigma.");
  window.set_intervention({.kind = Intervention::kZero});
  window.actions().reset->trigger();
  ASSERT_TRUE(wait_for([&] { return window.steps_done() == 0 && window.actions().step->isEnabled(); }));
  window.actions().step->trigger();
  ASSERT_TRUE(wait_for([&] { return window.steps_done() == 1; }));
  const DataTable losses = window.plots()->results()->loss()->numbers();
  ASSERT_FALSE(losses.rows.empty());
  EXPECT_TRUE(std::isfinite(std::get<double>(losses.rows.back()[1])));
}

// What the sweep has shown is looked into at once, and then a text is read, held, changed and gone
// on with.
TEST(RealRunner, LooksIntoTheStatesAndReadsAText) {
  MainWindow window(make_local_runner(), short_run(), ThemeMode::kLight);
  window.resize(1440, 900);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  window.load();
  ASSERT_TRUE(wait_for([&] { return window.inspector()->shows_states(); }));
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  EXPECT_EQ(window.focus()->pins()[Focus::kA], 64);
  EXPECT_EQ(window.focus()->pins()[Focus::kB], 512);

  window.generate(QStringLiteral("\nRoom kettle teal lantern red kettle teal lantern"));
  GeneratePanel& page = *window.generate_panel();
  ASSERT_TRUE(wait_for([&] { return page.text()->flow()->tokens().size() == 9 + 200; }));
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  EXPECT_TRUE(page.isVisible());
  EXPECT_TRUE(page.divergence_text().isEmpty());
  EXPECT_TRUE(page.text()->hint().isEmpty());
  EXPECT_FALSE(window.error().has_value());

  SamplingConfig slow;
  slow.tokens = 10000;
  slow.tokens_per_second = 50;  // as long as it takes to press Stop
  page.sampling()->show_config(slow);
  window.generate(QStringLiteral("\nRoom kettle"));
  ASSERT_TRUE(wait_for([&] { return page.text()->stop_button()->isEnabled(); }));
  EXPECT_TRUE(page.text()->hint().isEmpty());
  page.text()->stop_button()->click();
  ASSERT_TRUE(wait_for([&] { return page.text()->go_on_button()->isEnabled(); }));
  EXPECT_LT(page.text()->flow()->tokens().size(), 10000U);

  QSignalSpy finished(&window, &MainWindow::finished);
  window.close();
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
}

// A model that the window itself has saved is looked at, loaded and measured; a folder that is none
// is refused, and the model that was open goes on.
TEST(RealRunner, OpensAModelThroughItsSheet) {
  const QTemporaryDir folder;
  const QString saved = folder.filePath(QStringLiteral("saved"));
  MainWindow window(make_local_runner(), short_run(), ThemeMode::kLight);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  window.load();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  {
    const std::unique_ptr<Runner> writer = make_local_runner();
    writer->load(short_run());
    writer->save(saved.toStdString());  // farstate.json comes last
    ASSERT_TRUE(wait_for([&] { return QFile::exists(saved + QStringLiteral("/farstate.json")); }));
  }
  ModelSheet& sheet = *window.opening()->model_sheet();
  window.opening()->look_at(folder.path());
  ASSERT_TRUE(wait_for([&] { return sheet.stage() == Sheet::Stage::kRefused; }));
  EXPECT_FALSE(sheet.problem().isEmpty());
  EXPECT_EQ(window.state(), RunState::kReady);
  window.opening()->look_at(saved);
  ASSERT_TRUE(wait_for([&] { return sheet.stage() == Sheet::Stage::kReady; }));
  EXPECT_EQ(sheet.text_of(QStringLiteral("layers × heads")), QStringLiteral("2 × 4"));
  QTest::keyClick(&sheet, Qt::Key_Return);
  ASSERT_TRUE(wait_for([&] {
    return window.opening()->shown() == nullptr && window.state() == RunState::kReady &&
           window.book().base() != nullptr;
  }));
  EXPECT_EQ(window.recipe().model.model, saved.toStdString());
  QSignalSpy finished(&window, &MainWindow::finished);
  window.close();
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
}

TEST(RealRunner, ATaskIsAskedScoredAndTrainedOn) {
  RunConfig config = short_run();
  config.model.model = "register";
  config.train.steps = 20;
  config.task.tokens = 20000;
  config.score.lengths = {128, 512};
  config.score.trials = 6;
  MainWindow window(make_local_runner(), config, ThemeMode::kLight);
  window.resize(1280, 800);
  window.show();
  window.load();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  window.show_task("register");
  TasksPanel* page = window.tasks_panel();
  ASSERT_TRUE(wait_for([&] { return !page->sample()->verdict_text().isEmpty(); }));
  const auto samples_scored = [&] {
    int64_t least = 1000000;
    const std::vector<TaskCell> cells = task_scores_from_json(page->json(), "the page").cells;
    for (const TaskCell& cell : cells) least = std::min(least, cell.samples);
    return cells.empty() ? 0 : least;
  };
  page->score();
  ASSERT_TRUE(wait_for([&] { return samples_scored() >= 6 && window.state() == RunState::kReady; }));

  page->about()->train()->click();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kLoading; }));
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  window.run_main_action();
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kRunning; }));
  ASSERT_TRUE(wait_for([&] { return window.state() == RunState::kReady; }));
  ASSERT_TRUE(wait_for([&] {
    return page->sample()->origin_text().contains(u"step 20");
  })) << page->sample()->origin_text().toStdString();
  EXPECT_TRUE(QTest::qWaitFor([&] { return page->about()->train()->isEnabled(); }));
}

}  // namespace
}  // namespace farstate::desktop
