// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/dependence.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/mm.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace farstate {
namespace {

// [K,P,N] -> [K,min(P,N)] singular values, descending. Through the smaller Gram matrix in fp64:
// those below 1e-8 of the largest drown, and they weigh nothing in the entropy.
at::Tensor singular_values(const at::Tensor& matrices) {
  const at::Tensor h = matrices.to(at::kDouble);
  const at::Tensor t = h.transpose(1, 2);
  const at::Tensor gram = h.size(1) <= h.size(2) ? at::bmm(h, t) : at::bmm(t, h);
  return at::linalg_eigvalsh(gram).clamp_min(0).sqrt().flip(1);
}

double rank_of(const double* singular_values, int64_t count) {
  const double sum = std::accumulate(singular_values, singular_values + count, 0.0);
  if (sum == 0) return 0;
  double entropy = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double p = singular_values[i] / sum;
    if (p > 0) entropy -= p * std::log(p);
  }
  return std::exp(entropy);
}

// Mean over the first states of x [P*N,R].
double mean_rank(const at::Tensor& x, int64_t P, int64_t N, int64_t states) {
  const at::Tensor some = x.slice(1, 0, states).t().reshape({states, P, N});
  const at::Tensor values = singular_values(some).contiguous();
  double sum = 0;
  for (int64_t k = 0; k < states; ++k) {
    sum += rank_of(values.data_ptr<double>() + k * values.size(1), values.size(1));
  }
  return sum / static_cast<double>(states);
}

// Element-major, so that an element's values over the states lie side by side.
at::Tensor element_major(const at::Tensor& states) {
  return states.reshape({states.size(0), states.size(1) * states.size(2)}).t().clone(
      at::MemoryFormat::Contiguous);  // a copy also where [R,1] is contiguous either way
}

struct Elements {
  int64_t P, N, R;
  at::Tensor values;        // [P*N,R]
  at::Tensor standardised;  // [P*N,R]
  std::vector<char> live;   // not constant
  int64_t live_count = 0;
};

Elements elements_of(const at::Tensor& states) {
  Elements e{states.size(1), states.size(2), states.size(0), element_major(states),
             standardised_elements(states), {}, 0};
  const float* y = e.standardised.data_ptr<float>();
  for (int64_t i = 0; i < e.P * e.N; ++i, y += e.R) {
    e.live.push_back(std::any_of(y, y + e.R, [](float v) { return v != 0; }));
    e.live_count += e.live.back();
  }
  return e;
}

// Deals every element's values to the states anew, in place and alike in both tensors.
void shuffle(Elements& e, Rng& rng) {
  float* x = e.values.data_ptr<float>();
  float* y = e.standardised.data_ptr<float>();
  for (int64_t i = 0; i < e.P * e.N; ++i, x += e.R, y += e.R) {
    for (int64_t r = e.R - 1; r > 0; --r) {
      const int64_t other = rng.below(r + 1);
      std::swap(x[r], x[other]);
      std::swap(y[r], y[other]);
    }
  }
}

// The dual view: the eigenvalues of the R x R Gram matrix are those of the elements' correlation
// (P*N x P*N) that are not zero. One of its R is zero too, since the mean is taken off.
struct Spectrum {
  std::vector<double> shares;  // R-1, descending
  double size_variance = 0;
  double squares = 0;          // sum of all squared correlations, an element's own included
};

Spectrum spectrum_of(const Elements& e) {
  const auto live = static_cast<double>(std::max<int64_t>(e.live_count, 1));
  const at::Tensor gram =
      at::mm(e.standardised.t(), e.standardised).to(at::kDouble).div_(live).contiguous();  // [R,R]
  Spectrum result;
  const double frobenius = gram.square().sum().item<double>();
  result.squares = frobenius * (live / static_cast<double>(e.R)) * (live / double(e.R));
  const double* g = gram.data_ptr<double>();
  for (int64_t r = 0; r < e.R; ++r) {
    const double off = g[r * e.R + r] - 1;
    result.size_variance += off * off / static_cast<double>(e.R);
  }
  const at::Tensor eigenvalues = at::linalg_eigvalsh(gram);
  const double* lambda = eigenvalues.data_ptr<double>();
  for (int64_t r = e.R - 1; r > 0; --r) {
    result.shares.push_back(std::max(lambda[r], 0.0) / static_cast<double>(e.R));
  }
  return result;
}

// Sum of squared correlations within blocks, an element's own included: y [blocks,size,R].
double block_squares(const at::Tensor& y) {
  const at::Tensor t = y.transpose(1, 2);
  const at::Tensor gram = y.size(1) <= y.size(2) ? at::bmm(y, t) : at::bmm(t, y);
  const auto R = static_cast<double>(y.size(2));
  return gram.square().sum(at::kDouble).item<double>() / (R * R);
}

PairCorrelation correlation_of(double squares, double pairs, int64_t R) {
  PairCorrelation result;
  if (pairs == 0) return result;
  // Correlations of independent elements are themselves uncorrelated, also two that share an
  // element, and their squares have about the variance 2 / R^2. A pair counts twice.
  result.squared = squares / pairs - 1 / static_cast<double>(R - 1);
  result.squared_error = std::sqrt(4 / pairs) / static_cast<double>(R);
  result.rms = std::sqrt(std::max(result.squared, 0.0));
  return result;
}

