// SPDX-License-Identifier: GPL-3.0-or-later
// The torch-free door between a front end and the work. Commands go in and return at once; data
// comes out through a mailbox that the front end empties at its own rate. What passes is plain
// data that can be written down, so a second Runner may one day talk to another machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/results/experiment.h"
#include "core/results/lr_finding.h"
#include "core/results/model_report.h"
#include "core/results/run_info.h"
#include "core/results/run_record.h"
#include "core/results/series.h"
#include "core/results/state_report.h"
#include "core/results/task_scores.h"
#include "core/results/training_estimate.h"
#include "core/session/experiment_plan.h"
#include "core/session/generation.h"
#include "core/session/run_config.h"

namespace farstate {

// The one state that every button is a pure function of. The runner owns it.
enum class RunState {
  kIdle,        // no model
  kLoading,     // reading the model or the text
  kReady,       // model and text are there, nothing runs
  kRunning,     // training
  kPaused,      // training, held between two steps
  kEvaluating,  // measuring, without training
  kExperimenting,  // an experiment's runs train and are measured, each on weights of its own
  kStopping,    // a stop was asked for and is not yet done
  kFailed       // there is no model, because the first one failed to load; load leads out
};

// Curves measured at one moment of the model's life, all from the same held-out sequences.
struct Measurement {
  uint64_t epoch = 0;
  int64_t step = 0;       // optimiser steps done when it was measured; 0: the checkpoint as loaded
  bool complete = false;  // false: more series of this measurement will follow, under the same id
  uint64_t id = 0;
  // The law that the last step before it was trained with; kZero for the untouched model.
  Intervention intervention = Intervention::kZero;
  RunConfig recipe;
  std::vector<Series> series;
  std::vector<std::string> notes;  // in words: what was thinned, overlapped, not finite, …
  bool recorded = false;  // read from a file of results, by the front end: no runner measured it here
};

// What to look at closely: the states of all heads at some positions, and one head's attention.
struct StateQuestion {
  uint64_t number = 0;              // comes back in the answer
  std::vector<int64_t> positions;   // tokens read; at most the recipe's length
  HeadIndex focus;                  // whose law and attention are looked for
  int64_t attention_window = 64;    // tokens before the last position; 0: no attention
  bool operator==(const StateQuestion&) const = default;
};

// A sample of a task to be read by the current weights: number `sample` of those of the recipe's seed.
struct TaskQuestion {
  uint64_t number = 0;  // comes back in the answer
  TaskConfig task;
  int64_t length = 0;   // as SampleRequest
  double depth = -1;
  std::string kind;
  int64_t sample = 0;
  bool operator==(const TaskQuestion&) const = default;
};

// What training and measuring by a recipe take here.
struct CostAnswer {
  RunConfig recipe;  // that was asked about
  TrainingEstimate estimate;
  double seconds_curve = 0;  // of the curves between two steps
  std::string problem;  // why there is none, as a sentence; empty: there is one
};

struct RunError {
  ErrorKind kind = ErrorKind::kInternal;
  std::string message;
};

// One picture of the worker, and everything new since the last one was taken.
struct RunnerUpdate {
  uint64_t epoch = 0;  // of the newest load or reset that is done; older data must be dropped
  RunState state = RunState::kIdle;
  std::string phase;   // in words: "reading the text", "step 12 of 200", "effective remembrance"
  double progress = 0;            // of the phase, 0 to 1; negative: unknown
  double seconds_left = -1;       // of the run; negative: not known yet
  int64_t step = 0, steps = 0;    // steps 0: of a run that time ends, how many it will be
  double tokens_per_second = 0;   // of training, smoothed
  int64_t memory_bytes = 0;       // resident memory of the process
  int64_t threads = 0;
  InterventionConfig intervention;  // in force
  // Why the last command failed; in any state, until another command is given. What the command
  // did not finish is undone, and a model that was there still is.
  std::optional<RunError> error;
  std::shared_ptr<const ModelInfo> model;
  std::shared_ptr<const DataInfo> data;
  std::shared_ptr<const RunConfig> recipe;
  std::shared_ptr<const Experiment> experiment;  // null: none since the model was loaded
  // The newest answers to inspect() and preview(), until the next question.
  std::shared_ptr<const ModelReport> report;
  std::shared_ptr<const TextPreview> preview;
  std::shared_ptr<const StateReport> states;  // the newest answer to examine(), of this epoch
  std::shared_ptr<const TaskTrial> trial;  // the newest answer to try_task(), of this epoch
  // Of the newest score() of this epoch, as far as it has come; null: there was none.
  std::shared_ptr<const TaskScores> scores;
  std::shared_ptr<const CostAnswer> cost;  // the newest answer to estimate(), of this epoch
  // Of the newest find_rate() of this epoch, as far as it has come; null: there was none.
  std::shared_ptr<const LrFinding> rates;
  std::shared_ptr<const Generation> generation;  // null: none since the model was loaded
  // New since the last take():
  std::vector<TrainPoint> train_points;
  std::vector<RunEvent> events;
  std::vector<std::shared_ptr<const Measurement>> measurements;
  std::vector<GeneratedToken> generated;  // of `generation`, in order
};

// Every command returns at once, may be called from any one thread, and is carried out in order
// by the worker. A command that does not fit the state is ignored (the buttons prevent it).
class Runner {
 public:
  virtual ~Runner() = default;  // stops, waits for the worker and joins it

