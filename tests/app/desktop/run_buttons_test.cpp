// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/run_buttons.h"

#include <gtest/gtest.h>

#include <QAction>

#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using P = RunButtons::Primary;

struct Expected {
  RunState state;
  P primary;
  bool run, step, stop, reset, intervention, settings;
};

// Written out by hand, so that a change of the table has to be meant.
constexpr Expected kExpected[] = {
    {RunState::kIdle, P::kRun, false, false, false, false, true, true},
    {RunState::kLoading, P::kRun, false, false, true, false, false, false},
    {RunState::kReady, P::kRun, true, true, false, true, true, true},
    {RunState::kRunning, P::kPause, true, false, true, true, true, false},
    {RunState::kPaused, P::kResume, true, true, true, true, true, true},
    {RunState::kEvaluating, P::kRun, false, false, true, true, true, false},
    {RunState::kStopping, P::kRun, false, false, false, false, false, false},
    {RunState::kFailed, P::kRun, false, false, false, true, true, true},
};

TEST(RunButtons, AreAFunctionOfTheState) {
  for (const Expected& e : kExpected) {
    const RunButtons b = buttons_for(e.state);
    SCOPED_TRACE(static_cast<int>(e.state));
    EXPECT_EQ(b.primary, e.primary);
    EXPECT_EQ(b.run, e.run);
    EXPECT_EQ(b.step, e.step);
    EXPECT_EQ(b.stop, e.stop);
    EXPECT_EQ(b.reset, e.reset);
    EXPECT_EQ(b.intervention, e.intervention);
    EXPECT_EQ(b.settings, e.settings);
    EXPECT_FALSE(state_text(e.state).isEmpty());
    EXPECT_EQ(b.settings, settings_hint(e.state).isEmpty());
  }
}

class ButtonsTest : public WindowTest {};

TEST_F(ButtonsTest, FollowEveryState) {
  open();
  for (const Expected& e : kExpected) {
    deliver(update(e.state));
    const Actions& a = window_->actions();
    SCOPED_TRACE(static_cast<int>(e.state));
    EXPECT_EQ(a.run->text(), primary_text(e.primary));
    EXPECT_EQ(a.run->isEnabled(), e.run);
    EXPECT_EQ(a.step->isEnabled(), e.step);
    EXPECT_EQ(a.stop->isEnabled(), e.stop);
    EXPECT_EQ(a.reset->isEnabled(), e.reset);
  }
}

TEST_F(ButtonsTest, SendTheirCommands) {
  open();
  deliver(update(RunState::kReady));
  window_->actions().run->trigger();
  EXPECT_EQ(fake_->count("run"), 1);
  deliver(update(RunState::kRunning));
  window_->actions().run->trigger();
  EXPECT_EQ(fake_->count("pause"), 1);
  deliver(update(RunState::kPaused));
  window_->actions().step->trigger();
  window_->actions().stop->trigger();
  window_->actions().reset->trigger();
  EXPECT_EQ(fake_->count("step"), 1);
  EXPECT_EQ(fake_->count("stop"), 1);
  EXPECT_EQ(fake_->count("reset"), 1);
}

}  // namespace
}  // namespace farstate::desktop
