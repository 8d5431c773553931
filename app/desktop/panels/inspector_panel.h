// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"
#include "app/desktop/models/pinned_states.h"

class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace farstate::desktop {

class CurveLegend;
class HistogramPlot;
class LawCard;
class LivePlot;
class NumberTable;
class QqPlot;
class SampleLegend;
class Segmented;
class TokenView;
struct Theme;

// The right column: the states of the head in focus, at the pins and in training. A change of the
// head shows at once what the answer at hand says of it; a moved pin leaves the old numbers, under
// their old position and marked as older, until the new answer is there.
class InspectorPanel : public QFrame {
  Q_OBJECT
 public:
  explicit InspectorPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_report(std::shared_ptr<const StateReport> report);
  // The book must live as long as the panel. Ratios are taken at T, and where that is 0, not
  // known, at `reference`.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference);
  QList<LivePlot*> plots() const;  // for the paint coordinator

  QLabel* title() const { return title_; }
  QLabel* rank() const { return rank_; }
  QLabel* subtitle() const { return subtitle_; }  // what was read, or why it is older
  QLabel* empty() const { return empty_; }
  QLabel* notes() const { return notes_; }
  SampleLegend* legend() const { return legend_; }
  CurveLegend* fitted_law() const { return fitted_law_; }
  NumberTable* numbers() const { return numbers_; }
  LawCard* law() const { return law_; }
  TokenView* text(Sample pin) const { return text_[pin]; }
  bool shows_states() const;

 private:
  void make_header(QVBoxLayout* column);
  QWidget* make_content();
  void add_distributions(QVBoxLayout* column, QWidget* parent);
  void add_text(QVBoxLayout* column, QWidget* parent);
  QWidget* make_log_switch(QWidget* parent);
  void balance_margins();

  void show_all();
  void show_numbers(const PinnedStates& states);
  void show_text(const PinnedStates& states);
  void show_rank();
  QString subtitle(const PinnedStates& states) const;
  QString older_text(const PinnedStates& states) const;
  QString empty_text(const PinnedStates& states) const;
  Sample fitted(const PinnedStates& states) const;

  Focus* focus_;
  const Theme* theme_;
  std::shared_ptr<const StateReport> report_;
  const MeasurementBook* book_ = nullptr;
  int64_t trained_context_ = 0;
  std::optional<Sample> chosen_;  // whose Gaussian a person wants to see

  QLabel *title_, *rank_, *subtitle_, *empty_, *notes_;
  QStackedWidget* pages_;
  QScrollArea* scroll_;
  QVBoxLayout* content_;
  SampleLegend* legend_;
  CurveLegend* fitted_law_;
  HistogramPlot* histogram_;
  NumberTable* numbers_;
  QToolButton* log_;
  Segmented* against_;
  QqPlot* qq_;
  LawCard* law_;
  std::array<QLabel*, kSampleCount> text_title_{};
  std::array<TokenView*, kSampleCount> text_{};
};

}  // namespace farstate::desktop
