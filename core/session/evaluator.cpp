// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/evaluator.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/probes/dynamics.h"
#include "core/probes/effective_remembrance.h"
#include "core/probes/positionwise_perplexity.h"
#include "core/probes/state_distribution.h"
#include "core/probes/state_dump.h"
#include "core/probes/state_guard.h"
#include "core/probes/state_statistics.h"
#include "core/session/token_previews.h"

namespace farstate {
namespace {

// The paper's T for Mamba-2 is 8192, four times what its models were trained on.
constexpr int64_t kEffremLength = 8192;
constexpr int64_t kEffremContexts = 4;

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

// When to show curves before the sweep has ended: not before something new can be seen, and not so
// often that it costs.
class Showing {
 public:
  explicit Showing(const ShowingPace& pace) : pace_(pace) {}

  template <typename Show>
  void offer(int64_t reached, Show&& show) {
    const auto now = Clock::now();
    if (reached == shown_ || now < next_) return;
    shown_ = reached;
    show();
    const std::chrono::duration<double> spent = Clock::now() - now;
    next_ = Clock::now() + in_ticks(std::max(pace_.rest, spent.count() * (1 / pace_.share - 1)));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static Clock::duration in_ticks(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  ShowingPace pace_;
  Clock::time_point next_ = Clock::now() + in_ticks(pace_.rest);
  int64_t shown_ = 0;
};

// What was not read has no loss.
void cut(PerPosition& kept, const Reach& reach) {
  kept.nll.resize(static_cast<size_t>(reach.sequences));
  kept.tokens.resize(kept.nll.size());
  for (size_t s = 0; s < kept.nll.size(); ++s) {
    const auto read = std::min(static_cast<size_t>(reach.position), kept.nll[s].size());
    kept.nll[s].resize(read);
    kept.tokens[s].resize(read + 1);
  }
}

void append(std::vector<Series>& all, std::vector<Series> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

}  // namespace

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

struct Evaluator::Observers {
  std::vector<std::unique_ptr<Probe>> all;
  // Of these, null where not asked for:
  PositionwisePerplexity* perplexity = nullptr;
  StateStatistics* state = nullptr;
  StateDistribution* distribution = nullptr;
  Dynamics* dynamics = nullptr;
  StateGuard* guard = nullptr;

  // Adds a probe and keeps hold of it.
  template <typename P>
  P* add(std::unique_ptr<P> probe) {
    P* kept = probe.get();
    all.push_back(std::move(probe));
    return kept;
  }

  // All that the probes ask for, ascending and once each. A whole state that is shown is looked at by
  // the guard too.
  UnrollOptions positions() const {
    std::set<int64_t> stats;
    std::set<int64_t> states;
    for (const auto& probe : all) {
      for (const int64_t position : probe->stat_positions()) stats.insert(position);
      for (const int64_t position : probe->state_positions()) states.insert(position);
    }
    stats.insert(states.begin(), states.end());
    UnrollOptions options;
    options.stat_positions.assign(stats.begin(), stats.end());
    options.state_positions.assign(states.begin(), states.end());
    options.dynamics = dynamics != nullptr;
    return options;
  }
};

Evaluator::Evaluator(const Corpus& corpus, const MeasureConfig& config, int64_t trained_context,
                     std::shared_ptr<const Tokenizer> tokenizer)
    : config_(config),
      trained_context_(trained_context),
      tokenizer_(std::move(tokenizer)),
      sequences_(measure_sequences(corpus, config.sequences, config.length, config.part)) {
  if (config_.scored == "predictable" && sequences_.evidence == nullptr) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} does not say which of its tokens can be known from what was read, so "
                            "they can't be scored alone; use --scored all, or a generated text that "
                            "this model reads word by word.",
                            corpus.name));
  }
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
  if (config_.wants("distribution") && config_.pins.empty()) {
    if (trained_context > 0 && trained_context < config_.length) {
      config_.pins.push_back(trained_context);
    }
    config_.pins.push_back(config_.length);
  }
  for (const int64_t pin : config_.pins) {
    if (pin <= config_.length) continue;
    throw Error(ErrorKind::kBadUsage, fmt::format("A pin after {} tokens needs sequences of as many; "
                                                  "they have {}.",
                                                  pin, config_.length));
  }
}

