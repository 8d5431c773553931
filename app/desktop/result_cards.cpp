// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/result_cards.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/head_name.h"
#include "app/desktop/models/pinned_states.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/histogram_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qq_plot.h"
#include "app/desktop/plots/spectrum_plot.h"
#include "app/desktop/plots/state_lines.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/curve_legend.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

constexpr qsizetype kNamesInHeader = 3;  // of curves; more have lines of their own

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

RunConfig recipe_of(const Results& results, const QString& path) {
  if (results.recipe.empty()) return {};
  try {
    return run_config_from_json(results.recipe);
  } catch (const Error& error) {
    throw Error(ErrorKind::kBadInput, path.toStdString() + ": " + error.what());
  }
}

Intervention trained_with(const Results& results, const RunConfig& recipe) {
  if (!results.model || results.model->trained_with.empty()) return recipe.intervention.kind;
  try {
    return intervention_from_string(results.model->trained_with);
  } catch (const Error&) {
    return recipe.intervention.kind;  // of a later version
  }
}

// What each file's curves are called and look like. Files of one intervention have its colour, a
// dash each, and their own names beside it.
struct FileStyle {
  QString label;
  LineStyle line;
};

QList<FileStyle> styles_of(const QList<ResultsFile>& files, bool dark) {
  QList<FileStyle> styles;
  const QString base = QString::fromStdString(files.front().model.name);
  styles.push_back({base.isEmpty() ? files.front().name : base, base_line(dark)});
  QList<Intervention> seen;
  for (const ResultsFile& file : files.sliced(1)) {
    const Intervention kind = file.measurement.intervention;
    const auto before = seen.count(kind);
    FileStyle style{intervention_name(kind), intervention_line(kind, dark)};
    const auto same = std::count_if(files.begin() + 1, files.end(), [kind](const auto& other) {
      return other.measurement.intervention == kind;
    });
    if (same > 1) style.label = tr("%1 (%2)").arg(style.label, file.name);
    if (before > 0) {
      const auto other = (static_cast<size_t>(kind) + static_cast<size_t>(before)) %
                         std::size(kInterventions);
      style.line.dash = intervention_line(kInterventions[other], dark).dash;
    }
    seen.push_back(kind);
    styles.push_back(style);
  }
  return styles;
}

QVector<BookCurve> curves_of(const QList<ResultsFile>& files, const std::string& name, bool dark) {
  const QList<FileStyle> styles = styles_of(files, dark);
  QVector<BookCurve> curves;
  for (qsizetype i = 0; i < files.size(); ++i) {
    const Series* series = find_series(files[i].measurement.series, name);
    if (series == nullptr || series->x.empty()) continue;
    curves.push_back({*series, styles[i].line, styles[i].label, /*banded=*/true, {}, {}, {}});
  }
  return curves;
}

bool has_heads(const Measurement& measurement, std::string_view name) {
  return std::any_of(measurement.series.begin(), measurement.series.end(), [&](const Series& s) {
    return s.name == name && s.layer && s.head && !s.x.empty();
  });
}

int64_t longest_context(const QList<ResultsFile>& files) {
  int64_t context = 0;
  for (const ResultsFile& file : files) context = std::max(context, file.model.trained_context);
  return context;
}

class CardMaker {
 public:
  CardMaker(const QList<ResultsFile>& files, const Theme& theme) : files_(files), theme_(theme) {}

  // A card of one file; with several files all but the first carry their number in the name.
  void add_of_file(const QString& name, QString title, qsizetype file, QWidget* view) {
    if (files_.size() > 1) title = u"%1 · %2"_s.arg(title, files_[file].name);
    add(name, file == 0 ? name : u"%1-%2"_s.arg(name).arg(file + 1), title, view, {});
  }
  void add_of_curves(const QString& name, const QString& title, LivePlot* plot,
                     const QVector<BookCurve>& curves) {
    add(name, name, title, plot, legend_of(curves));
  }
  QList<ResultCard> cards;

