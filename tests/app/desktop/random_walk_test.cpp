// SPDX-License-Identifier: GPL-3.0-or-later
// Commands in no order that a person would think of: a short walk by default; FARSTATE_WALKS=10 makes
// ten of five hundred commands, each with a seed of its own.
#include <gtest/gtest.h>

#include <QDialog>
#include <algorithm>
#include <random>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/widgets/notice_banner.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedRunner;

constexpr const char* kPages[] = {"measure", "generate", "experiment", "tasks", "theory"};

uint32_t walks() { return std::max(1, qEnvironmentVariableIntValue("FARSTATE_WALKS")); }
int commands() { return qEnvironmentVariableIsSet("FARSTATE_WALKS") ? 500 : 40; }

class RandomWalk : public WindowTest, public ::testing::WithParamInterface<uint32_t> {
 protected:
  int below(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }

  // A command as the window's menus, keys and panels give it. What is not enabled does nothing, as
  // for a person.
  void give_command() {
    const Actions& a = window_->actions();
    QAction* const actions[] = {a.run, a.run, a.step, a.stop, a.reset, a.measure, a.undo, a.redo,
                                a.follow, a.inspector, a.copy_recipe, a.paste_recipe, a.present};
    const int command = below(24);
    if (command < static_cast<int>(std::size(actions))) return actions[command]->trigger();
    switch (command) {
      case 13:
        return window_->show_page(QLatin1StringView(kPages[below(5)]));
      case 14:
        return window_->initial_state()->choose(kInterventions[below(kInterventionCount)]);
      case 15:
        return window_->take_perspective(static_cast<MainWindow::Perspective>(below(3)));
      case 16:
        return window_->reset_layout();
      case 17:
        return window_->resize(1024 + below(600), 600 + below(400));
      case 18:
        return window_->focus()->set_pin(Focus::kA, 1 + below(4096));
      case 19:
        kept_ = window_->session();
        return;
      case 20:
        return window_->restore(kept_);
      case 21:
        return window_->set_text_size(80 + below(70));
      case 22:
        return window_->set_theme(static_cast<ThemeMode>(below(3)));
      default:
        return window_->load();
    }
  }

  void expect_sound() {
    const RunButtons allowed = buttons_for(window_->state());
    const Actions& a = window_->actions();
    EXPECT_EQ(a.run->isEnabled(), allowed.run);
    EXPECT_EQ(a.run->text(), primary_text(allowed.primary));
    EXPECT_EQ(a.step->isEnabled(), allowed.step);
    EXPECT_EQ(a.stop->isEnabled(), allowed.stop);
    EXPECT_EQ(a.reset->isEnabled(), allowed.reset);
    EXPECT_EQ(a.measure->isEnabled(), allowed.measure);
    EXPECT_EQ(a.save->isEnabled(), allowed.save);
    EXPECT_TRUE(window_->findChildren<QDialog*>().isEmpty());
    EXPECT_EQ(session_from_json(to_json(window_->session()), "session"), window_->session());
  }

  std::mt19937 random_;
  Session kept_;
};

TEST_P(RandomWalk, LeavesTheWindowSoundAfterEachOfItsCommands) {
  random_.seed(GetParam());
  open_with<AnimatedRunner>();
  window_->load();
  window_->pump()->drain();
  kept_ = window_->session();
  for (int i = 0; i < commands() && !HasFailure(); ++i) {
    give_command();
    window_->pump()->drain();
    QCoreApplication::processEvents();
    SCOPED_TRACE("command " + std::to_string(i));
    expect_sound();
  }
  window_->set_presenting(false);
  window_->set_text_size(100);
  close_and_wait();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomWalk, ::testing::Range(0U, walks()));

}  // namespace
}  // namespace farstate::desktop
