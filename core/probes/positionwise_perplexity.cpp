// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/positionwise_perplexity.h"

#include <algorithm>
#include <cmath>

namespace farstate {

PositionwisePerplexity::PositionwisePerplexity(const RecurrentLM& model, int64_t sequences,
                                               int64_t length, int64_t bins_per_octave, bool keep)
    : model_(model),
      bins_(PositionBins::logarithmic(length - 1, bins_per_octave)),
      sums_(bins_.size(), std::vector<double>(static_cast<size_t>(sequences))) {
  if (keep) {
    nll_.assign(static_cast<size_t>(sequences), std::vector<float>(static_cast<size_t>(length - 1)));
  }
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
    if (!nll_.empty()) std::copy_n(values + b * t, t, nll_[s].begin() + segment.begin);
  }
}

std::vector<Series> PositionwisePerplexity::series(const Reach& reach) const {
  const size_t bins = bins_.within(reach.position);
  Series loss;
  loss.name = "loss";
  loss.x_name = "position";
  loss.unit = "nats";
  loss.sequences = reach.sequences;
  loss.bin_begin.assign(bins_.begin.data(), bins_.begin.data() + bins);
  loss.bin_end.assign(bins_.end.data(), bins_.end.data() + bins);
  for (size_t bin = 0; bin < bins; ++bin) {
    std::vector<double> means(sums_[bin].begin(), sums_[bin].begin() + reach.sequences);
    for (double& mean : means) mean /= static_cast<double>(bins_.end[bin] - bins_.begin[bin]);
    append(loss, bins_.centre(bin), mean_interval(means));
  }
  Series perplexity = loss;
  perplexity.name = "perplexity";
  perplexity.unit = "perplexity";
  for (std::vector<double>* values : {&perplexity.y, &perplexity.lower, &perplexity.upper}) {
    for (double& value : *values) value = std::exp(value);
  }
  return {perplexity, loss};
}

}  // namespace farstate
