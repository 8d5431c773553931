// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/experiment_engine.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/stop.h"
#include "core/session/boundary.h"
#include "core/session/snapshot.h"
#include "core/session/training_estimate.h"
#include "core/session/training_run.h"
#include "core/session/training_text.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Due = ExperimentRun::Due;

// Of an interleaved experiment: long enough for some steps of the demo, short enough for curves that
// grow together. Where weights must be read for a turn, that may take this share of it.
constexpr double kTurnSeconds = 0.3;
constexpr double kSwitchShare = 0.1;

// A picture of a long run copies its points: at most so often, and for so much of the time.
constexpr std::chrono::milliseconds kPictureRest{100};
constexpr double kPictureShare = 0.02;

// Where the recipe names no interval: about so many snapshots of a run, as long as they read no more
// than this share of the tokens that its steps do.
constexpr int64_t kSnapshots = 10;
constexpr double kSnapshotShare = 0.5;
constexpr double kStepPasses = 3;  // over a token: forward, and twice as much backward

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

double step_tokens(const RunConfig& config) {
  return kStepPasses * static_cast<double>(config.train.batch * config.train.context);
}

// Of a whole scoring as its cells plan it, and of what is scored.
struct ScoreTokens {
  double planned = 0, done = 0;
};
ScoreTokens score_tokens(const std::vector<TaskCell>& cells) {
  ScoreTokens tokens;
  for (const TaskCell& cell : cells) {
    tokens.planned += static_cast<double>(cell.planned * cell.length);
    tokens.done += static_cast<double>(cell.samples * cell.length);
  }
  return tokens;
}

// An arm's name as a part of a path.
std::string folder_name(const std::string& arm) {
  std::string name = arm;
  for (char& c : name) {
    if (c == ':') c = ',';
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (!plain && std::string_view(",.-+=_").find(c) == std::string_view::npos) c = '_';
  }
  return name;
}

std::string folder_of(const ExperimentPlan& plan, const std::string& arm, uint64_t seed) {
  if (plan.out.empty()) return {};
  return (fs::path(plan.out) / fmt::format("{}-seed{}", folder_name(arm), seed)).string();
}

void check(const RunConfig& config, const ExperimentPlan& plan) {
  if (plan.arms.empty()) throw Error(ErrorKind::kBadUsage, "An experiment needs at least one arm.");
  std::set<std::string> names;
  for (const std::string& arm : plan.arms) {
    with_arm(config, arm);
    if (names.insert(folder_name(arm)).second) continue;
    throw Error(ErrorKind::kBadUsage,
                fmt::format("The arm {} is named twice; --seeds repeats an arm.", arm));
  }
  if (plan.seeds < 1 || plan.seeds > 1000) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("--seeds must be from 1 to 1000, got {}.", plan.seeds));
  }
}

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

// A run may be gone on with from another folder than it was started in.
void make_absolute(RunConfig& config) {
  for (std::string* path : {&config.data.path, &config.data.tokens, &config.model.tokenizer}) {
    if (!path->empty()) *path = absolute(*path);
  }
}

// Two programs that train one run would write over each other's weights.
[[noreturn]] void refuse_running(const std::string& folder) {
  throw Error(ErrorKind::kBadUsage,
              fmt::format("The run in {} is being trained by another program now; wait for its end, or "
                          "stop it.",
                          folder));
}

std::string scratch_folder() {
  static std::atomic<int> count{0};
  return (fs::temp_directory_path() / fmt::format("farstate-{}-{}", ::getpid(), count++)).string();
}

std::string with_seed(const ArmRun& run) { return fmt::format("{}, seed {}", run.arm, run.seed); }

}  // namespace

int64_t snapshot_interval(const RunConfig& config) {
  if (config.train.evaluate_every > 0) return config.train.evaluate_every;
  const auto steps = static_cast<double>(config.train.steps);
  const double affordable =
      kSnapshotShare * steps * step_tokens(config) / tokens_to_read(snapshot_config(config.measure));
  const int64_t snapshots = std::min(kSnapshots, static_cast<int64_t>(std::min(affordable, 1e6)));
  if (snapshots < 1) return 0;
  return std::max<int64_t>((config.train.steps + snapshots - 1) / snapshots, 1);
}

