// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/evaluator.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/models/unroll.h"
#include "core/probes/attention.h"
#include "core/probes/dynamics.h"
#include "core/probes/effective_remembrance.h"
#include "core/probes/positionwise_perplexity.h"
#include "core/probes/state_distribution.h"
#include "core/probes/state_dump.h"
#include "core/probes/state_statistics.h"

namespace farstate {
namespace {

// The paper's T for Mamba-2 is 8192, four times what its models were trained on.
constexpr int64_t kEffremLength = 8192;
constexpr int64_t kEffremContexts = 4;

TokenRows rows_of(const Sequences& sequences) {
  return {sequences.count, sequences.length,
          [&sequences](int64_t first, int64_t last, int64_t begin, int64_t end) {
            const int64_t t = end - begin;
            at::Tensor ids = at::empty({last - first, t}, at::kLong);
            const std::span<int64_t> out(ids.data_ptr<int64_t>(), static_cast<size_t>(ids.numel()));
            for (int64_t s = first; s < last; ++s) {
              sequences.read(s, begin, out.subspan(static_cast<size_t>((s - first) * t),
                                                   static_cast<size_t>(t)));
            }
            return ids;
          }};
}

std::vector<std::vector<int32_t>> token_ids(const Sequences& sequences) {
  constexpr int64_t kPiece = 4096;
  std::vector<std::vector<int32_t>> rows(static_cast<size_t>(sequences.count));
  std::vector<int64_t> piece;
  for (int64_t s = 0; s < sequences.count; ++s) {
    std::vector<int32_t>& row = rows[static_cast<size_t>(s)];
    row.reserve(static_cast<size_t>(sequences.length));
    for (int64_t begin = 0; begin < sequences.length; begin += kPiece) {
      piece.resize(static_cast<size_t>(std::min(kPiece, sequences.length - begin)));
      sequences.read(s, begin, piece);
      for (const int64_t id : piece) row.push_back(static_cast<int32_t>(id));
    }
  }
  return rows;
}

// All that the probes ask for, ascending and once each.
UnrollOptions positions_of(const std::vector<std::unique_ptr<Probe>>& probes) {
  std::set<int64_t> stats;
  std::set<int64_t> states;
  for (const auto& probe : probes) {
    for (const int64_t position : probe->stat_positions()) stats.insert(position);
    for (const int64_t position : probe->state_positions()) states.insert(position);
  }
  UnrollOptions options;
  options.stat_positions.assign(stats.begin(), stats.end());
  options.state_positions.assign(states.begin(), states.end());
  return options;
}

}  // namespace

Evaluator::Evaluator(const Corpus& corpus, const MeasureConfig& config, int64_t trained_context)
    : config_(config),
      trained_context_(trained_context),
      sequences_(measure_sequences(corpus, config.sequences, config.length, config.part)) {
  config_.sequences = sequences_.count;
  config_.length = sequences_.length;
  config_.part = sequences_.part;
  if (config_.effrem_length == 0) {
    const int64_t wanted = trained_context > 0 ? kEffremContexts * trained_context : kEffremLength;
    config_.effrem_length = std::min(config_.length, wanted);
  }
  if (config_.effrem_length > config_.length) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("EffRem over {} tokens needs sequences of as many; they have {}.",
                            config_.effrem_length, config_.length));
  }
}

Evaluation Evaluator::run(const RecurrentLM& model, const ProgressSink& progress,
                          const std::function<void(const Evaluation&)>& on_series) const {
  const at::NoGradGuard no_grad;
  Evaluation result;
  result.config = config_;
  result.notes = sequences_.notes;
  if (config_.sweeps() || !dump_.positions.empty()) {
    sweep(model, progress, result);
    if (on_series) on_series(result);
  }
  if (config_.wants("effrem")) {
    const std::string phase = "effective remembrance";
    const int64_t T = config_.effrem_length;
    for (Series& series : effective_remembrance(
             model, rows_of(sequences_).window(0, T), effrem_grid(T, config_.effrem_points),
             [&](double share) { progress(phase, share); })) {
      result.series.push_back(std::move(series));
    }
    if (on_series) on_series(result);
  }
  return result;
}