void correlate(const Elements& e, double all_squares, Dependence& d) {
  double row_pairs = 0, column_pairs = 0;
  std::vector<double> in_row(static_cast<size_t>(e.P)), in_column(static_cast<size_t>(e.N));
  for (int64_t i = 0; i < e.P * e.N; ++i) {
    in_row[static_cast<size_t>(i / e.N)] += e.live[static_cast<size_t>(i)];
    in_column[static_cast<size_t>(i % e.N)] += e.live[static_cast<size_t>(i)];
  }
  for (const double n : in_row) row_pairs += n * (n - 1);
  for (const double n : in_column) column_pairs += n * (n - 1);
  const auto live = static_cast<double>(e.live_count);
  const double all_pairs = live * (live - 1);

  const at::Tensor y = e.standardised.view({e.P, e.N, e.R});
  const double row = block_squares(y) - live;
  const double column = block_squares(y.transpose(0, 1).contiguous()) - live;
  const double all = all_squares - live;
  d.same_row = correlation_of(row, row_pairs, e.R);
  d.same_column = correlation_of(column, column_pairs, e.R);
  d.elsewhere = correlation_of(all - row - column, all_pairs - row_pairs - column_pairs, e.R);
  d.all = correlation_of(all, all_pairs, e.R);
  d.effective_dimension = live / (1 + std::max(live - 1, 0.0) * d.all.rms * d.all.rms);
}

Calibrated calibrate(double value, const std::vector<double>& shuffled) {
  Calibrated result;
  result.value = value;
  const auto n = static_cast<double>(shuffled.size());
  for (const double v : shuffled) result.shuffled_mean += v / n;
  double squares = 0;
  for (const double v : shuffled) squares += (v - result.shuffled_mean) * (v - result.shuffled_mean);
  result.shuffled_std = std::sqrt(squares / (n - 1));
  return result;
}

double leading(const std::vector<double>& shares, int64_t components) {
  return std::accumulate(shares.begin(), shares.begin() + components, 0.0);
}

void expect_states(const at::Tensor& states, const DependenceOptions& options) {
  if (states.dim() != 3 || states.scalar_type() != at::kFloat || !states.device().is_cpu() ||
      states.numel() == 0) {
    throw Error(ErrorKind::kInternal, "measure_dependence wants states [R,P,N] in float on the CPU.");
  }
  if (states.size(0) < 8) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("Whether the elements of a state depend on each other cannot be told "
                            "from {} states; take at least 8 sequences, better 32.",
                            states.size(0)));
  }
  if (options.shuffles < 2 || options.components < 1 || options.rank_states < 1) {
    throw Error(ErrorKind::kInternal,
                "measure_dependence wants at least 2 shuffles, 1 component and 1 state.");
  }
  if (!states.isfinite().all().item<bool>()) {
    throw Error(ErrorKind::kDiverged,
                "The states hold numbers that are not finite, so their law is not defined; measure "
                "at a position before the model breaks down.");
  }
}

}  // namespace

at::Tensor standardised_elements(const at::Tensor& states) {
  at::Tensor elements = element_major(states);
  const int64_t R = elements.size(1);
  float* x = elements.data_ptr<float>();
  for (int64_t i = 0; i < elements.size(0); ++i, x += R) {
    const bool constant = std::all_of(x, x + R, [x](float v) { return v == x[0]; });
    const double mean = std::accumulate(x, x + R, 0.0) / static_cast<double>(R);
    double squares = 0;
    for (int64_t r = 0; r < R; ++r) squares += (x[r] - mean) * (x[r] - mean);
    const double scale = constant ? 0 : 1 / std::sqrt(squares / static_cast<double>(R));
    for (int64_t r = 0; r < R; ++r) x[r] = static_cast<float>((x[r] - mean) * scale);
  }
  return elements;
}

EffectiveRank effective_rank(const at::Tensor& h) {
  const at::Tensor values = singular_values(h.unsqueeze(0)).contiguous();
  const double* first = values.data_ptr<double>();
  return {rank_of(first, values.size(1)), {first, first + values.size(1)}};
}

Dependence measure_dependence(const at::Tensor& states, const DependenceOptions& options) {
  expect_states(states, options);
  Elements e = elements_of(states);
  Dependence d;
  d.states = e.R;
  d.elements = e.P * e.N;
  d.constant = d.elements - e.live_count;
  d.components = std::clamp<int64_t>((e.R - 1) / 4, 1, options.components);
  const double ratio = std::sqrt(double(e.R) / static_cast<double>(std::max<int64_t>(e.live_count, 1)));
  d.marchenko_pastur_edge = (1 + ratio) * (1 + ratio) / static_cast<double>(e.R);

  const int64_t rank_states = std::min(options.rank_states, e.R);
  const Spectrum measured = spectrum_of(e);
  const double rank = mean_rank(e.values, e.P, e.N, rank_states);
  correlate(e, measured.squares, d);
  d.spectrum = measured.shares;

  Rng rng(options.seed, RngStream::kMeasure);
  std::vector<double> shares, ranks, variances;
  d.shuffled_spectrum.assign(d.spectrum.size(), 0);
  for (int64_t k = 0; k < options.shuffles; ++k) {
    shuffle(e, rng);
    const Spectrum shuffled = spectrum_of(e);
    shares.push_back(leading(shuffled.shares, d.components));
    variances.push_back(shuffled.size_variance);
    ranks.push_back(mean_rank(e.values, e.P, e.N, rank_states));
    for (size_t i = 0; i < d.spectrum.size(); ++i) {
      d.shuffled_spectrum[i] += shuffled.shares[i] / static_cast<double>(options.shuffles);
    }
  }
  d.leading_share = calibrate(leading(d.spectrum, d.components), shares);
  d.size_variance = calibrate(measured.size_variance, variances);
  d.rank = calibrate(rank, ranks);
  return d;
}

}  // namespace farstate
