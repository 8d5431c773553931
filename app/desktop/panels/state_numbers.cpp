// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/state_numbers.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <functional>

#include "app/desktop/sample_style.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count_text(int64_t count) { return QLocale().toString(qint64(count)); }

// Why a sample has no numbers at all.
QString why_no_sample(const PinnedStates& states, Sample sample) {
  if (sample == kTraining) {
    return tr("Training is not known: the trained context is not recorded, or longer than what "
              "is measured.");
  }
  if (!states.pinned[sample]) {
    return sample == kAtA ? tr("A is not pinned: click the state map.")
                          : tr("B is not pinned: Shift+click the state map.");
  }
  return tr("The states there are being read.");
}

QString why_no_distance() { return tr("There are no states of training to compare with."); }

QString why_training_has_none() { return tr("Training is what the others are compared with."); }

using NumberRow = NumberTable::Row;
using Value = std::function<double(const ElementDistribution&)>;

class Rows {
 public:
  explicit Rows(const PinnedStates& states) : states_(states) {}

  void add(const QString& name, const QString& tip, const Value& value, const QString& why_nan) {
    NumberTable::Row row{name, tip, {}};
    for (const Sample sample : kSamples) {
      const ElementDistribution* elements = states_.elements[sample];
      const double number = elements != nullptr ? value(*elements) : kNaN;
      row.cells.push_back({number, elements != nullptr ? why_nan : why_no_sample(states_, sample)});
    }
    rows_.push_back(row);
  }

  // A distance to training, which training itself has not.
  void add_distance(const QString& name, const QString& tip, double ElementDistribution::*value) {
    add(
        name, tip, [value](const ElementDistribution& e) { return e.*value; }, why_no_distance());
    NumberTable::Cell& training = rows_.back().cells[kTraining];
    if (states_.elements[kTraining] != nullptr) {
      training = {kNaN, why_training_has_none()};
    }
  }

  QVector<NumberTable::Row> take() { return std::move(rows_); }

 private:
  const PinnedStates& states_;
  QVector<NumberTable::Row> rows_;
};

void add_moments(Rows& rows) {
  const QString not_finite = tr("It is not a finite number.");
  rows.add(tr("mean"), tr("of the elements of h, all sequences together"),
           [](const ElementDistribution& e) { return e.mean; }, not_finite);
  rows.add(tr("std"), tr("standard deviation of the elements"),
           [](const ElementDistribution& e) { return e.std; }, not_finite);
  rows.add(tr("skewness"), tr("0 for a Gaussian; above 0: the tail at the right is longer"),
           [](const ElementDistribution& e) { return e.skewness; },
           tr("Equal elements have no skewness."));
  rows.add(tr("excess kurtosis"), tr("0 for a Gaussian; above 0: heavier tails"),
           [](const ElementDistribution& e) { return e.excess_kurtosis; },
           tr("Equal elements have no kurtosis."));
  rows.add(tr("norm of h"), tr("Frobenius norm, mean over states"),
           [](const ElementDistribution& e) { return e.norm; }, not_finite);
  rows.add(tr("largest |h|"), tr("the element farthest from 0"),
           [](const ElementDistribution& e) {
             return std::max(std::abs(e.smallest), std::abs(e.largest));
           },
           not_finite);
}

void add_comparisons(Rows& rows) {
  rows.add_distance(tr("KS distance"),
                    tr("Kolmogorov-Smirnov: the largest difference of the distribution functions, "
                       "to training; 0 to 1"),
                    &ElementDistribution::ks_distance);
  rows.add_distance(tr("Wasserstein-1"),
                    tr("the area between the distribution functions, to training; in units of h"),
                    &ElementDistribution::wasserstein);
  rows.add(tr("cosine to h at T"), tr("of the whole state, mean over sequences"),
           [](const ElementDistribution& e) { return e.cosine; },
           tr("There is no state at T to compare with."));
}

void add_matrix(Rows& rows) {
  rows.add(tr("effective rank"),
           tr("exponential of the entropy of the singular values of h; mean over states"),
           [](const ElementDistribution& e) {
             return e.effective_rank > 0 ? e.effective_rank : kNaN;
           },
           tr("It was not computed."));
  rows.add(tr("1st singular value"), tr("the largest, of h as a matrix [P,N]; mean over states"),
           [](const ElementDistribution& e) {
             return e.singular_values.empty() ? kNaN : e.singular_values.front();
           },
           tr("It was not computed."));
}

NumberRow half_life_row(const PinnedStates& states, const HalfLives& half_lives) {
  NumberRow row{tr("half-life, tokens"),
                       tr("tokens after which half of the state is left; under training at T"), {}};
  for (const Sample sample : kSamples) {
    const bool pinned = sample == kTraining || states.pinned[sample];
    row.cells.push_back({half_lives[sample].value_or(kNaN),
                         pinned ? tr("The half-life was not measured there.")
                                : why_no_sample(states, sample)});
  }
  return row;
}

}  // namespace

QVector<NumberTable::Column> state_columns(const PinnedStates& states, const Theme& theme) {
  QVector<NumberTable::Column> columns;
  for (const Sample sample : kSamples) {
    const ElementDistribution* elements = states.elements[sample];
    const QString tip =
        elements == nullptr
            ? why_no_sample(states, sample)
            : tr("%1: %2 states, %3 elements counted")
                  .arg(sample_name(sample, states), count_text(elements->states),
                       count_text(elements->counted));
    columns.push_back({sample_name(sample), tip,
                       sample == kTraining ? QColor() : sample_color(sample, theme)});
  }
  return columns;
}

QVector<NumberTable::Row> state_rows(const PinnedStates& states, const HalfLives& half_lives) {
  Rows rows(states);
  add_moments(rows);
  add_comparisons(rows);
  add_matrix(rows);
  QVector<NumberTable::Row> out = rows.take();
  out.push_back(half_life_row(states, half_lives));
  return out;
}

}  // namespace farstate::desktop
