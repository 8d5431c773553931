// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of the terminal program, one blocking call each. Torch-free, like runner.h: plain data
// in, plain data out. All throw Error; a stop request (core/base/stop.h) ends them early.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/convert.h"
#include "core/results/experiment.h"
#include "core/results/model_report.h"
#include "core/results/results.h"
#include "core/results/run_info.h"
#include "core/results/run_record.h"
#include "core/session/experiment_plan.h"
#include "core/session/generation.h"
#include "core/session/run_config.h"

namespace farstate {

// Threads for the work; 0: as many as the machine has cores. Once, before the first job.
void set_threads(int64_t threads);

// Looks at a model without loading it; the estimates of memory are for measuring and training with
// `settings`. Throws Error if it can't be loaded.
ModelReport inspect(const ModelSource& source, const RunConfig& settings = {});

// The beginning of a text as this model reads it, without reading all of it. Throws Error.
TextPreview preview(const ModelSource& source, const DataConfig& data);

// Measures config.model on config.data. The recipe in the result holds what was resolved
// (part, sequences, length). On a stop between the sweep and EffRem the result holds the sweep's
// series, and `interrupted` is set.
struct MeasureOutcome {
  Results results;
  bool interrupted = false;
  bool finite = true;  // false: a state was not; a note says where
};
MeasureOutcome measure(const RunConfig& config, const ProgressSink& progress,
                       const StateDumpConfig& dump = {});

struct TrainJob {
  std::string out;     // folder for the model and the run; empty: nothing is written
  std::string resume;  // folder of an earlier run to go on with; then config is the run's own
  int64_t more_steps = -1;  // when resuming or forking: steps to add; negative: to the end
  // Instead: folder of a run that another one begins from where it is, with the law of the config and
  // with `out` for a folder; everything else stays the run's own.
  std::string fork = {};
  bool record = true;       // in the store
  std::string store = {};   // file of the store; empty: the user's own
};
struct TrainOutcome {
  Results results;  // "train_loss", "tokens_per_second"; the snapshots, recorded ones before too
  int64_t stored_as = 0;  // number of the run in the store; 0: not recorded
  int64_t steps = 0;
  bool interrupted = false;
  std::string saved_in;
};
// `on_step` is called after every step.
TrainOutcome train(const RunConfig& config, const TrainJob& job,
                   const std::function<void(const TrainPoint&, int64_t planned)>& on_step,
                   const ProgressSink& progress = {});

struct ExperimentProgress {
  std::string arm;  // "base" before the first
  uint64_t seed = 0;
  int64_t run = 0;  // from 1
  int64_t runs = 0;
};
struct ExperimentOutcome {
  Experiment experiment;
  bool interrupted = false;  // the runs that were whole are kept
  bool failed = false;       // an arm ended early, and says why
};
// Post-trains config.model once per arm and seed, from the same weights on the same windows where
// the law allows (all but TBTT draw the same ones), and measures the untouched model and each
// result on the same held-out sequences. An arm that diverges ends; the others go on.
ExperimentOutcome experiment(
    const RunConfig& config, const ExperimentPlan& plan,
    const std::function<void(const ExperimentProgress&, const std::string& phase, double share)>&
        progress,
    const std::function<void(const ArmRun&, const Experiment&)>& on_run);

struct GenerateJob {
  ModelSource model;
  GenerationRequest request;  // of its initial states none is kept: there is no other text
  std::string save_state;     // file for the state after the last token; empty: none
};
struct GenerateOutcome {
  ModelInfo model;
  Generation generation;   // as it ended
  std::string unfinished;  // U+FFFD if the text ends within a character
  bool interrupted = false;
  bool finite = true;  // false: a state or a prediction was not; generation.problem says where
};
// `on_token` is called for every token of prompt and continuation, in order. What was complete when
// a stop or a number that is not finite ended the text is in the outcome and in the saved state.
GenerateOutcome generate(const GenerateJob& job,
                         const std::function<void(const GeneratedToken&)>& on_token,
                         const ProgressSink& progress = {});

struct TokenizeJob {
  ModelSource model;  // whose tokenizer reads the text
  DataConfig data;
  std::string out;       // .npy file for the ids; empty: none
  int64_t shown = 100;  // tokens to hand out
};
struct TokenizeOutcome {
  std::string tokenizer;
  int64_t bytes = 0;
  int64_t tokens = 0;
  double seconds = 0;  // for encoding the text
  int64_t encoded = 0;  // bytes that were encoded in this time: the rest was kept from before
  std::vector<TokenPreview> first;
  std::vector<std::string> notes;
};
TokenizeOutcome tokenize(const TokenizeJob& job, const ProgressSink& progress);

struct SelftestCheck {
  std::string name;
  double error = 0;
  double bound = 0;
  bool passed = false;
};
// Proves the kernels of this machine against the naive recurrence.
std::vector<SelftestCheck> selftest();

}  // namespace farstate
