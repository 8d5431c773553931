// SPDX-License-Identifier: GPL-3.0-or-later
// What every plot does with awkward numbers, with many curves, and with a person's zoom.
#include <gmock/gmock.h>

#include <QApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/models/debiased_mean.h"
#include "app/desktop/models/loss_history.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/rendering.h"
#include "tests/app/desktop/plot_mouse.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// A plot over position with any curves, seen by the tests where its pixels are.
class Curves : public PerplexityPlot {
 public:
  using LivePlot::plot_area;
  using LivePlot::to_height;
  using LivePlot::to_pixel;

  Curves() {
    set_theme(theme_for(ThemeMode::kLight));
    lay_out(*this, {700, 450});
  }
  void show(const std::vector<DataCurve>& curves) {
    QVector<BookCurve> all;
    for (const DataCurve& curve : curves) {
      BookCurve one;
      one.series.x = curve.x;
      one.series.y = curve.y;
      one.line = {QColor(Qt::black), {}};
      one.name = curve.name;
      one.banded = true;
      all.push_back(one);
    }
    set_curves(all, 0);
    draw_plots(*this);
  }
  void show(const std::vector<double>& x, const std::vector<double>& y) { show({{u"y"_s, x, y}}); }

  // Dark pixels in the columns around x, within the axes.
  int ink_at(double x, int reach = 0) {
    const QImage picture = grab().toImage();
    int dark = 0;
    for (int c = -reach; c <= reach; ++c) {
      for (int y = plot_area().top() + 1; y < plot_area().bottom(); ++y) {
        const int column = static_cast<int>(std::lround(to_pixel(x))) + c;
        dark += qGray(picture.pixel(column, y)) < 110 ? 1 : 0;
      }
    }
    return dark;
  }
};

TEST(Plots, DecadesOfALogAxisAreEquallyHigh) {
  Curves plot;
  plot.show({1, 2, 3, 4, 5, 6}, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6});
  for (int decade = -5; decade <= -1; ++decade) {
    const double high = plot.to_height(std::pow(10, decade - 1)) - plot.to_height(std::pow(10, decade));
    EXPECT_NEAR(high, plot.to_height(1e-6) - plot.to_height(1e-5), 1) << decade;
  }
}

TEST(Plots, AZeroOnALogAxisIsMarkedCountedAndBendsNothing) {
  Curves plot;
  plot.show({1, 2, 3, 4, 5}, {10, 1, 0, 1, 10});
  EXPECT_GT(plot.y_range().low, 0.5);
  EXPECT_GT(plot.ink_at(3, 4), 5);   // the marker at the edge
  EXPECT_LT(plot.ink_at(3, 0), 30);  // and no stroke down to it
  EXPECT_THAT(plot.note().toStdString(), HasSubstr("1 point at or below 0"));
  hover_at(&plot, QPointF(plot.to_pixel(3), plot.plot_area().center().y()));
  ASSERT_NE(plot.shown_tip(), nullptr);
  EXPECT_THAT(plot.shown_tip()->rows[0].value.toStdString(), HasSubstr("0"));
  plot.set_log(false);
  draw_plots(plot);
  EXPECT_EQ(plot.note(), QString());
  EXPECT_LT(plot.y_range().low, 0.01);
}

// Seen where its pixels are.
class Remembrance : public EffremPlot {
 public:
  using LivePlot::plot_area;
  using LivePlot::to_pixel;
};