std::string experiment_name(const RunConfig& config) {
  const std::string model = config.model.init.empty() ? config.model.model : config.model.init;
  const std::string name =
      config.task.name.empty() ? fs::path(model).filename().string() : config.task.name;
  return fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)),
                     folder_name(name.empty() ? "model" : name));
}

ExperimentEngine::ExperimentEngine(const RunConfig& config, const ExperimentPlan& plan,
                                   ExperimentSetting setting, const ProgressSink& progress)
    : setting_(std::move(setting)), out_(plan.out), interleaved_(plan.interleaved) {
  validate(config);
  check(config, plan);
  const ProgressSink tell = progress ? progress : [](const std::string&, double) {};
  ground_.config = config;
  ground_.config.changes.clear();
  ground_.config.model = for_training(config.model);
  make_absolute(ground_.config);
  base_ = ground_.load(config.seed, tell);
  ground_.corpus = setting_.corpus;
  ground_.config.data.generated = generated_text_of(ground_.config, base_.info);
  if (ground_.corpus == nullptr) {
    ground_.corpus = std::make_shared<const Corpus>(open_text(
        ground_.config, base_.info, base_.tokenizer, tell));
  }
  const int64_t trained_context = base_.info.trained_context;
  context_ = trained_context > 0 ? trained_context : config.train.context;
  ground_.evaluator =
      std::make_unique<const Evaluator>(*ground_.corpus, config.measure, trained_context);
  ground_.config.measure = ground_.evaluator->config();
  if (!config.task.name.empty()) {
    ground_.task = task_of(config, base_.info.vocabulary, base_.tokenizer);
    ground_.config.score = score_settings(*ground_.task, config.score, context_);
  }
  ground_.snapshot = snapshot_config(ground_.config.measure);
  ground_.snapshot_every = snapshot_interval(ground_.config);
  ground_.store = setting_.store;
  ground_.experiment = setting_.name;
  ground_.keep_ended = setting_.keep_ended;
  own_scratch_ = setting_.scratch.empty();
  ground_.scratch = own_scratch_ ? scratch_folder() : setting_.scratch;
  add_arms(plan);
  take_up_name();
  most_live_ = live_limit(model_memory(*base_.model));
  if (!out_.empty()) make_folder(out_);
}

ExperimentEngine::~ExperimentEngine() {
  runs_.clear();  // they remove what they have there
  std::error_code ignored;
  if (own_scratch_) fs::remove(ground_.scratch, ignored);
}

void ExperimentEngine::add_arms(const ExperimentPlan& plan) {
  for (const std::string& arm : plan.arms) {
    RunConfig recipe = with_arm(ground_.config, arm);
    check_window(*ground_.corpus, recipe.train.context);
    for (int64_t s = 0; s < plan.seeds; ++s) {
      recipe.seed = ground_.config.seed + static_cast<uint64_t>(s);
      runs_.push_back(std::make_unique<ExperimentRun>(
          ground_, static_cast<int64_t>(runs_.size()) + 1, arm, recipe,
          folder_of(plan, arm, recipe.seed)));
    }
  }
}

// An experiment that is gone on with keeps its name in the store.
void ExperimentEngine::take_up_name() {
  if (ground_.store == nullptr || out_.empty()) return;
  try {
    for (const auto& run : runs_) {
      const std::optional<StoredRun> stored = ground_.store->find_by_folder(absolute(run->folder()));
      if (stored && stored->alive) refuse_running(run->folder());
      if (stored && !stored->experiment.empty()) ground_.experiment = stored->experiment;
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kBadUsage) throw;
    // Whatever else the store has, the first run's record will say.
  }
}

