// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/vocabulary.h"

#include <algorithm>

#include "core/interventions/intervention_config.h"
#include "core/tasks/task_config.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QStringList initial_states() {
  QStringList names;
  for (const Intervention kind : kInterventions) names.push_back(QString::fromStdString(to_string(kind)));
  return names;
}

QStringList tasks() {
  QStringList names;
  for (const char* name : kTaskNames) names.push_back(QString::fromLatin1(name));
  return names;
}

}  // namespace

// Meanings stand in docs/STORIES.md and are not translated.
const QList<ActionInfo>& known_actions() {
  using enum FactType;
  static const QList<ActionInfo> actions = {
      {u"pin_a"_s, kNumber, u"sets pin A at this position"_s},
      {u"pin_b"_s, kNumber, u"sets pin B"_s},
      {u"hover"_s, kNumber, u"moves the cursor of the plots over position there"_s},
      {u"hover_dropped"_s, kNumber, u"moves the cursor of effective remembrance there"_s},
      {u"initial_state"_s, kText, u"chooses it in the panel, \"state-passing\""_s, initial_states()},
      {u"sigma"_s, kNumber, u"sets sigma of random noise"_s},
      {u"run"_s, {}, u"starts training, or goes on with it"_s},
      {u"pause"_s, {}, u"holds training"_s},
      {u"step"_s, {}, u"one optimizer step"_s},
      {u"stop"_s, {}, u"ends training or measuring"_s},
      {u"reset"_s, {}, u"back to the weights as loaded"_s},
      {u"measure"_s, {}, u"measures the model as it is"_s},
      {u"repair"_s, {}, u"starts \"Repair it live\""_s},
      {u"show_twin"_s, kText, u"shows the model that was post-trained with this initial state"_s, initial_states()},
      {u"open_model"_s, kText, u"opens a model that comes with the program, \"demo\""_s},
      {u"page"_s, kText, u"\"measure\", \"generate\", \"experiment\", \"tasks\" or \"theory\""_s,
       {u"measure"_s, u"generate"_s, u"experiment"_s, u"tasks"_s, u"theory"_s}},
      {u"column"_s, kText, u"what the right column shows: \"story\" or \"inspect\""_s,
       {u"story"_s, u"inspect"_s}},
      {u"perplexity_of"_s, kText, u"shows perplexity over \"all\" tokens or the \"predictable\" ones"_s,
       {u"all"_s, u"predictable"_s}},
      {u"task"_s, kText, u"shows this task on its page"_s, tasks()},
      {u"score"_s, {}, u"scores the chosen task"_s},
      {u"guess"_s, kNumber, u"guesses this perplexity at every place of the card"_s},
      {u"reveal"_s, {}, u"compares the guess with the curve"_s},
      {u"answer"_s, {}, u"answers the card's questions rightly"_s},
      {u"export_report"_s, {}, u"writes the report; asks for its name"_s},
  };
  return actions;
}

const ActionInfo* find_action(const QString& name) {
  const auto& all = known_actions();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&name](const ActionInfo& info) { return info.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const QList<ControlInfo>& known_controls() {
  static const QList<ControlInfo> controls = {
      {u"state_map"_s, u"the state of every head over position"_s},
      {u"perplexity"_s, u"perplexity by position"_s},
      {u"remembrance"_s, u"effective remembrance"_s},
      {u"results"_s, u"the tabs below the plots"_s},
      {u"model"_s, u"the panel of the model"_s},
      {u"initial_state"_s, u"the choice of initial states"_s},
      {u"repair"_s, u"\"Repair it live\", below the initial states of a built-in model"_s},
      {u"training"_s, u"the settings of post-training"_s},
      {u"run"_s, u"the primary button of the top row"_s},
      {u"pages"_s, u"the choice of pages in the top row"_s},
      {u"inspect"_s, u"the tab of the inspector"_s},
      {u"tasks"_s, u"the page of tasks"_s},
  };
  return controls;
}

bool is_control(const QString& name) {
  const auto& all = known_controls();
  return std::any_of(all.begin(), all.end(),
                     [&name](const ControlInfo& info) { return info.name == name; });
}

}  // namespace farstate::desktop
