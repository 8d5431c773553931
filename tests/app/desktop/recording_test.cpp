// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in models on the real worker: what is recorded of them is theirs, and the repair that
// time ends repairs.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "app/desktop/main_window.h"
#include "app/desktop/settings.h"
#include "core/session/runner.h"

namespace farstate::desktop {
namespace {

constexpr int kHangMs = 300000;

RunConfig as_the_window_starts(const std::string& model) {
  RunConfig config;
  config.measure.probes.emplace_back("dynamics");
  config.model.model = model;
  return config;
}

bool measured(MainWindow& window) {
  window.show();
  window.load();
  return QTest::qWaitFor(
      [&] { return window.state() == RunState::kReady && window.agreement().has_value(); }, kHangMs);
}

void close(MainWindow& window) {
  QSignalSpy finished(&window, &MainWindow::finished);
  window.close();
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
}

TEST(Recording, BelongsToTheWeightsThatAreLinkedIn) {
  const BuiltIns built_ins;
  for (const EmbeddedModel& model : built_ins.models()) {
    const Recording* recording = built_ins.recording(model.name);
    if (recording == nullptr) continue;
    MainWindow window(make_local_runner(), as_the_window_starts(model.name), ThemeMode::kLight);
    EXPECT_FALSE(recording->made.isEmpty()) << model.name;
    ASSERT_TRUE(measures_the_same(window.recipe(), *recording->measurement)) << model.name;
    ASSERT_TRUE(measured(window)) << model.name;
    EXPECT_TRUE(window.agreement()->comparable) << model.name;
    EXPECT_LE(window.agreement()->difference, kSameCurves)
        << model.name << ": run tools/record_curves.sh after every change of a model";
    close(window);
  }
}

TEST(Recording, OfTheFirstModelIsThere) { EXPECT_NE(BuiltIns().recording("demo"), nullptr); }

// Far less than the window gives it, and enough to see that it works.
TEST(RepairLive, TimeEndsItAndItHasRepairedSome) {
  remember_hints_wanted(false);
  MainWindow window(make_local_runner(), as_the_window_starts("demo"), ThemeMode::kLight);
  ASSERT_TRUE(measured(window));
  window.repair_live(4);
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.repair().stage() == Repair::Stage::kRunning; },
                              kHangMs));
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.repair().steps() > 2; }, kHangMs));
  window.run_main_action();  // a pause costs no time
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.repair().stage() == Repair::Stage::kPaused; },
                              kHangMs));
  QTest::qWait(300);
  const double left = window.repair().seconds_left();
  QTest::qWait(700);
  EXPECT_EQ(window.repair().seconds_left(), left);
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.state() == RunState::kPaused; }, kHangMs));
  window.run_main_action();
  ASSERT_TRUE(QTest::qWaitFor([&] { return window.repair().stage() == Repair::Stage::kDone; },
                              kHangMs));
  EXPECT_GT(window.repair().steps(), 3);
  ASSERT_TRUE(window.repair().before() && window.repair().after());
  EXPECT_LT(*window.repair().after(), *window.repair().before());
  EXPECT_EQ(window.book().current()->intervention, Intervention::kStatePassing);
  EXPECT_EQ(window.book().current()->recipe.train.steps, window.repair().steps());
  EXPECT_FALSE(window.error().has_value());
  remember_hints_wanted(true);
  close(window);
}

}  // namespace
}  // namespace farstate::desktop
