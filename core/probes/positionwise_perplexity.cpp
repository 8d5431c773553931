// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/positionwise_perplexity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace farstate {
namespace {

Series named(const char* name, int64_t sequences) {
  Series loss;
  loss.name = name;
  loss.x_name = "position";
  loss.unit = "nats";
  loss.sequences = sequences;
  return loss;
}

Series perplexity_of(const Series& loss, const char* name) {
  Series perplexity = loss;
  perplexity.name = name;
  perplexity.unit = "perplexity";
  for (std::vector<double>* values : {&perplexity.y, &perplexity.lower, &perplexity.upper}) {
    for (double& value : *values) value = std::exp(value);
  }
  return perplexity;
}

}  // namespace

PositionwisePerplexity::PositionwisePerplexity(const RecurrentLM& model, const Sequences& sequences,
                                               int64_t bins_per_octave, bool keep)
    : model_(model),
      sequences_(sequences),
      bins_(PositionBins::logarithmic(sequences.length - 1, bins_per_octave)) {
  const auto S = static_cast<size_t>(sequences.count);
  sums_.assign(bins_.size(), std::vector<double>(S));
  if (sequences.evidence != nullptr) predictable_sums_ = predictable_counts_ = sums_;
  if (keep) nll_.assign(S, std::vector<float>(static_cast<size_t>(sequences.length - 1)));
}

void PositionwisePerplexity::observe(int64_t first_sequence, const UnrollSegment& segment) {
  const int64_t B = segment.targets.size(0);
  const int64_t t = segment.targets.size(1);
  if (t == 0) return;  // the last token of the sequence has no successor to predict
  const at::Tensor hidden = segment.result.hidden.slice(1, 0, t);
  const at::Tensor loss = nll(model_, hidden.reshape({B * t, -1}), segment.targets.reshape({-1}))
                              .to(at::kFloat)
                              .contiguous();
  const float* values = loss.data_ptr<float>();
  for (int64_t b = 0; b < B; ++b) {
    const auto s = static_cast<size_t>(first_sequence + b);
    size_t bin = bins_.find(segment.begin + 1);
    for (int64_t i = 0; i < t; ++i) {
      const int64_t position = segment.begin + i + 1;
      if (position == bins_.end[bin]) ++bin;
      sums_[bin][s] += values[b * t + i];
    }
    if (!predictable_sums_.empty()) {
      count_predictable(first_sequence + b, segment.begin,
                        {values + b * t, static_cast<size_t>(t)});
    }
    if (!nll_.empty()) std::copy_n(values + b * t, t, nll_[s].begin() + segment.begin);
  }
}

// The loss at index i is that of token i + 1.
void PositionwisePerplexity::count_predictable(int64_t s, int64_t begin,
                                               std::span<const float> losses) {
  std::vector<uint8_t> predictable(losses.size());
  sequences_.predictable(s, begin + 1, predictable);
  size_t bin = bins_.find(begin + 1);
  for (size_t i = 0; i < losses.size(); ++i) {
    const int64_t position = begin + static_cast<int64_t>(i) + 1;
    if (position == bins_.end[bin]) ++bin;
    if (predictable[i] == 0) continue;
    predictable_sums_[bin][static_cast<size_t>(s)] += losses[i];
    predictable_counts_[bin][static_cast<size_t>(s)] += 1;
  }
}

std::vector<Series> PositionwisePerplexity::series(const Reach& reach) const {
  const size_t bins = bins_.within(reach.position);
  Series loss = named("loss", reach.sequences);
  loss.bin_begin.assign(bins_.begin.data(), bins_.begin.data() + bins);
  loss.bin_end.assign(bins_.end.data(), bins_.end.data() + bins);
  for (size_t bin = 0; bin < bins; ++bin) {
    std::vector<double> means(sums_[bin].begin(), sums_[bin].begin() + reach.sequences);
    for (double& mean : means) mean /= static_cast<double>(bins_.end[bin] - bins_.begin[bin]);
    append(loss, bins_.centre(bin), mean_interval(means));
  }
  std::vector<Series> all = {perplexity_of(loss, "perplexity"), loss};
  if (!predictable_sums_.empty()) {
    const Series predictable = predictable_loss(reach);
    all.push_back(perplexity_of(predictable, kPredictablePerplexity));
    all.push_back(predictable);
  }
  return all;
}

Series PositionwisePerplexity::predictable_loss(const Reach& reach) const {
  Series loss = named("predictable_loss", reach.sequences);
  const auto S = static_cast<size_t>(reach.sequences);
  std::vector<double> sum(S), count(S);
  int64_t begin = 0;  // of the bins that are joined; 0: none is
  for (size_t bin = 0; bin < bins_.within(reach.position); ++bin) {
    const std::vector<double>& more = predictable_counts_[bin];
    const bool any = std::any_of(more.begin(), more.begin() + reach.sequences,
                                 [](double tokens) { return tokens > 0; });
    if (begin == 0 && !any) continue;
    if (begin == 0) begin = bins_.begin[bin];
    for (size_t s = 0; s < S; ++s) {
      sum[s] += predictable_sums_[bin][s];
      count[s] += more[s];
    }
    if (std::accumulate(count.begin(), count.end(), 0.0) < kFewestTokens) continue;
    loss.bin_begin.push_back(begin);
    loss.bin_end.push_back(bins_.end[bin]);
    append(loss, std::sqrt(static_cast<double>(begin) * static_cast<double>(bins_.end[bin] - 1)),
           ratio_interval(sum, count));
    std::fill(sum.begin(), sum.end(), 0.0);
    std::fill(count.begin(), count.end(), 0.0);
    begin = 0;
  }
  return loss;
}

}  // namespace farstate
