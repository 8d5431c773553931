// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_distribution.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/stop.h"
#include "core/probes/dependence.h"
#include "core/probes/position_bins.h"

namespace farstate {
namespace {

// What is kept at most; beyond it a state's elements are thinned, or heads are left out of the law.
constexpr int64_t kSampleBytes = int64_t{64} << 20;
constexpr int64_t kLawBytes = int64_t{128} << 20;
constexpr int64_t kLawHeads = 32;   // a head takes up to a second at 64 x 128
constexpr int64_t kRankStates = 2;  // a decomposition of 64 x 128 takes a millisecond
constexpr int64_t kFirstPosition = 16;
constexpr int64_t kLeastForLaw = 8;  // states; fewer say nothing of dependence
constexpr int64_t kBins = 48;        // of a histogram, over what training showed
constexpr int64_t kBinsBeyond = 48;  // on either side at most, where other positions need them
constexpr int64_t kQuantiles = 65;
constexpr int64_t kPictureSide = 48;  // elements of the picture of the correlation

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<int64_t> reference_positions(int64_t trained_context, int64_t length) {
  if (trained_context <= 0 || trained_context > length) return {};
  std::set<int64_t> positions;
  for (const int64_t part : {8, 4, 2, 1}) positions.insert(std::max<int64_t>(trained_context / part, 1));
  return {positions.begin(), positions.end()};
}

std::set<int64_t> curve_positions(int64_t length) {
  std::set<int64_t> positions{length};
  for (int64_t p = kFirstPosition; p < length; p *= 2) positions.insert(p);
  return positions;
}

int64_t elements_kept(int64_t states, int64_t elements) {
  return std::clamp<int64_t>(kSampleBytes / (states * 4), 1, elements);
}

int64_t law_head_count(int64_t heads, int64_t sequences, int64_t elements) {
  const int64_t fit = kLawBytes / (4 * sequences * elements);
  return std::clamp<int64_t>(std::min(fit, kLawHeads), 1, heads);
}

// [side x side], row by row: the correlation over states of elements that are evenly spread over h.
std::vector<float> correlation_picture(const at::Tensor& states, int64_t side) {
  const int64_t R = states.size(0);
  const at::Tensor flat = states.reshape({R, -1, 1});
  std::vector<at::Tensor> chosen;
  for (int64_t i = 0; i < side; ++i) chosen.push_back(flat.select(1, i * flat.size(1) / side));
  const at::Tensor y = standardised_elements(at::stack(chosen, 1));  // [side,R]
  const at::Tensor correlation = at::mm(y, y.t()).div_(static_cast<double>(R)).contiguous();
  const float* first = correlation.data_ptr<float>();
  return {first, first + correlation.numel()};
}

HeadLawReport report_of(const HeadLaw& law, const at::Tensor& states, int64_t position) {
  const Dependence& d = law.numbers.dependence;
  HeadLawReport report;
  report.position = position;
  report.states = law.numbers.states;
  report.law = to_string(law.law);
  report.sentence = law.sentence;
  report.spectrum = d.spectrum;
  report.shuffled_spectrum = d.shuffled_spectrum;
  report.components = d.components;
  report.leading_share = d.leading_share.value;
  report.shuffled_leading_share = d.leading_share.shuffled_mean;
  report.rank = d.rank.value;
  report.shuffled_rank = d.rank.shuffled_mean;
  report.row_correlation = d.same_row.rms;
  report.column_correlation = d.same_column.rms;
  report.other_correlation = d.elsewhere.rms;
  report.side = std::min(kPictureSide, d.elements);
  report.correlation = correlation_picture(states, report.side);
  return report;
}

// Bins of the same width on either side, as far as values reach beyond the edges and there is room.
std::vector<double> widened(const std::vector<double>& edges, double lowest, double highest) {
  const double width = edges[1] - edges[0];
  const auto bins = [width](double beyond) {
    return static_cast<int64_t>(std::clamp<double>(std::ceil(beyond / width), 0, kBinsBeyond));
  };
  std::vector<double> wider;
  for (int64_t i = bins(edges.front() - lowest); i > 0; --i) {
    wider.push_back(edges.front() - static_cast<double>(i) * width);
  }
  wider.insert(wider.end(), edges.begin(), edges.end());
  for (int64_t i = 1; i <= bins(highest - edges.back()); ++i) {
    wider.push_back(edges.back() + static_cast<double>(i) * width);
  }
  return wider;
}

}  // namespace

StateDistribution::StateDistribution(const RecurrentLM& model, int64_t sequences, int64_t length,
                                     int64_t trained_context, const DistributionOptions& options)
    : layers_(model.sizes().layers),
      heads_(model.sizes().heads),
      head_dim_(model.sizes().head_dim),
      state_dim_(model.sizes().state_dim),
      sequences_(sequences),
      options_(options) {
  const std::vector<int64_t> trained = reference_positions(trained_context, length);
  std::set<int64_t> positions(trained.begin(), trained.end());
  positions.insert(options.pins.begin(), options.pins.end());
  if (options.curves) positions.merge(curve_positions(length));
  for (const int64_t position : positions) {
    if (std::binary_search(trained.begin(), trained.end(), position)) {
      reference_of_.push_back(indices_.size());
    }
    indices_.push_back(position - 1);
  }
  law_at_ = reference_of_.empty() ? indices_.size() - 1 : reference_of_.back();
  const auto states = static_cast<int64_t>(indices_.size()) * layers_ * heads_ * sequences_;
  quota_ = elements_kept(states, head_dim_ * state_dim_);
  rank_states_ = std::min(kRankStates, sequences_);
  gathered_.resize(indices_.size());
  kept_.resize(indices_.size());
  if (sequences_ >= kLeastForLaw) choose_law_heads(options.focus);
}

// Evenly spread over the model; the head in focus takes the place of its nearest neighbour.
void StateDistribution::choose_law_heads(HeadIndex focus) {
  const int64_t all = layers_ * heads_;
  const int64_t count = law_head_count(all, sequences_, head_dim_ * state_dim_);
  std::vector<int64_t> chosen;
  for (int64_t i = 0; i < count; ++i) chosen.push_back(i * all / count);
  const auto wanted = static_cast<int64_t>(flat(focus));
  if (wanted >= 0 && wanted < all) {
    *std::min_element(chosen.begin(), chosen.end(), [wanted](int64_t a, int64_t b) {
      return std::abs(a - wanted) < std::abs(b - wanted);
    }) = wanted;
  }
  for (const int64_t i : chosen) {
    laws_.push_back({{i / heads_, i % heads_},
                     at::empty({sequences_, head_dim_, state_dim_}), {}, {}});
  }
}

void StateDistribution::observe(int64_t first_sequence, const UnrollSegment& segment) {
  if (!segment.shows_state) return;
  const int64_t index = segment.begin + segment.tokens.size(1) - 1;
  const auto found = std::lower_bound(indices_.begin(), indices_.end(), index);
  if (found == indices_.end() || *found != index) return;  // another probe asked for it
  const auto k = static_cast<size_t>(found - indices_.begin());
  const auto all = static_cast<size_t>(layers_ * heads_);
  gathered_[k].resize(all);
  kept_[k].resize(all * static_cast<size_t>(sequences_ * quota_));
  const std::vector<LayerState>& layers = segment.result.state.layers;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    throw_if_stopped();
    gather(k, layer, first_sequence, layers[static_cast<size_t>(layer)].recurrent.contiguous());
  }
  if (k != law_at_) return;
  for (Law& law : laws_) {
    const at::Tensor& h = layers[static_cast<size_t>(law.index.layer)].recurrent;
    law.states.narrow(0, first_sequence, h.size(0)).copy_(h.select(1, law.index.head));
  }
}

