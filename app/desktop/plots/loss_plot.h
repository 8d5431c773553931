// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/loss_history.h"
#include "app/desktop/plots/live_plot.h"

namespace farstate::desktop {

// Training loss over the step, each part in the colour of the initial state it was trained with,
// and a line where that changed.
class LossPlot : public LivePlot {
  Q_OBJECT
 public:
  struct Marker {
    int64_t step = 0;
    Intervention kind = Intervention::kZero;
    QString text;
  };
  struct Record {
    LossHistory history;
    std::vector<Marker> markers;
  };

  explicit LossPlot(QWidget* parent = nullptr);

  void clear();
  void begin_segment(Intervention kind);
  void mark(int64_t step, Intervention kind, const QString& text);
  void add(const std::vector<TrainPoint>& points);
  const Record& record() const { return record_; }
  void set_record(Record record);
  void set_log(bool log);
  // The share of the mean that one step leaves, 0 to kMostSmoothing; above 0 the losses themselves
  // stay, faint, behind it.
  static constexpr double kMostSmoothing = 0.99;
  void set_smoothing(double share);
  double smoothing() const { return smoothing_; }

  int marker_count() const { return static_cast<int>(record_.markers.size()); }
  DataTable numbers() const override;

 protected:
  void rebuild() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  const LossHistory::Segment* segment_at(double step) const;
  CleanCurve clean_segment(size_t segment, const std::vector<std::vector<double>>& values) const;
  std::vector<std::vector<double>> smoothed() const;  // by segment
  std::vector<std::vector<double>> losses() const;
  void add_markers();
  void add_marker_item(const Marker& marker, bool named);

  Record record_;
  bool log_ = false;
  double smoothing_ = 0;
};

}  // namespace farstate::desktop
