// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/plots_panel.h"

#include <QLocale>
#include <QVBoxLayout>
#include <cmath>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

void keep_gap(QSplitter* splitter) {
  splitter->setHandleWidth(Theme::kGap);
  splitter->setChildrenCollapsible(false);
}

}  // namespace

PlotsPanel::PlotsPanel(Focus* focus, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), focus_(focus) {
  keep_gap(this);
  addWidget(make_state());
  auto* row = new QSplitter(Qt::Horizontal, this);
  keep_gap(row);
  row->addWidget(make_perplexity());
  row->addWidget(make_effrem());
  row->setStretchFactor(0, 6);
  row->setStretchFactor(1, 5);
  addWidget(row);
  results_ = new ResultsPanel(focus_, this);
  addWidget(results_);
  const QList<int> shares = {32, 32, 22};
  for (int i = 0; i < shares.size(); ++i) setStretchFactor(i, shares[i]);
  link_cursors();
}

QWidget* PlotsPanel::make_state() {
  auto* card = new Card(tr("State of every head over position"), this);
  auto* metric = new Segmented(tr("What of the state"), {tr("norm"), tr("std"), tr("max")}, card);
  metric->setToolTip(tr("Euclidean norm, standard deviation or largest absolute value of h."));
  card->add_to_header(metric);
  state_ = new StateMap(card);
  card->body()->addWidget(state_, 1);
  connect(metric, &Segmented::changed, this,
          [this](int index) { state_->set_metric(static_cast<StateMap::Metric>(index)); });
  return card;
}

QWidget* PlotsPanel::make_perplexity() {
  auto* card = new Card(tr("Perplexity by position"), this);
  legend_ = new CurveLegend(card);
  auto* scale = new Segmented(tr("Scale of perplexity"), {tr("log"), tr("linear")}, card);
  card->add_to_header(legend_);
  card->add_to_header(scale);
  perplexity_ = new PerplexityPlot(card);
  card->body()->addWidget(perplexity_, 1);
  connect(scale, &Segmented::changed, this,
          [this](int index) { perplexity_->set_log(index == 0); });
  return card;
}

QWidget* PlotsPanel::make_effrem() {
  effrem_card_ = new Card(tr("Effective remembrance"), this);
  auto* scale = new Segmented(tr("Scale of remembrance"), {tr("log"), tr("linear")}, effrem_card_);
  effrem_card_->add_to_header(scale);
  effrem_ = new EffremPlot(effrem_card_);
  effrem_->setToolTip(
      tr("How much the prediction at the end changes when the first t tokens are dropped."));
  effrem_card_->body()->addWidget(effrem_, 1);
  connect(scale, &Segmented::changed, this, [this](int index) { effrem_->set_log(index == 0); });
  return effrem_card_;
}

void PlotsPanel::link_cursors() {
  connect(state_, &PositionPlot::pointed_at, perplexity_, &PositionPlot::follow_cursor);
  connect(perplexity_, &PositionPlot::pointed_at, state_, &PositionPlot::follow_cursor);
  connect(state_, &LivePlot::x_range_held, perplexity_, &PositionPlot::follow_range);
  connect(perplexity_, &LivePlot::x_range_held, state_, &PositionPlot::follow_range);
  // Following is asked for in one of them and meant for both.
  const auto both = [](LivePlot* from, LivePlot* to) {
    connect(from, &LivePlot::held_changed, to, [to](bool held) {
      if (!held) to->follow();
    });
  };
  both(state_, perplexity_);
  both(perplexity_, state_);
}

void PlotsPanel::set_theme(const Theme& theme) {
  dark_ = theme.dark;
  for (LivePlot* plot : {static_cast<LivePlot*>(state_), static_cast<LivePlot*>(perplexity_),
                         static_cast<LivePlot*>(effrem_)}) {
    plot->set_theme(theme);
  }
  results_->set_theme(theme);
  show_curves();
}

void PlotsPanel::show_book(const MeasurementBook& book, int64_t trained_context,
                           int64_t reference) {
  book_ = book;
  state_->set_measurement(book_.current(), trained_context, reference);
  perplexity_->set_trained_context(trained_context);
  results_->show_book(book_, trained_context, reference);
  show_curves();
}

void PlotsPanel::show_curves() {
  const QVector<BookCurve> perplexity = curves_of(book_, "perplexity", dark_);
  const QVector<BookCurve> effrem = curves_of(book_, "effrem", dark_);
  legend_->set_entries(legend_of(perplexity));
  perplexity_->set_curves(perplexity);
  effrem_->set_curves(effrem);
  // The grid ends one token before the length T that the prefixes and suffixes are read to.
  double last = -1;
  for (const BookCurve& curve : effrem) {
    if (!curve.series.x.empty()) last = std::max(last, curve.series.x.back());
  }
  effrem_card_->set_title(last >= 0 ? tr("Effective remembrance, %1 tokens")
                                          .arg(QLocale().toString(qint64(std::llround(last)) + 1))
                                    : tr("Effective remembrance"));
}

void PlotsPanel::follow_all() {
  for (LivePlot* plot : plots()) plot->follow();
}

QList<std::pair<QString, QWidget*>> PlotsPanel::cards() const {
  return {{u"state"_s, state_->parentWidget()},
          {u"perplexity"_s, perplexity_->parentWidget()},
          {u"effrem"_s, effrem_card_},
          {u"training-loss"_s, results_}};
}

QList<LivePlot*> PlotsPanel::plots() const {
  QList<LivePlot*> all = {state_, perplexity_, effrem_, results_->loss()};
  return all + results_->attention()->plots();
}

}  // namespace farstate::desktop