// One run needs its training's peak, or a measurement's; another one that waits, its weights and
// moments and the states that its law keeps.
int64_t ExperimentEngine::live_limit(const ModelMemory& memory) const {
  int64_t peak = measuring_bytes(memory, ground_.config.measure);
  for (const auto& run : runs_) {
    peak = std::max(peak, training_bytes(memory, with_arm(ground_.config, run->facts().arm).train));
  }
  refuse_what_does_not_fit(setting_.job, peak,
                           "choose a smaller batch, context or model, or fewer sequences");
  if (setting_.most_live > 0) return setting_.most_live;
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  const int64_t waiting = memory.weight_bytes + 2 * kFloat * memory.parameters +
                          ground_.config.train.batch * memory.sizes.state_bytes;
  const int64_t available = available_memory();
  if (available == 0) return 1;
  // Half of what is left: estimates err, and other programs want some too.
  return 1 + std::max<int64_t>(available - peak, 0) / 2 / waiting;
}

bool ExperimentEngine::running() const {
  return std::any_of(runs_.begin(), runs_.end(),
                     [](const auto& run) { return run->due() != Due::kNothing; });
}

void ExperimentEngine::advance(std::chrono::milliseconds slice,
                               const std::function<void()>& meanwhile) {
  const auto until = Clock::now() + slice;
  struct Idle {
    int64_t& current;
    ~Idle() { current = -1; }
  } const idle{current_};
  while (work_once(meanwhile) && Clock::now() < until) {
  }
  moved_ = true;
}

// Forks first: their parents are to be found where they were when it was asked for. Then what is
// only to be saved, before anything else can go wrong.
bool ExperimentEngine::work_once(const std::function<void()>& meanwhile) {
  for (const Due first : {Due::kFork, Due::kSave}) {
    for (const auto& run : runs_) {
      if (run->due() != first) continue;
      work(*run, meanwhile);
      return true;
    }
  }
  if (!running()) return false;
  throw_if_stopped();
  if (base_run_ == nullptr) {
    measure_base(meanwhile);
  } else if (base_scoring_ != nullptr) {
    score_base(meanwhile);
  } else if (ExperimentRun* run = next_run(); run != nullptr) {
    work(*run, meanwhile);
  }
  return true;
}

bool ExperimentEngine::turn_over() const {
  if (!interleaved_) return false;
  return turn_ends_ ||
         seconds_since(turn_began_) >= std::max(kTurnSeconds, switch_seconds_ / kSwitchShare);
}

ExperimentRun* ExperimentEngine::next_run() {
  const auto has_work = [](const ExperimentRun& run) { return run.due() != Due::kNothing; };
  if (turn_ != nullptr && has_work(*turn_) && !turn_over()) return turn_;
  size_t begin = 0;
  if (interleaved_ && turn_ != nullptr) {
    while (runs_[begin].get() != turn_) ++begin;
    ++begin;
  }
  ExperimentRun* next = nullptr;
  for (size_t i = 0; i < runs_.size() && next == nullptr; ++i) {
    ExperimentRun& run = *runs_[(begin + i) % runs_.size()];
    if (has_work(run)) next = &run;
  }
  if (turn_ != nullptr && !interleaved_ && turn_ != next) turn_->set_in_turn(false);
  turn_ = next;
  turn_began_ = Clock::now();
  turn_ends_ = false;
  if (next != nullptr) next->set_in_turn(true);
  return next;
}

ProgressSink ExperimentEngine::sink(const std::string& who, const std::function<void()>& meanwhile) {
  return [this, who, meanwhile](const std::string& phase, double share) {
    phase_ = fmt::format("{}: {}", who, phase);
    unit_share_ = std::max(share, 0.0);
    moved_ = true;
    if (meanwhile) meanwhile();
  };
}

