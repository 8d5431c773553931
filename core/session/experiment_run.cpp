// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/experiment_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/session/boundary.h"
#include "core/session/run_folder.h"
#include "core/session/snapshot.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::kBadUsage, why); }

// What an experiment may have another value of when it is begun again: no number of a run that is
// there depends on it.
RunConfig comparable(RunConfig config) {
  const TrainConfig defaults;
  config.train.steps = defaults.steps;
  config.train.save_every = defaults.save_every;
  config.train.evaluate_every = defaults.evaluate_every;
  config.measure = {};
  config.score = {};
  std::erase_if(config.changes, [](const RecipeChange& change) {
    return change.key == "train.steps" || change.key == "train.save_every" ||
           change.key == "train.evaluate_every" || change.key.starts_with("measure.") ||
           change.key.starts_with("score.");
  });
  return config;
}

void check_folder(const std::string& folder, const RunConfig& recipe) {
  if (folder.empty() || !holds_run(folder)) return;
  const TensorTable file = read_safetensors(training_file(folder));
  const int64_t done = Trainer::saved_steps(file);
  if (done > recipe.train.steps) {
    refuse(fmt::format("{} holds a run of {} steps, more than the {} that are asked for; name a new "
                       "folder for --out, or ask for as many.",
                       folder, done, recipe.train.steps));
  }
  const RunConfig before = Trainer::saved_config(file);
  if (comparable(before) == comparable(recipe)) return;
  refuse(fmt::format("{} holds a run of another recipe; name a new folder for --out, or repeat the "
                     "settings of that experiment.",
                     folder));
}

}  // namespace

LoadedModel CommonGround::load(uint64_t seed, const ProgressSink& progress) const {
  return load_model(config.model, seed, progress);
}

std::unique_ptr<RecordedScoring> CommonGround::scoring_of(const LoadedModel& loaded,
                                                          const ArmRun& run) const {
  if (task == nullptr) return nullptr;
  auto scoring = std::make_unique<RecordedScoring>(*loaded.model, task, loaded.tokenizer, config,
                                                   TaskScorer::Subject{run.arm, run.seed});
  scoring->record(store, run.saved_in.empty() ? loaded.info.source : run.saved_in, run.stored_as);
  return scoring;
}

std::shared_ptr<const Snapshot> CommonGround::snapshot_of(const LoadedModel& loaded, int64_t step,
                                                          const Evaluation* measured,
                                                          const ProgressSink& progress) const {
  const bool whole = measured != nullptr && config.measure.wants("perplexity");
  return std::make_shared<const Snapshot>(
      whole ? Snapshot{step, snapshot_series(measured->series), measured->notes}
            : take_snapshot(loaded, *corpus, snapshot, step, progress));
}

ExperimentRun::ExperimentRun(const CommonGround& ground, int64_t id, const std::string& arm,
                             const RunConfig& recipe, const std::string& folder)
    : ground_(ground), recipe_(recipe), folder_(folder) {
  check_folder(folder, recipe);
  facts_.id = id;
  facts_.arm = arm;
  facts_.law = to_string(recipe.intervention.kind);
  facts_.seed = recipe.seed;
  facts_.planned = recipe.train.steps;
  facts_.recipe = to_json(recipe);
}

ExperimentRun::ExperimentRun(ExperimentRun& parent, int64_t id, const std::string& arm, int64_t steps,
                             const std::string& folder)
    : ground_(parent.ground_), recipe_(parent.recipe_), folder_(folder), fork_of_(&parent), fork_arm_(arm) {
  const ArmRun& from = parent.facts_;
  const RunConfig wanted = with_arm(at_step(parent.recipe_, from.steps), arm);
  facts_ = from;
  facts_.id = id;
  // Beside the arms that had this law from the start, it is an arm of its own.
  facts_.arm = fmt::format("{}@{} > {}", from.arm, from.steps, arm);
  facts_.law = to_string(wanted.intervention.kind);
  facts_.stage = ArmStage::kWaiting;
  facts_.planned = from.steps + steps;
  facts_.parent = from.id;
  facts_.forked_at = from.steps;
  facts_.seconds = 0;
  facts_.series.clear();
  facts_.cells.clear();
  facts_.problem.clear();
  facts_.saved_in.clear();
  facts_.stored_as = 0;
}

ExperimentRun::~ExperimentRun() {
  if (recorded_) log_.finish(RunStatus::kStopped, facts_.problem, {});
  std::error_code ignored;
  fs::remove(parked_file(), ignored);
}

