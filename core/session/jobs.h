// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of the terminal program, one blocking call each. Torch-free, like runner.h: plain data
// in, plain data out. All throw Error; a stop request (core/base/stop.h) ends them early.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/convert.h"
#include "core/results/device_report.h"
#include "core/results/experiment.h"
#include "core/results/lr_finding.h"
#include "core/results/model_report.h"
#include "core/results/results.h"
#include "core/results/run_info.h"
#include "core/results/run_record.h"
#include "core/results/task_scores.h"
#include "core/results/training_estimate.h"
#include "core/session/experiment_plan.h"
#include "core/session/generation.h"
#include "core/session/run_config.h"
#include "core/tasks/task.h"

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
  // Called before the first step; empty: nothing is estimated.
  std::function<void(const TrainingEstimate&)> on_estimate = {};
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

// Times about a second of what train() would do, and says what all of it would take here. With
// `measures` whole measurements by the recipe too. Nothing is trained, nothing written.
TrainingEstimate estimate(const RunConfig& config, const TrainJob& job, bool measures,
                          const ProgressSink& progress = {});

// Looks for a learning rate for training with this recipe (core/session/lr_finder.h), on weights of
// its own: nothing is written. A stop ends it early, with what it has seen.
LrFinding find_learning_rate(const RunConfig& config, const LrSearch& search,
                             const ProgressSink& progress = {});

struct ExperimentOutcome {
  Experiment experiment;     // as it ended; of one that was interrupted, the runs that were whole
  bool interrupted = false;
  bool failed = false;       // a run ended early, and says why
  ErrorKind failure = ErrorKind::kDiverged;  // then: of the first
};
// Post-trains config.model once per arm and seed, from the same weights on the same windows where
// the law allows (all but TBTT draw the same ones), and measures the untouched model and each
// result on the same held-out sequences. A run that fails ends; the others go on. `on_picture` is
// called while it goes on, at first for the reading of model and text; `on_run` with the base and
// with every run that has ended. `store` is the file of the store that records everything, empty: the
// user's own, none: nothing is recorded.
ExperimentOutcome experiment(
    const RunConfig& config, const ExperimentPlan& plan,
    const std::function<void(const Experiment&)>& on_picture,
    const std::function<void(const ArmRun&, const Experiment&)>& on_run,
    const std::optional<std::string>& store = std::nullopt);

// The first `count` samples of the recipe's task and seed as the model's tokenizer counts them. Where the
// recipe names no model, its tokenizer counts them; where it names none either, the task's own words.
struct TaskSamples {
  std::string tokenizer;
  std::vector<TaskSample> samples;
  std::vector<int64_t> tokens;  // of each
};
TaskSamples task_samples(const RunConfig& config, const SampleRequest& request, int64_t count);

struct ScoreOutcome {
  TaskScores scores;
  bool recorded = false;  // all that is scored is in the store
  bool interrupted = false;
};
// Scores config.model at config.task, coarse to fine; `on_picture` is called while it goes on. Cells
// that the store holds for these weights and settings are not scored again. `store` as
// experiment() has it.
ScoreOutcome score(const RunConfig& config, const std::string& arm,
                   const std::function<void(const TaskScores&)>& on_picture,
                   const std::optional<std::string>& store = std::nullopt,
                   const ProgressSink& progress = {});

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

struct MakeTokenizerJob {
  std::string data;         // text file; empty: a generated text
  bool characters = false;  // as tokens; else words
  int64_t vocabulary = 0;   // tokens at most, with the unknown one; 0: all that the text has
  std::string out;          // the folder that gets the tokenizer.json
  std::string generated;    // which generated text
};
struct MadeTokenizer {
  std::string path;
  // Without a token for unknown words: a generated text has no others than those that it shows.
  bool closed = false;
  int64_t vocabulary = 0;
  int64_t bytes = 0, tokens = 0, unknown = 0;  // of the text, read with it
};
MadeTokenizer make_tokenizer(const MakeTokenizerJob& job, const ProgressSink& progress);

struct SelftestCheck {
  std::string name;
  double error = 0;
  double bound = 0;
  bool passed = false;
};
// Proves the kernels of this machine against the naive recurrence.
std::vector<SelftestCheck> selftest();
// Proves the operators, decoding and training on a device ("cuda", "cuda:1") against the CPU;
// `on_check` is called with each check as it ends. Throws Error where there is no such device.
DeviceReport selftest_device(const std::string& device,
                             const std::function<void(const SelftestCheck&)>& on_check);

}  // namespace farstate