  // Opens model and text of the recipe, then measures the untouched model. Holds whatever runs; a
  // new epoch begins once both are there. If that fails or is stopped, what was open stays so.
  virtual void load(const RunConfig&) = 0;
  // Look at a model, and at the beginning of a text, without loading them; in any state, and beside
  // whatever runs. The newest question is answered; what is wrong is a sentence in the answer and
  // no error of the runner.
  virtual void inspect(const ModelSource&) = 0;
  virtual void preview(const ModelSource&, const DataConfig&) = 0;
  // Trains from the current weights for recipe.train.steps more steps. From kPaused: resumes.
  virtual void run() = 0;
  // Trains from the current weights for so many seconds, in which measuring counts and pauses don't.
  // Curves of the text come often: remembrance is measured when the time is over.
  virtual void run_for(double seconds) = 0;
  virtual void pause() = 0;  // takes effect between two steps
  virtual void step() = 0;   // exactly one optimiser step, then kPaused
  virtual void stop() = 0;   // ends training or measuring; what is complete is kept
  virtual void reset() = 0;  // back to the weights as loaded, same seed; begins a new epoch
  virtual void measure() = 0;  // measures the current weights; from kReady or kPaused
  // Looks into the states of the current weights; the newest question is answered, as soon as the
  // worker has time for it: between two steps, or before and after a measurement.
  virtual void examine(const StateQuestion&) = 0;
  // Reads a sample and answers it; as examine().
  virtual void try_task(const TaskQuestion&) = 0;
  // Scores the current weights at the recipe's task, coarse to fine; from kReady or kPaused, and in
  // kEvaluating, which stop() ends: what is scored is kept, and the same again goes on from there.
  virtual void score(const RunConfig&) = 0;
  // Reads the prompt and goes on from it; from kReady or kPaused, and stop() ends it. A generation
  // before it ends.
  virtual void generate(const GenerationRequest&) = 0;
  // More of the text from where it is; with tokens 1: one step. The other settings may differ.
  virtual void go_on(const SamplingConfig&) = 0;
  // Keeps the state after `position` tokens of the generation's text, or the one now where it is
  // negative, under a name; drop forgets it. Kept states live as long as the model is open.
  virtual void keep_state(const std::string& name, int64_t position) = 0;
  virtual void drop_state(const std::string& name) = 0;
  // Changes the generation's state where it is; from kReady or kPaused.
  virtual void edit_state(const std::vector<StateEdit>&) = 0;
  // A kept state to and from a file, as `farstate generate` reads and writes it.
  virtual void write_state(const std::string& name, const std::string& path) = 0;
  virtual void read_state(const std::string& name, const std::string& path) = 0;
  // From the next step on; leaves a RunEvent. Also between runs.
  virtual void set_intervention(const InterventionConfig&) = 0;
  // Settings for the next run. While training, the learning rate acts from the next step on and
  // what is measured from the next measurement on. Model and text change by load() alone.
  virtual void configure(const RunConfig&) = 0;
  // Begins a comparison from the model as loaded, on its text, beside the weights at hand, which
  // stay as they are; from kReady or kPaused. An experiment before it ends. stop() pauses all of its
  // runs; direct() with kResume goes on.
  virtual void experiment(const RunConfig&, const ExperimentPlan&) = 0;
  // Times about a second of the recipe's own work on the weights at hand, which stay as they are; the
  // newest question is answered, once nothing else is to be done. What is wrong is a sentence in the
  // answer.
  virtual void estimate(const RunConfig&) = 0;
  // Searches for a learning rate for the recipe from the checkpoint as loaded, on weights of its own;
  // from kReady or kPaused, and in kEvaluating, which stop() ends.
  virtual void find_rate(const RunConfig&, const LrSearch&) = 0;
  virtual void direct(const ArmCommand&) = 0;  // at any time while there is an experiment
  // Writes the current weights as a folder that other tools load; from kReady or kPaused.
  virtual void save(const std::string& folder) = 0;

  // Empties the mailbox. Empty optional: nothing new. Never blocks for longer than a swap.
  virtual std::optional<RunnerUpdate> take() = 0;
};

// The runner of this machine: one worker thread at nice +10, which owns every tensor.
std::unique_ptr<Runner> make_local_runner();

}  // namespace farstate
