// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/result_cards.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/curve_legend.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString tr(const char* text) { return QCoreApplication::translate("ResultCards", text); }

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
    const Series* series = find_series(files[i].measurement, name);
    if (series == nullptr || series->x.empty()) continue;
    curves.push_back({*series, styles[i].line, styles[i].label, /*banded=*/true});
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
  void add_of_file(const QString& name, QString title, qsizetype file, LivePlot* plot) {
    if (files_.size() > 1) title = tr("%1 · %2").arg(title, files_[file].name);
    add(name, file == 0 ? name : u"%1-%2"_s.arg(name).arg(file + 1), title, plot, {});
  }
  void add_of_curves(const QString& name, const QString& title, LivePlot* plot,
                     const QVector<BookCurve>& curves) {
    add(name, name, title, plot, legend_of(curves));
  }
  QList<ResultCard> cards;

 private:
  void add(const QString& shows, const QString& name, const QString& title, LivePlot* plot,
           const QVector<CurveLegend::Entry>& entries) {
    auto card = std::make_shared<Card>(title);
    if (!entries.isEmpty()) {
      auto* legend = new CurveLegend(card.get());
      legend->set_entries(entries);
      card->add_to_header(legend);
    }
    plot->set_theme(theme_);
    card->body()->addWidget(plot, 1);
    cards.push_back({shows, name, title, card});
  }

  const QList<ResultsFile>& files_;
  const Theme& theme_;
};

void add_state_maps(CardMaker& out, const QList<ResultsFile>& files) {
  struct Metric {
    const char* series;
    QString name, title;
    StateMap::Metric metric;
  };
  const Metric metrics[] = {
      {"state_norm", u"state"_s, tr("Norm of the state of every head over position"),
       StateMap::Metric::kNorm},
      {"state_std", u"state-std"_s, tr("Standard deviation of the state of every head"),
       StateMap::Metric::kStd},
      {"state_max", u"state-max"_s, tr("Largest |h| of the state of every head"),
       StateMap::Metric::kMax}};
  for (const Metric& metric : metrics) {
    for (qsizetype i = 0; i < files.size(); ++i) {
      if (!has_heads(files[i].measurement, metric.series)) continue;
      auto* map = new StateMap;
      map->set_metric(metric.metric);
      map->set_measurement(&files[i].measurement, files[i].model.trained_context,
                           files[i].measurement.recipe.train.context);
      out.add_of_file(metric.name, metric.title, i, map);
    }
  }
}

void add_perplexity(CardMaker& out, const QList<ResultsFile>& files, bool dark) {
  const QVector<BookCurve> curves = curves_of(files, "perplexity", dark);
  if (curves.isEmpty()) return;
  auto* plot = new PerplexityPlot;
  plot->set_trained_context(longest_context(files));
  plot->set_curves(curves);
  out.add_of_curves(u"perplexity"_s, tr("Perplexity by position"), plot, curves);
}

void add_effrem(CardMaker& out, const QList<ResultsFile>& files, bool dark) {
  const QVector<BookCurve> curves = curves_of(files, "effrem", dark);
  if (curves.isEmpty()) return;
  auto* plot = new EffremPlot;
  plot->set_curves(curves);
  out.add_of_curves(u"effrem"_s, tr("Effective remembrance"), plot, curves);
}

void add_training_loss(CardMaker& out, const QList<ResultsFile>& files) {
  for (qsizetype i = 0; i < files.size(); ++i) {
    const Series* loss = find_series(files[i].measurement, "train_loss");
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
  add_state_maps(maker, files);
  add_perplexity(maker, files, theme.dark);
  add_effrem(maker, files, theme.dark);
  add_training_loss(maker, files);
  return maker.cards;
}

}  // namespace farstate::desktop
