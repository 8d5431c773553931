// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/experiment_engine.h"
#include "core/session/jobs.h"
#include "core/session/run_log.h"

namespace farstate {
namespace {

// What calls back is asked to often enough for a line on a screen.
constexpr std::chrono::milliseconds kSlice{50};

// Calls `on_run` once for the base and for every run that has ended.
class EndedRuns {
 public:
  using OnRun = std::function<void(const ArmRun&, const Experiment&)>;
  explicit EndedRuns(OnRun on_run) : on_run_(std::move(on_run)) {}

  void look(const Experiment& at) {
    if (at.base != nullptr && has_ended(*at.base)) tell(*at.base, at);
    for (const auto& run : at.runs) {
      if (has_ended(*run)) tell(*run, at);
    }
  }

 private:
  void tell(const ArmRun& run, const Experiment& at) {
    if (told_.insert(run.id).second && on_run_) on_run_(run, at);
  }

  OnRun on_run_;
  std::set<int64_t> told_;
};

}  // namespace

ExperimentOutcome experiment(const RunConfig& config, const ExperimentPlan& plan,
                             const std::function<void(const Experiment&)>& on_picture,
                             const std::function<void(const ArmRun&, const Experiment&)>& on_run,
                             const std::optional<std::string>& store) {
  ExperimentSetting setting;
  std::string unrecorded;
  if (store) setting.store = open_store(*store, unrecorded);
  if (!unrecorded.empty()) setting.notes.push_back(unrecorded);
  setting.name = experiment_name(config);
  setting.keep_ended = false;  // here nobody can extend or fork them
  ExperimentEngine engine(config, plan, setting, [&](const std::string& phase, double share) {
    Experiment reading;
    reading.phase = phase;
    reading.progress = share;
    if (on_picture) on_picture(reading);
  });
  EndedRuns ended(on_run);
  const auto show = [&] {
    const std::shared_ptr<const Experiment> picture = engine.picture();
    if (on_picture) on_picture(*picture);
    ended.look(*picture);
  };
  ExperimentOutcome outcome;
  try {
    while (engine.running()) {
      engine.advance(kSlice, show);
      show();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    outcome.interrupted = true;
    const StopScope unstopped{std::stop_token()};  // what is saved then
    ArmCommand pause;
    pause.kind = ArmCommand::Kind::kPause;
    engine.direct(pause);
    while (engine.running()) engine.advance(kSlice);
  }
  outcome.experiment = *engine.picture();
  if (outcome.interrupted) {
    std::vector<std::shared_ptr<const ArmRun>>& runs = outcome.experiment.runs;
    const size_t planned = runs.size();
    std::erase_if(runs, [](const auto& run) { return !has_ended(*run); });
    outcome.experiment.notes.push_back(
        fmt::format("Stopped after {} of {} runs.{}", runs.size(), planned,
                    plan.out.empty() ? ""
                                     : " The others are saved as far as they are; the same command "
                                       "goes on with them."));
  }
  const auto has_problem = [](const auto& run) { return run != nullptr && !run->problem.empty(); };
  outcome.failed = has_problem(outcome.experiment.base) ||
                   std::any_of(outcome.experiment.runs.begin(), outcome.experiment.runs.end(),
                               has_problem);
  outcome.failure = engine.failure();
  return outcome;
}

}  // namespace farstate
