// SPDX-License-Identifier: GPL-3.0-or-later
// What a run or a measurement leaves behind, and its JSON ("farstate.results/1").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/results/run_record.h"
#include "core/results/series.h"
#include "core/results/state_report.h"

namespace farstate {

// Every position's loss: nll[s][t] is the negative log-likelihood in nats of token t+1 of
// sequence s given its tokens 0 to t; N-1 values for N tokens.
struct PerPosition {
  std::vector<std::vector<int32_t>> tokens;  // [S][N]
  std::vector<std::vector<float>> nll;       // [S][N-1]
  bool operator==(const PerPosition&) const = default;
};

// The model as it was measured, by what its checkpoint says of it.
struct MeasuredModel {
  std::string name;
  int64_t trained_context = 0;  // T of its last training; 0: not recorded
  std::string trained_with;     // the intervention of that; empty: not recorded
  int64_t steps = 0;            // optimizer steps of that
  bool operator==(const MeasuredModel&) const = default;
};

struct Results {
  std::string recipe;  // JSON of the RunConfig; empty: none
  std::optional<MeasuredModel> model;
  std::vector<Series> series;
  std::vector<Snapshot> snapshots;  // of a training run, by step
  PerPosition per_position;        // empty unless asked for
  std::vector<std::string> notes;  // in words, what the reader must know
  std::optional<StateReport> states;  // a close look at the pins; empty unless asked for
};

// Numbers that are not finite become null (JSON has no other way); `non_finite` counts them, so
// that the caller can say so.
std::string to_json(const Results& results, int64_t& non_finite);

// What to_json() wrote; null reads as NaN. Throws Error(kBadInput) naming `source`, the key, what
// was found and what was wanted. What is returned is in step with itself: as many values as
// positions, matrices as large as their sides say.
Results results_from_json(std::string_view text, const std::string& source);

}  // namespace farstate
