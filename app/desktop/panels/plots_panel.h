// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

class Card;
class CurveLegend;
class EffremPlot;
class Focus;
class LivePlot;
class PerplexityPlot;
class ResultsPanel;
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

  QList<LivePlot*> plots() const;
  // What a picture of each is taken of, by the name of its file.
  QList<std::pair<QString, QWidget*>> cards() const;
  ResultsPanel* results() const { return results_; }
  StateMap* state() const { return state_; }
  PerplexityPlot* perplexity() const { return perplexity_; }
  EffremPlot* effrem() const { return effrem_; }

 private:
  QWidget* make_state();
  QWidget* make_perplexity();
  QWidget* make_effrem();
  void link_cursors();
  void show_curves();

  Focus* focus_;
  MeasurementBook book_;
  bool dark_ = false;
  StateMap* state_;
  PerplexityPlot* perplexity_;
  CurveLegend* legend_;
  EffremPlot* effrem_;
  Card* effrem_card_;
  ResultsPanel* results_;
};

}  // namespace farstate::desktop
