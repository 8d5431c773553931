// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QStringList>
#include <optional>

#include "app/desktop/language.h"
#include "app/desktop/rendering.h"
#include "app/desktop/theme.h"
#include "core/session/experiment_plan.h"
#include "core/session/run_config.h"

namespace farstate::desktop {

struct Options {
  RunConfig recipe;
  std::optional<ThemeMode> theme;  // empty: as remembered
  std::optional<Language> language;  // empty: as remembered
  QSize size{1440, 900};
  bool size_given = false;
  QString session;        // a file of one to open in place of a model; empty: none
  QString sheet;          // a model or a text to look at, as if it were dropped; empty: none
  QString shot;           // picture of the window to write; empty: none
  QString plots;          // folder for a picture of each plot, with the shot; empty: none
  double shot_after = 3;  // seconds
  QString prompt;         // text to read and go on from once the model is ready; empty: none
  bool run = false;       // start the main job once the model is ready
  std::optional<ExperimentPlan> experiment;  // to start once the model is ready
  std::string task;       // the page to show, and what is scored once the model is ready; empty: none
  QString story;          // a folder, or the name of one in the program; empty: none
  bool check = false;     // go through the story without a person
  QString frames;         // folder for pictures of a first minute that goes by itself; empty: none
  QString screens;        // folder for pictures of every page and sheet; empty: none
  int soak_seconds = 0;   // how the window keeps up is measured, and so long at the end; 0: no
  bool startup_times = false;  // print when the window was first seen
  double main_ms = 0;          // from the start of the process
  RenderRequest render;   // instead of a window, if it names results
  bool diagnostics = false;  // print what a report of a fault needs, and end
  QString print;          // help or version: print it and end well
  QString complaint;      // what is wrong with the arguments; empty: nothing
};

// Needs a core application only: what the arguments ask for decides which one comes after it.
Options parse_arguments(const QStringList& arguments);

}  // namespace farstate::desktop
