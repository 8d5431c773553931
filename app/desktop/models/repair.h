// SPDX-License-Identifier: GPL-3.0-or-later
// A post-training that time ends, from the button to the sentence that says what came of it.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <optional>

#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

class Repair {
  Q_DECLARE_TR_FUNCTIONS(farstate::desktop::Repair)

 public:
  enum class Stage {
    kNone,
    kStarting,   // asked for
    kRunning,
    kPaused,
    kMeasuring,  // the time is over
    kDone
  };

  // epoch: of what the window shows; a repair that loads or resets first begins after it.
  void begin(Intervention law, double seconds, uint64_t epoch, bool reloads);
  // context: T, at which within and past are told apart.
  void take(const RunnerUpdate& update, const MeasurementBook& book, int64_t context);
  void forget() { *this = Repair(); }

  Stage stage() const { return stage_; }
  bool under_way() const { return stage_ != Stage::kNone && stage_ != Stage::kDone; }
  Intervention law() const { return law_; }
  double seconds_limit() const { return limit_; }
  double seconds_left() const { return left_; }
  int64_t steps() const { return steps_; }
  std::optional<double> before() const { return before_; }  // length_ratio()
  std::optional<double> after() const { return after_; }
  QString sentence() const;  // of kDone

 private:
  void end(const MeasurementBook& book, int64_t context);

  Stage stage_ = Stage::kNone;
  Intervention law_ = Intervention::kStatePassing;
  double limit_ = 0, left_ = 0;
  uint64_t epoch_ = 0;
  bool reloads_ = false;
  int64_t steps_ = 0;
  std::optional<double> before_, after_;
  bool predictable_ = false;  // they are of the predictable tokens
};

}  // namespace farstate::desktop
