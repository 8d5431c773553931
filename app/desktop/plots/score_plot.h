// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/position_plot.h"

namespace farstate::desktop {

// The share of right answers over length: each arm with its interval bars, and the line at the
// length that was trained.
class ScorePlot : public PositionPlot {
  Q_OBJECT
 public:
  enum class Rank { kReference, kEarlier, kNow };
  struct Curve {
    QString name;
    LineStyle line;
    Rank rank = Rank::kNow;
    std::vector<double> x, y, low, high;  // no bounds: none are known
    std::vector<QString> details;         // for the tip: "0.85, 17 of 20"
    bool operator==(const Curve&) const = default;
  };
  explicit ScorePlot(QWidget* parent = nullptr);

  void set_letters(bool letters);  // the unit of lengths; else tokens, as T is one of
  void show_curves(const QVector<Curve>& curves, const QString& empty);
  const QVector<Curve>& curves() const { return curves_; }

  QVector<CurveLegend::Entry> legend() const override;
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  QString limit_name() const override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  QString unit() const;
  void name_axis();
  void add_curve(const Curve& curve, double shift);

  QVector<Curve> curves_;
  QString empty_;
  bool letters_ = false;
};

}  // namespace farstate::desktop
