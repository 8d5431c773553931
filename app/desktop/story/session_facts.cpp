// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/session_facts.h"

#include <algorithm>

#include "app/desktop/main_window.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/story/curve_numbers.h"
#include "app/desktop/story/story_teller.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

std::optional<FactValue> number(std::optional<double> value) {
  if (!value) return std::nullopt;
  return FactValue(*value);
}

std::optional<FactValue> count(int64_t value) { return FactValue(static_cast<double>(value)); }

QString name_of(RunState state) {
  switch (state) {
    case RunState::kIdle:
      return u"idle"_s;
    case RunState::kLoading:
      return u"loading"_s;
    case RunState::kReady:
      return u"ready"_s;
    case RunState::kRunning:
      return u"running"_s;
    case RunState::kPaused:
      return u"paused"_s;
    case RunState::kEvaluating:
      return u"measuring"_s;
    case RunState::kExperimenting:
      return u"experiment"_s;
    case RunState::kStopping:
      return u"stopping"_s;
    case RunState::kFailed:
      return u"failed"_s;
  }
  return {};
}

double reach_of(const Measurement& m) {
  double reach = 0;
  for (const Series& series : m.series) {
    if (series.x_name == "position" && !series.x.empty()) reach = std::max(reach, series.x.back());
  }
  return reach;
}

// "ratio" and the untouched model, "ratio_now" and the newest one, or "ratio.tbtt" and that of the
// initial state: what is asked, of which measurement.
std::pair<QString, const Measurement*> measurement_of(const QString& fact,
                                                      const MeasurementBook& book) {
  const QString kNow = u"_now"_s;
  if (fact.endsWith(kNow)) {
    const Measurement* newest = book.current();
    const bool trained = newest != nullptr && newest != book.base() && newest->complete;
    return {fact.chopped(kNow.size()), trained ? newest : nullptr};
  }
  const QString kind = initial_state_of(fact);
  return {fact.section(u'.', 0, 0),
          kind.isEmpty() ? book.base() : book.last_of(intervention_from_string(kind.toStdString()))};
}

// Both pins are set, and what is known of the states is of those positions.
bool states_read(const MainWindow& window) {
  const PinnedStates states = pinned_states(window.states(), *window.focus());
  return states.elements[kAtA] != nullptr && states.elements[kAtB] != nullptr &&
         !states.older(kAtA) && !states.older(kAtB);
}

}  // namespace

std::optional<FactValue> SessionFacts::fact(const QString& name) const {
  for (const auto of : {&SessionFacts::of_session, &SessionFacts::of_model, &SessionFacts::of_focus,
                        &SessionFacts::of_curves, &SessionFacts::of_tasks, &SessionFacts::of_story}) {
    if (auto value = (this->*of)(name)) return value;
  }
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_session(const QString& name) const {
  const RunState state = window_.state();
  if (name == u"state") return name_of(state);
  if (name == u"running") return state == RunState::kRunning;
  if (name == u"paused") return state == RunState::kPaused;
  if (name == u"measuring") return state == RunState::kEvaluating;
  if (name == u"steps") return count(window_.steps_done());
  if (name == u"steps_here") return count(window_.steps_done() - window_.story()->steps_at_start());
  if (name == u"initial_state") return text(to_string(window_.recipe().intervention.kind));
  if (name == u"sigma") return window_.recipe().intervention.sigma;
  if (name == u"length") return count(window_.recipe().measure.length);
  if (name == u"page") return window_.page();
  if (name == u"column") return window_.side()->shows_story() ? u"story"_s : u"inspect"_s;
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_model(const QString& name) const {
  const ModelInfo* model = window_.model();
  if (name == u"loaded") return model != nullptr;
  if (model == nullptr) return std::nullopt;
  if (name == u"model") return text(model->name);
  if (name == u"layers") return count(model->layers);
  if (name == u"heads") return count(model->heads);
  if (name == u"state_numbers") {
    return count(model->layers * model->heads * model->head_dim * model->state_dim);
  }
  if (name == u"parameters") return count(model->parameters);
  if (name == u"vocabulary") return count(model->vocabulary);
  if (name == u"context" && window_.trained_context() > 0) return count(window_.trained_context());
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_focus(const QString& name) const {
  const Focus& focus = *window_.focus();
  if (name == u"pins_chosen") return focus.pins_chosen();
  if (name == u"states_read") return states_read(window_);
  if (name == u"pin_a" && focus.pins()[Focus::kA]) return count(*focus.pins()[Focus::kA]);
  if (name == u"pin_b" && focus.pins()[Focus::kB]) return count(*focus.pins()[Focus::kB]);
  const PlotsPanel& plots = *window_.plots();
  if (name == u"hovered") return number(plots.perplexity()->cursor_x());
  if (name == u"hovered_dropped") return number(plots.effrem()->cursor_x());
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_curves(const QString& name) const {
  const MeasurementBook& book = window_.book();
  if (name == u"swept") return number(book.current() ? std::optional(reach_of(*book.current())) : std::nullopt);
  if (name == u"perplexity_of") {
    const bool predictable = window_.plots()->perplexity_series() != "perplexity";
    return predictable ? u"predictable"_s : u"all"_s;
  }
  if (name == u"twin") {
    const Measurement* shown = book.current();
    if (shown == nullptr) return std::nullopt;
    return shown == book.base() ? u"base"_s : text(to_string(shown->intervention));
  }
  const auto type = fact_type(name);
  if (!type) return std::nullopt;
  const auto [what, m] = measurement_of(name, book);
  if (what == u"measured") return m != nullptr && m->complete && !m->recorded;
  if (m == nullptr || *type != FactType::kNumber) return std::nullopt;
  const CurveNumbers numbers = 
      numbers_of(*m, window_.trained_context(), window_.plots()->perplexity_series());
  if (what == u"within") return number(numbers.within);
  if (what == u"past") return number(numbers.past);
  if (what == u"remembrance") return number(numbers.remembrance);
  if (what == u"growth") return number(numbers.growth);
  if (what == u"ratio" && numbers.within && numbers.past) return *numbers.past / *numbers.within;
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_tasks(const QString& name) const {
  if (name == u"task") return text(window_.tasks_panel()->task());
  if (name == u"scored") return window_.tasks_panel()->has_scores();
  return std::nullopt;
}

std::optional<FactValue> SessionFacts::of_story(const QString& name) const {
  const StoryRun& run = *window_.story()->run();
  if (name == u"guess_made") return run.guess().made;
  if (name == u"guess_factor") return number(run.guess_factor());
  if (name == u"questions") return count(run.active() ? run.story()->questions() : 0);
  if (name == u"answered") return count(run.answered());
  if (name == u"right") return count(run.right());
  if (name == u"report_exported") return run.has_exported();
  return std::nullopt;
}

}  // namespace farstate::desktop