 private:
  // Without entries, those that the plot has itself.
  void add(const QString& shows, const QString& name, const QString& title, QWidget* view,
           const QVector<CurveLegend::Entry>& entries) {
    auto card = std::make_shared<Card>(title);
    QVector<CurveLegend::Entry> named = entries;
    if (auto* plot = qobject_cast<LivePlot*>(view)) {
      plot->set_theme(theme_);
      if (named.isEmpty()) named = plot->legend();
    }
    if (!named.isEmpty()) {
      auto* legend = new CurveLegend(card.get());
      legend->set_entries(named);
      const bool fits = named.size() <= kNamesInHeader;
      legend->set_wrapping(!fits);
      fits ? card->add_to_header(legend) : card->body()->addWidget(legend);
    }
    card->body()->addWidget(view, 1);
    cards.push_back({shows, name, title, card});
  }

  const QList<ResultsFile>& files_;
  const Theme& theme_;
};

std::shared_ptr<const StatePicture> state_picture(const ResultsFile& file, StateMetric metric) {
  auto picture = std::make_shared<StatePicture>();
  const RunConfig& recipe = file.measurement.recipe;
  picture->metric = metric;
  picture->trained_context = file.model.trained_context;
  picture->reference =
      picture->trained_context > 0 ? picture->trained_context : recipe.train.context;
  picture->rows =
      state_rows(file.measurement.series, series_name(metric), picture->reference);
  picture->length = static_cast<double>(recipe.measure.length);
  return picture;
}

// As the window does before a person has chosen: the head whose norm has changed most since T. But a
// head whose attention was measured was chosen.
HeadIndex head_of(const ResultsFile& file) {
  if (file.states && file.states->attention) return file.states->attention->index;
  return most_drifted(state_picture(file, StateMetric::kNorm)->rows);
}

void add_states(CardMaker& out, const QList<ResultsFile>& files) {
  struct Metric {
    StateMetric metric;
    QString name, title;
  };
  const Metric metrics[] = {
      {StateMetric::kNorm, u"state"_s, tr("Norm of the state of every head over position")},
      {StateMetric::kStd, u"state-std"_s, tr("Standard deviation of the state of every head")},
      {StateMetric::kMax, u"state-max"_s, tr("Largest |h| of the state of every head")},
      {StateMetric::kDrift, u"state-drift"_s, tr("Drift of the state of every head")}};
  for (const Metric& metric : metrics) {
    for (qsizetype i = 0; i < files.size(); ++i) {
      if (!has_heads(files[i].measurement, series_name(metric.metric))) continue;
      auto* map = new StateMap;
      map->set_picture(state_picture(files[i], metric.metric));
      map->show_head(head_of(files[i]));
      out.add_of_file(metric.name, metric.title, i, map);
    }
  }
  for (qsizetype i = 0; i < files.size(); ++i) {
    if (!has_heads(files[i].measurement, series_name(StateMetric::kNorm))) continue;
    auto* lines = new StateLines;
    lines->set_posing(true);
    lines->set_picture(state_picture(files[i], StateMetric::kNorm));
    lines->show_head(head_of(files[i]));
    out.add_of_file(u"state-lines"_s, tr("Norm of the state over position"), i, lines);
  }
}

void add_perplexity(CardMaker& out, const QList<ResultsFile>& files, bool dark) {
  const QVector<BookCurve> curves = curves_of(files, "perplexity", dark);
  if (curves.isEmpty()) return;
  auto* plot = new PerplexityPlot;
  plot->set_trained_context(longest_context(files));
  plot->set_curves(curves, /*expected=*/0);
  out.add_of_curves(u"perplexity"_s, tr("Perplexity by position"), plot, curves);
}

void add_effrem(CardMaker& out, const QList<ResultsFile>& files, bool dark) {
  for (const EffremMeasure measure : kEffremMeasures) {
    const QVector<BookCurve> curves = curves_of(files, series_name(measure), dark);
    if (curves.isEmpty()) continue;
    double last = 0;
    for (const BookCurve& curve : curves) last = std::max(last, curve.series.x.back());
    auto* plot = new EffremPlot;
    plot->set_curves(curves, std::llround(last) + 1);
    plot->set_log(measure != EffremMeasure::kAgreement);  // a share of 1 is the rule
    const QString name = QString::fromLatin1(series_name(measure)).replace(u'_', u'-');
    const QString title = measure == EffremMeasure::kTotalVariation
                              ? tr("Effective remembrance")
                              : tr("Effective remembrance, %1").arg(full_name(measure));
    out.add_of_curves(name, title, plot, curves);
  }
}

