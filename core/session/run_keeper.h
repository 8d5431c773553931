// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a window in the store: points, changes and measured curves as they come, and where they
// are small enough to be written without asking, the weights, beside the store.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/model_files.h"
#include "core/results/run_record.h"
#include "core/session/run_log.h"
#include "core/session/trainer.h"

namespace farstate {

// Weights and moments that are kept of every run without a word; of larger models a person saves
// what is to be kept.
inline constexpr int64_t kMostBytesUnasked = int64_t{256} << 20;

class RunKeeper {
 public:
  // A new run of this trainer, from the weights of the run before it if that is `continued`. What ran
  // before has ended.
  void begin(const LoadedModel& loaded, const Trainer& trainer, bool continued);
  // The run that was begun last goes on, from where its trainer is.
  void go_on(const Trainer& trainer);
  void step(const LoadedModel& loaded, const Trainer& trainer, const TrainPoint& point);
  void measured(const Trainer& trainer, const std::vector<Series>& series,
                const std::vector<std::string>& notes);
  // At a pause: what is in memory is also on the disk.
  void hold(const LoadedModel& loaded, const Trainer& trainer);
  void end(const LoadedModel& loaded, const Trainer& trainer, RunStatus status,
           const std::string& problem = {});

  // Why nothing is recorded (any more); empty: it is.
  const std::string& problem() const { return problem_.empty() ? log_.problem() : problem_; }

 private:
  void save(const LoadedModel& loaded, const Trainer& trainer);
  void tell_changes(const Trainer& trainer);

  std::shared_ptr<RunStore> store_;
  std::string problem_;
  RunLog log_;
  std::string folder_;  // empty: the weights are not kept
  int64_t saved_at_ = -1;
  size_t events_told_ = 0;
  bool open_ = false;
};

}  // namespace farstate