void ExperimentEngine::measure_base(const std::function<void()>& meanwhile) {
  current_ = 0;
  unit_tokens_ = tokens_to_read(ground_.config.measure);
  if (meanwhile) meanwhile();
  const auto began = Clock::now();
  auto run = std::make_shared<ArmRun>();
  run->arm = "base";
  run->seed = ground_.config.seed;
  run->recipe = to_json(ground_.config);
  run->stage = ArmStage::kDone;
  const ProgressSink progress = sink("base", meanwhile);
  try {
    const Evaluation evaluation = ground_.evaluator->run(*base_.model, progress);
    run->series = evaluation.series;
    if (!evaluation.finite && !evaluation.notes.empty()) run->problem = evaluation.notes.back();
    ground_.untouched = ground_.snapshot_of(base_, 0, &evaluation, progress);
    run->snapshots = {ground_.untouched};
  } catch (...) {
    const Error error = current_error();
    if (error.kind() == ErrorKind::kInterrupted) throw error;
    run->stage = ArmStage::kFailed;
    run->problem = error.what();
  }
  run->seconds = seconds_since(began);
  measurements_.seconds += run->seconds;
  ++measurements_.done;
  unit_share_ = 0;
  record_base(*run);
  base_scoring_ = run->stage == ArmStage::kDone ? ground_.scoring_of(base_, *run) : nullptr;
  if (base_scoring_ != nullptr) run->stage = ArmStage::kRunning;
  base_run_ = std::move(run);
  if (base_scoring_ == nullptr) base_ = {};
  changed_ = true;
}

// A unit of it; the runs come after all of them.
void ExperimentEngine::score_base(const std::function<void()>& meanwhile) {
  current_ = 0;
  if (meanwhile) meanwhile();
  const ProgressSink progress = sink("base", meanwhile);
  const TaskScorer& scorer = base_scoring_->scorer();
  auto run = std::make_shared<ArmRun>(*base_run_);
  const auto began = Clock::now();
  if (!scorer.done()) {
    base_scoring_->next([&](const std::string&, double) { progress(scorer.phase(), scorer.share()); });
  }
  run->cells = scorer.cells();
  run->seconds += seconds_since(began);
  count(scores_, seconds_since(began));
  base_run_ = std::move(run);
  moved_ = true;
  unit_share_ = 0;
  phase_ = fmt::format("base: {}", scorer.phase());
  if (!scorer.done()) return;
  auto done = std::make_shared<ArmRun>(*base_run_);
  done->stage = ArmStage::kDone;
  base_run_ = std::move(done);
  base_scoring_.reset();
  base_ = {};
  changed_ = true;
}

std::optional<int64_t> ExperimentEngine::recorded_base() const {
  try {
    for (const StoredRun& stored : ground_.store->list()) {
      if (stored.experiment == ground_.experiment && stored.arm == "base") return stored.id;
    }
  } catch (const Error&) {  // the log that is begun instead says why
  }
  return std::nullopt;
}

// Once for an experiment, however often it is gone on with.
void ExperimentEngine::record_base(ArmRun& run) {
  if (ground_.store == nullptr) return;
  if (const std::optional<int64_t> before = recorded_base()) {
    run.stored_as = *before;
    return;
  }
  StoredRun stored;
  stored.name = fmt::format("{} base", ground_.experiment);
  stored.recipe = run.recipe;
  stored.experiment = ground_.experiment;
  stored.arm = run.arm;
  stored.seed = run.seed;
  RunLog log(ground_.store, stored);
  for (const auto& snapshot : run.snapshots) log.add(*snapshot);
  const bool failed = run.stage == ArmStage::kFailed;
  log.finish(failed ? RunStatus::kFailed : RunStatus::kDone, run.problem, run.series);
  run.stored_as = log.id();
}

