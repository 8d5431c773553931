// SPDX-License-Identifier: GPL-3.0-or-later
// What a run or a measurement leaves behind, and its JSON ("farstate.results/1").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/results/series.h"
#include "core/results/state_report.h"

namespace farstate {

// Every position's loss: nll[s][t] is the negative log-likelihood in nats of token t+1 of
// sequence s given its tokens 0 to t; N-1 values for N tokens.
struct PerPosition {
  std::vector<std::vector<int32_t>> tokens;  // [S][N]
  std::vector<std::vector<float>> nll;       // [S][N-1]
};

struct Results {
  std::string recipe;  // JSON of the RunConfig; empty: none
  std::vector<Series> series;
  PerPosition per_position;        // empty unless asked for
  std::optional<StateReport> states;  // of `--probes distribution`
  std::vector<std::string> notes;  // in words, what the reader must know
};

// Numbers that are not finite become null (JSON has no other way); `non_finite` counts them, so
// that the caller can say so.
std::string to_json(const Results& results, int64_t& non_finite);

}  // namespace farstate