ArmRun& ExperimentRun::change() {
  picture_.reset();
  return facts_;
}

std::shared_ptr<const ArmRun> ExperimentRun::picture() {
  if (picture_ == nullptr) picture_ = std::make_shared<const ArmRun>(facts_);
  return picture_;
}

bool has_ended(const ArmRun& run) {
  return run.stage == ArmStage::kDone || run.stage == ArmStage::kStopped ||
         run.stage == ArmStage::kFailed;
}

bool ExperimentRun::ended() const { return has_ended(facts_); }

void ExperimentRun::pause() {
  if (ended()) return;
  paused_ = true;
  change().stage = ArmStage::kPaused;
}

void ExperimentRun::resume() {
  if (!paused_) return;
  paused_ = false;
  change().stage = in_turn_ ? ArmStage::kRunning : ArmStage::kWaiting;
}

void ExperimentRun::stop() {
  if (ended()) return;
  resume();
  stopping_ = true;
  const bool unchanged = facts_.steps == 0 && fork_of_ == nullptr;  // as the base, which is measured
  if (measured_ || (begun_ && unchanged)) {
    finish();  // with the cells that are scored
  } else if (unchanged) {
    change().stage = ArmStage::kStopped;
  }
}

void ExperimentRun::extend(int64_t steps) {
  if (facts_.stage == ArmStage::kFailed) return;
  ArmRun& facts = change();
  // A run that was stopped goes on from where that was.
  facts.planned = (stopping_ ? facts.steps : facts.planned) + steps;
  stopping_ = false;
  measured_ = false;
  scoring_.reset();
  facts.cells.clear();
  if (!ended()) return;
  facts.stage = in_turn_ ? ArmStage::kRunning : ArmStage::kWaiting;
  facts.series.clear();  // of weights that will be gone; the snapshot of that step stays
  facts.problem.clear();
}

void ExperimentRun::check_fork(const std::string& arm, int64_t steps) const {
  if (steps < 1) refuse("A fork needs one or more steps of its own.");
  if (facts_.stage == ArmStage::kFailed) {
    refuse(fmt::format("The run {} with seed {} has failed; fork one that has not.", facts_.arm,
                       facts_.seed));
  }
  const bool unread = !begun_ && !folder_.empty() && holds_run(folder_);
  if (fork_of_ != nullptr || unread) {
    refuse(fmt::format("The run {} with seed {} has not begun yet; fork it once it has.", facts_.arm,
                       facts_.seed));
  }
  const bool kept = holds_weights() || !begun_ || !facts_.saved_in.empty() || fs::exists(parked_file());
  if (!kept) refuse("The weights of that run were not kept.");
  const RunConfig now = at_step(recipe_, facts_.steps);
  RunConfig after = recipe_;
  for (RecipeChange& c : changes_between(now, with_arm(now, arm), facts_.steps)) {
    after.changes.push_back(std::move(c));
  }
  validate(after);
}

ExperimentRun::Due ExperimentRun::due() const {
  if (fork_of_ != nullptr) return Due::kFork;
  if (ended()) return Due::kNothing;
  const bool to_save = !folder_.empty() && unsaved() && begun_;
  if (paused_) return to_save ? Due::kSave : Due::kNothing;
  if (!holds_weights()) return Due::kWeights;
  if (at_end()) return to_save ? Due::kSave : measured_ ? Due::kScores : Due::kMeasurement;
  const int64_t every = ground_.snapshot_every;
  const int64_t newest = facts_.snapshots.empty() ? 0 : facts_.snapshots.back()->step;
  const bool snapshot = every > 0 && facts_.steps % every == 0 && newest < facts_.steps;
  return snapshot ? Due::kSnapshot : Due::kStep;
}

void ExperimentRun::work(const ProgressSink& progress) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto count_time = [&] {
    change().seconds += std::chrono::duration<double>(Clock::now() - began).count();
  };
  try {
    switch (due()) {
      case Due::kNothing:
        break;
      case Due::kFork:
        fork(progress);
        break;
      case Due::kWeights:
        load(progress);
        break;
      case Due::kSave:
        save();
        break;
      case Due::kStep:
        step();
        break;
      case Due::kSnapshot:
        add_snapshot(nullptr, progress);
        break;
      case Due::kMeasurement:
        measure(progress);
        break;
      case Due::kScores:
        score(progress);
        break;
    }
  } catch (...) {
    count_time();
    const Error error = current_error();
    if (error.kind() == ErrorKind::kInterrupted) throw error;
    fail(error);
    return;
  }
  count_time();
}