void StateDistribution::gather(size_t k, int64_t layer, int64_t first_sequence,
                               const at::Tensor& h) {
  const auto elements = static_cast<size_t>(head_dim_ * state_dim_);
  const auto quota = static_cast<size_t>(quota_);
  const float* states = h.data_ptr<float>();  // [B,H,P,N]
  at::parallel_for(0, heads_, 1, [&](int64_t begin, int64_t end) {
    for (int64_t head = begin; head < end; ++head) {
      const size_t row = flat({layer, head});
      Gathered& gathered = gathered_[k][row];
      for (int64_t b = 0; b < h.size(0); ++b) {
        const std::span<const float> state(
            states + static_cast<size_t>(b * heads_ + head) * elements, elements);
        const Moments m = moments(state);
        if (!std::isfinite(m.mean)) return;  // the sweep ends here: see StateGuard
        gathered.moments.merge(m);
        gathered.norm += std::sqrt(m.central[0] + static_cast<double>(m.count) * m.mean * m.mean);
        const auto sequence = static_cast<size_t>(first_sequence + b);
        float* kept = kept_[k].data() + (row * static_cast<size_t>(sequences_) + sequence) * quota;
        // Evenly spread over rows and columns: the stride and N have no common rhythm.
        for (size_t i = 0; i < quota; ++i) kept[i] = state[i * elements / quota];
        if (first_sequence + b >= rank_states_) continue;
        const EffectiveRank rank = effective_rank(h[b][head]);
        gathered.rank += rank.value;
        const size_t leading = std::min(kSingularValues, rank.singular_values.size());
        for (size_t i = 0; i < leading; ++i) gathered.singular_values[i] += rank.singular_values[i];
      }
    }
  });
}

