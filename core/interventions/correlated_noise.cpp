// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interventions/correlated_noise.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/rng.h"

namespace farstate {
namespace {

// In lanes of fixed width: as quick as the instruction set allows, and the same sum everywhere.
double dot(const float* a, const float* b, int64_t count) {
  constexpr int64_t kLanes = 8;
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
    }
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (; i < count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

// One head's fit and the states that it is to take in.
struct HeadUpdate {
  int64_t elements = 0;         // M
  int64_t rank = 0;             // r
  int64_t rows = 0;             // B
  int64_t row_stride = 0;       // from one row's state of this head to the next row's
  const float* h = nullptr;     // [B,M]
  float* mean = nullptr;        // [M]
  float* variance = nullptr;    // [M]
  float* factors = nullptr;     // [r,M]
};

// Rows whose outer products add up to the new covariance, but for what the rank has cost before:
// the old factors, the new states about their mean, and the way from the old mean to theirs.
std::vector<float> weighted_rows(const HeadUpdate& u, double keep) {
  const int64_t M = u.elements;
  const double kept = std::sqrt(keep);
  const double fresh = std::sqrt((1 - keep) / static_cast<double>(u.rows));
  const double between = std::sqrt(keep * (1 - keep));
  std::vector<float> rows(static_cast<size_t>((u.rank + u.rows + 1) * M));
  float* old = rows.data();
  float* states = old + u.rank * M;
  float* way = states + u.rows * M;
  for (int64_t i = 0; i < u.rank * M; ++i) old[i] = static_cast<float>(kept * u.factors[i]);
  for (int64_t m = 0; m < M; ++m) {
    double sum = 0;
    for (int64_t row = 0; row < u.rows; ++row) sum += u.h[row * u.row_stride + m];
    const double mean = sum / static_cast<double>(u.rows);
    double squares = 0;
    for (int64_t row = 0; row < u.rows; ++row) {
      const double off = u.h[row * u.row_stride + m] - mean;
      squares += off * off;
      states[row * M + m] = static_cast<float>(fresh * off);
    }
    const double off = mean - u.mean[m];
    way[m] = static_cast<float>(between * off);
    u.variance[m] = static_cast<float>(keep * u.variance[m] + fresh * fresh * squares +
                                       between * between * off * off);
    u.mean[m] = static_cast<float>(u.mean[m] + (1 - keep) * off);
  }
  return rows;
}

// With rows A = V S U' the leading rows of S U' are those of V' A, and V is what the small matrix
// A A' has for eigenvectors.
void update(const HeadUpdate& u, double keep) {
  const int64_t M = u.elements;
  const std::vector<float> rows = weighted_rows(u, keep);
  if (u.rank == 0) return;
  const int64_t n = u.rank + u.rows + 1;
  const at::Tensor gram = at::empty({n, n}, at::kDouble);
  double* products = gram.data_ptr<double>();
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      products[i * n + j] = products[j * n + i] =
          dot(rows.data() + i * M, rows.data() + j * M, M);
    }
  }
  const at::Tensor vectors = std::get<1>(at::linalg_eigh(gram)).contiguous();  // columns, ascending
  const double* v = vectors.data_ptr<double>();
  std::vector<double> sum(static_cast<size_t>(M));
  for (int64_t k = 0; k < u.rank; ++k) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (int64_t i = 0; i < n; ++i) {
      const double weight = v[i * n + (n - 1 - k)];
      const float* row = rows.data() + i * M;
      for (int64_t m = 0; m < M; ++m) sum[static_cast<size_t>(m)] += weight * row[m];
    }
    std::transform(sum.begin(), sum.end(), u.factors + k * M,
                   [](double value) { return static_cast<float>(value); });
  }
}

// [M] standard deviation of what the factors leave: exact arithmetic keeps it from below 0.
std::vector<float> own_deviation(const float* variance, const float* factors, int64_t rank,
                                 int64_t elements) {
  std::vector<float> deviation(static_cast<size_t>(elements));
  for (int64_t m = 0; m < elements; ++m) {
    double rest = variance[m];
    for (int64_t k = 0; k < rank; ++k) {
      const double f = factors[k * elements + m];
      rest -= f * f;
    }
    deviation[static_cast<size_t>(m)] = static_cast<float>(std::sqrt(std::max(rest, 0.0)));
  }
  return deviation;
}

}  // namespace

CorrelatedNoise::CorrelatedNoise(const InterventionConfig& config, ModelState zero, uint64_t seed)
    : FittedLaw(config, std::move(zero), seed) {
  for (const LayerState& layer : zero_.layers) {
    const int64_t heads = layer.recurrent.size(1);
    const int64_t elements = layer.recurrent.numel() / heads;
    fits_.push_back({at::zeros({heads, elements}, at::kFloat),
                     at::zeros({heads, elements}, at::kFloat),
                     at::zeros({heads, config.fitted_rank, elements}, at::kFloat)});
  }
}

