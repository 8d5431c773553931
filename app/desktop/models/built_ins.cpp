// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/built_ins.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/ticks.h"
#include "core/results/results.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

std::optional<Recording> read_recording(const EmbeddedModel& model) {
  QFile file(u":/recorded/%1.json"_s.arg(QString::fromStdString(model.name)));
  if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
  const QByteArray bytes = file.readAll();
  Results results = results_from_json(std::string_view(bytes.constData(), bytes.size()),
                                      file.fileName().toStdString());
  auto measurement = std::make_shared<Measurement>();
  measurement->recorded = measurement->complete = true;
  measurement->recipe = run_config_from_json(results.recipe);
  measurement->series = std::move(results.series);
  measurement->notes = std::move(results.notes);
  measurement->intervention = model.intervention;
  Recording out;
  out.model.name = model.name;
  if (results.model) {
    out.model.trained_context = results.model->trained_context;
    out.model.trained_with = results.model->trained_with;
    if (!model.base.empty()) measurement->step = results.model->steps;
  }
  out.measurement = std::move(measurement);
  out.made = QJsonDocument::fromJson(bytes)[u"made"].toString();  // written beside the results
  return out;
}

bool same_place(const Series& a, const Series& b) {
  return a.name == b.name && a.layer == b.layer && a.head == b.head;
}

}  // namespace

BuiltIns::BuiltIns()
    : BuiltIns({embedded_models().begin(), embedded_models().end()}, read_recording) {}

BuiltIns::BuiltIns(std::vector<EmbeddedModel> models, Read read)
    : models_(std::move(models)), read_(std::move(read)) {}

const EmbeddedModel* BuiltIns::find(const std::string& name) const {
  const auto found = std::ranges::find(models_, name, &EmbeddedModel::name);
  return found == models_.end() ? nullptr : &*found;
}

std::vector<const EmbeddedModel*> BuiltIns::bases() const { return twins_of({}); }

std::vector<const EmbeddedModel*> BuiltIns::twins_of(const std::string& base) const {
  std::vector<const EmbeddedModel*> out;
  for (const EmbeddedModel& model : models_) {
    if (model.base == base) out.push_back(&model);
  }
  return out;
}

const EmbeddedModel* BuiltIns::twin_of(const std::string& base, Intervention law) const {
  if (base.empty()) return nullptr;
  for (const EmbeddedModel* twin : twins_of(base)) {
    if (twin->intervention == law) return twin;
  }
  return nullptr;
}

const Recording* BuiltIns::recording(const std::string& name) const {
  const EmbeddedModel* model = find(name);
  if (model == nullptr) return nullptr;
  auto known = known_.find(name);
  if (known == known_.end()) known = known_.emplace(name, read_(*model)).first;
  return known->second ? &*known->second : nullptr;
}

// The recorded recipe is resolved; what the other leaves open is what it was resolved from.
bool measures_the_same(const RunConfig& recipe, const Measurement& recorded) {
  const MeasureConfig &wanted = recipe.measure, &had = recorded.recipe.measure;
  const bool open_part = wanted.part == "auto" || wanted.part == had.part;
  const bool open_length = wanted.effrem_length == 0 || wanted.effrem_length == had.effrem_length;
  return recipe.data == recorded.recipe.data && recipe.task.name.empty() && open_part &&
         open_length && wanted.length == had.length && wanted.sequences == had.sequences &&
         wanted.bins_per_octave == had.bins_per_octave &&
         wanted.effrem_points == had.effrem_points;
}

QString text_name(const std::string& generated) {
  if (generated == "facts") return tr("Documents of facts");
  if (generated == "register") return tr("The register");
  if (generated == "english") return tr("English");
  if (generated == "letters") return tr("Documents of letters");
  return QString::fromStdString(generated);
}

QString text_description(const std::string& generated) {
  if (generated == "facts") {
    return tr("Short documents, one after another, each with facts of its own. Past its training "
              "length the model still believes the facts of documents that are over.");
  }
  if (generated == "register") {
    return tr("Keys whose values keep changing. Here the past matters: a state that is taken from "
              "another text does harm.");
  }
  if (generated == "english") {
    return tr("Short English stories of a grammar, read word by word. Perplexity of all words as "
              "measured: 2.1 from T/2 to T, about 1,700 from 8T to 16T; after state passing 2.4.");
  }
  if (generated == "letters") {
    return tr("Short documents, one after another, each with pairs of letters of its own.");
  }
  return {};
}

QString twin_name(const EmbeddedModel& twin) {
  return twin.intervention == Intervention::kZero
             ? tr("Post-trained with the zero state: the control")
             : tr("Post-trained with %1").arg(intervention_name(twin.intervention).toLower());
}

namespace {

// Of a curve's largest value. What is smaller is what is left of larger values that nearly cancel,
// such as a distance of two predictions that hardly differ, and has lost digits with them.
constexpr double kLeastShare = 1e-3;

double largest_of(const Series& a, const Series& b) {
  double largest = 0;
  for (const std::vector<double>* values : {&a.y, &b.y}) {
    for (const double y : *values) {
      if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
    }
  }
  return largest;
}

}  // namespace

Agreement compare(const Measurement& a, const Measurement& b) {
  Agreement out;
  out.same = true;
  for (const Series& left : a.series) {
    const auto right = std::ranges::find_if(
        b.series, [&left](const Series& series) { return same_place(left, series); });
    if (right == b.series.end()) continue;
    if (left.x != right->x || left.y.size() != right->y.size()) return {};
    out.comparable = true;
    const double least = kLeastShare * largest_of(left, *right);
    for (size_t i = 0; i < left.y.size(); ++i) {
      const double l = left.y[i], r = right->y[i];
      if (l == r || (std::isnan(l) && std::isnan(r))) continue;
      out.same = false;
      const double scale = std::max({std::abs(l), std::abs(r), least});
      const double difference = std::isfinite(l) && std::isfinite(r)
                                    ? std::abs(l - r) / scale
                                    : std::numeric_limits<double>::infinity();
      if (difference <= out.difference) continue;
      out.difference = difference;
      out.series = left.name;
      out.x = left.x[i];
    }
  }
  out.same = out.same && out.comparable;
  return out;
}

QString short_sentence_of(const Agreement& agreement) {
  const bool same = agreement.comparable && agreement.difference <= kSameCurves;
  return same ? tr("same as recorded") : tr("differs from recorded");
}

QString sentence_of(const Agreement& agreement) {
  if (!agreement.comparable) return tr("The live curves have other positions than the recorded ones.");
  if (agreement.same) return tr("Live is the same as recorded, to the last bit.");
  const QString percent = value_text(100 * agreement.difference);
  const QString position = QLocale().toString(std::llround(agreement.x));
  if (agreement.difference <= kSameCurves) {
    return tr("Live is the same as recorded: no value differs by more than %1 % (allowed on another "
              "processor: %2 %).")
        .arg(percent, value_text(100 * kSameCurves));
  }
  return tr("Live differs from recorded: by %1 % at position %2, in %3.")
      .arg(percent, position, QString::fromStdString(agreement.series));
}

}  // namespace farstate::desktop