void ExperimentEngine::work(ExperimentRun& run, const std::function<void()>& meanwhile) {
  current_ = run.facts().id;
  if (meanwhile) meanwhile();
  const Due due = run.due();  // it may have been directed
  unit_tokens_ = due == Due::kMeasurement ? tokens_to_read(ground_.config.measure)
                 : due == Due::kSnapshot  ? tokens_to_read(snapshot_config(ground_.config.measure))
                                          : 0;
  const auto began = Clock::now();
  const bool needs_room = !run.holds_weights() && (due == Due::kFork || due == Due::kWeights);
  if (needs_room) make_room(run);
  const ArmStage before = run.facts().stage;
  run.work(sink(with_seed(run.facts()), meanwhile));
  unit_share_ = 0;
  const double seconds = seconds_since(began);
  if (needs_room) switch_seconds_ = std::max(switch_seconds_, seconds);
  const ArmRun& facts = run.facts();
  switch (due) {
    case Due::kStep:
      count(steps_, seconds);
      phase_ = fmt::format("{}: step {} of {}", with_seed(facts), facts.steps, facts.planned);
      break;
    case Due::kSnapshot:
      count(snapshots_, seconds);
      turn_ends_ = true;
      break;
    case Due::kMeasurement:
      count(measurements_, seconds);
      turn_ends_ = true;
      break;
    case Due::kScores:
      count(scores_, seconds);
      turn_ends_ = true;
      break;
    default:
      break;
  }
  changed_ = changed_ || facts.stage != before || due == Due::kFork;
}

void ExperimentEngine::make_room(const ExperimentRun& run) {
  std::vector<ExperimentRun*> live;
  for (const auto& other : runs_) {
    if (other->holds_weights() && other.get() != &run) live.push_back(other.get());
  }
  // Those go first whose turn is furthest away: that have ended, that are held, that had theirs last.
  std::stable_sort(live.begin(), live.end(), [&](const ExperimentRun* a, const ExperimentRun* b) {
    const auto rank = [&](const ExperimentRun* r) { return r->ended() ? 0 : r->paused() ? 1 : 2; };
    return rank(a) < rank(b);
  });
  for (size_t i = 0; live.size() - i >= static_cast<size_t>(most_live_); ++i) {
    if (i == live.size()) break;
    live[i]->park();
  }
}

ExperimentRun& ExperimentEngine::find(int64_t id) {
  for (const auto& run : runs_) {
    if (run->facts().id == id) return *run;
  }
  throw Error(ErrorKind::kBadUsage, fmt::format("The experiment has no run {}.", id));
}

std::string ExperimentEngine::fork_folder(const ExperimentRun& parent) const {
  if (parent.folder().empty()) return {};
  for (int n = 1;; ++n) {
    std::string folder = fmt::format("{}-fork{}", parent.folder(), n);
    std::error_code ignored;
    const bool taken = fs::exists(folder, ignored) ||
                       std::any_of(runs_.begin(), runs_.end(),
                                   [&](const auto& run) { return run->folder() == folder; });
    if (!taken) return folder;
  }
}

void ExperimentEngine::direct(const ArmCommand& command) {
  using Kind = ArmCommand::Kind;
  std::vector<ExperimentRun*> chosen;
  if (command.runs.empty()) {
    for (const auto& run : runs_) chosen.push_back(run.get());
  }
  for (const int64_t id : command.runs) chosen.push_back(&find(id));
  if (command.kind == Kind::kExtend && command.steps < 1) {
    throw Error(ErrorKind::kBadUsage, "An extension needs one or more steps.");
  }
  if (command.kind == Kind::kFork) {
    for (const ExperimentRun* run : chosen) run->check_fork(command.arm, command.steps);
  }
  for (ExperimentRun* run : chosen) {
    switch (command.kind) {
      case Kind::kPause:
        run->pause();
        break;
      case Kind::kResume:
        run->resume();
        break;
      case Kind::kStop:
        run->stop();
        break;
      case Kind::kExtend:
        run->extend(command.steps);
        break;
      case Kind::kFork:
        runs_.push_back(std::make_unique<ExperimentRun>(
            *run, static_cast<int64_t>(runs_.size()) + 1, command.arm, command.steps,
            fork_folder(*run)));
        break;
    }
  }
  changed_ = true;
}

ErrorKind ExperimentEngine::failure() const {
  for (const auto& run : runs_) {
    if (run->facts().stage == ArmStage::kFailed) return run->failure();
  }
  return ErrorKind::kDiverged;
}

