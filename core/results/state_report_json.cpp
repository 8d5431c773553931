// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/state_report_json.h"

#include <fmt/format.h>

#include "core/results/json_fields.h"

namespace farstate {

template <FieldsOf<HeadIndex> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("layer", s.layer);
  field("head", s.head);
}

template <FieldsOf<TokenPreview> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("id", s.id);
  field("text", s.text);
}

template <FieldsOf<ElementDistribution> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("position", s.position);
  field("states", s.states);
  field("counted", s.counted);
  field("mean", s.mean);
  field("std", s.std);
  field("skewness", s.skewness);
  field("excess_kurtosis", s.excess_kurtosis);
  field("smallest", s.smallest);
  field("largest", s.largest);
  field("norm", s.norm);
  field("counts", s.counts);
  field("below", s.below);
  field("above", s.above);
  field("quantiles", s.quantiles);
  field("effective_rank", s.effective_rank);
  field("singular_values", s.singular_values);
  field("ks_distance", s.ks_distance);
  field("wasserstein", s.wasserstein);
  field("cosine", s.cosine);
}

template <FieldsOf<HeadLawReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("position", s.position);
  field("states", s.states);
  field("law", s.law);
  field("sentence", s.sentence);
  field("spectrum", s.spectrum);
  field("shuffled_spectrum", s.shuffled_spectrum);
  field("components", s.components);
  field("leading_share", s.leading_share);
  field("shuffled_leading_share", s.shuffled_leading_share);
  field("rank", s.rank);
  field("shuffled_rank", s.shuffled_rank);
  field("row_correlation", s.row_correlation);
  field("column_correlation", s.column_correlation);
  field("other_correlation", s.other_correlation);
  field("side", s.side);
  field("correlation", s.correlation);
}

template <FieldsOf<FittedGaussian> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("law", s.law);
  field("observed", s.observed);
  field("mean", s.mean);
  field("std", s.std);
}

template <FieldsOf<HeadReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("index", s.index);
  field("edges", s.edges);
  field.maybe("training", s.training);
  field("at", s.at);
  field.maybe("law", s.law);
  field.maybe("fitted", s.fitted);
}

template <FieldsOf<TextAround> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("position", s.position);
  field("first", s.first);
  field("tokens", s.tokens);
}

template <FieldsOf<AttentionReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("index", s.index);
  field("first", s.first);
  field("tokens", s.tokens);
  field("weights", s.weights);
  field("from_before", s.from_before);
  field("leaning", s.leaning);
  field("predicted", s.predicted);
  field("probability", s.probability);
}

template <FieldsOf<StateReport> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("epoch", s.epoch);
  field("question", s.question);
  field("step", s.step);
  field.json("recipe", s.recipe);
  field("sequences", s.sequences);
  field("positions", s.positions);
  field("training", s.training);
  field("normal_quantiles", s.normal_quantiles);
  field("heads", s.heads);
  field("law", s.law);
  field("text", s.text);
  field.maybe("attention", s.attention);
  field("notes", s.notes);
}

namespace {

// Views index by these and subtract them.
std::string unlikely(const char* what, int64_t value) {
  constexpr int64_t kMost = int64_t{1} << 53;
  if (value >= 0 && value <= kMost) return {};
  return fmt::format("\"{}\" is {}, but must be from 0 to 2^53", what, value);
}

std::string wrong_length(const char* what, size_t length, size_t wanted) {
  if (length == wanted) return {};
  return fmt::format("\"{}\" has {} values, but must have {}", what, length, wanted);
}

// The first sentence that is not empty.
std::string first_of(std::initializer_list<std::string> sentences) {
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) return sentence;
  }
  return {};
}

}  // namespace

std::string contradiction(const HeadIndex& index) {
  return first_of({unlikely("layer", index.layer), unlikely("head", index.head)});
}

std::string contradiction(const TextAround& text) {
  return first_of({unlikely("position", text.position), unlikely("first", text.first)});
}

std::string contradiction(const ElementDistribution& d) {
  return first_of({unlikely("position", d.position), unlikely("states", d.states),
                   unlikely("counted", d.counted), unlikely("below", d.below),
                   unlikely("above", d.above)});
}

std::string contradiction(const HeadLawReport& law) {
  constexpr int64_t kMostSide = int64_t{1} << 16;
  if (law.side < 0 || law.side > kMostSide) {
    return fmt::format("\"side\" is {}, but must be from 0 to {}", law.side, kMostSide);
  }
  return wrong_length("correlation", law.correlation.size(),
                      static_cast<size_t>(law.side * law.side));
}

std::string contradiction(const AttentionReport& attention) {
  const size_t n = attention.tokens.size();
  return first_of({unlikely("first", attention.first),
                   wrong_length("weights", attention.weights.size(), n * n),
                   wrong_length("from_before", attention.from_before.size(), n),
                   wrong_length("leaning", attention.leaning.size(),
                                attention.leaning.empty() ? 0 : n)});
}

std::string contradiction(const HeadReport& head) {
  const auto wrong = [&](const ElementDistribution& d) {
    const size_t bins = head.edges.empty() ? 0 : head.edges.size() - 1;
    return wrong_length("counts", d.counts.size(), d.counts.empty() ? 0 : bins);
  };
  std::string why = head.training ? wrong(*head.training) : "";
  for (size_t i = 0; why.empty() && i < head.at.size(); ++i) why = wrong(head.at[i]);
  return why;
}

std::string contradiction(const StateReport& report) {
  const size_t quantiles = report.normal_quantiles.size();
  const auto wrong = [&](const ElementDistribution& d) {
    return wrong_length("quantiles", d.quantiles.size(), d.quantiles.empty() ? 0 : quantiles);
  };
  for (const int64_t position : report.positions) {
    if (std::string why = unlikely("positions", position); !why.empty()) return why;
  }
  for (const HeadReport& head : report.heads) {
    std::string why = wrong_length("at", head.at.size(), report.positions.size());
    if (why.empty() && head.training) why = wrong(*head.training);
    for (size_t i = 0; why.empty() && i < head.at.size(); ++i) why = wrong(head.at[i]);
    if (!why.empty()) {
      return fmt::format("layer {}, head {}: {}", head.index.layer, head.index.head, why);
    }
  }
  return {};
}

nlohmann::ordered_json to_json(const StateReport& report, int64_t& non_finite) {
  return FieldWriter(non_finite).write(report);
}

StateReport state_report_from_json(const nlohmann::ordered_json& json, const std::string& source) {
  StateReport report;
  FieldReader(json, source, "states").read(report);
  return report;
}

}  // namespace farstate
