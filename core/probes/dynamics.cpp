// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/dynamics.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace farstate {
namespace {

// ln 2 / rate. A ratio has no symmetric interval: the bounds are those of the rate's logarithm to
// first order, which keeps them positive however few the sequences.
MeanInterval half_life(const MeanInterval& rate) {
  const double y = std::numbers::ln2 / rate.mean;
  const double factor = std::exp((rate.upper - rate.mean) / rate.mean);
  return {y, y / factor, y * factor};
}

}  // namespace

Dynamics::Dynamics(const RecurrentLM& model, int64_t sequences, int64_t length,
                   int64_t bins_per_octave)
    : layers_(model.sizes().layers),
      heads_(model.sizes().heads),
      sequences_(sequences),
      bins_(PositionBins::logarithmic(length, bins_per_octave)),
      sums_(bins_.size() * static_cast<size_t>(layers_ * heads_ * sequences_)) {}

size_t Dynamics::offset(size_t bin, int64_t layer, int64_t sequence) const {
  return (bin * static_cast<size_t>(layers_ * sequences_) +
          static_cast<size_t>(layer * sequences_ + sequence)) *
         static_cast<size_t>(heads_);
}

void Dynamics::observe(int64_t first_sequence, const UnrollSegment& segment) {
  const std::vector<LayerDynamics>& layers = segment.result.dynamics;
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    add(static_cast<int64_t>(layer), first_sequence, segment.begin, layers[layer]);
  }
}

void Dynamics::add(int64_t layer, int64_t first_sequence, int64_t begin,
                   const LayerDynamics& dynamics) {
  has_dt_ = dynamics.dt.defined();
  const at::Tensor log_decay = dynamics.log_decay.to(at::kFloat).contiguous();
  // 1 - exp(x) would lose the digits of a slow head, whose decay is close to 1.
  const at::Tensor write = log_decay.expm1().neg();
  const at::Tensor dt = has_dt_ ? dynamics.dt.to(at::kFloat).contiguous() : log_decay;
  const float* log_decays = log_decay.data_ptr<float>();
  const float* writes = write.data_ptr<float>();
  const float* steps = dt.data_ptr<float>();
  const int64_t T = log_decay.size(1);
  const auto H = static_cast<size_t>(heads_);
  size_t i = 0;
  for (int64_t b = 0; b < log_decay.size(0); ++b) {
    size_t bin = bins_.find(begin + 1);
    for (int64_t t = 0; t < T; ++t) {
      // Index t makes the state after t+1 tokens.
      if (begin + t + 1 == bins_.end[bin]) ++bin;
      Sums* of_heads = &sums_[offset(bin, layer, first_sequence + b)];
      for (size_t head = 0; head < H; ++head, ++i) {
        of_heads[head].dt += steps[i];
        of_heads[head].rate -= log_decays[i];
        of_heads[head].write += writes[i];
      }
    }
  }
}

MeanInterval Dynamics::mean(size_t bin, int64_t layer, int64_t head, double Sums::*sum,
                        int64_t sequences) const {
  const auto positions = static_cast<double>(bins_.end[bin] - bins_.begin[bin]);
  std::vector<double> of_sequence;
  for (int64_t s = 0; s < sequences; ++s) {
    of_sequence.push_back(sums_[offset(bin, layer, s) + static_cast<size_t>(head)].*sum / positions);
  }
  return mean_interval(of_sequence);
}

std::vector<Series> Dynamics::series(const Reach& reach) const {
  const size_t bins = bins_.within(reach.position);
  Series empty;
  empty.x_name = "position";
  empty.sequences = reach.sequences;
  empty.bin_begin.assign(bins_.begin.data(), bins_.begin.data() + bins);
  empty.bin_end.assign(bins_.end.data(), bins_.end.data() + bins);
  const auto named = [&](const char* name, const char* unit = "1") {
    Series series = empty;
    series.name = name;
    series.unit = unit;
    return series;
  };
  const auto over_sequences = [&](size_t bin, int64_t layer, int64_t head, double Sums::*sum) {
    return mean(bin, layer, head, sum, reach.sequences);
  };
  std::vector<Series> all;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    empty.layer = layer;
    for (int64_t head = 0; head < heads_; ++head) {
      empty.head = head;
      Series dt = named("dt_mean");
      Series decay = named("decay_mean");
      Series memory = named("half_life", "tokens");
      Series write = named("write_share");
      for (size_t bin = 0; bin < bins; ++bin) {
        const double x = bins_.centre(bin);
        const MeanInterval written = over_sequences(bin, layer, head, &Sums::write);
        append(dt, x, over_sequences(bin, layer, head, &Sums::dt));
        append(decay, x, {1 - written.mean, 1 - written.upper, 1 - written.lower});
        append(memory, x, half_life(over_sequences(bin, layer, head, &Sums::rate)));
        append(write, x, written);
      }
      if (has_dt_) all.push_back(std::move(dt));
      for (Series* series : {&decay, &memory, &write}) all.push_back(std::move(*series));
    }
  }
  return all;
}

}  // namespace farstate