void CorrelatedNoise::absorb(const Observation& windows, double keep) {
  std::vector<HeadUpdate> updates;  // of all layers, so that every core has work
  std::vector<at::Tensor> states;   // what they point into
  for (size_t i = 0; i < fits_.size(); ++i) {
    const Fit& fit = fits_[i];
    const int64_t heads = fit.mean.size(0);
    states.push_back(windows.final_state.layers[i].recurrent.contiguous());
    HeadUpdate u{fit.mean.size(1),  config_.fitted_rank, states.back().size(0), 0, states.back().data_ptr<float>(),
                 fit.mean.data_ptr<float>(), fit.variance.data_ptr<float>(),
                 fit.factors.data_ptr<float>()};
    u.row_stride = heads * u.elements;
    for (int64_t head = 0; head < heads; ++head) {
      updates.push_back(u);
      u.h += u.elements;
      u.mean += u.elements;
      u.variance += u.elements;
      u.factors += u.rank * u.elements;
    }
  }
  at::parallel_for(0, static_cast<int64_t>(updates.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) update(updates[static_cast<size_t>(i)], keep);
  });
}

// The numbers of eps are those that the other laws of noise have at the same place, so that rows of
// a mixture share none; z has a stream of its own.
ModelState CorrelatedNoise::draw(int64_t batch, int64_t step) {
  ModelState state = zeros(batch);
  if (observed_ == 0) return state;
  const int64_t rank = config_.fitted_rank;
  Rng own(seed_, RngStream::kInitialState, static_cast<uint64_t>(step));
  Rng common(seed_, RngStream::kFactors, static_cast<uint64_t>(step));
  std::vector<float> z(static_cast<size_t>(rank));
  for (size_t i = 0; i < fits_.size(); ++i) {
    const Fit& fit = fits_[i];
    const int64_t heads = fit.mean.size(0);
    const int64_t M = fit.mean.size(1);
    const float* mean = fit.mean.data_ptr<float>();
    const float* factors = fit.factors.data_ptr<float>();
    std::vector<std::vector<float>> deviations;
    for (int64_t head = 0; head < heads; ++head) {
      deviations.push_back(own_deviation(fit.variance.data_ptr<float>() + head * M,
                                         factors + head * rank * M, rank, M));
    }
    float* h = state.layers[i].recurrent.data_ptr<float>();
    for (int64_t row = 0; row < batch; ++row) {
      for (int64_t head = 0; head < heads; ++head, h += M) {
        own.fill_normal({h, static_cast<size_t>(M)}, 0.0F, 1.0F);
        common.fill_normal(z, 0.0F, 1.0F);
        const std::vector<float>& deviation = deviations[static_cast<size_t>(head)];
        for (int64_t m = 0; m < M; ++m) {
          h[m] = mean[head * M + m] + deviation[static_cast<size_t>(m)] * h[m];
        }
        for (int64_t k = 0; k < rank; ++k) {
          const float* f = factors + (head * rank + k) * M;
          for (int64_t m = 0; m < M; ++m) h[m] += z[static_cast<size_t>(k)] * f[m];
        }
      }
    }
  }
  return state;
}

std::optional<FittedGaussians> CorrelatedNoise::fitted() const {
  if (observed_ == 0) return std::nullopt;
  const auto layers = static_cast<int64_t>(fits_.size());
  const int64_t heads = fits_.front().mean.size(0);
  FittedGaussians out{Intervention::kCorrelatedNoise, observed_,
                      at::empty({layers, heads}, at::kDouble),
                      at::empty({layers, heads}, at::kDouble)};
  double* mean = out.mean.data_ptr<double>();
  double* std = out.std.data_ptr<double>();
  for (const Fit& fit : fits_) {
    const int64_t M = fit.mean.size(1);
    for (int64_t head = 0; head < heads; ++head) {
      const float* means = fit.mean.data_ptr<float>() + head * M;
      const float* variances = fit.variance.data_ptr<float>() + head * M;
      double first = 0, second = 0;
      for (int64_t m = 0; m < M; ++m) {
        const double at = means[m];
        first += at;
        second += variances[m] + at * at;
      }
      first /= static_cast<double>(M);
      second /= static_cast<double>(M);
      *mean++ = first;
      *std++ = std::sqrt(std::max(second - first * first, 0.0));
    }
  }
  return out;
}

void CorrelatedNoise::save_fit(PolicyMemory& memory) const {
  for (size_t i = 0; i < fits_.size(); ++i) {
    memory[fmt::format("mean.{}", i)] = fits_[i].mean;
    memory[fmt::format("variance.{}", i)] = fits_[i].variance;
    memory[fmt::format("factors.{}", i)] = fits_[i].factors;
  }
}

bool CorrelatedNoise::restore_fit(const PolicyMemory& memory) {
  if (memory.at("factors.0").size(1) != config_.fitted_rank) return false;
  for (size_t i = 0; i < fits_.size(); ++i) {
    const auto take = [&](const char* name, at::Tensor& into) {
      into.copy_(memory.at(fmt::format("{}.{}", name, i)).view(into.sizes()));
    };
    take("mean", fits_[i].mean);
    take("variance", fits_[i].variance);
    take("factors", fits_[i].factors);
  }
  return true;
}

std::string CorrelatedNoise::describe() const {
  return fmt::format("correlated noise, rank {}{}", config_.fitted_rank, describe_fit());
}

}  // namespace farstate
