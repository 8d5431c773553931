// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/repair.h"

#include <QLocale>
#include <algorithm>

#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/ticks.h"
#include "core/results/length_ratio.h"

namespace farstate::desktop {
namespace {

// Of the tokens that can be known, where the text marks them: what can't be is as hard at any length.
std::optional<double> ratio_of(const Measurement* measurement, int64_t context) {
  if (measurement == nullptr) return std::nullopt;
  const Series* perplexity = find_series(measurement->series, kPredictablePerplexity);
  if (perplexity == nullptr) perplexity = find_series(measurement->series, "perplexity");
  return perplexity != nullptr ? length_ratio(*perplexity, context) : std::nullopt;
}

}  // namespace

void Repair::begin(Intervention law, double seconds, uint64_t epoch, bool reloads) {
  *this = Repair();
  stage_ = Stage::kStarting;
  law_ = law;
  limit_ = left_ = seconds;
  epoch_ = epoch;
  reloads_ = reloads;
}

void Repair::take(const RunnerUpdate& u, const MeasurementBook& book, int64_t context) {
  if (!under_way()) return;
  const bool its_own = reloads_ ? u.epoch > epoch_ : u.epoch == epoch_;
  if (stage_ == Stage::kStarting) {
    if (!its_own || u.state != RunState::kRunning) return;
    epoch_ = u.epoch;
    reloads_ = false;
    stage_ = Stage::kRunning;
  } else if (u.epoch != epoch_) {
    return forget();  // another model, or back to the beginning
  }
  if (u.state == RunState::kRunning || u.state == RunState::kPaused) {
    stage_ = u.state == RunState::kRunning ? Stage::kRunning : Stage::kPaused;
    if (u.seconds_left >= 0) left_ = u.seconds_left;
    steps_ = u.step;
    return;
  }
  steps_ = u.step;
  stage_ = Stage::kMeasuring;
  const Measurement* current = book.current();
  const bool measured = current != nullptr && current->complete && current->step == u.step;
  if (u.state == RunState::kReady && (measured || u.step == 0)) end(book, context);
}

void Repair::end(const MeasurementBook& book, int64_t context) {
  stage_ = Stage::kDone;
  before_ = ratio_of(book.base(), context);
  predictable_ = book.base() != nullptr &&
                 find_series(book.base()->series, kPredictablePerplexity) != nullptr;
  after_ = steps_ > 0 ? ratio_of(book.current(), context) : std::nullopt;
}

QString Repair::sentence() const {
  if (stage_ != Stage::kDone) return {};
  const QLocale locale;
  const QString took =
      steps_ == 1 ? tr("1 step") : tr("%1 steps").arg(locale.toString(qint64(steps_)));
  const QString seconds = locale.toString(std::max(0.0, limit_ - left_), 'f', 0);
  const QString law = intervention_name(law_);
  if (!before_ || !after_) {
    return tr("%1: %2 in %3 s.").arg(law, took, seconds);
  }
  const QString sentence =
      predictable_ ? tr("%1: %2 in %3 s. Past T the perplexity of predictable tokens was %4 times "
                        "that within T; now it is %5 times.")
                   : tr("%1: %2 in %3 s. Past T the perplexity was %4 times that within T; now it "
                        "is %5 times.");
  return sentence.arg(law, took, seconds, value_text(*before_), value_text(*after_));
}

}  // namespace farstate::desktop
