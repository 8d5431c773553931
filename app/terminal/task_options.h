// SPDX-License-Identifier: GPL-3.0-or-later
// The words of farstate task: for each task the steps generate, train and score; and the recorded
// scores.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/session/jobs.h"
#include "core/session/run_config.h"
#include "core/tasks/new_model.h"

namespace farstate {

struct GenerateSamplesOptions {
  RunConfig config;  // an empty model: the task's own words count
  SampleRequest request;
  int64_t count = 10;
  std::string out;  // empty: standard output
};

// Where scores are recorded and written.
struct ScoresOut {
  bool record = true;  // in the store
  std::string store;   // its file; empty: the user's own
  std::string json;
  std::string csv;
  bool paper = false;  // print what the paper reports beside them
};

struct TrainTaskOptions {
  RunConfig config;
  std::string model;  // empty: a new one
  NewModel shape;
  ExperimentPlan plan;
  ScoresOut out;
  bool estimate = false;  // say what it takes, and end
  void finish(const CLI::App& command);  // after parsing: what was not given
};

struct ScoreTaskOptions {
  RunConfig config;
  std::vector<std::string> models;
  std::string arm;  // empty: as the model's folder says
  ScoresOut out;
};

struct TaskOptions {
  std::string name;  // of kTaskNames
  GenerateSamplesOptions generate;
  TrainTaskOptions train;
  ScoreTaskOptions score;
};

struct StoredScoresOptions {
  std::string store;  // empty: the user's own
  int64_t id = 0;     // show
  std::vector<int64_t> ids;  // delete
  std::string json;
  std::string csv;
};

struct TasksOptions {
  std::array<TaskOptions, std::size(kTaskNames)> tasks;
  StoredScoresOptions scores;
};

void add_task(CLI::App& command, TasksOptions& options);

// What the command line leaves open of the samples and of how they are scored is taken from `recorded`,
// the recipe that the model was trained by.
void take_settings(const CLI::App& command, const RunConfig& recorded, RunConfig& config);

}  // namespace farstate
