// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/plots_panel.h"

#include <QActionGroup>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/state_lines.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

void keep_gap(QSplitter* splitter) {
  splitter->setHandleWidth(Theme::kGap);
  splitter->setChildrenCollapsible(false);
}

// Where a pin may stand: at the positions that the state was measured at, else at the middle of the
// perplexity's bins.
std::vector<double> measured_positions(const StatePicture& picture, const Measurement* current) {
  std::vector<double> out;
  for (const StateRow& row : picture.rows) {
    if (row.x.size() > out.size()) out = row.x;
  }
  const Series* perplexity = current != nullptr ? find_series(current->series, "perplexity") : nullptr;
  if (out.empty() && perplexity != nullptr) out = perplexity->x;
  for (double& position : out) position = std::max(1.0, std::round(position));
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

PlotsPanel::PlotsPanel(Focus* focus, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), focus_(focus) {
  keep_gap(this);
  addWidget(make_state());
  row_ = new QSplitter(Qt::Horizontal, this);
  keep_gap(row_);
  setObjectName(u"split.plots"_s);
  row_->setObjectName(u"split.curves"_s);
  row_->addWidget(make_perplexity());
  row_->addWidget(make_effrem());
  row_->setSizes({520, 480});
  addWidget(row_);
  results_ = new ResultsPanel(focus_, this);
  addWidget(results_);
  setSizes({290, 300, 200});
  link_positions();
  link_focus();
  worded(this, [this] { choose_measure(measure_); });
}

QWidget* PlotsPanel::make_state() {
  auto* card = new Card([] { return tr("State of every head over position"); }, this);
  card->set_short_title([] { return tr("State", "short title"); });
  auto* view = new Segmented([] { return tr("How the state is shown"); },
                             {[] { return tr("map"); }, [] { return tr("lines"); }}, card);
  auto* metric = new Segmented([] { return tr("What of the state"); },
                               {[] { return tr("norm"); }, [] { return tr("std"); },
                                [] { return tr("max"); }, [] { return tr("drift"); }},
                               card);
  worded(metric, [metric] {
    metric->setToolTip(
        tr("Euclidean norm, standard deviation or largest absolute value of h; or drift, the norm "
           "relative to the one at T."));
  });
  auto* scale = new Segmented([] { return tr("Scale of the position"); },
                              {[] { return tr("log t"); }, [] { return tr("linear t"); }}, card);
  worded(scale,
         [scale] { scale->setToolTip(tr("The position axis of all plots over position.")); });
  view->setObjectName(u"view.state-as"_s);
  metric->setObjectName(u"view.state-metric"_s);
  scale->setObjectName(u"view.position-scale"_s);
  for (QWidget* chooser : {view, metric, scale}) {
    chooser->setProperty(Card::kGivesWay, true);
    card->add_to_header(chooser);
  }
  position_scale_ = scale;
  state_views_ = new QStackedWidget(card);
  state_ = new StateMap(card);
  lines_ = new StateLines(card);
  for (LivePlot* plot : QList<LivePlot*>{state_, lines_}) {
    for (Segmented* choice : {view, metric, scale}) plot->offer(choice);
  }
  state_views_->addWidget(state_);
  state_views_->addWidget(lines_);
  card->body()->addWidget(state_views_, 1);
  connect(view, &Segmented::changed, state_views_, &QStackedWidget::setCurrentIndex);
  connect(metric, &Segmented::changed, this, [this](int index) {
    metric_ = static_cast<StateMetric>(index);
    show_state();
  });
  connect(scale, &Segmented::changed, this, [this](int index) {
    for (PositionPlot* plot : position_plots()) plot->set_log_x(index == 0);
  });
  return card;
}

QWidget* PlotsPanel::make_perplexity() {
  auto* card = new Card([] { return tr("Perplexity by position"); }, this);
  card->set_short_title([] { return tr("Perplexity", "short title"); });
  legend_ = new CurveLegend(card);
  scored_ = new Segmented([] { return tr("Tokens that perplexity is over"); },
                          {[] { return tr("all"); }, [] { return tr("predictable"); }},
                          card);
  worded(scored_, [this] {
    scored_->setToolTip(tr("Predictable: those that can be known from what was read before them in "
                           "the same sequence. What can't be known is as hard for any model."));
  });
  scored_->hide();
  scored_->setObjectName(u"view.perplexity-tokens"_s);
  auto* scale = new Segmented([] { return tr("Scale of perplexity"); },
                              {[] { return tr("log"); }, [] { return tr("linear"); }}, card);
  scale->setObjectName(u"view.perplexity-scale"_s);
  card->add_to_header(legend_);
  card->add_to_header(scored_);
  scale->setProperty(Card::kGivesWay, true);
  card->add_to_header(scale);
  perplexity_ = new PerplexityPlot(card);
  perplexity_->offer(scale);
  perplexity_->offer(position_scale_);
  card->body()->addWidget(perplexity_, 1);
  connect(scale, &Segmented::changed, this,
          [this](int index) { perplexity_->set_log(index == 0); });
  connect(scored_, &Segmented::changed, this, &PlotsPanel::show_scored);
  return card;
}

QWidget* PlotsPanel::make_effrem() {
  auto* card = new Card([] { return tr("Effective remembrance"); }, this);
  card->set_short_title([] { return tr("Remembrance", "short title"); });
  auto* scale = new Segmented([] { return tr("Scale of remembrance"); },
                              {[] { return tr("log"); }, [] { return tr("linear"); }}, card);
  scale->setObjectName(u"view.remembrance-scale"_s);
  card->add_to_header(make_measures());
  scale->setProperty(Card::kGivesWay, true);
  card->add_to_header(scale);
  // Chosen in the plot's menu alone: the header has no room for it.
  auto* dropped = new Segmented([] { return tr("Scale of dropped tokens"); },
                                {[] { return tr("linear t"); }, [] { return tr("log t"); }}, card);
  dropped->setObjectName(u"view.dropped-scale"_s);
  dropped->hide();
  effrem_ = new EffremPlot(card);
  effrem_->offer(scale);
  effrem_->offer(dropped);
  card->body()->addWidget(effrem_, 1);
  connect(scale, &Segmented::changed, this, [this](int index) { effrem_->set_log(index == 0); });
  connect(dropped, &Segmented::changed, this,
          [this](int index) { effrem_->set_log_x(index == 1); });
  choose_measure(measure_);
  return card;
}

QWidget* PlotsPanel::make_measures() {
  measures_ = new QToolButton(this);
  measures_->setObjectName(u"view.remembrance-measure"_s);
  measures_->setProperty("role", u"segment"_s);
  measures_->setProperty("place", u"only"_s);
  set_text(measures_, TextSize::kSmall, QFont::Medium);
  worded(this, [this] {
    measures_->setToolTip(tr("How the two predictions are compared"));
    measures_->setAccessibleName(measures_->toolTip());
  });
  measures_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(measures_);
  auto* group = new QActionGroup(menu);
  for (const EffremMeasure measure : kEffremMeasures) {
    QAction* action =
        menu->addAction(QString(), this, [this, measure] { choose_measure(measure); });
    with_text(action, [measure] {
      return tr("%1: %2", "short and full name").arg(short_name(measure), full_name(measure));
    });
    action->setCheckable(true);
    action->setActionGroup(group);
    action->setChecked(measure == measure_);
  }
  measures_->setMenu(menu);
  return measures_;
}

void PlotsPanel::choose_measure(EffremMeasure measure) {
  measure_ = measure;
  measures_->menu()->actions()[static_cast<int>(measure)]->setChecked(true);
  measures_->setText(tr("%1 ▾").arg(short_name(measure)));
  effrem_->setToolTip(tr("How much the prediction at the end changes when the first t tokens are "
                         "dropped: %1.").arg(full_name(measure)));
  show_effrem();
}

void PlotsPanel::hold_positions(double low, double high) {
  for (PositionPlot* plot : position_plots()) plot->follow_range(low, high);
}

QList<PositionPlot*> PlotsPanel::position_plots() const { return {state_, lines_, perplexity_}; }

// One cursor and one range: what happens in one of the plots over position is shown by all.
void PlotsPanel::link_positions() {
  for (PositionPlot* from : position_plots()) {
    for (PositionPlot* to : position_plots()) {
      if (from == to) continue;
      connect(from, &PositionPlot::pointed_at, to, &PositionPlot::follow_cursor);
      connect(from, &LivePlot::x_range_held, to, &PositionPlot::follow_range);
      // Following is asked for in one of them and meant for all.
      connect(from, &LivePlot::held_changed, to, [to](bool held) {
        if (!held) to->follow();
      });
    }
  }
}

void PlotsPanel::link_focus() {
  for (PositionPlot* plot : position_plots()) {
    connect(plot, &PositionPlot::pin_wanted, focus_, &Focus::set_pin);
    connect(focus_, &Focus::pins_changed, plot, [this, plot] { plot->show_pins(focus_->pins()); });
    plot->show_pins(focus_->pins());
  }
  for (StatePlot* plot : {static_cast<StatePlot*>(state_), static_cast<StatePlot*>(lines_)}) {
    connect(plot, &StatePlot::head_wanted, focus_, &Focus::set_head);
    connect(focus_, &Focus::head_changed, plot, [this, plot] { plot->show_head(focus_->head()); });
    plot->show_head(focus_->head());
  }
}

void PlotsPanel::set_theme(const Theme& theme) {
  dark_ = theme.dark;
  for (PositionPlot* plot : position_plots()) plot->set_theme(theme);
  effrem_->set_theme(theme);
  results_->set_theme(theme);
  show_curves();
}

void PlotsPanel::show_book(const MeasurementBook& book, int64_t trained_context,
                           int64_t reference) {
  book_ = book;
  trained_context_ = trained_context;
  reference_ = reference;
  perplexity_->set_trained_context(trained_context);
  const Measurement* current = book_.current();
  const bool marked =
      current != nullptr && find_series(current->series, kPredictablePerplexity) != nullptr;
  scored_->setVisible(marked);
  show_results();
  show_state();
  show_curves();
  show_origin();
}

std::string PlotsPanel::perplexity_series() const {
  return !scored_->isHidden() && scored_->chosen() == 1 ? kPredictablePerplexity : "perplexity";
}

void PlotsPanel::score_predictable(bool predictable) {
  scored_->choose(predictable ? 1 : 0);
  show_scored();
}

void PlotsPanel::show_scored() {
  show_results();
  show_curves();
}

void PlotsPanel::show_results() {
  results_->show_book(book_, trained_context_, reference_, perplexity_series());
}

void PlotsPanel::show_state() {
  auto picture = std::make_shared<StatePicture>();
  picture->metric = metric_;
  picture->trained_context = trained_context_;
  picture->reference = trained_context_ > 0 ? trained_context_ : reference_;
  if (const Measurement* current = book_.current()) {
    picture->rows = state_rows(current->series, series_name(metric_), picture->reference);
    picture->complete = current->complete;
    picture->length = static_cast<double>(current->recipe.measure.length);
    picture->front = book_.front(series_name(metric_));
    picture->recorded_beyond = book_.recorded_beyond();
  }
  state_->set_picture(picture);
  lines_->set_picture(picture);
  const std::vector<double> samples = measured_positions(*picture, book_.current());
  for (PositionPlot* plot : position_plots()) plot->set_samples(samples);
}

void PlotsPanel::say_origin(const QString& recorded, const QString& live, const QString& note) {
  recorded_tip_ = recorded;
  live_tip_ = live;
  live_note_ = note;
  show_origin();
}

// On every plot: one that shows an old number must say so by itself.
void PlotsPanel::show_origin() {
  const MeasurementBook::Origin origin = book_.origin();
  const bool live = origin == MeasurementBook::Origin::kLive;
  const QString text = origin == MeasurementBook::Origin::kNone ? QString()
                       : live                                   ? tr("Live")
                                                                : tr("Recorded");
  for (LivePlot* plot : QList<LivePlot*>{state_, lines_, perplexity_}) {
    plot->show_origin(live, text, live ? live_tip_ : recorded_tip_);
  }
  // Remembrance is measured last: until then its curve is the old one, all of it.
  const bool effrem_live = live && !book_.recorded_beyond();
  effrem_->show_origin(effrem_live, live && !effrem_live ? tr("Recorded") : text,
                       effrem_live ? live_tip_ : recorded_tip_);
  if (!live || live_note_.isEmpty()) return;
  const QString noted = tr("Live, %1").arg(live_note_);
  for (LivePlot* plot : QList<LivePlot*>{state_, lines_}) plot->show_origin(live, noted, live_tip_);
}

void PlotsPanel::show_curves() {
  const QVector<BookCurve> perplexity = curves_of(book_, perplexity_series(), dark_);
  legend_->set_entries(legend_of(perplexity));
  perplexity_->set_front(book_.front(perplexity_series()));
  perplexity_->set_recorded_beyond(book_.recorded_beyond());
  const Measurement* current = book_.current();
  const bool under_way = current != nullptr && !current->complete;
  perplexity_->set_curves(
      perplexity, under_way ? static_cast<double>(current->recipe.measure.length) : 0);
  show_effrem();
}

// Only what was measured is offered; a choice that has gone falls back to what every measurement of
// remembrance has.
void PlotsPanel::show_effrem() {
  const auto curves = [this](EffremMeasure measure) {
    const bool quantiles = measure == EffremMeasure::kTotalVariation;
    return curves_of(book_, series_name(measure), dark_,
                     quantiles ? BandNames{"effrem_q10", "effrem_q90"} : BandNames{});
  };
  int offered = 0;
  for (const EffremMeasure measure : kEffremMeasures) {
    const bool measured = !curves(measure).isEmpty();
    measures_->menu()->actions()[static_cast<int>(measure)]->setVisible(measured);
    offered += measured ? 1 : 0;
  }
  measures_->setVisible(offered > 1);
  QVector<BookCurve> shown = curves(measure_);
  if (shown.isEmpty() && offered > 0 && measure_ != EffremMeasure::kTotalVariation) {
    return choose_measure(EffremMeasure::kTotalVariation);
  }
  // The grid ends one token before the length T that the prefixes and suffixes are read to.
  double last = -1;
  for (const BookCurve& curve : shown) {
    if (!curve.series.x.empty()) last = std::max(last, curve.series.x.back());
  }
  effrem_->set_curves(shown, std::llround(last) + 1);
}

void PlotsPanel::follow_all() {
  for (LivePlot* plot : plots()) plot->follow();
}

QList<std::pair<QString, QWidget*>> PlotsPanel::cards() const {
  return {{u"state"_s, state_views_->parentWidget()},
          {u"perplexity"_s, perplexity_->parentWidget()},
          {u"effrem"_s, effrem_->parentWidget()},
          {u"training-loss"_s, results_}};
}

QWidget* PlotsPanel::card(const QString& name) const {
  for (const auto& [of, card] : cards()) {
    if (of == name) return card;
  }
  return nullptr;
}

void PlotsPanel::set_cover(std::optional<double> from, const QString& words) {
  for (PositionPlot* plot : position_plots()) plot->set_cover(from, words);
}

void PlotsPanel::show_only(const QWidget* wanted) {
  bool row_seen = false;
  for (const auto& [name, card] : cards()) {
    const bool seen = wanted == nullptr || card == wanted;
    card->setVisible(seen);
    row_seen = row_seen || (seen && card->parentWidget() == row_);
  }
  row_->setVisible(row_seen);
}

QList<LivePlot*> PlotsPanel::plots() const {
  QList<LivePlot*> all = {state_, lines_, perplexity_, effrem_, results_->loss()};
  return all + results_->attention()->plots();
}

}  // namespace farstate::desktop
