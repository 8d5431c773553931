// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_log.h"

#include <fmt/format.h>

#include "core/base/error.h"

namespace farstate {
namespace {

constexpr std::chrono::milliseconds kBetweenWrites{500};

}  // namespace

std::shared_ptr<RunStore> open_store(const std::string& path, std::string& problem) {
  try {
    return RunStore::open(path.empty() ? RunStore::default_path() : path);
  } catch (const Error& error) {
    problem = fmt::format("This run is not recorded: {}", error.what());
    return nullptr;
  }
}

template <typename Write>
void RunLog::attempt(Write&& write) {
  if (store_ == nullptr) return;
  try {
    write();
  } catch (const Error& error) {
    problem_ = fmt::format("The record of this run ends here: {}", error.what());
    store_.reset();
  }
}

RunLog::RunLog(std::shared_ptr<RunStore> store, const StoredRun& run, int64_t step,
               const RunCurves& before)
    : store_(std::move(store)) {
  attempt([&] {
    const std::optional<StoredRun> known =
        step > 0 && !run.folder.empty() ? store_->find_by_folder(run.folder) : std::nullopt;
    if (known) {
      id_ = known->id;
      store_->go_on(id_, step, run.recipe, run.planned);
    } else {
      id_ = store_->begin(run);
    }
    // Of a known run too: its record may have ended before its checkpoint did.
    if (step > 0) store_->add(id_, before.points, before.events);
  });
}

std::vector<Snapshot> RunLog::recorded_snapshots() const {
  if (store_ == nullptr) return {};
  try {
    return store_->curves(id_).snapshots;
  } catch (const Error&) {
    return {};
  }
}

void RunLog::add(const TrainPoint& point) {
  points_.push_back(point);
  if (std::chrono::steady_clock::now() - written_ > kBetweenWrites) flush();
}

void RunLog::add(const RunEvent& event) { events_.push_back(event); }

void RunLog::add(const Snapshot& snapshot) {
  flush();
  attempt([&] { store_->add(id_, snapshot); });
}

void RunLog::set_recipe(const std::string& recipe, int64_t planned) {
  attempt([&] { store_->set_recipe(id_, recipe, planned); });
}

void RunLog::saved(const std::string& folder, int64_t step) {
  flush();
  attempt([&] { store_->set_checkpoint(id_, folder, step); });
}

void RunLog::go_on(int64_t step, const std::string& recipe, int64_t planned) {
  attempt([&] { store_->go_on(id_, step, recipe, planned); });
}

void RunLog::finish(RunStatus status, const std::string& problem,
                    const std::vector<Series>& series) {
  flush();
  attempt([&] { store_->finish(id_, status, problem, series); });
}

void RunLog::flush() {
  if (!points_.empty() || !events_.empty()) {
    attempt([&] { store_->add(id_, points_, events_); });
  }
  points_.clear();
  events_.clear();
  written_ = std::chrono::steady_clock::now();
}

}  // namespace farstate
