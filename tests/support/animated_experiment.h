// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/fake_runner.h"

namespace farstate::testing {

// An invented comparison whose runs grow: one take() is one moment, in which each run whose turn it
// is takes `per_take` steps. The same plan and the same commands give the same curves.
class AnimatedExperiment : public AnimatedRunner {
 public:
  void experiment(const RunConfig& config, const ExperimentPlan& plan) override {
    AnimatedRunner::experiment(config, plan);
    shared_ = config;
    plan_ = plan;
    runs_.clear();
    ids_ = 0;
    base_ = std::make_shared<ArmRun>();
    base_->arm = "base";
    base_->stage = ArmStage::kDone;
    base_->series = curves("zero", 0, 0, true);
    for (const std::string& arm : plan.arms) {
      for (int64_t s = 0; s < plan.seeds; ++s) {
        add(arm, config.seed + static_cast<uint64_t>(s), config.train.steps);
      }
    }
  }
  void direct(const ArmCommand& command) override {
    AnimatedRunner::direct(command);
    const std::vector<std::shared_ptr<ArmRun>> before = runs_;
    for (const auto& run : before) {
      const bool meant = command.runs.empty() || std::find(command.runs.begin(), command.runs.end(),
                                                           run->id) != command.runs.end();
      if (meant) obey(*run, command);
    }
  }
  void stop() override {
    if (goes_on()) {
      calls.push_back("stop");
      for (const auto& run : runs_) hold(*run);
    } else {
      AnimatedRunner::stop();
    }
  }

  std::optional<RunnerUpdate> take() override {
    std::optional<RunnerUpdate> update = AnimatedRunner::take();
    if (!update || base_ == nullptr) return update;
    if (update->epoch != epoch_of_experiment_ && epoch_of_experiment_ != 0) {
      base_.reset();
      runs_.clear();
      epoch_of_experiment_ = 0;
      return update;
    }
    epoch_of_experiment_ = update->epoch;
    const bool was_running = goes_on();
    if (was_running) advance();
    update->experiment = picture();
    if (was_running) update->state = RunState::kExperimenting;
    update->phase = update->experiment->phase;
    return update;
  }

  int64_t per_take = 1;
  int64_t turns = 3;       // runs that take a step at one moment, where they are interleaved
  std::string failing;     // "random-noise": its second seed ends at step 23
  bool resumable = false;  // runs say that they were saved

 private:
  bool goes_on() const {
    return std::any_of(runs_.begin(), runs_.end(), [](const auto& run) {
      return run->stage == ArmStage::kRunning || run->stage == ArmStage::kWaiting;
    });
  }

  ArmRun& add(const std::string& arm, uint64_t seed, int64_t planned) {
    auto run = std::make_shared<ArmRun>();
    run->id = ++ids_;
    run->arm = arm;
    run->law = arm.substr(0, arm.find(':'));
    run->seed = seed;
    run->planned = planned;
    run->recipe = to_json(shared_);
    if (resumable) run->saved_in = "/runs/" + arm + "-seed" + std::to_string(seed);
    runs_.push_back(run);
    return *run;
  }

  static void hold(ArmRun& run) {
    if (run.stage == ArmStage::kRunning || run.stage == ArmStage::kWaiting) {
      run.stage = ArmStage::kPaused;
    }
  }

  void obey(ArmRun& run, const ArmCommand& command) {
    using Kind = ArmCommand::Kind;
    const bool ended = run.stage == ArmStage::kDone || run.stage == ArmStage::kStopped ||
                       run.stage == ArmStage::kFailed;
    switch (command.kind) {
      case Kind::kPause:
        return hold(run);
      case Kind::kResume:
        if (run.stage == ArmStage::kPaused) run.stage = ArmStage::kWaiting;
        return;
      case Kind::kStop:
        if (!ended) end(run, ArmStage::kStopped);
        return;
      case Kind::kExtend:
        run.planned += command.steps;
        run.series.clear();
        if (ended) run.stage = ArmStage::kWaiting;
        return;
      case Kind::kFork: {
        ArmRun& fork = add(run.arm + "@" + std::to_string(run.steps) + " > " + command.arm,
                           run.seed, run.steps + command.steps);
        fork.law = command.arm;
        fork.snapshots = run.snapshots;
        fork.points = run.points;
        fork.parent = run.id;
        fork.forked_at = fork.steps = run.steps;
        fork.events.push_back({run.steps, "fork", "forked from " + run.arm});
        return;
      }
    }
  }

  void end(ArmRun& run, ArmStage stage) {
    run.stage = stage;
    if (stage != ArmStage::kFailed) run.series = curves(run.law, run.seed, run.steps, true);
  }

  void advance() {
    int64_t steps = plan_.interleaved ? turns : 1;
    for (size_t i = 0; i < runs_.size() && steps > 0; ++i) {
      const size_t at = plan_.interleaved ? (turn_ + i) % runs_.size() : i;
      ArmRun& run = *runs_[at];
      if (run.stage != ArmStage::kRunning && run.stage != ArmStage::kWaiting) continue;
      for (int64_t s = 0; s < per_take && run.stage != ArmStage::kFailed; ++s) train(run);
      --steps;
    }
    turn_ += static_cast<size_t>(turns);
  }

