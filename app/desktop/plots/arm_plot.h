// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/position_plot.h"

namespace farstate::desktop {

// One arm of a comparison: the base faint behind, its seeds thin, their mean bold. Over position it
// has the line at T; over optimiser steps the run's events are marked.
class ArmPlot : public PositionPlot {
  Q_OBJECT
 public:
  enum class Over { kPosition, kSteps, kDropped };
  enum class Rank { kBehind, kSeed, kMean };
  struct Curve {
    QString name;  // in the tip; empty: not there
    std::vector<double> x, y;
    LineStyle line;
    Rank rank = Rank::kMean;
    double end = 0;  // of the last bin
    bool operator==(const Curve&) const = default;
  };
  struct Mark {
    double x = 0;
    QString text;
    bool operator==(const Mark&) const = default;
  };
  struct Content {
    Over over = Over::kPosition;
    bool log_x = true, log_y = false;
    QVector<Curve> curves;  // from back to front
    QVector<Mark> marks;
    std::optional<double> now;  // the step that is shown elsewhere
    QString empty;              // said where no curve can be drawn
    QString quantity;           // "perplexity"
    bool operator==(const Content&) const = default;
  };
  explicit ArmPlot(QWidget* parent = nullptr);

  // Small multiples share their axes, so the ranges come from outside; empty: nothing is drawn.
  void show(const Content& content, const std::optional<Extent>& x, const std::optional<Extent>& y);
  const Content& content() const { return content_; }
  bool has_axes(const std::optional<Extent>& x, const std::optional<Extent>& y) const {
    return x == x_ && y == y_;
  }

  static std::optional<Extent> x_extent(const Content& content);
  static std::optional<Extent> y_extent(const Content& content);

  QString title() const override;
  QVector<CurveLegend::Entry> legend() const override;
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  void add_shape(const CleanCurve& curve, const LineStyle& line);
  void add_vertical(double x, const QPen& pen);
  static QString x_name(Over over);
  void set_x(const Content& content);
  bool log_x() const { return content_.log_x; }

  Content content_;
  std::optional<Extent> x_, y_;
  std::vector<QCPItemStraightLine*> verticals_;
};

}  // namespace farstate::desktop
