// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/update_pump.h"

namespace farstate::desktop {

UpdatePump::UpdatePump(Runner* runner, QObject* parent) : QObject(parent), runner_(runner) {
  timer_.setInterval(1000 / kHz);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, &UpdatePump::drain);
}

void UpdatePump::drain() {
  std::optional<RunnerUpdate> update = runner_->take();
  if (update && update->epoch >= epoch_) {
    if (update->epoch > epoch_) {
      epoch_ = update->epoch;
      Q_EMIT epoch_began();
    }
    std::erase_if(update->measurements, [this](const auto& m) { return m->epoch < epoch_; });
    Q_EMIT updated(*update);
  }
  Q_EMIT ticked();
}

}  // namespace farstate::desktop