void ExperimentRun::set_in_turn(bool in_turn) {
  if (in_turn == in_turn_) return;
  in_turn_ = in_turn;
  if (paused_ || ended()) return;
  change().stage = in_turn ? ArmStage::kRunning : ArmStage::kWaiting;
}

void ExperimentRun::load(const ProgressSink& progress) {
  LoadedModel loaded = ground_.load(facts_.seed, progress);
  auto trainer = std::make_unique<Trainer>(*loaded.model, *ground_.corpus, recipe_);
  const std::string parked = parked_file();
  if (fs::exists(parked)) {
    trainer->restore(read_safetensors(parked));
  } else if (!folder_.empty() && holds_run(folder_)) {
    trainer->restore(read_safetensors(training_file(folder_)));
    saved_at_ = trainer->steps();
    change().saved_in = folder_;
  } else if (!folder_.empty()) {
    make_folder(folder_);
  }
  loaded_ = std::move(loaded);
  trainer_ = std::move(trainer);
  begin();
}

// With the weights in place.
void ExperimentRun::begin() {
  const bool first = !begun_;
  begun_ = true;
  follow_plan();
  follow_trainer();
  begin_record();
  if (!first) return;
  ArmRun& facts = change();
  if (facts.snapshots.empty() && facts.steps > 0) {
    for (Snapshot& old : log_.recorded_snapshots()) {
      facts.snapshots.push_back(std::make_shared<const Snapshot>(std::move(old)));
    }
  }
  const bool own_weights = !recipe_.model.init.empty() && facts.seed != ground_.config.seed;
  if (facts.snapshots.empty() && ground_.untouched != nullptr && !own_weights) {
    facts.snapshots.push_back(ground_.untouched);
    log_.add(*ground_.untouched);
  } else if (facts.parent != 0) {
    for (const auto& snapshot : facts.snapshots) log_.add(*snapshot);
  }
}

void ExperimentRun::fork(const ProgressSink& progress) {
  ExperimentRun& parent = *fork_of_;
  LoadedModel loaded = ground_.load(facts_.seed, progress);
  auto trainer = std::make_unique<Trainer>(*loaded.model, *ground_.corpus, parent.recipe_);
  if (parent.holds_weights()) {
    trainer->fork_from(*parent.trainer_);
  } else if (parent.begun_) {
    const std::string parked = parent.parked_file();
    trainer->restore(read_safetensors(fs::exists(parked) ? parked : training_file(parent.folder_)));
  }
  trainer->change(with_arm(trainer->now(), fork_arm_));
  trainer->add_event("fork", fmt::format("forked from run {} after {} steps", facts_.parent,
                                         facts_.forked_at));
  if (!folder_.empty()) make_folder(folder_);
  loaded_ = std::move(loaded);
  trainer_ = std::move(trainer);
  parent_stored_as_ = parent.facts_.stored_as;
  fork_of_ = nullptr;
  begin();
  if (!folder_.empty()) save();  // the parent goes on, so this is the only copy
}

void ExperimentRun::step() {
  begin_record();
  follow_plan();
  const TrainPoint point = trainer_->step();
  follow_trainer();
  log_.add(point);
  const int64_t every = trainer_->now().train.save_every;
  const bool due = !folder_.empty() && every > 0 && facts_.steps % every == 0;
  if (due && trainer_->healthy()) save();
}

void ExperimentRun::add_snapshot(const Evaluation* measured, const ProgressSink& progress) {
  std::shared_ptr<const Snapshot> snapshot =
      ground_.snapshot_of(loaded_, facts_.steps, measured, progress);
  log_.add(*snapshot);
  change().snapshots.push_back(std::move(snapshot));
}

void ExperimentRun::measure(const ProgressSink& progress) {
  begin_record();
  const Evaluation evaluation = ground_.evaluator->run(*loaded_.model, progress);
  const int64_t newest = facts_.snapshots.empty() ? -1 : facts_.snapshots.back()->step;
  if (newest < facts_.steps) add_snapshot(&evaluation, progress);
  ArmRun& facts = change();
  facts.series = evaluation.series;
  if (!evaluation.finite && !evaluation.notes.empty()) facts.problem = evaluation.notes.back();
  measured_ = true;
  if (ground_.task == nullptr || !evaluation.finite) finish();
}

