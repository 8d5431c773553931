// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_law.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace farstate {
namespace {

constexpr int64_t kKsBudget = 65536;
// sqrt(-ln(0.001/2) / 2): Kolmogorov's distribution exceeds it once in a thousand.
constexpr double kKolmogorov999 = 1.95;

std::span<const float> span_of(const at::Tensor& t) {
  return {t.data_ptr<float>(), static_cast<size_t>(t.numel())};
}

struct MeanAndError {
  double mean;
  double error;
};

MeanAndError over_states(const at::Tensor& per_state) {
  const double n = static_cast<double>(per_state.numel());
  return {per_state.mean().item<double>(), per_state.std().item<double>() / std::sqrt(n)};
}

// How much the true means of the elements of z [R,E] differ: their variance over elements, without
// what the sampling of R states adds. What a state's elements have in common is taken off first.
// Products of different states only: their expectation is that variance, whatever the tails and
// however the elements hang together, while squares would bring in the sampling noise.
struct Spread {
  double variance;
  double error;  // its standard error if all true means were equal
};

Spread spread_of_means(const at::Tensor& z) {
  const auto R = static_cast<double>(z.size(0));
  const at::Tensor centred = z - z.mean(1, true);
  const at::Tensor gram = at::mm(centred, centred.t()).to(at::kDouble) / z.size(1);
  const at::Tensor diagonal = gram.diagonal();
  const double pairs = R * (R - 1);
  const double products = gram.sum().item<double>() - diagonal.sum().item<double>();
  const double squares =
      gram.square().sum().item<double>() - diagonal.square().sum().item<double>();
  return {products / pairs, std::sqrt(2 * squares) / pairs};
}

void measure_elements(const at::Tensor& x, HeadNumbers& n) {
  const auto R = static_cast<double>(x.size(0));
  const double variance = n.pooled.variance();
  const Spread means = spread_of_means(x);
  n.mean_spread = std::sqrt(std::max(means.variance, 0.0) / variance);
  n.mean_spread_errors = means.error > 0 ? means.variance / means.error : 0;

  // Logarithms, since squares would leave the answer to the few largest elements. The floor is
  // what float32 cannot tell from a constant element.
  const at::Tensor log_sizes = (x - x.mean(0)).square_().add_(1e-12 * variance).log_().mul_(0.5);
  Spread sizes = spread_of_means(log_sizes);
  // Two residuals about one mean correlate by -1/(R-1), their log sizes by half the square of that.
  sizes.variance -= 0.5 / ((R - 1) * (R - 1));
  n.std_spread = std::sqrt(std::max(sizes.variance, 0.0));
  n.std_spread_errors = sizes.error > 0 ? sizes.variance / sizes.error : 0;
}

// Element after element, R values each, without the constant ones.
std::vector<float> live_standardised(const at::Tensor& states) {
  const at::Tensor y = standardised_elements(states);  // [P*N,R]
  const std::span<const float> all = span_of(y);
  const auto R = static_cast<size_t>(y.size(1));
  std::vector<float> live;
  live.reserve(all.size());
  for (size_t at = 0; at < all.size(); at += R) {
    const std::span<const float> element = all.subspan(at, R);
    if (std::any_of(element.begin(), element.end(), [](float v) { return v != 0; })) {
      live.insert(live.end(), element.begin(), element.end());
    }
  }
  return live;
}

// Means over elements of the estimator G2 of the excess kurtosis, which is 0 for Gaussians in
// samples of any size (Joanes and Gill 1998, doi:10.1111/1467-9884.00122).
void measure_kurtosis(std::span<const float> y, size_t R, HeadNumbers& n) {
  const auto r = static_cast<double>(R);
  const double elements = static_cast<double>(y.size() / R);
  double sum = 0, squares = 0;
  for (size_t at = 0; at < y.size(); at += R) {
    double fourth = 0;
    for (const float v : y.subspan(at, R)) fourth += double(v) * v * v * v;
    const double g2 = (r - 1) / ((r - 2) * (r - 3)) * ((r + 1) * (fourth / r - 3) + 6);
    sum += g2;
    squares += g2 * g2;
  }
  n.kurtosis = sum / elements;
  const double spread = std::sqrt(std::max(squares / elements - n.kurtosis * n.kurtosis, 0.0));
  n.kurtosis_error = spread / std::sqrt(std::max(n.dependence.effective_dimension, 1.0));
}

// Standardising by a sample's own mean and standard deviation bends the law of R values, so
// Gaussians are standardised likewise for the comparison.
std::vector<float> standardised_gaussians(size_t R, uint64_t seed) {
  std::vector<float> values(kKsBudget / R * R);
  Rng(seed, RngStream::kMeasure, 1).fill_normal(values, 0, 1);
  for (size_t at = 0; at < values.size(); at += R) {
    const std::span<float> element(values.data() + at, R);
    const Moments m = moments(element);
    for (float& v : element) v = static_cast<float>((v - m.mean) / m.std());
  }
  std::sort(values.begin(), values.end());
  return values;
}

void measure_shape(const at::Tensor& states, uint64_t seed, HeadNumbers& n) {
  const Sample pooled = draw_sample(span_of(states), kKsBudget, seed);
  n.ks_pooled = ks_distance_to_gaussian(pooled.sorted, n.pooled.mean, n.pooled.std());
  const auto R = static_cast<size_t>(states.size(0));
  const std::vector<float> y = live_standardised(states);
  if (y.empty()) return;
  measure_kurtosis(y, R, n);
  const Sample sample = draw_sample(y, kKsBudget, seed);
  const std::vector<float> reference = standardised_gaussians(R, seed);
  n.ks = ks_distance(sample.sorted, reference);
  // Elements that hang together are worth fewer independent numbers.
  const double worth = std::min(static_cast<double>(sample.sorted.size()),
                                n.dependence.effective_dimension * static_cast<double>(R));
  const auto m = static_cast<double>(reference.size());
  n.ks_error = kKolmogorov999 * std::sqrt((worth + m) / (worth * m));
}

HeadNumbers measure(const at::Tensor& given, const DependenceOptions& options) {
  HeadNumbers n;
  n.dependence = measure_dependence(given, options);  // checks the states
  n.states = given.size(0);
  const at::Tensor states = given.contiguous();
  const at::Tensor x = states.view({n.states, -1});
  n.pooled = moments(span_of(x));
  if (n.pooled.variance() == 0) return n;

  n.mean_error = over_states(x.mean(1, false, at::kDouble)).error;
  const at::Tensor about_mean = x - n.pooled.mean;
  n.std_error = over_states(about_mean.square().mean(1, false, at::kDouble)).error /
                (2 * n.pooled.std());
  measure_elements(x, n);
  measure_shape(states, options.seed, n);
  const double size_variance = n.dependence.size_variance.excess();
  n.size_spread = std::sqrt(std::max(size_variance, 0.0)) / 2;
  return n;
}

// Beyond the shuffled states' by more than they scatter.
bool above_chance(const Calibrated& c, double errors) {
  return c.excess() > errors * c.shuffled_std;
}

bool correlated(const PairCorrelation& c, const StateLawThresholds& t) {
  return c.rms > t.correlation && c.squared > t.standard_errors * c.squared_error;
}

StateLaw law_of(const HeadLaw& head) {
  if (head.dependent()) return StateLaw::kDependent;
  if (head.not_gaussian) return StateLaw::kNotGaussian;
  if (head.elements_differ) return StateLaw::kGaussianPerElement;
  return StateLaw::kVariancePerHead;
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : "; ") + part;
  return all;
}