TEST(Plots, RemembranceHasALogAxisThatMarksZeroAtItsEdge) {
  Remembrance plot;
  plot.set_theme(theme_for(ThemeMode::kLight));
  lay_out(plot, {700, 450});
  BookCurve curve;
  curve.series.x = {0, 1, 10, 100, 1000};
  curve.series.y = {0, 0.2, 0.4, 0.6, 0.8};
  curve.line = {QColor(Qt::black), {}};
  curve.name = u"now"_s;
  curve.banded = true;
  plot.set_curves({curve}, 1001);
  plot.set_log_x(true);
  draw_plots(plot);
  for (const double x : {10.0, 100.0}) {
    EXPECT_NEAR(plot.to_pixel(10 * x) - plot.to_pixel(x), plot.to_pixel(10) - plot.to_pixel(1), 1);
  }
  EXPECT_GT(plot.x_range().low, 0.5);
  const QRect area = plot.plot_area();
  hover_at(&plot, QPointF(area.left() + 2, area.center().y()));
  ASSERT_NE(plot.shown_tip(), nullptr);
  EXPECT_TRUE(plot.shown_tip()->title.startsWith(u"0 tokens"));
  EXPECT_EQ(plot.shown_tip()->rows[0].value, value_text(0));
  const QImage picture = plot.grab().toImage();
  int dark = 0;
  for (int y = area.bottom() - 20; y < area.bottom(); ++y) {
    for (int x = area.left() + 3; x < area.left() + 20; ++x) {
      dark += qGray(picture.pixel(x, y)) < 110 ? 1 : 0;
    }
  }
  EXPECT_GT(dark, 5);  // the marker
  plot.set_log_x(false);
  draw_plots(plot);
  EXPECT_LT(plot.x_range().low, 0);
}

TEST(Plots, ALonePointBetweenNaNsIsSeen) {
  Curves plot;
  plot.show({1, 2, 3}, {kNaN, 2, kNaN});
  EXPECT_GT(plot.ink_at(2, 3), 3);
  EXPECT_THAT(plot.note().toStdString(), HasSubstr("2 values not finite, the first at 1"));
}

TEST(Plots, RangeAndTipIgnoreWhatIsNotFinite) {
  Curves plot;
  plot.show({1, 2, 3, 4, 5, 6}, {2, kNaN, 4, kInf, -kInf, 8});
  EXPECT_EQ(plot.y_range(), padded({2, 8}, true));
  for (const double x : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    const double pixel = std::min<double>(plot.to_pixel(x), plot.plot_area().right());
    hover_at(&plot, QPointF(pixel, plot.plot_area().center().y()));
    ASSERT_NE(plot.shown_tip(), nullptr) << x;
    EXPECT_EQ(plot.cursor_x(), x);
  }
}

TEST(Plots, AnInfiniteValueIsMarkedInRedAtTheLastFiniteOne) {
  Curves plot;
  plot.show({1, 2, 3, 4}, {2, 4, kInf, kInf});
  const QImage picture = plot.grab().toImage();
  int red = 0;
  for (int x = -5; x <= 5; ++x) {
    for (int y = -5; y <= 5; ++y) {
      const QColor color = picture.pixelColor(static_cast<int>(plot.to_pixel(3)) + x,
                                              static_cast<int>(plot.to_height(4)) + y);
      red += color.red() > color.green() + 60 ? 1 : 0;
    }
  }
  EXPECT_GT(red, 8);
}

TEST(Plots, OneSpikeOfManySamplesIsDrawnOnALogAxis) {
  constexpr int kSamples = 200000;
  std::vector<double> x, y;
  for (int i = 1; i <= kSamples; ++i) {
    x.push_back(i);
    y.push_back(i == 3 || i == 150000 ? 1000 : 1);
  }
  Curves plot;
  plot.show(x, y);
  EXPECT_LT(plot.ink_at(10, 1), 8);
  EXPECT_GT(plot.ink_at(3, 1), 20);  // between 2 and 4 there is room for its slopes
  EXPECT_GT(plot.ink_at(150000, 1), plot.plot_area().height() / 2);
}

TEST(Plots, ATipShowsSamplesOfTheCurvesAndNeverBetweenThem) {
  Curves plot;
  plot.show({{u"a"_s, {1000, 2000, 3000}, {1, 2, 3}}, {u"b"_s, {500, 1000, 1500, 2000, 3000}, {3, 3, 3, 3, 3}}});
  for (int pixel = plot.plot_area().left() + 1; pixel < plot.plot_area().right(); pixel += 7) {
    hover_at(&plot, QPointF(pixel, 100));
    ASSERT_TRUE(plot.cursor_x().has_value());
    EXPECT_THAT((std::vector<double>{500, 1000, 1500, 2000, 3000}), ::testing::Contains(*plot.cursor_x()));
  }
}

