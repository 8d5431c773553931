// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_run.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/boundary.h"
#include "core/session/run_folder.h"
#include "core/session/snapshot.h"

namespace farstate {

ModelSource for_training(ModelSource source) {
  if (source.precision == "bfloat16") {
    throw Error(ErrorKind::kBadUsage,
                "Training updates the weights in float32; leave --precision out, or use float32.");
  }
  source.precision = "float32";
  return source;
}

StoredRun stored_run(const LoadedModel& loaded, const Trainer& trainer, const std::string& folder) {
  StoredRun run;
  run.law = to_string(trainer.now().intervention.kind);
  run.name = fmt::format("{} {}", loaded.info.name, run.law);
  run.recipe = to_json(trainer.config());
  run.seed = trainer.config().seed;
  run.planned = trainer.planned_steps();
  run.folder = folder;
  return run;
}

TrainingRun::TrainingRun(const LoadedModel& loaded, const Corpus& corpus, Trainer& trainer,
                         std::string folder, RunLog& log)
    : loaded_(loaded),
      corpus_(corpus),
      trainer_(trainer),
      folder_(std::move(folder)),
      log_(log),
      events_told_(trainer.events().size()) {}

bool TrainingRun::to_end(const StepSink& on_step, const ProgressSink& progress) {
  bool whole = true;
  try {
    steps(on_step, progress);
  } catch (...) {
    const Error error = current_error();
    tell_events();
    if (error.kind() != ErrorKind::kInterrupted) {
      log_.finish(RunStatus::kFailed, error.what(), {});
      throw error;
    }
    whole = false;
  }
  save();
  log_.finish(whole ? RunStatus::kDone : RunStatus::kStopped, "", {});
  return whole;
}

void TrainingRun::steps(const StepSink& on_step, const ProgressSink& progress) {
  if (trainer_.steps() == 0 && trainer_.now().train.evaluate_every > 0) evaluate(progress);
  while (trainer_.steps() < trainer_.planned_steps()) {
    throw_if_stopped();
    const TrainPoint point = trainer_.step();
    const int64_t planned = trainer_.planned_steps();
    if (on_step) on_step(point, planned);
    log_.add(point);
    tell_events();
    const TrainConfig& t = trainer_.now().train;
    const auto due = [&](int64_t every) { return every > 0 && trainer_.steps() % every == 0; };
    // A snapshot comes before the save of its step: the record never lacks one that a run resumed
    // from this save would not take again.
    if (due(t.evaluate_every)) evaluate(progress);
    if (due(t.save_every) && trainer_.healthy()) save();
  }
}

void TrainingRun::evaluate(const ProgressSink& progress) {
  snapshots_.push_back(take_snapshot(loaded_, corpus_, snapshot_config(trainer_.now().measure),
                                     trainer_.steps(), progress));
  log_.add(snapshots_.back());
}

void TrainingRun::tell_events() {
  const std::vector<RunEvent>& events = trainer_.events();
  for (; events_told_ < events.size(); ++events_told_) log_.add(events[events_told_]);
}

void TrainingRun::save() {
  if (folder_.empty() || saved_at_ == trainer_.steps()) return;
  log_.flush();
  save_run(folder_, loaded_, trainer_);
  saved_at_ = trainer_.steps();
  log_.saved(folder_, saved_at_);
}

}  // namespace farstate
