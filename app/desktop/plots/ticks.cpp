// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/ticks.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;

double nice_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double factor = rough / power;
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 2.5 ? 2.5 : factor <= 5 ? 5 : 10);
}

QString trimmed(double value, int decimals) {
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  QString text = locale.toString(value, 'f', decimals);
  const QString point = locale.decimalPoint();
  if (text.contains(point)) {
    while (text.endsWith(u'0')) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
  }
  return text;
}

int decimals_for(double size) { return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3; }

}  // namespace

QVector<double> linear_ticks(double low, double high, int wanted) {
  QVector<double> ticks;
  if (!(high > low) || wanted < 1) return ticks;
  const double step = nice_step((high - low) / wanted);
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + 1e-9 * step && ticks.size() < 100; ++i) {
    ticks.push_back(std::abs(i) < 0.5 ? 0.0 : i * step);
  }
  return ticks;
}

QVector<double> log_ticks(double low, double high, int wanted) {
  if (!(low > 0) || !(high > low) || wanted < 1) return {};
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  const auto ticks_at = [&](std::initializer_list<double> mantissas, int stride) {
    QVector<double> ticks;
    for (int decade = first; decade <= last; decade += stride) {
      for (const double mantissa : mantissas) {
        const double value = mantissa * std::pow(10.0, decade);
        if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
      }
    }
    return ticks;
  };
  // The finest of the usual divisions that has room; even a low axis has room for four.
  const qsizetype room = std::max(wanted + 1, 4);
  QVector<double> ticks = ticks_at({1, 2, 5}, 1);
  if (ticks.size() > room) ticks = ticks_at({1, 3}, 1);
  for (int stride = 1; ticks.size() > room; ++stride) ticks = ticks_at({1}, stride);
  // Less than a decade: 1-2-5 hit it too rarely, and even steps are hardly uneven yet.
  if (ticks.size() < 3 && high / low < 10) return linear_ticks(low, high, wanted);
  return ticks;
}

QVector<double> octave_ticks(double low, double high, int wanted) {
  QVector<double> ticks;
  if (!(low > 0) || !(high > low) || wanted < 1) return ticks;
  const double octaves = std::log2(high / low);
  if (octaves < 1.5) return linear_ticks(low, high, wanted);
  const int stride = std::max(1, static_cast<int>(std::ceil(octaves / wanted)));
  const int first = static_cast<int>(std::ceil(std::log2(low) / stride - 1e-9)) * stride;
  for (int power = first; std::exp2(power) <= high * (1 + 1e-9); power += stride) {
    ticks.push_back(std::exp2(power));
  }
  return ticks;
}

QString general_text(double value, int figures) {
  static const QRegularExpression positive(u"E\\+0*"_s), negative(u"E-0*"_s);
  return QLocale().toString(value, 'g', figures).replace(positive, u"e"_s).replace(negative, u"e-"_s);
}

QString short_number(double value) {
  const double size = std::abs(value);
  if (size == 0) return QLocale().toString(0);
  // Positions are powers of two: 4,096 is 4k on an axis, as 1,024 is 1k.
  const bool binary = size >= 1024 && std::exp2(std::round(std::log2(size))) == size;
  if (binary && size < 1048576.0) return u"%1k"_s.arg(trimmed(value / 1024, 0));
  if (binary) return u"%1M"_s.arg(trimmed(value / 1048576.0, 0));
  if (size >= 1e15 || size < 1e-4) return general_text(value, 3);
  if (size >= 1e6) return u"%1M"_s.arg(trimmed(value / 1e6, decimals_for(size / 1e6)));
  if (size >= 1e3) return u"%1k"_s.arg(trimmed(value / 1e3, decimals_for(size / 1e3)));
  return trimmed(value, size >= 1 ? decimals_for(size) : 4);
}

QString interval_text(double value, double half_width) {
  // A spread that is there is not rounded away.
  int decimals = decimals_for(std::abs(value));
  if (half_width > 0 && half_width < 0.5 * std::pow(10.0, -decimals)) {
    decimals = static_cast<int>(std::ceil(-std::log10(half_width)));
  }
  const QString half = half_width > 0 && decimals > 6 ? general_text(half_width, 1)
                                                      : QLocale().toString(half_width, 'f', decimals);
  return QCoreApplication::translate("Number", "%1 ± %2").arg(value_text(value), half);
}

QString value_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? u"NaN"_s : value > 0 ? u"∞"_s : u"−∞"_s;
  const double size = std::abs(value);
  if (size >= 1e6) return general_text(value, 3);
  if (size != 0 && size < 5e-4) return general_text(value, 2);  // 0.00042: no wider
  return QLocale().toString(value, 'f', size >= 1000 ? 0 : decimals_for(size));
}

}  // namespace farstate::desktop