size_t StateDistribution::within(const Reach& reach) const {
  return static_cast<size_t>(
      std::upper_bound(indices_.begin(), indices_.end(), reach.position - 1) - indices_.begin());
}

std::vector<size_t> StateDistribution::trained(const Reach& reach) const {
  const auto end = std::lower_bound(reference_of_.begin(), reference_of_.end(), within(reach));
  return {reference_of_.begin(), end};
}

// Of the first sequences, one after the other, `quota_` of each.
std::span<const float> StateDistribution::elements(size_t k, size_t head, int64_t sequences) const {
  return {kept_[k].data() + head * static_cast<size_t>(sequences_ * quota_),
          static_cast<size_t>(sequences * quota_)};
}

std::vector<float> StateDistribution::sorted(std::span<const size_t> ks, size_t head,
                                             int64_t sequences) const {
  std::vector<float> all;
  for (const size_t k : ks) {
    const std::span<const float> some = elements(k, head, sequences);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Of every sequence: between h there and h at T, over the elements that were kept.
std::vector<double> StateDistribution::cosines(size_t k, size_t head, int64_t sequences) const {
  const std::span<const float> here = elements(k, head, sequences);
  const std::span<const float> trained = elements(reference_of_.back(), head, sequences);
  std::vector<double> result;
  for (size_t i = 0; i < here.size();) {
    double product = 0, a = 0, b = 0;
    for (const size_t end = i + static_cast<size_t>(quota_); i < end; ++i) {
      product += double(here[i]) * trained[i];
      a += double(here[i]) * here[i];
      b += double(trained[i]) * trained[i];
    }
    result.push_back(a > 0 && b > 0 ? product / std::sqrt(a * b) : 0);  // a zero state: nothing alike
  }
  return result;
}

std::vector<Series> StateDistribution::series(const Reach& reach) const {
  if (!options_.curves) return {};
  const size_t K = within(reach);
  const std::vector<size_t> reference = trained(reach);
  const int64_t S = reach.sequences;
  std::vector<std::vector<Series>> of_heads(static_cast<size_t>(layers_ * heads_));
  const auto curves_of = [&](int64_t layer, int64_t head) {
    const size_t row = flat({layer, head});
    const auto make = [&](const char* name, int64_t sequences) {
      Series series;
      series.name = name;
      series.x_name = "position";
      series.unit = "1";
      series.sequences = sequences;
      series.layer = layer;
      series.head = head;
      return series;
    };
    Series ks = make("ks_distance", S), wasserstein = make("wasserstein", S),
           rank = make("effective_rank", rank_states_), cosine = make("state_cosine", S),
           skewness = make("state_skewness", S), kurtosis = make("state_kurtosis", S);
    const auto add = [](Series& series, double x, double y) {
      series.x.push_back(x);
      series.y.push_back(y);
    };
    const std::vector<float> of_training = sorted(reference, row, S);
    for (size_t k = 0; k < K; ++k) {
      const auto position = static_cast<double>(indices_[k] + 1);
      const Gathered& gathered = gathered_[k][row];
      add(rank, position, gathered.rank / static_cast<double>(rank_states_));
      add(skewness, position, gathered.moments.skewness());
      add(kurtosis, position, gathered.moments.excess_kurtosis());
      if (reference.empty()) continue;
      const std::vector<float> here = sorted({&k, 1}, row, S);
      add(ks, position, ks_distance(here, of_training));
      add(wasserstein, position, wasserstein_1(here, of_training));
      if (reference.size() == reference_of_.size()) {
        append(cosine, position, mean_interval(cosines(k, row, S)));
      }
    }
    std::vector<Series>& all = of_heads[row];
    if (!reference.empty()) all.insert(all.end(), {std::move(ks), std::move(wasserstein)});
    all.push_back(std::move(rank));
    if (!cosine.x.empty()) all.push_back(std::move(cosine));
    all.insert(all.end(), {std::move(skewness), std::move(kurtosis)});
  };
  std::vector<Series> all;
  for (int64_t layer = 0; layer < layers_; ++layer) {
    throw_if_stopped();
    at::parallel_for(0, heads_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t head = begin; head < end; ++head) curves_of(layer, head);
    });
    for (int64_t head = 0; head < heads_; ++head) {
      for (Series& series : of_heads[flat({layer, head})]) all.push_back(std::move(series));
    }
  }
  return all;
}

