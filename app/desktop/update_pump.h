// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/session/runner.h"

namespace farstate::desktop {

// Empties the runner's mailbox 30 times a second, whatever the window shows, and passes on what
// belongs to the newest epoch.
class UpdatePump : public QObject {
  Q_OBJECT
 public:
  static constexpr int kHz = 30;

  explicit UpdatePump(Runner* runner, QObject* parent = nullptr);

  void start() { timer_.start(); }
  void stop() { timer_.stop(); }
  void drain();  // once, now

 Q_SIGNALS:
  void epoch_began();  // before the first update of a new epoch
  void updated(const farstate::RunnerUpdate& update);
  void ticked();  // after every emptying, whether or not something was there

 private:
  Runner* runner_;
  QTimer timer_;
  uint64_t epoch_ = 0;
};

}  // namespace farstate::desktop
