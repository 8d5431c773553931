// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/examination.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/probes/attention.h"
#include "core/probes/state_distribution.h"
#include "core/probes/state_guard.h"
#include "core/session/evaluator.h"
#include "core/session/token_previews.h"

namespace farstate {
namespace {

constexpr int64_t kBinsPerOctave = 8;  // of the guard

void check(const StateQuestion& question, const ModelSizes& sizes) {
  if (question.positions.empty()) {
    throw Error(ErrorKind::kBadUsage, "No position is named at which to look into the states.");
  }
  check_head(sizes, question.focus);
}

// Within the sequences; a note where that changes one.
std::vector<int64_t> within(const std::vector<int64_t>& asked, int64_t length,
                            std::vector<std::string>& notes) {
  std::vector<int64_t> positions;
  for (const int64_t position : asked) {
    positions.push_back(std::clamp<int64_t>(position, 1, length));
    if (positions.back() == position) continue;
    notes.push_back(fmt::format("Position {} lies outside the sequences of {} tokens; {} is shown.",
                                position, length, positions.back()));
  }
  return positions;
}

// The tokens [begin, end) of the first sequence, and the state that they are read from.
struct Window {
  int64_t begin = 0;
  int64_t end = 0;
  ModelState before;  // one row; empty: zero
};

void look_at_attention(const RecurrentLM& model, const Sequences& sequences, const Window& window,
                       const Tokenizer* tokenizer, HeadIndex focus, StateReport& report) {
  const at::Tensor tokens = at::empty({window.end - window.begin}, at::kLong);
  const std::span<int64_t> ids(tokens.data_ptr<int64_t>(), static_cast<size_t>(tokens.numel()));
  sequences.read(0, window.begin, ids);
  AttentionReport attention = hidden_attention(model, tokens, window.before, focus);
  attention.first = window.begin;
  attention.tokens = token_previews(ids, tokenizer);
  attention.predicted = token_previews({{attention.predicted.id}}, tokenizer).front();
  if (attention.leaning.empty()) {
    report.notes.push_back("The model's matrices are in bfloat16 and have no gradients: which tokens "
                           "the prediction leans on needs the precision float32.");
  }
  report.attention = std::move(attention);
}

}  // namespace

StateReport examine(const RecurrentLM& model, const Sequences& sequences, int64_t trained_context,
                    const Tokenizer* tokenizer, const StateQuestion& question,
                    const ProgressSink& progress) {
  const at::NoGradGuard no_grad;
  check(question, model.sizes());
  const int64_t S = sequences.count;
  std::vector<std::string> notes;
  DistributionOptions look;
  look.pins = within(question.positions, sequences.length, notes);
  look.curves = false;
  look.focus = question.focus;
  const int64_t last_asked = *std::max_element(look.pins.begin(), look.pins.end());
  const int64_t end = std::max(last_asked, trained_context <= sequences.length ? trained_context : 0);
  Window window{std::max<int64_t>(last_asked - question.attention_window, 0), last_asked, {}};

  StateDistribution distribution(model, S, end, trained_context, look);
  StateGuard guard(end, kBinsPerOctave);
  UnrollOptions options;
  options.state_positions = distribution.state_positions();
  if (window.begin > 0) options.state_positions.push_back(window.begin - 1);
  std::set<int64_t> states(options.state_positions.begin(), options.state_positions.end());
  options.state_positions.assign(states.begin(), states.end());
  for (const int64_t position : guard.stat_positions()) states.insert(position);
  options.stat_positions.assign(states.begin(), states.end());

  Reach reach{S, end};
  for (int64_t first = 0; first < S && reach.position == end; first += kRowsPerSweep) {
    const int64_t last = std::min(first + kRowsPerSweep, S);
    try {
      unroll(model, rows_of(sequences).window(0, end).rows(first, last), {}, options,
             [&](const UnrollSegment& segment) {
               distribution.observe(first, segment);
               const int64_t read = segment.begin + segment.tokens.size(1);
               if (first == 0 && read == window.begin) window.before = segment.result.state.rows(0, 1).clone();
               guard.observe(first, segment);
               if (!progress) return;
               progress("looking into the states",
                        static_cast<double>(first * end + (last - first) * read) /
                            static_cast<double>(S * end));
             });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kDiverged) throw;
      notes.push_back(error.what());
      reach = {last, guard.whole()};
    }
  }
  distribution.look_for_law(reach);
  StateReport report = distribution.report(reach);
  report.question = question.number;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  report.text = text_around(sequences, report.positions, tokenizer);
  if (question.attention_window > 0 && window.end <= reach.position) {
    look_at_attention(model, sequences, window, tokenizer, question.focus, report);
  }
  return report;
}

void add_fitted(const std::optional<FittedGaussians>& fitted, StateReport& report) {
  if (!fitted) return;
  for (HeadReport& head : report.heads) {
    const auto [layer, of] = head.index;
    head.fitted = FittedGaussian{to_string(fitted->law), fitted->observed,
                                 fitted->mean[layer][of].item<double>(),
                                 fitted->std[layer][of].item<double>()};
  }
}

void examine_attention(const RecurrentLM& model, const Sequences& sequences, HeadIndex head,
                       int64_t window, int64_t end, const Tokenizer* tokenizer,
                       const ProgressSink& progress, StateReport& report) {
  const at::NoGradGuard no_grad;
  check_head(model.sizes(), head);
  Window last{std::max<int64_t>(end - window, 0), end, {}};
  const TokenRows before = rows_of(sequences).rows(0, 1).window(0, last.begin);
  last.before = unroll(model, before, {}, {}, [&](const UnrollSegment& segment) {
    progress("attention", static_cast<double>(segment.begin) / static_cast<double>(end));
  });
  look_at_attention(model, sequences, last, tokenizer, head, report);
}

}  // namespace farstate