AttentionReport Evaluator::attention(const RecurrentLM& model, int64_t end,
                                     const ProgressSink& progress) const {
  const std::string phase = "attention";
  const TokenRows row = rows_of(sequences_).rows(0, 1);
  const int64_t first = std::max<int64_t>(end - config_.attention_window, 0);
  ModelState before;
  {
    const at::NoGradGuard no_grad;
    before = unroll(model, row.window(0, first), {}, {}, [&](const UnrollSegment& segment) {
      progress(phase, static_cast<double>(segment.begin) / static_cast<double>(end));
    });
  }
  AttentionReport report = hidden_attention(model, row.read(first, end)[0], before,
                                            {config_.attention_layer, config_.attention_head});
  report.first = first;
  return report;
}

void Evaluator::sweep(const RecurrentLM& model, const ProgressSink& progress,
                      Evaluation& result) const {
  const int64_t S = config_.sequences;
  const int64_t N = config_.length;
  std::vector<std::unique_ptr<Probe>> probes;
  // Adds a probe and keeps hold of it.
  const auto add = [&]<typename P>(std::unique_ptr<P> probe) {
    P* kept = probe.get();
    probes.push_back(std::move(probe));
    return kept;
  };
  PositionwisePerplexity* perplexity = nullptr;
  StateStatistics* state = nullptr;
  StateDistribution* distribution = nullptr;
  Dynamics* dynamics = nullptr;
  if (config_.wants("perplexity")) {
    perplexity = add(std::make_unique<PositionwisePerplexity>(
        model, S, N, config_.bins_per_octave, config_.per_position));
  }
  if (config_.wants("state")) {
    state = add(std::make_unique<StateStatistics>(model, S, N, config_.bins_per_octave,
                                                  trained_context_));
  }
  if (config_.wants("distribution")) {
    distribution =
        add(std::make_unique<StateDistribution>(model, S, N, trained_context_, /*seed=*/0));
  }
  if (config_.wants("dynamics")) {
    dynamics = add(std::make_unique<Dynamics>(model, S, N, config_.bins_per_octave));
  }
  if (!dump_.positions.empty()) {
    add(std::make_unique<StateDump>(model, S, N, dump_.positions, dump_.folder));
  }

  UnrollOptions options = positions_of(probes);
  options.dynamics = dynamics != nullptr;
  const std::string phase = "reading the text";
  for (int64_t first = 0; first < S; first += kRowsPerSweep) {
    const int64_t last = std::min(first + kRowsPerSweep, S);
    const TokenRows rows = rows_of(sequences_).rows(first, last);
    unroll(model, rows, {}, options, [&](const UnrollSegment& segment) {
      for (const auto& probe : probes) probe->observe(first, segment);
      const int64_t end = segment.begin + segment.result.hidden.size(1);
      progress(phase, static_cast<double>(first * N + (last - first) * end) /
                          static_cast<double>(S * N));
    });
  }
  for (const auto& probe : probes) {
    for (Series& series : probe->series()) result.series.push_back(std::move(series));
  }
  if (state != nullptr && !state->broken().empty()) {
    result.finite = false;
    result.notes.push_back(state->broken());
  }
  if (dynamics != nullptr) {
    if (std::string broken = dynamics->broken(); !broken.empty()) {
      result.finite = false;
      result.notes.push_back(std::move(broken));
    }
  }
  if (distribution != nullptr) {
    progress("the law of the states", -1);
    for (std::string& note : distribution->notes()) result.notes.push_back(std::move(note));
  }
  if (perplexity != nullptr && config_.per_position) {
    result.per_position.nll = perplexity->take_nll();
    result.per_position.tokens = token_ids(sequences_);
  }
}

}  // namespace farstate