TEST(Plots, ATipNamesTheSixNearestCurvesAndStaysInTheWindow) {
  Curves plot;
  std::vector<DataCurve> curves;
  for (int i = 0; i < 64; ++i) {
    curves.push_back({u"curve %1"_s.arg(i), {1, 10, 100}, {1.0 + i, 1.0 + i, 1.0 + i}});
  }
  plot.show(curves);
  const QRect area = plot.plot_area().adjusted(2, 2, -2, -2);
  for (const QPoint& corner :
       {area.topLeft(), area.topRight(), area.bottomLeft(), area.bottomRight()}) {
    hover_at(&plot, corner);
    ASSERT_NE(plot.shown_tip(), nullptr);
    EXPECT_EQ(plot.shown_tip()->rows.size(), 7);
    EXPECT_EQ(plot.shown_tip()->rows.back().label, u"and 58 more"_s);
    EXPECT_TRUE(plot.rect().contains(plot.tip_box()->geometry()));
  }
  hover_at(&plot, QPointF(area.center().x(), plot.to_height(10)));
  QStringList names;
  for (const TipRow& row : plot.shown_tip()->rows) names.push_back(row.label);
  EXPECT_TRUE(names.contains(u"curve 9"_s));
  EXPECT_FALSE(names.contains(u"curve 40"_s));
}

TEST(Plots, ATipUnderAStillMouseFollowsTheData) {
  Curves plot;
  plot.show({1, 2, 3}, {5, 5, 5});
  hover_at(&plot, QPointF(plot.to_pixel(2), 100));
  ASSERT_NE(plot.shown_tip(), nullptr);
  const QString before = plot.shown_tip()->rows[0].value;
  plot.show({1, 2, 3}, {7, 7, 7});
  ASSERT_NE(plot.shown_tip(), nullptr);
  EXPECT_NE(plot.shown_tip()->rows[0].value, before);
}