std::shared_ptr<const Experiment> ExperimentEngine::picture(bool fresh) {
  const bool rests = running() && Clock::now() < next_picture_;
  const bool old = changed_ || (moved_ && (fresh || !rests));
  if (picture_ != nullptr && !old) return picture_;
  const auto began = Clock::now();
  auto picture = std::make_shared<Experiment>();
  picture->recipe = to_json(ground_.config);
  picture->context = context_;
  picture->perplexity = perplexity_name(ground_.config.measure.scored);
  picture->base = base_run_;
  picture->notes = ground_.corpus->notes;
  picture->notes.insert(picture->notes.end(), setting_.notes.begin(), setting_.notes.end());
  std::string unrecorded;
  for (const auto& run : runs_) {
    picture->runs.push_back(run->picture());
    if (unrecorded.empty()) unrecorded = run->record_problem();
  }
  if (!unrecorded.empty()) picture->notes.push_back(unrecorded);
  picture->running = running();
  picture->phase = picture->running ? phase_ : "";
  estimate(*picture);
  picture_ = std::move(picture);
  changed_ = moved_ = false;
  const auto rest = std::chrono::duration_cast<Clock::duration>(
      (Clock::now() - began) * (1 / kPictureShare - 1));
  next_picture_ = Clock::now() + std::max<Clock::duration>(kPictureRest, rest);
  return picture_;
}

// The share by tokens that are read, which is known from the start; the time from what the units
// have taken so far.
void ExperimentEngine::estimate(Experiment& picture) const {
  const double step = step_tokens(ground_.config);
  const double sweep = tokens_to_read(snapshot_config(ground_.config.measure));
  const double whole = tokens_to_read(ground_.config.measure);
  const double measuring = measurements_.done > 0
                               ? measurements_.seconds / static_cast<double>(measurements_.done)
                               : 0;
  const double stepping = steps_.done > 0 ? steps_.seconds / static_cast<double>(steps_.done) : 0;
  const double showing = snapshots_.done > 0
                             ? snapshots_.seconds / static_cast<double>(snapshots_.done)
                             : measuring * sweep / whole;
  double done = picture.base != nullptr ? whole : 0;
  double left = picture.base != nullptr ? 0 : whole;
  double seconds = picture.base != nullptr ? 0 : measuring;
  // Every run is scored as the base is.
  const ScoreTokens of_base = picture.base != nullptr ? score_tokens(picture.base->cells) : ScoreTokens{};
  double scored = of_base.done;
  double to_score = of_base.planned - of_base.done;
  for (const auto& run : picture.runs) {
    const int64_t every = ground_.snapshot_every;
    const auto snapshots = [&](int64_t steps) {
      return every > 0 ? static_cast<double>(steps / every) : 0.0;
    };
    const auto trained = static_cast<double>(run->steps - run->forked_at);
    done += trained * step + (snapshots(run->steps) - snapshots(run->forked_at)) * sweep;
    const ScoreTokens scores = score_tokens(run->cells);
    scored += scores.done;
    if (has_ended(*run)) {
      done += whole;
      continue;
    }
    to_score += of_base.planned - scores.done;
    const auto steps = static_cast<double>(std::max<int64_t>(run->planned - run->steps, 0));
    const double shots = snapshots(std::max(run->planned - 1, run->steps)) - snapshots(run->steps);
    left += steps * step + shots * sweep + whole;
    if (run->stage != ArmStage::kPaused) {
      seconds += steps * stepping + shots * showing + measuring;
    }
  }
  if (scored > 0) seconds += to_score * scores_.seconds / scored;
  done += scored;
  left += to_score;
  const double total = std::max(done + left, 1.0);
  picture.progress = std::min((done + unit_share_ * unit_tokens_) / total, 1.0);
  // An estimate from two steps would jump about.
  const bool known = steps_.done > 2 && steps_.seconds + measurements_.seconds > 2;
  picture.seconds_left = picture.running && known ? seconds : -1;
}

}  // namespace farstate
