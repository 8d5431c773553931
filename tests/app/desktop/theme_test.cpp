// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/theme.h"

#include <gtest/gtest.h>

#include <QFontInfo>
#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/widgets/matrix_view.h"
#include "app/desktop/widgets/ramp_legend.h"
#include "app/desktop/widgets/sample_view.h"

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

using Color = std::array<double, 3>;

Color linear_light(const QColor& color) {
  const auto linear = [](double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

// CIE L*a*b*, white of D65.
Color lab(const Color& light) {
  const auto [r, g, b] = light;
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const double y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Color& a, const Color& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

struct Eye {
  const char* name;
  std::array<Color, 3> matrix;  // of linear light
};

// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
// Deficiency", 2009, table 1, severity 1.
constexpr Eye kEyes[] = {
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868},
       {0.114503, 0.786281, 0.099216},
       {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968},
       {0.280085, 0.672501, 0.047413},
       {-0.011820, 0.042940, 0.968881}}}}};

Color seen(const Eye& eye, const QColor& color) {
  const Color light = linear_light(color);
  Color out;
  for (size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (size_t j = 0; j < 3; ++j) sum += eye.matrix[i][j] * light[j];
    out[i] = std::clamp(sum, 0.0, 1.0);
  }
  return lab(out);
}

// 2.3 is what an eye can just tell apart side by side; thin lines that don't touch need far more.
TEST(Theme, ColoursOfInterventionsLieApart) {
  for (const bool dark : {false, true}) {
    for (const Intervention a : kInterventions) {
      for (const Intervention b : kInterventions) {
        if (a >= b) continue;
        for (const Eye& eye : kEyes) {
          const bool normal = &eye == kEyes;
          EXPECT_GE(distance(seen(eye, intervention_line(a, dark).color),
                             seen(eye, intervention_line(b, dark).color)),
                    normal ? 30 : 10)
              << eye.name << ": " << qPrintable(intervention_name(a)) << ", "
              << qPrintable(intervention_name(b));
        }
      }
    }
  }
}

constexpr int kSteps = 8;

// Of a map the colours at each eighth of its range, as an eye sees them.
std::vector<Color> samples(const Eye& eye, const std::function<QColor(double)>& map) {
  std::vector<Color> out;
  for (int i = 0; i <= kSteps; ++i) out.push_back(seen(eye, map(static_cast<double>(i) / kSteps)));
  return out;
}

// State map, norm map and score map have the same colours.
TEST(Theme, ColoursOfMapsAreReadWithoutColourVision) {
  QCPColorGradient gradient = viridis();
  for (const Eye& eye : kEyes) {
    SCOPED_TRACE(eye.name);
    const auto colors = samples(
        eye, [&](double share) { return QColor(gradient.color(share, QCPRange(0, 1))); });
    for (size_t i = 1; i < colors.size(); ++i) {
      EXPECT_GT(colors[i][0], colors[i - 1][0]) << i;  // lighter
      EXPECT_GE(distance(colors[i], colors[i - 1]), 5) << i;
    }
    EXPECT_GE(distance(colors.front(), colors.back()), 60);
  }
}

// From the ground at zero to one colour for what is positive and another for what is negative.
TEST(Theme, SignedColoursAreReadWithoutColourVision) {
  for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
    const Theme& theme = theme_for(mode);
    for (const Eye& eye : kEyes) {
      SCOPED_TRACE(eye.name);
      for (const double sign : {-1.0, 1.0}) {
        const auto colors =
            samples(eye, [&](double share) { return signed_color(sign * share, theme); });
        for (size_t i = 1; i < colors.size(); ++i) {
          EXPECT_GT((colors[i - 1][0] - colors[i][0]) * (theme.dark ? -1 : 1), 0) << i;
          EXPECT_GE(distance(colors[i], colors[i - 1]), 5) << i;
        }
      }
      EXPECT_GE(distance(seen(eye, theme.negative), seen(eye, theme.positive)), 15);
    }
  }
}

// Text stands on these, so they are pale; more is always further from the bare ground.
TEST(Theme, GroundsOfTextAreReadWithoutColourVision) {
  for (const ThemeMode mode : {ThemeMode::kLight, ThemeMode::kDark}) {
    const Theme& theme = theme_for(mode);
    const std::function<QColor(double)> maps[] = {
        [&](double share) { return loss_color(theme, share * kLossShown); },
        [&](double share) { return probability_color(theme, share); }};
    for (const auto& map : maps) {
      for (const Eye& eye : kEyes) {
        SCOPED_TRACE(eye.name);
        const auto colors = samples(eye, map);
        for (size_t i = 1; i < colors.size(); ++i) {
          EXPECT_GT(distance(colors[i], colors[0]), distance(colors[i - 1], colors[0])) << i;
        }
        EXPECT_GE(distance(colors.front(), colors.back()), 15);
      }
    }
  }
}

}  // namespace
}  // namespace farstate::desktop
