// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/state_rows.h"

class QStackedWidget;
class QToolButton;

namespace farstate::desktop {

class CurveLegend;
class Focus;
class LivePlot;
class PositionPlot;
class ResultsPanel;
class Segmented;
class StateLines;
class StateMap;
struct Theme;

// The centre of the window: the state, perplexity and remembrance on linked cursors, and the
// results below them. The gaps between the cards can be dragged.
class PlotsPanel : public QSplitter {
  Q_OBJECT
 public:
  explicit PlotsPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // Ratios and the table are taken at T, and where that is 0, not known, at `reference`.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference);
  void follow_all();
  void hold_positions(double low, double high);  // in all plots over position, as a zoom does
  // What lies past this position is covered in all plots over position; empty: nothing is.
  void set_cover(std::optional<double> from, const QString& words);
  void show_only(const QWidget* card);  // of cards(); null: all of them
  // What the marks "Recorded" and "Live" explain when the mouse rests on them.
  // `note`: how the two agree, in a few words, where there is room for them.
  void say_origin(const QString& recorded, const QString& live, const QString& note);

  QList<LivePlot*> plots() const;
  // What a picture of each is taken of, by the name of its file.
  QList<std::pair<QString, QWidget*>> cards() const;
  QWidget* card(const QString& name) const;  // null: there is none
  std::string perplexity_series() const;  // the one that is shown: over all tokens, or over some
  void score_predictable(bool predictable);  // or all tokens, in the plot of perplexity
  ResultsPanel* results() const { return results_; }
  StateMap* state() const { return state_; }
  StateLines* lines() const { return lines_; }
  PerplexityPlot* perplexity() const { return perplexity_; }
  EffremPlot* effrem() const { return effrem_; }

 private:
  QWidget* make_state();
  QWidget* make_perplexity();
  QWidget* make_effrem();
  QWidget* make_measures();
  QList<PositionPlot*> position_plots() const;
  void link_positions();
  void link_focus();
  void show_state();
  void show_curves();
  void show_origin();
  void show_effrem();
  void show_scored();
  void show_results();
  void choose_measure(EffremMeasure measure);

  Focus* focus_;
  MeasurementBook book_;
  bool dark_ = false;
  QString recorded_tip_, live_tip_, live_note_;
  int64_t trained_context_ = 0, reference_ = 0;
  StateMetric metric_ = StateMetric::kNorm;
  EffremMeasure measure_ = EffremMeasure::kTotalVariation;
  QSplitter* row_;
  QStackedWidget* state_views_;
  StateMap* state_;
  StateLines* lines_;
  PerplexityPlot* perplexity_;
  CurveLegend* legend_;
  Segmented *scored_, *position_scale_ = nullptr;
  EffremPlot* effrem_;
  QToolButton* measures_;
  ResultsPanel* results_;
};

}  // namespace farstate::desktop