void wheel(LivePlot* plot, int delta) {
  QWidget* canvas = canvas_of(plot);
  const QPointF at = canvas->rect().center();
  QWheelEvent event(at, canvas->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, {}, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(canvas, &event);
}

TEST(Plots, EndlessZoomCollapsesNothingAndHomeComesBack) {
  for (const bool log : {true, false}) {
    Curves plot;
    plot.set_log(log);
    plot.set_log_x(log);
    plot.show({1, 10, 100, 1000}, {1, 2, 3, 4});
    const Extent home = plot.x_range();
    for (int i = 0; i < 200; ++i) wheel(&plot, 120);
    EXPECT_TRUE(std::isfinite(plot.x_range().low) && std::isfinite(plot.x_range().high));
    EXPECT_LT(plot.x_range().low, plot.x_range().high);
    for (int i = 0; i < 400; ++i) wheel(&plot, -120);
    EXPECT_TRUE(std::isfinite(plot.x_range().low) && std::isfinite(plot.x_range().high));
    const auto span = [log](const Extent& range) {
      return log ? std::log(range.high / range.low) : range.high - range.low;
    };
    EXPECT_LE(span(plot.x_range()), (log ? 3.01 : 1001) * span(home));
    plot.follow_chip()->click();
    EXPECT_EQ(plot.x_range(), home);
  }
}

TEST(Plots, NewDataNeverMovesAHeldViewUntilFollowIsPressed) {
  Curves plot;
  plot.show({1, 10, 100}, {1, 2, 3});
  EXPECT_FALSE(plot.follow_chip()->isVisible());
  wheel(&plot, 120);
  const Extent held = plot.x_range();
  EXPECT_TRUE(plot.follow_chip()->isVisible());
  EXPECT_TRUE(plot.rect().contains(plot.follow_chip()->geometry()));
  plot.show({1, 10, 100, 5000}, {1, 2, 3, 4});
  EXPECT_EQ(plot.x_range(), held);
  plot.follow_chip()->click();
  EXPECT_FALSE(plot.follow_chip()->isVisible());
  EXPECT_GE(plot.x_range().high, 5000);
}

TEST(Plots, LongCurvesHaveThinPensAndMarginsThatStay) {
  Curves plot;
  std::vector<double> x, y;
  QMargins margins;
  for (int i = 1; i <= 3000; ++i) {
    x.push_back(i);
    y.push_back(1 + i % 7 * std::pow(10, i / 500));
    if (i % 500 != 0) continue;
    plot.show(x, y);
    const QMargins now = plot.canvas()->axisRect()->margins();
    if (i > 500) {
      EXPECT_EQ(now, margins);
    }
    margins = now;
  }
  for (int i = 0; i < plot.canvas()->graphCount(); ++i) {
    EXPECT_LE(plot.canvas()->graph(i)->pen().widthF(), 1);
  }
}

TEST(DebiasedMean, LeavesAConstantAlone) {
  for (const double share : {0.0, 0.5, 0.99, 0.999}) {
    DebiasedMean mean(share);
    for (int step = 1; step < 2000; ++step) EXPECT_NEAR(mean.add(step, 0.01), 0.01, 1e-14) << share;
  }
}

TEST(DebiasedMean, OfNothingIsTheValueItself) {
  DebiasedMean mean(0);
  EXPECT_EQ(mean.add(1, 3), 3);
  EXPECT_EQ(mean.add(2, -8), -8);
}

TEST(DebiasedMean, FollowsAStepBySharesAndOverAGap) {
  DebiasedMean mean(0.9);
  for (int step = 1; step <= 200; ++step) mean.add(step, 1);
  EXPECT_NEAR(mean.add(201, 2), 1.1, 1e-6);
  EXPECT_TRUE(std::isnan(mean.add(202, kNaN)));
  // Steps that were left out count: ten of them leave 0.9^10 of what was.
  DebiasedMean thinned(0.9);
  for (int step = 1; step <= 400; ++step) thinned.add(step, 1);
  EXPECT_NEAR(thinned.add(410, 2), (std::pow(0.9, 10) * 10 + 2) / (std::pow(0.9, 10) * 10 + 1), 1e-9);
}

// What each thousand points are added to, drawn and smoothed over is never longer than this, so the
// last thousand of a million take no more work than the first.
TEST(LossHistory, HoldsNoMoreHoweverMuchComes) {
  LossHistory history;
  std::vector<TrainPoint> points(1000);
  for (int64_t thousand = 0; thousand < 1000; ++thousand) {
    for (int64_t i = 0; i < 1000; ++i) {
      const int64_t step = 1000 * thousand + i + 1;
      points[static_cast<size_t>(i)] = {step, step == 123457 ? 50.0 : 2.0, 0, 0, 0};
    }
    history.add(points);
    ASSERT_LE(history.segments()[0].steps.size(), LossHistory::kLimit);
  }
  const LossHistory::Segment& all = history.segments()[0];
  EXPECT_EQ(all.steps.back(), 1e6);
  EXPECT_GT(all.steps.size(), LossHistory::kLimit / 8);
  const auto spike = std::max_element(all.losses.begin(), all.losses.end());
  EXPECT_EQ(*spike, 50);
  EXPECT_EQ(all.steps[static_cast<size_t>(spike - all.losses.begin())], 123457);
}

TEST(LossPlot, SmoothsOverTheLossesThatStay) {
  LossPlot plot;
  plot.set_theme(theme_for(ThemeMode::kLight));
  plot.begin_segment(Intervention::kZero);
  std::vector<TrainPoint> points;
  for (int step = 1; step <= 100; ++step) {
    TrainPoint point;
    point.step = step;
    point.loss = step == 50 ? 10 : 2;
    points.push_back(point);
  }
  plot.add(points);
  lay_out(plot, {600, 300});
  EXPECT_EQ(plot.canvas()->graphCount(), 1);
  plot.set_smoothing(0.9);
  draw_plots(plot);
  ASSERT_EQ(plot.canvas()->graphCount(), 2);
  EXPECT_GT(qGray(plot.canvas()->graph(0)->pen().color().rgb()),
            qGray(plot.canvas()->graph(1)->pen().color().rgb()));
  EXPECT_EQ(plot.canvas()->graph(0)->data()->at(49)->value, 10);
  EXPECT_LT(plot.canvas()->graph(1)->data()->at(49)->value, 3);
  const DataTable table = plot.numbers();
  EXPECT_EQ(std::get<double>(table.rows[49][1]), 10);
  EXPECT_EQ(std::get<double>(table.rows[48][3]), 2);
}

}  // namespace
}  // namespace farstate::desktop
