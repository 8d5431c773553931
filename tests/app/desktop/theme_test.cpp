// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/theme.h"

#include <gtest/gtest.h>

#include <QFontInfo>
#include <QFontMetricsF>
#include <array>
#include <cmath>

#include "app/desktop/intervention_style.h"

namespace farstate::desktop {
namespace {

// Relative luminance and contrast after WCAG 2.1.
double luminance(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

TEST(Theme, TextAndCurvesStandOutFromTheirGround) {
  for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
    const Theme& t = theme_for(mode);
    SCOPED_TRACE(t.dark ? "dark" : "light");
    for (const QColor& ground :
         {t.surface, t.window, t.accent_soft, t.warning_soft, t.danger_soft}) {
      EXPECT_GE(contrast(t.text, ground), 4.5);
    }
    EXPECT_GE(contrast(t.muted, t.surface), 4.5);
    EXPECT_GE(contrast(t.tip_muted, t.tip), 4.5);
    EXPECT_GE(contrast(t.on_accent, t.accent), 4.5);
    EXPECT_GE(contrast(base_line(t.dark).color, t.surface), 3);
    for (const Intervention kind : kInterventions) {
      EXPECT_GE(contrast(intervention_line(kind, t.dark).color, t.surface), 3)
          << qPrintable(intervention_name(kind));
    }
  }
}

TEST(Theme, EveryInterventionHasItsOwnColourDashAndMarker) {
  for (const bool dark : {false, true}) {
    for (const Intervention a : kInterventions) {
      for (const Intervention b : kInterventions) {
        if (a == b) continue;
        EXPECT_NE(intervention_line(a, dark).color, intervention_line(b, dark).color);
        EXPECT_NE(intervention_line(a, dark).dash, intervention_line(b, dark).dash);
        EXPECT_NE(intervention_line(a, dark).marker, intervention_line(b, dark).marker);
        EXPECT_NE(marker_path(intervention_line(a, dark).marker, 8),
                  marker_path(intervention_line(b, dark).marker, 8));
      }
    }
  }
}

TEST(Theme, FiguresOfTheTypefaceAreTabular) {
  const QFont font = text_font(TextSize::kBody);
  EXPECT_EQ(QFontInfo(font).family(), QStringLiteral("Farstate Sans"));
  const QFontMetricsF metrics(font);
  for (char digit = '0'; digit <= '9'; ++digit) {
    EXPECT_DOUBLE_EQ(metrics.horizontalAdvance(QLatin1Char(digit)),
                     metrics.horizontalAdvance(QLatin1Char('0')));
  }
}

// CIE L*a*b*, white of D65.
std::array<double, 3> lab(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double r = linear(color.redF()), g = linear(color.greenF()), b = linear(color.blueF());
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const double y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// 2.3 is what an eye can just tell apart side by side; thin lines that don't touch need far more.
TEST(Theme, ColoursOfInterventionsLieApart) {
  for (const bool dark : {false, true}) {
    for (const Intervention a : kInterventions) {
      for (const Intervention b : kInterventions) {
        if (a >= b) continue;
        const auto p = lab(intervention_line(a, dark).color);
        const auto q = lab(intervention_line(b, dark).color);
        EXPECT_GE(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), 30)
            << qPrintable(intervention_name(a)) << ", " << qPrintable(intervention_name(b));
      }
    }
  }
}

}  // namespace
}  // namespace farstate::desktop
