// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/perplexity_plot.h"

namespace farstate::desktop {

// The ways to say how much two predictions differ, in the order that they are offered.
enum class EffremMeasure { kTotalVariation, kJensenShannon, kKullbackLeibler, kAgreement };
inline constexpr EffremMeasure kEffremMeasures[] = {
    EffremMeasure::kTotalVariation, EffremMeasure::kJensenShannon, EffremMeasure::kKullbackLeibler,
    EffremMeasure::kAgreement};
const char* series_name(EffremMeasure measure);
QString short_name(EffremMeasure measure);  // "TV"
QString full_name(EffremMeasure measure);   // "total variation"

// Effective Remembrance: how much the output at the end still changes when the first t tokens are
// dropped. By definition it is 0 at t = 0, which a log axis can only mark.
class EffremPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit EffremPlot(QWidget* parent = nullptr);

  // tokens: that the whole text has; 0: not known.
  void set_curves(const QVector<BookCurve>& curves, int64_t tokens);
  void set_log(bool log);
  void set_log_x(bool log);
  void point_at(std::optional<double> dropped) { pointed(dropped); }  // as the mouse does
  DataTable numbers() const override;
  QVector<CurveLegend::Entry> legend() const override { return names_of(curves_); }

 protected:
  void rebuild() override;
  void recolor() override;
  std::optional<Tip> tip_at(const QPoint& pixel) override;
  std::optional<double> snapped_x(const QPoint& pixel) const override;

 private:
  void name_x();

  QVector<BookCurve> curves_;
  int64_t tokens_ = 0;
  QCPItemText* zero_note_;
  bool log_ = true, log_x_ = false;
};

}  // namespace farstate::desktop
