// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/experiment_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/session/run_log.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

// Two experiments may begin within a second.
std::string free_folder(const fs::path& parent, const std::string& name) {
  std::error_code ignored;
  fs::path folder = parent / name;
  for (int n = 2; fs::exists(folder, ignored); ++n) folder = parent / fmt::format("{}-{}", name, n);
  return folder.string();
}

}  // namespace

bool interrupts(const ArmCommand& command, int64_t at_work) {
  if (at_work < 0) return false;
  const bool ends = command.kind == ArmCommand::Kind::kPause || command.kind == ArmCommand::Kind::kStop;
  return ends && (command.runs.empty() || std::find(command.runs.begin(), command.runs.end(),
                                                    at_work) != command.runs.end());
}

void ExperimentBench::begin(const RunConfig& recipe, const ExperimentPlan& given,
                            std::shared_ptr<const Corpus> corpus, const ProgressSink& progress) {
  end();
  ExperimentPlan plan = given;
  ExperimentSetting setting;
  setting.name = experiment_name(recipe);
  setting.corpus = std::move(corpus);
  setting.job = "The experiment, beside the model that is open,";
  std::string problem;
  if (store_ == nullptr) store_ = open_store({}, problem);
  if (!problem.empty()) setting.notes.push_back(problem);
  setting.store = store_;
  if (plan.out.empty() && store_ != nullptr) {
    plan.out = free_folder(fs::path(store_->path()).parent_path() / "experiments", setting.name);
    setting.name = fs::path(plan.out).filename().string();
  }
  engine_ = std::make_unique<ExperimentEngine>(recipe, plan, setting, progress);
}

void ExperimentBench::pause() {
  if (engine_ == nullptr) return;
  ArmCommand pause;
  pause.kind = ArmCommand::Kind::kPause;
  engine_->direct(pause);
}

void ExperimentBench::hold() {
  pause();
  try {
    while (running()) engine_->advance(std::chrono::milliseconds(0));
  } catch (...) {
    // What a save can suffer is its run's own affair. A fork that was asked for and is stopped here
    // has not happened.
  }
}

void ExperimentBench::end() {
  if (engine_ == nullptr) return;
  hold();
  engine_.reset();
}

void ExperimentBench::direct(const ArmCommand& command) {
  if (engine_ == nullptr) throw Error(ErrorKind::kBadUsage, "There is no experiment.");
  engine_->direct(command);
}

void ExperimentBench::advance(std::chrono::milliseconds slice,
                              const std::function<void()>& meanwhile) {
  engine_->advance(slice, meanwhile);
}

std::shared_ptr<const Experiment> ExperimentBench::picture() {
  return engine_ != nullptr ? engine_->picture() : nullptr;
}

}  // namespace farstate