std::string sentence_of(const HeadLaw& head) {
  const HeadNumbers& n = head.numbers;
  const Dependence& d = n.dependence;
  if (n.pooled.variance() == 0) {
    return fmt::format("All elements of all {} states are {:.3g}.", n.states, n.pooled.mean);
  }
  std::vector<std::string> missing;
  if (head.correlated) {
    const std::string hold = d.components == 1
                                 ? "the first direction holds"
                                 : fmt::format("the first {} directions hold", d.components);
    missing.push_back(fmt::format(
        "its elements are correlated ({} {} of the variance, {} if independent; RMS correlation "
        "{:.2f} in a row, {:.2f} in a column; as few as {:.0f} independent elements out of {})",
        hold, percent(d.leading_share.value), percent(d.leading_share.shuffled_mean),
        d.same_row.rms, d.same_column.rms, d.effective_dimension, d.elements));
  }
  if (head.low_rank) {
    missing.push_back(fmt::format("a single state is of low rank (effective rank {:.1f}, {:.1f} if "
                                  "independent)",
                                  d.rank.value, d.rank.shuffled_mean));
  }
  if (head.sizes_differ) {
    missing.push_back(fmt::format("whole states differ in size (by {}, standard deviation)",
                                  percent(n.size_spread)));
  }
  if (head.not_gaussian) {
    missing.push_back(fmt::format("its elements are not Gaussian (excess kurtosis {:.1f}, KS "
                                  "distance {:.3f})",
                                  n.kurtosis, n.ks));
  }
  if (head.elements_differ) {
    missing.push_back(fmt::format("its elements differ (their means by {} of the head's standard "
                                  "deviation, their standard deviations by a factor of {:.2f})",
                                  percent(n.mean_spread), std::exp(n.std_spread)));
  }
  if (missing.empty()) {
    return fmt::format("One Gaussian, mean {:.3g} and standard deviation {:.3g}, describes all "
                       "elements of this head, as far as {} states can tell.",
                       n.pooled.mean, n.pooled.std(), n.states);
  }
  return fmt::format("A Gaussian per head is not enough: {}. Measured on {} states.",
                     joined(missing), n.states);
}

