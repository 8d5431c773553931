// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/session_actions.h"

#include <QAction>
#include <QCoreApplication>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/story/story_teller.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

bool SessionActions::possible(const QString& action) const {
  const RunButtons may = buttons_for(window_.state());
  const bool idle = window_.state() == RunState::kReady || window_.state() == RunState::kPaused;
  if (action == u"run") return may.run && may.primary != RunButtons::Primary::kPause;
  if (action == u"pause") return may.run && may.primary == RunButtons::Primary::kPause;
  if (action == u"step") return may.step;
  if (action == u"stop") return may.stop;
  if (action == u"reset") return may.reset;
  if (action == u"measure") return may.measure;
  if (action == u"initial_state" || action == u"sigma") return may.intervention;
  if (action == u"repair" || action == u"show_twin" || action == u"open_model" ||
      action == u"score") {
    return idle;
  }
  if (action == u"reveal") return !window_.story()->run()->guess().empty();
  return true;
}

void SessionActions::perform(const QString& action, const std::optional<FactValue>& argument) {
  const double* number = argument ? std::get_if<double>(&*argument) : nullptr;
  const QString* text = argument ? std::get_if<QString>(&*argument) : nullptr;
  const bool known = (number != nullptr && perform_on_plots(action, *number)) ||
                     (text != nullptr && perform_choice(action, *text)) || perform_run(action) ||
                     perform_story(action, argument);
  if (!known) {
    throw Error(ErrorKind::kInternal,
                u"The action \"%1\" has no implementation."_s.arg(action).toStdString());
  }
}

bool SessionActions::perform_on_plots(const QString& action, double at) {
  PlotsPanel& plots = *window_.plots();
  const auto pin = [&](Focus::Pin which) {
    const auto sample = plots.perplexity()->sample_near(at);
    window_.focus()->set_pin(which, sample ? *sample : std::llround(at));
  };
  if (action == u"pin_a") {
    pin(Focus::kA);
  } else if (action == u"pin_b") {
    pin(Focus::kB);
  } else if (action == u"hover") {
    plots.perplexity()->point_at(at);
  } else if (action == u"hover_dropped") {
    plots.effrem()->point_at(at);
  } else if (action == u"sigma") {
    set_sigma(at);
  } else {
    return false;
  }
  return true;
}

void SessionActions::set_sigma(double sigma) {
  InterventionConfig config = window_.recipe().intervention;
  config.sigma = sigma;
  window_.set_intervention(config);
}

bool SessionActions::perform_run(const QString& action) {
  const Actions& actions = window_.actions();
  if (action == u"run" || action == u"pause") {
    window_.run_main_action();
  } else if (action == u"step") {
    actions.step->trigger();
  } else if (action == u"stop") {
    actions.stop->trigger();
  } else if (action == u"reset") {
    actions.reset->trigger();
  } else if (action == u"measure") {
    actions.measure->trigger();
  } else if (action == u"repair") {
    window_.repair_live();
  } else {
    return false;
  }
  return true;
}

bool SessionActions::perform_choice(const QString& action, const QString& name) {
  const std::string plain = name.toStdString();
  if (action == u"initial_state") {
    window_.initial_state()->choose(intervention_from_string(plain));
  } else if (action == u"show_twin") {
    window_.show_twin(intervention_from_string(plain));
  } else if (action == u"open_model") {
    window_.open_built_in(plain);
  } else if (action == u"page") {
    window_.show_page(name);
  } else if (action == u"column") {
    window_.side()->show_story(name == u"story");
  } else if (action == u"perplexity_of") {
    window_.plots()->score_predictable(name == u"predictable");
  } else if (action == u"task") {
    window_.show_task(plain);
  } else {
    return false;
  }
  return true;
}

bool SessionActions::perform_story(const QString& action,
                                   const std::optional<FactValue>& argument) {
  StoryTeller& story = *window_.story();
  if (action == u"guess" && argument) {
    const size_t places = story.run()->guess().values.size();
    for (size_t i = 0; i < places; ++i) {
      story.run()->set_guess_value(i, std::get<double>(*argument));
    }
  } else if (action == u"reveal") {
    story.reveal();
  } else if (action == u"answer") {
    story.answer_rightly();
  } else if (action == u"export_report") {
    story.export_report();
  } else if (action == u"score") {
    window_.tasks_panel()->score();
  } else {
    return false;
  }
  return true;
}

SessionActions::Memory SessionActions::remember() const {
  Memory memory;
  memory.pins = window_.focus()->pins();
  memory.intervention = window_.recipe().intervention;
  memory.page = window_.page();
  memory.column = window_.side()->shows_story() ? u"story"_s : u"inspect"_s;
  memory.model = window_.recipe().model.model;
  return memory;
}

void SessionActions::restore(const Memory& memory) {
  if (buttons_for(window_.state()).stop) window_.actions().stop->trigger();
  for (const Focus::Pin pin : {Focus::kA, Focus::kB}) {
    window_.focus()->set_pin(pin, memory.pins[pin]);
  }
  if (window_.recipe().model.model != memory.model) {
    window_.open_built_in(memory.model);
  } else if (window_.recipe().intervention != memory.intervention &&
             buttons_for(window_.state()).intervention) {
    window_.set_intervention(memory.intervention);
  }
  window_.show_page(memory.page);
  window_.side()->show_story(memory.column == u"story");
  window_.plots()->perplexity()->point_at(std::nullopt);
  window_.plots()->effrem()->point_at(std::nullopt);
}

}  // namespace farstate::desktop
