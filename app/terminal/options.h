// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the command line, and how they fill a recipe.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "app/terminal/head_table.h"
#include "core/session/jobs.h"
#include "core/session/run_config.h"

namespace farstate {

struct InfoOptions {
  RunConfig config;  // its model is looked at, for its settings memory is estimated
  std::string json;
};

struct MeasureOptions {
  RunConfig config;
  StateDumpConfig dump;
  std::string json;
  std::string csv;
  std::string recipe;
  std::string sort = "drift";  // of kHeadOrders
  void finish(const CLI::App& command);  // after parsing: what was not given
};

struct TrainOptions {
  RunConfig config;
  TrainJob job;
  std::string intervention = "zero";
  std::string json;
  std::string recipe;
  bool estimate = false;  // say what it takes, and end
  bool find_lr = false;   // instead: look for a learning rate
  LrSearch search;
  void finish(const CLI::App& command);
};

struct ExperimentOptions {
  RunConfig config;
  ExperimentPlan plan;
  bool record = true;  // in the store
  std::string store;   // its file; empty: the user's own
  std::string recipe;
  std::string json;
  bool estimate = false;  // say what it takes, and end
  void finish(const CLI::App& command);  // after parsing: what was not given
};

struct GenerateOptions {
  GenerateJob job;
  std::string initial_state = "zero";
  double scale = 1;
  double noise = 1;
  std::vector<std::string> zero_heads;
  std::vector<std::string> noise_heads;
  bool losses = false;
  std::string json;
  void finish(const CLI::App& command);
};

struct ConvertOptions {
  ConvertConfig config;
};

struct TokenizeOptions {
  TokenizeJob job;
  std::string make;        // "words" or "characters": a tokenizer is made; empty: a text is read
  int64_t vocabulary = 0;  // of the new tokenizer
  void finish(const CLI::App& command) const;
};

struct PresetsOptions {
  std::string name;  // empty: the list
};

struct PlotOptions {
  std::vector<std::string> results;
  std::string out = ".";
  std::string format = "png";
  std::string theme = "light";
  std::string size = "960x420";
  std::vector<std::string> plots;  // empty: all that there is something of
};

// Words that several commands share.
void add_seed(CLI::App& command, uint64_t& seed);
void add_intervention_settings(CLI::App& command, InterventionConfig& intervention);
void add_train_settings(CLI::App& command, TrainConfig& train);

void add_convert(CLI::App& command, ConvertOptions& options);
void add_info(CLI::App& command, InfoOptions& options);
void add_measure(CLI::App& command, MeasureOptions& options);
void add_train(CLI::App& command, TrainOptions& options);
void add_experiment(CLI::App& command, ExperimentOptions& options);
void add_generate(CLI::App& command, GenerateOptions& options);
void add_tokenize(CLI::App& command, TokenizeOptions& options);
void add_presets(CLI::App& command, PresetsOptions& options);
void add_plot(CLI::App& command, PlotOptions& options);

}  // namespace farstate
