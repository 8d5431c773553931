// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_keeper.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/session/run_folder.h"
#include "core/session/training_run.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

// Weights and both moments, in float32.
int64_t saved_bytes(const LoadedModel& loaded) { return 12 * loaded.info.parameters; }

}  // namespace

void RunKeeper::begin(const LoadedModel& loaded, const Trainer& trainer, bool continued) {
  if (store_ == nullptr) store_ = open_store({}, problem_);
  if (store_ == nullptr) return;
  StoredRun run = stored_run(loaded, trainer, {});
  if (continued) run.parent = log_.id();
  log_ = RunLog(store_, run);
  open_ = true;
  saved_at_ = -1;
  events_told_ = 0;
  folder_.clear();
  if (log_.id() > 0 && saved_bytes(loaded) <= kMostBytesUnasked) {
    folder_ = (fs::path(store_->path()).parent_path() / "runs" / std::to_string(log_.id())).string();
  }
}

void RunKeeper::go_on(const Trainer& trainer) {
  if (open_ || log_.id() == 0) return;
  log_.go_on(trainer.steps(), to_json(trainer.config()), trainer.planned_steps());
  open_ = true;
}

void RunKeeper::step(const LoadedModel& loaded, const Trainer& trainer, const TrainPoint& point) {
  if (!open_) return;
  log_.add(point);
  tell_changes(trainer);
  const int64_t every = trainer.now().train.save_every;
  if (every > 0 && trainer.steps() % every == 0 && trainer.healthy()) save(loaded, trainer);
}

void RunKeeper::tell_changes(const Trainer& trainer) {
  const std::vector<RunEvent>& events = trainer.events();
  if (events_told_ == events.size()) return;
  for (; events_told_ < events.size(); ++events_told_) log_.add(events[events_told_]);
  log_.set_recipe(to_json(trainer.config()), trainer.planned_steps());
}

void RunKeeper::measured(const Trainer& trainer, const std::vector<Series>& series,
                         const std::vector<std::string>& notes) {
  if (open_) log_.add(Snapshot{trainer.steps(), series, notes});
}

void RunKeeper::hold(const LoadedModel& loaded, const Trainer& trainer) {
  if (open_) save(loaded, trainer);
}

void RunKeeper::end(const LoadedModel& loaded, const Trainer& trainer, RunStatus status,
                    const std::string& problem) {
  if (!open_) return;
  if (status != RunStatus::kFailed) save(loaded, trainer);
  log_.set_recipe(to_json(trainer.config()), trainer.planned_steps());  // time may have ended it
  log_.finish(status, problem, {});
  open_ = false;
}

// A disk that is full costs the checkpoint and not the run.
void RunKeeper::save(const LoadedModel& loaded, const Trainer& trainer) {
  if (folder_.empty() || saved_at_ == trainer.steps()) return;
  try {
    make_folder(folder_);
    log_.flush();
    save_run(folder_, loaded, trainer);
  } catch (const Error& error) {
    problem_ = std::string("The weights of this run are not kept: ") + error.what();
    folder_.clear();
    return;
  }
  saved_at_ = trainer.steps();
  log_.saved(folder_, saved_at_);
}

}  // namespace farstate