void ExperimentRun::score(const ProgressSink& progress) {
  if (scoring_ == nullptr) scoring_ = ground_.scoring_of(loaded_, facts_);
  progress(scoring_->scorer().phase(), scoring_->scorer().share());
  if (!scoring_->scorer().done()) {
    scoring_->next([&](const std::string&, double) {
      progress(scoring_->scorer().phase(), scoring_->scorer().share());
    });
  }
  change().cells = scoring_->scorer().cells();
  if (scoring_->scorer().done()) finish();
}

// Trained and measured, as far as it is to be.
void ExperimentRun::finish() {
  scoring_.reset();
  ArmRun& facts = change();
  const bool whole = facts.steps >= facts.planned;
  facts.stage = whole ? ArmStage::kDone : ArmStage::kStopped;
  log_.finish(whole ? RunStatus::kDone : RunStatus::kStopped, facts.problem, facts.series);
  recorded_ = false;
  if (!ground_.keep_ended) drop_weights();
}

void ExperimentRun::save() {
  log_.flush();
  save_run(folder_, loaded_, *trainer_);
  saved_at_ = facts_.steps;
  change().saved_in = folder_;
  log_.saved(folder_, facts_.steps);
}

void ExperimentRun::park() {
  if (!holds_weights()) return;
  const StopScope unstopped{std::stop_token()};  // half-parked would be lost
  try {
    if (!folder_.empty()) {
      if (unsaved()) save();
    } else if (!ended() || ground_.keep_ended) {
      make_folder(ground_.scratch);
      trainer_->save(parked_file());
    }
    drop_weights();
  } catch (...) {
    fail(current_error());
  }
}

void ExperimentRun::drop_weights() {
  scoring_.reset();
  trainer_.reset();
  loaded_ = {};
}

void ExperimentRun::fail(const Error& error) {
  ArmRun& facts = change();
  if (trainer_ != nullptr) follow_trainer();
  facts.stage = ArmStage::kFailed;
  facts.problem = error.what();
  failure_ = error.kind();
  fork_of_ = nullptr;
  log_.finish(RunStatus::kFailed, facts.problem, {});
  recorded_ = false;
  drop_weights();
}

void ExperimentRun::follow_plan() {
  if (trainer_->planned_steps() == facts_.planned) return;
  trainer_->set_planned_steps(facts_.planned);
  follow_trainer();
  log_.set_recipe(facts_.recipe, facts_.planned);
}

void ExperimentRun::follow_trainer() {
  ArmRun& facts = change();
  facts.steps = trainer_->steps();
  const std::vector<TrainPoint>& points = trainer_->points();
  if (facts.points.size() > points.size()) facts.points.clear();
  facts.points.insert(facts.points.end(),
                      points.begin() + static_cast<std::ptrdiff_t>(facts.points.size()), points.end());
  const std::vector<RunEvent>& events = trainer_->events();
  if (recorded_) {
    for (; events_recorded_ < events.size(); ++events_recorded_) log_.add(events[events_recorded_]);
  }
  if (facts.events.size() != events.size()) facts.events = events;
  if (trainer_->config() == recipe_) return;
  recipe_ = trainer_->config();
  facts.recipe = to_json(recipe_);
}

// The record of an earlier start, if there is one, is the folder's: it is gone on with.
void ExperimentRun::begin_record() {
  if (ground_.store == nullptr || recorded_) return;
  recorded_ = true;
  if (log_.id() > 0) {  // it had ended, and goes on after all
    log_.go_on(facts_.steps, facts_.recipe, facts_.planned);
    return;
  }
  StoredRun run;
  run.name = fmt::format("{} {} seed {}", loaded_.info.name, facts_.arm, facts_.seed);
  run.recipe = facts_.recipe;
  run.law = facts_.law;
  run.experiment = ground_.experiment;
  run.arm = facts_.arm;
  run.seed = facts_.seed;
  run.parent = parent_stored_as_;
  run.forked_at = facts_.forked_at;
  run.planned = facts_.planned;
  run.folder = folder_;
  log_ = RunLog(ground_.store, run, facts_.steps, {facts_.points, facts_.events, {}, {}});
  events_recorded_ = facts_.events.size();
  change().stored_as = log_.id();
}

std::string ExperimentRun::parked_file() const {
  return (fs::path(ground_.scratch) / fmt::format("run-{}.safetensors", facts_.id)).string();
}

}  // namespace farstate
