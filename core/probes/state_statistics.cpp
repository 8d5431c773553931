// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/probes/position_bins.h"

namespace farstate {

StateStatistics::StateStatistics(const RecurrentLM& model, int64_t sequences, int64_t length,
                                 int64_t bins_per_octave, int64_t trained_context)
    : layers_(model.sizes().layers),
      heads_(model.sizes().heads),
      elements_(model.sizes().head_dim * model.sizes().state_dim),
      sequences_(sequences) {
  // A state is a point, not a sum over positions: one per bin of the perplexity, at its end.
  for (const int64_t end : PositionBins::logarithmic(length, bins_per_octave).end) {
    indices_.push_back(end - 2);  // position end-1, counted from 0
  }
  if (trained_context > 0 && trained_context <= length) {
    const auto after = std::lower_bound(indices_.begin(), indices_.end(), trained_context - 1);
    reference_ = static_cast<size_t>(after - indices_.begin());
    if (after == indices_.end() || *after != trained_context - 1) {
      indices_.insert(after, trained_context - 1);
    }
  } else {
    reference_ = indices_.size();
  }
  sums_.resize(indices_.size() * static_cast<size_t>(layers_ * heads_ * sequences_));
}

StateStatistics::Sums& StateStatistics::at(size_t k, int64_t layer, int64_t head, int64_t sequence) {
  const auto offset = static_cast<size_t>((layer * heads_ + head) * sequences_ + sequence);
  return sums_[k * static_cast<size_t>(layers_ * heads_ * sequences_) + offset];
}

const StateStatistics::Sums& StateStatistics::at(size_t k, int64_t layer, int64_t head,
                                     int64_t sequence) const {
  return const_cast<StateStatistics*>(this)->at(k, layer, head, sequence);
}

void StateStatistics::observe(int64_t first_sequence, const UnrollSegment& segment) {
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
          at(k, layer, head, first_sequence + b) = {of_head[0], of_head[1], of_head[2]};
        }
      }
    }
  }
}

std::vector<Series> StateStatistics::series(const Reach& reach) const {
  const auto make = [&](const char* name) {
    Series series;
    series.name = name;
    series.x_name = "position";
    series.unit = "1";
    series.sequences = reach.sequences;
    return series;
  };
  const auto deviation = [](double sum, double squares, double count) {
    const double mean = sum / count;
    return std::sqrt(std::max(squares / count - mean * mean, 0.0));
  };
  const auto n = static_cast<double>(elements_);
  std::vector<Series> all;
  const auto S = static_cast<size_t>(reach.sequences);
  // Of K: the positions within the reach.
  const auto K = static_cast<size_t>(
      std::upper_bound(indices_.begin(), indices_.end(), reach.position - 1) - indices_.begin());
  std::vector<double> values(S), at_reference(S);
  std::vector<Sums> model(K * S);  // over all layers and heads
  const bool drifts = reference_ < K;

  for (int64_t layer = 0; layer < layers_; ++layer) {
    for (int64_t head = 0; head < heads_; ++head) {
      // Appends one statistic's value at index k.
      const auto add = [&](Series& series, size_t k, auto&& of) {
        for (size_t s = 0; s < S; ++s) values[s] = of(at(k, layer, head, static_cast<int64_t>(s)));
        append(series, static_cast<double>(indices_[k] + 1), mean_interval(values));
      };
      const auto norm_of = [](const Sums& x) { return std::sqrt(x.squares); };
      Series norm = make("state_norm"), mean = make("state_mean"), std_dev = make("state_std"),
             rms = make("state_rms"), max = make("state_max"), drift = make("state_drift");
      for (size_t k = 0; k < K; ++k) {
        add(norm, k, norm_of);
        add(mean, k, [&](const Sums& x) { return x.sum / n; });
        add(std_dev, k, [&](const Sums& x) { return deviation(x.sum, x.squares, n); });
        add(rms, k, [&](const Sums& x) { return std::sqrt(x.squares / n); });
        add(max, k, [](const Sums& x) { return x.max; });
        if (drifts) {
          for (size_t s = 0; s < S; ++s) {
            const auto sequence = static_cast<int64_t>(s);
            values[s] = norm_of(at(k, layer, head, sequence));
            at_reference[s] = norm_of(at(reference_, layer, head, sequence));
          }
          append(drift, static_cast<double>(indices_[k] + 1), ratio_interval(values, at_reference));
        }
        for (size_t s = 0; s < S; ++s) {
          const Sums& sums = at(k, layer, head, static_cast<int64_t>(s));
          model[k * S + s].sum += sums.sum;
          model[k * S + s].squares += sums.squares;
        }
      }
      for (Series* series : {&norm, &mean, &std_dev, &rms, &max, &drift}) {
        if (series == &drift && !drifts) continue;
        series->layer = layer;
        series->head = head;
        all.push_back(std::move(*series));
      }
    }
  }

  Series whole = make("model_state_std");
  for (size_t k = 0; k < K; ++k) {
    for (size_t s = 0; s < S; ++s) {
      const Sums& sums = model[k * S + s];
      values[s] = deviation(sums.sum, sums.squares, n * static_cast<double>(layers_ * heads_));
    }
    append(whole, static_cast<double>(indices_[k] + 1), mean_interval(values));
  }
  all.push_back(std::move(whole));
  return all;
}

}  // namespace farstate
