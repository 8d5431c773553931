// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/desktop/models/focus.h"
#include "app/desktop/story/facts.h"
#include "core/interventions/intervention_config.h"

namespace farstate::desktop {

class MainWindow;

// What Show me can do, by the same ways that a person's clicks take.
class SessionActions {
 public:
  explicit SessionActions(MainWindow& window) : window_(window) {}

  // Whether the action would be carried out now: training can't begin while a model loads.
  bool possible(const QString& action) const;
  // Throws Error where it can never be done as it is written.
  void perform(const QString& action, const std::optional<FactValue>& argument);

  // What an action changes that can be put back: curves that were measured stay.
  struct Memory {
    Focus::Pins pins;
    InterventionConfig intervention;
    QString page, column;
    std::string model;
  };
  Memory remember() const;
  void restore(const Memory& memory);

 private:
  bool perform_on_plots(const QString& action, double at);
  bool perform_run(const QString& action);
  bool perform_choice(const QString& action, const QString& name);
  bool perform_story(const QString& action, const std::optional<FactValue>& argument);
  void set_sigma(double sigma);

  MainWindow& window_;
};

}  // namespace farstate::desktop
