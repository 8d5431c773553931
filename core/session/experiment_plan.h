// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs an experiment consists of, and what may be done to one while it goes on. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

struct RunConfig;

struct ExperimentPlan {
  // As with_arm() of the recipe reads them: "zero", "random-noise:sigma=0.3".
  std::vector<std::string> arms;
  int64_t seeds = 1;  // the recipe's seed and those after it
  // Folder for a run of each arm and seed, "ARM-seedN"; runs that are there go on, or are only
  // measured where they have ended. Empty: nothing is written.
  std::string out;
  // Arms take turns of a few steps, so that all curves grow together; otherwise one after another.
  bool interleaved = false;
  bool operator==(const ExperimentPlan&) const = default;
};

// Steps between two curves by position of a run: as the recipe wants it, or about ten in all, fewer
// where reading them would take more than half of what training takes; 0: at the end only.
int64_t snapshot_interval(const RunConfig& config);

struct ArmCommand {
  enum class Kind {
    kPause,
    kResume,
    kStop,    // ends it where it is, and measures it there
    kExtend,  // `steps` more than planned; a run that has ended goes on
    kFork     // a new run from its weights, optimizer and place in the text, with the law of `arm`
  };
  Kind kind = Kind::kPause;
  std::vector<int64_t> runs;  // ids; empty: all
  int64_t steps = 0;          // kExtend: added; kFork: of the new run beyond the fork
  std::string arm;            // kFork
};

}  // namespace farstate
