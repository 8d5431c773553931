// SPDX-License-Identifier: GPL-3.0-or-later
// Where axes carry numbers, and how these are written.
#pragma once

#include <QString>
#include <QVector>

namespace farstate::desktop {

// Round values of a linear axis, about `wanted` of them.
QVector<double> linear_ticks(double low, double high, int wanted);

// Round values of a log axis: decades, or 1-2-5, or evenly spaced ones where it spans less.
QVector<double> log_ticks(double low, double high, int wanted);

// Powers of two, or of four, eight, … so that there are at most `wanted`.
QVector<double> octave_ticks(double low, double high, int wanted);

// "0.25", "64", "1k", "42.7k", "2M": at most three figures, in the locale's digits.
QString short_number(double value);

// In figures, whatever the size: "0.02", "1.5e-6".
QString general_text(double value, int figures);

// As many figures as a table of comparisons needs: "1.71", "31.4", "4,096".
QString value_text(double value);

// "1.71 ± 0.06", both with the figures of the value.
QString interval_text(double value, double half_width);

}  // namespace farstate::desktop
