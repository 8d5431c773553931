// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/probes/position_bins.h"

namespace farstate {

StateNorm::StateNorm(const RecurrentLM& model, int64_t sequences, int64_t length,
                     int64_t bins_per_octave)
    : layers_(model.sizes().layers),
      heads_(model.sizes().heads),
      elements_(model.sizes().head_dim * model.sizes().state_dim),
      sequences_(sequences) {
  // A state is a point, not a sum over positions: one per bin of the perplexity, at its end.
  for (const int64_t end : PositionBins::logarithmic(length, bins_per_octave).end) {
    indices_.push_back(end - 2);  // position end-1, counted from 0
  }
  whole_ = indices_.size();
  sums_.resize(indices_.size() * static_cast<size_t>(layers_ * heads_ * sequences_));
}

StateNorm::Sums& StateNorm::at(size_t k, int64_t layer, int64_t head, int64_t sequence) {
  const auto offset = static_cast<size_t>((layer * heads_ + head) * sequences_ + sequence);
  return sums_[k * static_cast<size_t>(layers_ * heads_ * sequences_) + offset];
}

const StateNorm::Sums& StateNorm::at(size_t k, int64_t layer, int64_t head,
                                     int64_t sequence) const {
  return const_cast<StateNorm*>(this)->at(k, layer, head, sequence);
}

void StateNorm::observe(int64_t first_sequence, const UnrollSegment& segment) {
  // Other probes may ask for positions of their own.
  std::vector<std::pair<size_t, size_t>> columns;  // column of the segment's stats, index k of ours
  for (size_t column = 0; column < segment.stat_positions.size(); ++column) {
    const auto k = std::lower_bound(indices_.begin(), indices_.end(),
                                    segment.stat_positions[column]);
    if (k != indices_.end() && *k == segment.stat_positions[column]) {
      columns.emplace_back(column, static_cast<size_t>(k - indices_.begin()));
    }
  }
  if (columns.empty()) return;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    const auto stats = segment.result.stats[static_cast<size_t>(layer)].accessor<double, 4>();
    for (int64_t b = 0; b < stats.size(0); ++b) {
      for (const auto& [column, k] : columns) {
        for (int64_t head = 0; head < heads_; ++head) {
          const auto of_head = stats[b][static_cast<int64_t>(column)][head];
          // The earliest break of all rows and heads counts; what comes after it is not shown.
          if (of_head[3] > 0 && k < whole_) {
            broken_ = fmt::format("The state of layer {}, head {} is not finite after {} tokens ({} "
                                  "of {} elements): the model breaks down there, and the curves of "
                                  "the state end before it.",
                                  layer, head, indices_[k] + 1, of_head[3], elements_);
            whole_ = k;
          }
          at(k, layer, head, first_sequence + b) = {of_head[0], of_head[1], of_head[2]};
        }
      }
    }
  }
}

Series StateNorm::make(const char* name) const {
  Series series;
  series.name = name;
  series.x_name = "position";
  series.unit = "1";
  series.sequences = sequences_;
  return series;
}

std::vector<Series> StateNorm::series() const {
  const auto deviation = [](double sum, double squares, double count) {
    const double mean = sum / count;
    return std::sqrt(std::max(squares / count - mean * mean, 0.0));
  };
  const auto n = static_cast<double>(elements_);
  std::vector<Series> all;
  std::vector<double> norm(static_cast<size_t>(sequences_));
  std::vector<double> std_dev(norm.size());
  std::vector<double> max(norm.size());
  std::vector<Sums> model(whole_ * norm.size());  // [K,S], over all layers and heads

  for (int64_t layer = 0; layer < layers_; ++layer) {
    for (int64_t head = 0; head < heads_; ++head) {
      Series of_head[] = {make("state_norm"), make("state_std"), make("state_max")};
      for (Series& series : of_head) {
        series.layer = layer;
        series.head = head;
      }
      for (size_t k = 0; k < whole_; ++k) {
        for (size_t s = 0; s < norm.size(); ++s) {
          const Sums& sums = at(k, layer, head, static_cast<int64_t>(s));
          norm[s] = std::sqrt(sums.squares);
          std_dev[s] = deviation(sums.sum, sums.squares, n);
          max[s] = sums.max;
          model[k * norm.size() + s].sum += sums.sum;
          model[k * norm.size() + s].squares += sums.squares;
        }
        const auto position = static_cast<double>(indices_[k] + 1);
        append(of_head[0], position, mean_interval(norm));
        append(of_head[1], position, mean_interval(std_dev));
        append(of_head[2], position, mean_interval(max));
      }
      all.insert(all.end(), std::begin(of_head), std::end(of_head));
    }
  }

  Series whole = make("model_state_std");
  for (size_t k = 0; k < whole_; ++k) {
    for (size_t s = 0; s < norm.size(); ++s) {
      const Sums& sums = model[k * norm.size() + s];
      std_dev[s] = deviation(sums.sum, sums.squares, n * static_cast<double>(layers_ * heads_));
    }
    append(whole, static_cast<double>(indices_[k] + 1), mean_interval(std_dev));
  }
  all.push_back(std::move(whole));
  return all;
}

}  // namespace farstate