// The head's states as the inspector shows them, at the first two pins.
void add_close_looks(CardMaker& out, const QList<ResultsFile>& files) {
  for (qsizetype i = 0; i < files.size(); ++i) {
    const std::shared_ptr<const StateReport>& report = files[i].states;
    if (report == nullptr || report->positions.empty()) continue;
    Focus focus;
    focus.set_head(head_of(files[i]));
    focus.set_pin(Focus::kA, report->positions.front());
    if (report->positions.size() > 1) focus.set_pin(Focus::kB, report->positions[1]);
    const PinnedStates states = pinned_states(report, focus);
    if (states.head == nullptr) continue;
    const QString head = head_name(states.index);
    auto* histogram = new HistogramPlot;
    histogram->set_states(states);
    histogram->set_fitted(states.elements[kTraining] != nullptr ? kTraining : kAtA);
    out.add_of_file(u"distribution"_s, tr("Elements of the state, %1").arg(head), i, histogram);
    auto* qq = new QqPlot;
    qq->set_states(states);
    qq->set_against(states.elements[kTraining] != nullptr ? QqPlot::Against::kTraining
                                                          : QqPlot::Against::kOwn);
    out.add_of_file(u"qq"_s, tr("QQ plot against a Gaussian, %1").arg(head), i, qq);
    if (!states.head->law) continue;
    auto* spectrum = new SpectrumPlot;
    spectrum->set_spectrum(states.head->law->spectrum, states.head->law->shuffled_spectrum);
    out.add_of_file(u"spectrum"_s, tr("Spectrum of the elements' correlation, %1").arg(head), i,
                    spectrum);
  }
}

void add_attention(CardMaker& out, const QList<ResultsFile>& files, const Theme& theme) {
  for (qsizetype i = 0; i < files.size(); ++i) {
    if (files[i].states == nullptr || !files[i].states->attention) continue;
    auto focus = std::make_unique<Focus>();
    focus->set_head(files[i].states->attention->index);
    auto* panel = new AttentionPanel(focus.get());
    focus.release()->setParent(panel);
    panel->set_theme(theme);
    panel->show_report(files[i].states);
    out.add_of_file(u"attention"_s, tr("Hidden attention"), i, panel);
  }
}

void add_training_loss(CardMaker& out, const QList<ResultsFile>& files) {
  for (qsizetype i = 0; i < files.size(); ++i) {
    const Series* loss = find_series(files[i].measurement.series, "train_loss");
    if (loss == nullptr || loss->x.empty()) continue;
    std::vector<TrainPoint> points;
    for (size_t j = 0; j < loss->x.size(); ++j) {
      TrainPoint point;
      point.step = static_cast<int64_t>(std::clamp(loss->x[j], 0.0, 9e15));
      point.loss = loss->y[j];
      points.push_back(point);
    }
    auto* plot = new LossPlot;
    plot->begin_segment(files[i].measurement.intervention);
    plot->add(points);
    out.add_of_file(u"training-loss"_s, tr("Training loss"), i, plot);
  }
}

}  // namespace

ResultsFile results_file(const Results& results, const QString& path) {
  ResultsFile file;
  file.name = QFileInfo(path).completeBaseName();
  if (results.model) file.model = *results.model;
  Measurement& m = file.measurement;
  m.recipe = recipe_of(results, path);
  m.intervention = trained_with(results, m.recipe);
  m.step = file.model.steps;
  m.complete = true;
  m.series = results.series;
  m.notes = results.notes;
  if (results.states) file.states = std::make_shared<StateReport>(*results.states);
  return file;
}

QList<ResultCard> result_cards(const QList<ResultsFile>& files, const Theme& theme) {
  CardMaker maker(files, theme);
  add_states(maker, files);
  add_perplexity(maker, files, theme.dark);
  add_effrem(maker, files, theme.dark);
  add_close_looks(maker, files);
  add_attention(maker, files, theme);
  add_training_loss(maker, files);
  return maker.cards;
}

}  // namespace farstate::desktop
