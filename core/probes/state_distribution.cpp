// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_distribution.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/stop.h"
#include "core/probes/dependence.h"

namespace farstate {
namespace {

// What is kept at most; beyond it a state's elements are thinned, or heads are left out of the law.
constexpr int64_t kSampleBytes = int64_t{64} << 20;
constexpr int64_t kLawBytes = int64_t{128} << 20;
constexpr int64_t kLawHeads = 32;   // a head takes about a second at 64 x 128
constexpr int64_t kRankStates = 2;  // a decomposition of 64 x 128 takes a millisecond
constexpr int64_t kFirstPosition = 16;
constexpr size_t kLeastForLaw = 8;  // states; fewer say nothing of dependence

std::vector<int64_t> reference_positions(int64_t trained_context, int64_t length) {
  if (trained_context <= 0 || trained_context > length) return {};
  std::set<int64_t> positions;
  for (const int64_t part : {8, 4, 2, 1}) positions.insert(std::max<int64_t>(trained_context / part, 1));
  return {positions.begin(), positions.end()};
}

}  // namespace

StateDistribution::StateDistribution(const RecurrentLM& model, int64_t sequences, int64_t length,
                                     int64_t trained_context, uint64_t seed)
    : layers_(model.sizes().layers),
      heads_(model.sizes().heads),
      head_dim_(model.sizes().head_dim),
      state_dim_(model.sizes().state_dim),
      sequences_(sequences),
      seed_(seed) {
  const std::vector<int64_t> trained = reference_positions(trained_context, length);
  std::set<int64_t> positions(trained.begin(), trained.end());
  for (int64_t p = kFirstPosition; p < length; p *= 2) positions.insert(p);
  positions.insert(length);
  for (const int64_t position : positions) {
    if (std::binary_search(trained.begin(), trained.end(), position)) {
      reference_of_.push_back(indices_.size());
    }
    indices_.push_back(position - 1);
  }
  whole_ = indices_.size();
  law_at_ = reference_of_.empty() ? indices_.size() - 1 : reference_of_.back();
  const int64_t kept_states = static_cast<int64_t>(indices_.size()) * layers_ * heads_ * sequences_;
  const int64_t elements = head_dim_ * state_dim_;
  quota_ = std::clamp<int64_t>(kSampleBytes / (kept_states * 4), 1, elements);
  rank_states_ = std::min(kRankStates, sequences_);
  kept_.resize(indices_.size() * static_cast<size_t>(layers_ * heads_));

  const int64_t all = layers_ * heads_;
  const int64_t fit = kLawBytes / (4 * sequences_ * elements);
  const int64_t count = std::clamp<int64_t>(std::min(fit, kLawHeads), 1, all);
  for (int64_t i = 0; i < count; ++i) {  // evenly spread
    const int64_t flat = i * all / count;
    law_heads_.emplace_back(flat / heads_, flat % heads_);
    law_states_.push_back(at::empty({sequences_, head_dim_, state_dim_}));
  }
}

StateDistribution::Head& StateDistribution::at(size_t k, int64_t layer, int64_t head) {
  return kept_[k * static_cast<size_t>(layers_ * heads_) + static_cast<size_t>(layer * heads_ + head)];
}

const StateDistribution::Head& StateDistribution::at(size_t k, int64_t layer, int64_t head) const {
  return const_cast<StateDistribution*>(this)->at(k, layer, head);
}

void StateDistribution::observe(int64_t first_sequence, const UnrollSegment& segment) {
  if (!segment.shows_state) return;
  const int64_t index = segment.begin + segment.tokens.size(1) - 1;
  const auto found = std::lower_bound(indices_.begin(), indices_.end(), index);
  if (found == indices_.end() || *found != index) return;  // another probe asked for it
  const auto k = static_cast<size_t>(found - indices_.begin());
  const int64_t elements = head_dim_ * state_dim_;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    throw_if_stopped();
    const at::Tensor h =
        segment.result.state.layers[static_cast<size_t>(layer)].recurrent.contiguous();  // [B,H,P,N]
    const auto* values = h.data_ptr<float>();
    for (int64_t b = 0; b < h.size(0); ++b) {
      for (int64_t head = 0; head < heads_; ++head) {
        Head& kept = at(k, layer, head);
        const float* first = values + (b * heads_ + head) * elements;
        const bool finite =
            std::all_of(first, first + elements, [](float v) { return std::isfinite(v); });
        if (!finite) whole_ = std::min(whole_, k);
        // Evenly spread over rows and columns: the stride and N have no common rhythm.
        for (int64_t i = 0; i < quota_; ++i) kept.elements.push_back(first[i * elements / quota_]);
        if (finite && first_sequence + b < rank_states_) {
          kept.rank += effective_rank(h[b][head]).value;
        }
      }
    }
  }
  if (k == law_at_) keep_for_law(first_sequence, segment);
}

