// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>
#include <memory>

#include "app/desktop/main_window.h"
#include "app/desktop/update_pump.h"
#include "tests/support/fake_runner.h"

namespace farstate::desktop {

// A window on a runner that does nothing by itself: tests push updates and say when they arrive.
class WindowTest : public ::testing::Test {
 protected:
  void open() {
    std::unique_ptr<Runner> runner = std::make_unique<farstate::testing::FakeRunner>();
    show(std::move(runner), {1280, 800});
  }

  // R: a FakeRunner of any kind. It stays the window's; the pointer is for looking into it.
  template <class R>
  R* open_with(QSize size = {1280, 800}) {
    std::unique_ptr<Runner> runner = std::make_unique<R>();
    show(std::move(runner), size);
    return static_cast<R*>(fake_);
  }

  RunnerUpdate update(RunState state, uint64_t epoch = 1) const {
    RunnerUpdate u;
    u.state = state;
    u.epoch = epoch;
    return u;
  }

  void deliver(RunnerUpdate u) {
    fake_->push(std::move(u));
    window_->pump()->drain();
  }

  static std::shared_ptr<Measurement> measurement(int64_t step, Intervention kind, double level,
                                                  uint64_t id, uint64_t epoch = 1) {
    auto m = std::make_shared<Measurement>();
    m->epoch = epoch;
    m->step = step;
    m->id = id;
    m->intervention = kind;
    m->complete = true;
    Series s;
    s.name = "perplexity";
    s.x_name = "position";
    for (int64_t begin = 1; begin < 4096; begin *= 2) {
      s.bin_begin.push_back(begin);
      s.bin_end.push_back(2 * begin);
      s.x.push_back(1.5 * static_cast<double>(begin) - 0.5);
      s.y.push_back(level + static_cast<double>(s.x.size()));
    }
    m->series.push_back(s);
    return m;
  }

  // Runs the event loop until the window has said that everything has ended.
  void close_and_wait() {
    QSignalSpy finished(window_.get(), &MainWindow::finished);
    window_->close();
    EXPECT_FALSE(window_->isVisible());
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(10000));
  }

  void show(std::unique_ptr<Runner> runner, QSize size) {
    fake_ = static_cast<farstate::testing::FakeRunner*>(runner.get());
    window_ = std::make_unique<MainWindow>(std::move(runner), RunConfig{}, ThemeMode::kLight, built_ins());
    window_->pump()->stop();
    window_->resize(size);
    window_->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
  }

  // None: curves that were recorded before would be there from the start.
  virtual BuiltIns built_ins() const { return BuiltIns({}, {}); }

  farstate::testing::FakeRunner* fake_ = nullptr;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace farstate::desktop