void StateDistribution::look_for_law(const Reach& reach) {
  if (law_at_ >= within(reach) || reach.sequences < sequences_) laws_.clear();
  if (laws_.empty()) return;
  DependenceOptions options;
  options.seed = options_.seed;
  const auto count = static_cast<int64_t>(laws_.size());
  const int64_t round = at::get_num_threads();
  for (int64_t begin = 0; begin < count; begin += round) {
    throw_if_stopped();
    at::parallel_for(begin, std::min(begin + round, count), 1, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) {
        Law& law = laws_[static_cast<size_t>(i)];
        law.found = head_law(law.states, {}, options);
        law.report = report_of(law.found, law.states, indices_[law_at_] + 1);
        law.states.reset();
      }
    });
  }
  std::vector<HeadLaw> found;
  for (const Law& law : laws_) found.push_back(law.found);
  model_law_ = fmt::format("The law of the states after {} tokens, over {} sequences and {} of {} "
                           "heads: {}",
                           indices_[law_at_] + 1, sequences_, laws_.size(), layers_ * heads_,
                           model_law(found).sentence);
}

// All numbers but the distances, which need something to compare with.
ElementDistribution StateDistribution::describe(std::span<const size_t> ks, size_t head,
                                                int64_t sequences,
                                                std::span<const float> sorted) const {
  ElementDistribution d;
  d.states = static_cast<int64_t>(ks.size()) * sequences;
  d.counted = static_cast<int64_t>(sorted.size());
  Moments all;
  d.singular_values.assign(std::min<size_t>(kSingularValues, std::min(head_dim_, state_dim_)), 0);
  const double ranked = static_cast<double>(ks.size()) * static_cast<double>(rank_states_);
  for (const size_t k : ks) {
    const Gathered& gathered = gathered_[k][head];
    all.merge(gathered.moments);
    d.norm += gathered.norm / static_cast<double>(d.states);
    d.effective_rank += gathered.rank / ranked;
    for (size_t i = 0; i < d.singular_values.size(); ++i) {
      d.singular_values[i] += gathered.singular_values[i] / ranked;
    }
  }
  d.mean = all.mean;
  d.std = all.std();
  d.skewness = all.skewness();
  d.excess_kurtosis = all.excess_kurtosis();
  d.smallest = all.min;
  d.largest = all.max;
  d.ks_distance = d.wasserstein = d.cosine = kNaN;
  return d;
}

HeadReport StateDistribution::head_report(HeadIndex index, const StateReport& report,
                                          const Reach& reach) const {
  const int64_t S = reach.sequences;
  const size_t row = flat(index);
  const std::vector<size_t> reference = trained(reach);
  const std::vector<float> of_training = sorted(reference, row, S);
  std::vector<size_t> ks;
  std::vector<std::vector<float>> at_pins;
  for (const int64_t position : report.positions) {
    ks.push_back(static_cast<size_t>(
        std::lower_bound(indices_.begin(), indices_.end(), position - 1) - indices_.begin()));
    at_pins.push_back(sorted({&ks.back(), 1}, row, S));
  }
  HeadReport head;
  head.index = index;
  if (reference.empty() && ks.empty()) return head;
  head.edges = histogram_edges(reference.empty() ? at_pins.front() : of_training, kBins);
  double lowest = head.edges.front(), highest = head.edges.back();
  for (const std::vector<float>& pin : at_pins) {
    lowest = std::min(lowest, quantile(pin, 0.001));
    highest = std::max(highest, quantile(pin, 0.999));
  }
  head.edges = widened(head.edges, lowest, highest);

  const auto describe_all = [&](std::span<const size_t> at, std::span<const float> values) {
    ElementDistribution d = describe(at, row, S, values);
    Histogram counted = histogram(values, head.edges);
    d.counts = std::move(counted.counts);
    d.below = counted.below;
    d.above = counted.above;
    for (const double z : report.normal_quantiles) {
      d.quantiles.push_back(quantile(values, normal_cdf(z)));
    }
    return d;
  };
  if (!reference.empty()) head.training = describe_all(reference, of_training);
  for (size_t i = 0; i < ks.size(); ++i) {
    ElementDistribution d = describe_all({&ks[i], 1}, at_pins[i]);
    d.position = report.positions[i];
    if (!reference.empty()) {
      d.ks_distance = ks_distance(at_pins[i], of_training);
      d.wasserstein = wasserstein_1(at_pins[i], of_training);
    }
    if (!reference.empty() && reference.size() == reference_of_.size()) {
      d.cosine = mean_interval(cosines(ks[i], row, S)).mean;
    }
    head.at.push_back(std::move(d));
  }
  for (const Law& law : laws_) {
    if (law.index == index) head.law = law.report;
  }
  return head;
}