  void train(ArmRun& run) {
    if (run.steps >= run.planned) return end(run, ArmStage::kDone);
    run.stage = ArmStage::kRunning;
    ++run.steps;
    run.seconds += 0.13;
    const auto salt = static_cast<int64_t>(run.seed) * 31 + run.id;
    run.points.push_back({run.steps,
                          0.04 + 0.6 * std::exp(-static_cast<double>(run.steps) / 60) +
                              0.02 * noise(run.steps, salt),
                          0.4, 5e-4, 118000});
    if (run.law == failing && run.seed == shared_.seed + 1 && run.steps == 23) {
      run.problem = "The loss of step 23 is not finite. Try a smaller learning rate or sigma.";
      return end(run, ArmStage::kFailed);
    }
    const int64_t every = shared_.train.evaluate_every > 0
                              ? shared_.train.evaluate_every
                              : std::max<int64_t>(1, shared_.train.steps / 20);
    if (run.steps % every == 0) {
      auto snapshot = std::make_shared<Snapshot>();
      snapshot->step = run.steps;
      snapshot->series = curves(run.law, run.seed, run.steps, false);
      run.snapshots.push_back(snapshot);
    }
    if (run.steps >= run.planned) end(run, ArmStage::kDone);
  }

  std::shared_ptr<const Experiment> picture() {
    auto e = std::make_shared<Experiment>();
    e->recipe = to_json(shared_);
    e->context = kContext;
    e->base = base_;
    int64_t done = 0, planned = 0;
    for (const auto& run : runs_) {
      e->runs.push_back(std::make_shared<ArmRun>(*run));
      done += run->steps;
      planned += run->planned;
      if (run->stage == ArmStage::kRunning) {
        e->phase = run->arm + ", seed " + std::to_string(run->seed) + ": step " +
                   std::to_string(run->steps) + " of " + std::to_string(run->planned);
      }
    }
    e->running = goes_on();
    if (!e->running) e->phase.clear();
    e->progress = planned > 0 ? static_cast<double>(done) / static_cast<double>(planned) : 0;
    e->seconds_left = 0.13 * static_cast<double>(planned - done);
    return e;
  }

  // 1: fails past T as the untouched checkpoint does; 0: mended.
  static double failure(const std::string& law, uint64_t seed, int64_t step) {
    const std::pair<const char*, double> floors[] = {
        {"zero", 0.94},          {"random-noise", 0.30}, {"fitted-noise", 0.16},
        {"state-passing", 0.02}, {"tbtt", 0.022},        {"correlated-noise", 0.07},
        {"mixture", 0.05}};
    double floor = 1;
    for (const auto& [name, value] : floors) {
      if (law == name) floor = value;
    }
    floor *= 1 + 0.12 * noise(static_cast<int64_t>(seed), static_cast<int64_t>(law.size()));
    return step == 0 ? 1 : floor + (1 - floor) * std::exp(-static_cast<double>(step) / 18);
  }

  std::vector<Series> curves(const std::string& law, uint64_t seed, int64_t step,
                             bool whole) const {
    Series perplexity;
    perplexity.name = perplexity.unit = "perplexity";
    perplexity.x_name = "position";
    int64_t begin = 1;
    for (int i = 1; begin < shared_.measure.length; ++i) {
      const auto end = std::max<int64_t>(begin + 1, std::llround(std::exp2(i / 4.0)));
      perplexity.bin_begin.push_back(begin);
      perplexity.bin_end.push_back(end);
      perplexity.x.push_back(0.5 * static_cast<double>(begin + end - 1));
      begin = end;
    }
    Series state = perplexity;
    state.name = "model_state_std";
    const double fails = failure(law, seed, step);
    for (size_t i = 0; i < perplexity.x.size(); ++i) {
      const double octaves = std::log2(perplexity.x[i] / kContext);
      const double past = 1 / (1 + std::exp(-2.2 * (octaves - 1.1)));
      const double wobble =
          0.03 * noise(static_cast<int64_t>(i), static_cast<int64_t>(seed) + step);
      perplexity.y.push_back(
          (3.4 + 140 * past * fails * fails + 6 * std::exp(-perplexity.x[i] / 5)) * (1 + wobble));
      state.y.push_back((1 - 0.6 * std::exp(-perplexity.x[i] / 20)) * (1 + 4 * past * fails));
    }
    std::vector<Series> all{perplexity, state};
    if (!whole) return all;
    Series effrem;
    effrem.name = "effrem";
    effrem.x_name = "dropped_tokens";
    for (int i = 0; i < 24; ++i) {
      effrem.x.push_back(std::round(256.0 * i / 23));
      effrem.y.push_back(i == 0 ? 0 : 0.01 + 0.45 * fails * (1 - std::exp(-i / 4.0)));
    }
    all.push_back(effrem);
    return all;
  }

  RunConfig shared_;
  ExperimentPlan plan_;
  std::shared_ptr<ArmRun> base_;
  std::vector<std::shared_ptr<ArmRun>> runs_;
  int64_t ids_ = 0;
  size_t turn_ = 0;
  uint64_t epoch_of_experiment_ = 0;
};

}  // namespace farstate::testing