void StateDistribution::keep_for_law(int64_t first_sequence, const UnrollSegment& segment) {
  for (size_t i = 0; i < law_heads_.size(); ++i) {
    const auto [layer, head] = law_heads_[i];
    const at::Tensor& h = segment.result.state.layers[static_cast<size_t>(layer)].recurrent;
    law_states_[i].narrow(0, first_sequence, h.size(0)).copy_(h.select(1, head));
  }
}

std::vector<float> StateDistribution::reference(int64_t layer, int64_t head) const {
  std::vector<float> all;
  for (const size_t k : reference_of_) {
    if (k >= whole_) break;
    const std::vector<float>& elements = at(k, layer, head).elements;
    all.insert(all.end(), elements.begin(), elements.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Series> StateDistribution::series() const {
  const auto make = [&](const char* name, int64_t layer, int64_t head, int64_t sequences) {
    Series series;
    series.name = name;
    series.x_name = "position";
    series.unit = "1";
    series.sequences = sequences;
    series.layer = layer;
    series.head = head;
    return series;
  };
  std::vector<Series> all;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    for (int64_t head = 0; head < heads_; ++head) {
      throw_if_stopped();
      const std::vector<float> trained = reference(layer, head);
      Series ks = make("ks_distance", layer, head, sequences_);
      Series wasserstein = make("wasserstein", layer, head, sequences_);
      Series rank = make("effective_rank", layer, head, rank_states_);
      for (size_t k = 0; k < whole_; ++k) {
        const auto position = static_cast<double>(indices_[k] + 1);
        const Head& kept = at(k, layer, head);
        rank.x.push_back(position);
        rank.y.push_back(kept.rank / static_cast<double>(rank_states_));
        if (trained.empty()) continue;
        std::vector<float> here = kept.elements;
        std::sort(here.begin(), here.end());
        ks.x.push_back(position);
        ks.y.push_back(ks_distance(here, trained));
        wasserstein.x.push_back(position);
        wasserstein.y.push_back(wasserstein_1(here, trained));
      }
      if (!trained.empty()) all.insert(all.end(), {std::move(ks), std::move(wasserstein)});
      all.push_back(std::move(rank));
    }
  }
  return all;
}

std::vector<std::string> StateDistribution::notes() const {
  std::vector<std::string> notes;
  const int64_t elements = head_dim_ * state_dim_;
  if (quota_ < elements) {
    notes.push_back(fmt::format("Distances between distributions rest on {} of {} elements of each "
                                "state, to stay within {} MB.",
                                quota_, elements, kSampleBytes >> 20));
  }
  if (reference_of_.empty()) {
    notes.push_back("The trained context is not recorded, or longer than the sequences: there is no "
                    "distribution to compare with, and only the rank was measured.");
  }
  if (law_at_ >= whole_) return notes;
  if (static_cast<size_t>(sequences_) < kLeastForLaw) {
    notes.push_back(fmt::format("The law of the states was not looked for: it takes {} sequences or "
                                "more, and there are {}.",
                                kLeastForLaw, sequences_));
    return notes;
  }
  std::vector<HeadLaw> laws(law_heads_.size());
  const int64_t round = at::get_num_threads();
  DependenceOptions options;
  options.seed = seed_;
  for (int64_t begin = 0; begin < static_cast<int64_t>(laws.size()); begin += round) {
    throw_if_stopped();
    const int64_t end = std::min(begin + round, static_cast<int64_t>(laws.size()));
    at::parallel_for(begin, end, 1, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        laws[static_cast<size_t>(i)] = head_law(law_states_[static_cast<size_t>(i)], {}, options);
      }
    });
  }
  const ModelLaw model = model_law(laws);
  notes.push_back(fmt::format("The law of the states after {} tokens, over {} sequences and {} of {} "
                              "heads: {}",
                              indices_[law_at_] + 1, sequences_, laws.size(), layers_ * heads_,
                              model.sentence));
  return notes;
}

}  // namespace farstate