bool of_other_variance(const HeadNumbers& n, double std, const StateLawThresholds& t) {
  const double mean_off = std::abs(n.pooled.mean);
  const double std_off = std::abs(n.pooled.std() - std);
  return (mean_off > t.head_mean * std && mean_off > t.standard_errors * n.mean_error) ||
         (std_off > t.head_std * std && std_off > t.standard_errors * n.std_error);
}

std::string sentence_of(const ModelLaw& m) {
  const std::string counts = fmt::format(
      "of {} heads, {} have elements that depend on each other, {} elements that are not Gaussian, "
      "{} elements that differ, and {} another mean or variance than all heads together (standard "
      "deviation {:.3g}; of a head {:.3g} to {:.3g})",
      m.heads, m.dependent, m.not_gaussian, m.elements_differ, m.of_other_variance, m.std,
      m.smallest_std, m.largest_std);
  const auto verdict = [&] {
    switch (m.law) {
      case StateLaw::kOneVariance: return "One variance for all heads is enough";
      case StateLaw::kVariancePerHead: return "A Gaussian per head is enough";
      case StateLaw::kGaussianPerElement: return "Every element needs a Gaussian of its own";
      case StateLaw::kNotGaussian: return "Independent noise could do, but not Gaussian noise";
      case StateLaw::kDependent: return "Independent noise cannot stand in for the states";
    }
    return "";
  };
  return fmt::format("{}: {}.", verdict(), counts);
}

}  // namespace

const char* to_string(StateLaw law) {
  switch (law) {
    case StateLaw::kOneVariance: return "one-variance";
    case StateLaw::kVariancePerHead: return "variance-per-head";
    case StateLaw::kGaussianPerElement: return "gaussian-per-element";
    case StateLaw::kNotGaussian: return "not-gaussian";
    case StateLaw::kDependent: return "dependent";
  }
  return "";
}

HeadLaw head_law(const at::Tensor& states, const StateLawThresholds& t,
                 const DependenceOptions& options) {
  HeadLaw head;
  head.numbers = measure(states, options);
  const HeadNumbers& n = head.numbers;
  const Dependence& d = n.dependence;
  const double errors = t.standard_errors;
  head.elements_differ = (n.mean_spread > t.element_spread && n.mean_spread_errors > errors) ||
                         (n.std_spread > t.element_spread && n.std_spread_errors > errors);
  head.not_gaussian = (std::abs(n.kurtosis) > t.kurtosis &&
                       std::abs(n.kurtosis) > errors * n.kurtosis_error) ||
                      n.ks > t.ks + n.ks_error;
  head.correlated = (d.leading_share.excess() > t.leading_share &&
                     above_chance(d.leading_share, errors)) ||
                    correlated(d.same_row, t) || correlated(d.same_column, t);
  head.low_rank = d.rank.value < (1 - t.rank) * d.rank.shuffled_mean &&
                  -d.rank.excess() > errors * d.rank.shuffled_std;
  head.sizes_differ = n.size_spread > t.size && above_chance(d.size_variance, errors);
  head.law = law_of(head);
  head.sentence = sentence_of(head);
  return head;
}

ModelLaw model_law(std::span<const HeadLaw> heads, const StateLawThresholds& t) {
  if (heads.empty()) throw Error(ErrorKind::kInternal, "model_law wants at least one head.");
  ModelLaw model;
  model.heads = static_cast<int64_t>(heads.size());
  Moments all;
  model.smallest_std = model.largest_std = heads.front().numbers.pooled.std();
  for (const HeadLaw& head : heads) {
    all.merge(head.numbers.pooled);
    model.smallest_std = std::min(model.smallest_std, head.numbers.pooled.std());
    model.largest_std = std::max(model.largest_std, head.numbers.pooled.std());
    model.elements_differ += head.elements_differ;
    model.not_gaussian += head.not_gaussian;
    model.dependent += head.dependent();
  }
  model.std = all.std();
  for (const HeadLaw& head : heads) {
    model.of_other_variance += of_other_variance(head.numbers, model.std, t);
  }
  const auto needed = [&](int64_t count) { return 10 * count >= model.heads; };
  model.law = needed(model.dependent)           ? StateLaw::kDependent
              : needed(model.not_gaussian)      ? StateLaw::kNotGaussian
              : needed(model.elements_differ)   ? StateLaw::kGaussianPerElement
              : needed(model.of_other_variance) ? StateLaw::kVariancePerHead
                                                : StateLaw::kOneVariance;
  model.sentence = sentence_of(model);
  return model;
}

}  // namespace farstate