StateReport StateDistribution::report(const Reach& reach) const {
  StateReport report;
  report.sequences = reach.sequences;
  for (const int64_t pin : options_.pins) {
    if (pin <= reach.position) report.positions.push_back(pin);
  }
  for (const size_t k : trained(reach)) report.training.push_back(indices_[k] + 1);
  report.normal_quantiles =
      plot_quantiles(static_cast<size_t>(reach.sequences * quota_), kQuantiles);
  report.heads.resize(static_cast<size_t>(layers_ * heads_));
  for (int64_t layer = 0; layer < layers_; ++layer) {
    throw_if_stopped();
    at::parallel_for(0, heads_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t head = begin; head < end; ++head) {
        report.heads[flat({layer, head})] = head_report({layer, head}, report, reach);
      }
    });
  }
  report.law = model_law_;
  report.notes = notes(reach);
  if (report.positions.size() < options_.pins.size()) {
    report.notes.push_back(fmt::format("Of the positions {} only those up to {} were reached.",
                                       fmt::join(options_.pins, ", "), reach.position));
  }
  return report;
}

std::vector<std::string> StateDistribution::notes(const Reach& reach) const {
  std::vector<std::string> notes;
  const int64_t elements = head_dim_ * state_dim_;
  if (quota_ < elements) {
    notes.push_back(fmt::format("Histograms, quantiles, cosines and distances between distributions "
                                "rest on {} of {} elements of each state, to stay within {} MB; "
                                "means, standard deviations, skewness and kurtosis on all.",
                                quota_, elements, kSampleBytes >> 20));
  }
  if (reference_of_.empty()) {
    notes.push_back("The trained context is not recorded, or longer than the sequences: there is no "
                    "distribution to compare with.");
  }
  if (law_at_ >= within(reach)) return notes;
  if (sequences_ < kLeastForLaw) {
    notes.push_back(fmt::format("The law of the states was not looked for: it takes {} sequences or "
                                "more, and there are {}.",
                                kLeastForLaw, sequences_));
  }
  if (!model_law_.empty()) notes.push_back(model_law_);
  return notes;
}

int64_t state_distribution_bytes(const ModelSizes& sizes, int64_t sequences, int64_t length,
                                 int64_t pins, bool curves) {
  // Pins, the four of the reference, powers of two and the end; some may coincide.
  const int64_t positions =
      pins + 4 + (curves ? static_cast<int64_t>(curve_positions(length).size()) : 0);
  const int64_t elements = sizes.head_dim * sizes.state_dim;
  const int64_t heads = sizes.layers * sizes.heads;
  const int64_t states = positions * heads * sequences;
  // Of a head at a position: sums, and where they are asked for six curves, in the result and in its
  // copy.
  const int64_t numbers = 136 + (curves ? 2 * 6 * 24 : 0);
  // Of a head in the report, and in its copy.
  const int64_t distribution = 8 * (kBins + kQuantiles + 24);
  const int64_t laws = law_head_count(heads, sequences, elements);
  const int64_t picture = 4 * kPictureSide * kPictureSide;
  int64_t bytes = 4 * states * elements_kept(states, elements) + positions * heads * numbers +
                  2 * heads * (pins + 1) * distribution;
  if (sequences >= kLeastForLaw) bytes += laws * (4 * sequences * elements + 2 * picture);
  return bytes;
}

int64_t state_law_bytes(const ModelSizes& sizes, int64_t sequences, int64_t threads) {
  if (sequences < kLeastForLaw) return 0;
  // Copies of a head's states and of their standardised elements: element by element, by row and by
  // column, their squares and logarithms.
  constexpr int64_t kCopies = 6;
  return threads * kCopies * 4 * sequences * sizes.head_dim * sizes.state_dim;
}

}  // namespace farstate