Evaluation Evaluator::run(const RecurrentLM& model, const ProgressSink& progress,
                          const std::function<void(const Evaluation&)>& on_series) const {
  const at::NoGradGuard no_grad;
  Evaluation result;
  result.config = config_;
  result.notes = sequences_.notes;
  if (config_.sweeps() || !dump_.positions.empty()) {
    sweep(model, progress, on_series, result);
    if (on_series) on_series(result);
  }
  result.swept = true;
  if (config_.wants("effrem") && result.finite) {
    const std::string phase = "effective remembrance";
    const int64_t T = config_.effrem_length;
    append(result.series, effective_remembrance(
                              model, rows_of(sequences_).window(0, T),
                              effrem_grid(T, config_.effrem_points),
                              [&](double share) { progress(phase, share); }));
    if (on_series) on_series(result);
  }
  return result;
}

Evaluator::Observers Evaluator::make_observers(const RecurrentLM& model) const {
  const int64_t S = config_.sequences;
  const int64_t N = config_.length;
  const int64_t bins = config_.bins_per_octave;
  Observers made;
  if (config_.wants("perplexity")) {
    made.perplexity = made.add(
        std::make_unique<PositionwisePerplexity>(model, sequences_, bins, config_.per_position));
  }
  if (config_.wants("state")) {
    made.state = made.add(std::make_unique<StateStatistics>(model, S, N, bins, trained_context_));
  }
  if (config_.wants("distribution")) {
    DistributionOptions options;
    options.pins = config_.pins;
    made.distribution =
        made.add(std::make_unique<StateDistribution>(model, S, N, trained_context_, options));
  }
  if (config_.wants("dynamics")) {
    made.dynamics = made.add(std::make_unique<Dynamics>(model, S, N, bins));
  }
  if (!dump_.positions.empty()) {
    made.add(std::make_unique<StateDump>(model, S, N, dump_.positions, dump_.folder));
  }
  made.guard = made.add(std::make_unique<StateGuard>(N, bins));  // last: it ends the sweep
  return made;
}

Reach Evaluator::read(const RecurrentLM& model, Observers& observers, const ProgressSink& progress,
                      const std::function<void(const Evaluation&)>& on_series,
                      Evaluation& result) const {
  const int64_t S = config_.sequences;
  const int64_t N = config_.length;
  const UnrollOptions options = observers.positions();
  Showing showing(pace_);
  const auto show = [&](const Reach& reach) {
    if (!on_series || reach.position == 0) return;
    showing.offer(reach.sequences * N + reach.position, [&] {
      Evaluation part;
      part.config = config_;
      if (observers.perplexity != nullptr) append(part.series, observers.perplexity->series(reach));
      if (observers.state != nullptr) append(part.series, observers.state->series(reach));
      if (!part.series.empty()) on_series(part);
    });
  };
  const std::string phase = "reading the text";
  for (int64_t first = 0; first < S; first += kRowsPerSweep) {
    const int64_t last = std::min(first + kRowsPerSweep, S);
    const TokenRows rows = rows_of(sequences_).rows(first, last);
    try {
      unroll(model, rows, {}, options, [&](const UnrollSegment& segment) {
        for (const auto& probe : observers.all) probe->observe(first, segment);
        const int64_t end = segment.begin + segment.result.hidden.size(1);
        progress(phase, static_cast<double>(first * N + (last - first) * end) /
                            static_cast<double>(S * N));
        if (first == 0 && end < N) show({last, observers.guard->whole()});
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kDiverged) throw;
      result.finite = false;
      result.notes.push_back(error.what());
      return {last, observers.guard->whole()};
    }
    if (last < S) show({last, N});
  }
  return {S, N};
}

void Evaluator::sweep(const RecurrentLM& model, const ProgressSink& progress,
                      const std::function<void(const Evaluation&)>& on_series,
                      Evaluation& result) const {
  Observers observers = make_observers(model);
  const Reach reach = read(model, observers, progress, on_series, result);
  for (const auto& probe : observers.all) append(result.series, probe->series(reach));
  if (StateDistribution* distribution = observers.distribution; distribution != nullptr) {
    progress("the law of the states", -1);
    distribution->look_for_law(reach);
    result.states = distribution->report(reach);
    result.states->text = text_around(sequences_, result.states->positions, tokenizer_.get());
    for (const std::string& note : result.states->notes) result.notes.push_back(note);
  }
  if (observers.perplexity != nullptr && config_.per_position) {
    PerPosition& kept = result.per_position;
    kept.nll = observers.perplexity->take_nll();
    kept.tokens = token_ids(sequences_);
    if (!result.finite) cut(kept, reach);
  }
  result.swept = true;
}

}  // namespace farstate
