// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/session/evaluator.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"
#include "core/session/training_run.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

void check(const RunConfig& config, const ExperimentPlan& plan) {
  if (plan.arms.empty()) throw Error(ErrorKind::kBadUsage, "An experiment needs at least one arm.");
  for (size_t i = 0; i < plan.arms.size(); ++i) {
    with_arm(config, plan.arms[i]);
    if (std::find(plan.arms.begin(), plan.arms.begin() + static_cast<std::ptrdiff_t>(i),
                  plan.arms[i]) != plan.arms.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("The arm {} is named twice; --seeds repeats an arm.", plan.arms[i]));
    }
  }
  if (plan.seeds < 1 || plan.seeds > 1000) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("--seeds must be from 1 to 1000, got {}.", plan.seeds));
  }
}

std::string folder_of(const ExperimentPlan& plan, const std::string& arm, uint64_t seed) {
  if (plan.out.empty()) return {};
  return (fs::path(plan.out) / fmt::format("{}-seed{}", arm, seed)).string();
}

// Goes on where an earlier start of this experiment was ended. Only the planned length may differ:
// an experiment can be extended.
void restore_if_begun(Trainer& trainer, const std::string& folder) {
  if (folder.empty() || !holds_run(folder)) return;
  const TensorTable saved = read_safetensors(training_file(folder));
  RunConfig before = Trainer::saved_config(saved);
  const int64_t planned = trainer.config().train.steps;
  before.train.steps = planned;
  before.measure = trainer.config().measure;
  if (before != trainer.config()) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} holds a run of another recipe; name a new folder for --out, or repeat "
                            "the settings of that experiment.",
                            folder));
  }
  trainer.restore(saved);
  trainer.set_planned_steps(std::max(planned, trainer.steps()));
}

// Loads the model anew for every run, so that each starts from the checkpoint's own weights and no
// second copy of them is kept.
class ExperimentRunner {
 public:
  ExperimentRunner(const RunConfig& config, const ExperimentPlan& plan,
                   std::function<void(const std::string&, double)> progress)
      : config_(config), plan_(plan), progress_(std::move(progress)) {
    config_.model = for_training(config_.model);
    LoadedModel loaded = load();
    corpus_ = load_corpus(config_.data, loaded.info.vocabulary, loaded.tokenizer, progress_);
    check_window(corpus_, config_.train.context);
    trained_context_ = loaded.info.trained_context;
    const Evaluator evaluator(corpus_, config_.measure, trained_context_);
    config_.measure = evaluator.config();
    const ModelMemory memory = model_memory(*loaded.model);
    refuse_what_does_not_fit("Training and measuring",
                             std::max(training_bytes(memory, config_.train),
                                      measuring_bytes(memory, config_.measure)),
                             "choose a smaller batch, context or model, or fewer sequences");
    if (!plan_.out.empty()) make_folder(plan_.out);
    base_ = std::move(loaded);
  }

  const RunConfig& config() const { return config_; }
  const Corpus& corpus() const { return corpus_; }
  int64_t context() const {
    return trained_context_ > 0 ? trained_context_ : config_.train.context;
  }

  ArmRun base() {
    ArmRun run;
    run.arm = "base";
    run.seed = config_.seed;
    measure(*base_.model, run);
    base_ = {};
    return run;
  }

  ArmRun arm(const std::string& name, uint64_t seed) {
    ArmRun run;
    run.arm = name;
    run.seed = seed;
    LoadedModel loaded = load();
    RunConfig config = with_arm(config_, name);
    config.seed = seed;
    run.law = to_string(config.intervention.kind);
    run.recipe = to_json(config);
    run.planned = config.train.steps;
    const std::string folder = folder_of(plan_, name, seed);
    Trainer trainer(*loaded.model, corpus_, config);
    restore_if_begun(trainer, folder);
    if (!folder.empty()) make_folder(folder);
    try {
      RunLog log;
      TrainingRun training(loaded, corpus_, trainer, folder, log);
      const bool whole = training.to_end([&](const TrainPoint& point, int64_t planned) {
            progress_(fmt::format("step {} of {}", point.step, planned),
                      static_cast<double>(point.step) / static_cast<double>(planned));
          });
      run.steps = trainer.steps();
      run.saved_in = folder;
      if (!whole) throw Error(ErrorKind::kInterrupted, "");
      measure(*loaded.model, run);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kDiverged) throw;
      run.steps = trainer.steps();
      run.problem = error.what();
    }
    return run;
  }

 private:
  LoadedModel load() { return load_model(config_.model, config_.seed, progress_); }

  void measure(const RecurrentLM& model, ArmRun& run) {
    const Evaluator evaluator(corpus_, config_.measure, trained_context_);
    const Evaluation evaluation = evaluator.run(model, progress_);
    run.series = evaluation.series;
    if (!evaluation.finite && !evaluation.notes.empty()) run.problem = evaluation.notes.back();
  }

  RunConfig config_;
  const ExperimentPlan& plan_;
  std::function<void(const std::string&, double)> progress_;
  Corpus corpus_;
  LoadedModel base_;  // until it was measured
  int64_t trained_context_ = 0;
};

}  // namespace

ExperimentOutcome experiment(
    const RunConfig& config, const ExperimentPlan& plan,
    const std::function<void(const ExperimentProgress&, const std::string& phase, double share)>&
        progress,
    const std::function<void(const ArmRun&, const Experiment&)>& on_run) {
  validate(config);
  check(config, plan);
  ExperimentProgress at{"base", config.seed, 0, static_cast<int64_t>(plan.arms.size()) * plan.seeds};
  ExperimentRunner runner(config, plan, [&](const std::string& phase, double share) {
    if (progress) progress(at, phase, share);
  });
  ExperimentOutcome outcome;
  Experiment& result = outcome.experiment;
  result.recipe = to_json(runner.config());
  result.context = runner.context();
  result.notes = runner.corpus().notes;
  const auto keep = [&](std::shared_ptr<const ArmRun>& place, ArmRun run) {
    outcome.failed = outcome.failed || !run.problem.empty();
    place = std::make_shared<const ArmRun>(std::move(run));
    if (on_run) on_run(*place, result);
  };
  try {
    keep(result.base, runner.base());
    for (const std::string& arm : plan.arms) {
      for (int64_t s = 0; s < plan.seeds; ++s) {
        throw_if_stopped();
        at = {arm, config.seed + static_cast<uint64_t>(s), at.run + 1, at.runs};
        ArmRun run = runner.arm(arm, at.seed);
        keep(result.runs.emplace_back(), std::move(run));
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    outcome.interrupted = true;
    result.notes.push_back(fmt::format("Stopped after {} of {} runs.", result.runs.size(), at.runs));
  }
  return outcome;
}

}  // namespace farstate
