// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/toy_state.h"

#include <algorithm>
#include <cmath>

namespace farstate::desktop {
namespace {

constexpr int kTokens = 5;        // in the toy's vocabulary
constexpr double kNoise = 0.25;   // standard deviation of noise that asks nothing, of the view
constexpr double kZeroShare = 0.1;  // of windows that start from zero after all, as in training

// Tokens write in directions that don't cancel: their mean pulls the state along, as common words do.
ToyPoint written_by(int token) {
  const double angle = 0.9 * static_cast<double>(token) - 1.2;
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

int ToyGrid::cell_of(const ToyPoint& point) const {
  const auto index = [this](double value) {
    return static_cast<int>(std::floor((value + half_) / (2 * half_) * kSide));
  };
  const int column = index(point.x), row = index(point.y);
  const bool inside = column >= 0 && column < kSide && row >= 0 && row < kSide;
  return inside ? row * kSide + column : -1;
}

void ToyGrid::visit(const ToyPoint& point) {
  const int cell = cell_of(point);
  if (cell >= 0) cells_[static_cast<size_t>(cell)] = true;
}

bool ToyGrid::visited(const ToyPoint& point) const {
  const int cell = cell_of(point);
  return cell >= 0 && cells_[static_cast<size_t>(cell)];
}

ToyPoint Toy::next(const ToyPoint& state, Rng& rng) const {
  const ToyPoint u = written_by(static_cast<int>(rng.below(kTokens)));
  const double c = settings_.decay * std::cos(settings_.turn);
  const double s = settings_.decay * std::sin(settings_.turn);
  return {c * state.x - s * state.y + settings_.input * u.x,
          s * state.x + c * state.y + settings_.input * u.y};
}

double Toy::spread(int64_t tokens) const {
  double mean_x = 0, mean_y = 0;
  for (int token = 0; token < kTokens; ++token) {
    mean_x += written_by(token).x / kTokens;
    mean_y += written_by(token).y / kTokens;
  }
  // Each token writes a vector of length 1; what its mean holds does not spread.
  const double variance = (1 - mean_x * mean_x - mean_y * mean_y) / 2;
  const double a2 = settings_.decay * settings_.decay;
  const double sum = (1 - std::pow(a2, static_cast<double>(tokens))) / (1 - a2);
  return settings_.input * std::sqrt(variance * sum);
}

std::vector<std::vector<ToyPoint>> Toy::texts(int64_t count, int64_t tokens) const {
  std::vector<std::vector<ToyPoint>> out(static_cast<size_t>(count));
  for (int64_t text = 0; text < count; ++text) {
    Rng rng(settings_.seed, RngStream::kSampling, static_cast<uint64_t>(text));
    std::vector<ToyPoint>& path = out[static_cast<size_t>(text)];
    path.reserve(static_cast<size_t>(tokens) + 1);
    path.emplace_back();
    for (int64_t t = 0; t < tokens; ++t) path.push_back(next(path.back(), rng));
  }
  return out;
}

ToyPoint Toy::start_of(ToyStart start, const std::vector<ToyPoint>& ends, Rng& rng) const {
  if (start == ToyStart::kZero || rng.uniform() < kZeroShare) return {};
  if (start == ToyStart::kOwnEnds) {
    return ends.empty() ? ToyPoint() : ends[static_cast<size_t>(rng.below(static_cast<int64_t>(ends.size())))];
  }
  const double deviation = start == ToyStart::kNoise ? kNoise * view_half_width()
                                                     : spread(settings_.context);
  const double x = deviation * rng.normal();
  return {x, deviation * rng.normal()};
}

// Windows come in batches; a batch may start from where the rows of the one before ended.
ToyGrid Toy::trained(ToyStart start, int64_t windows) const {
  constexpr int64_t kBatch = 32;
  ToyGrid grid(view_half_width());
  Rng rng(settings_.seed, RngStream::kBatch, static_cast<uint64_t>(start));
  std::vector<ToyPoint> ends;
  for (int64_t first = 0; first < windows; first += kBatch) {
    std::vector<ToyPoint> now;
    for (int64_t row = first; row < std::min(first + kBatch, windows); ++row) {
      ToyPoint state = start_of(start, ends, rng);
      for (int64_t t = 0; t < settings_.context; ++t) {
        state = next(state, rng);
        grid.visit(state);
      }
      now.push_back(state);
    }
    ends = std::move(now);
  }
  return grid;
}

double Toy::covered(const ToyGrid& trained, const std::vector<std::vector<ToyPoint>>& texts,
                    int64_t first, int64_t last) {
  int64_t all = 0, known = 0;
  for (const std::vector<ToyPoint>& path : texts) {
    const auto end = std::min<int64_t>(last + 1, static_cast<int64_t>(path.size()));
    for (int64_t t = first; t < end; ++t) {
      ++all;
      known += trained.visited(path[static_cast<size_t>(t)]) ? 1 : 0;
    }
  }
  return all > 0 ? static_cast<double>(known) / static_cast<double>(all) : 0;
}

double Toy::astray(const ToyGrid& trained, const std::vector<std::vector<ToyPoint>>& texts) {
  ToyGrid reached(trained.half_width());
  for (const std::vector<ToyPoint>& path : texts) {
    for (const ToyPoint& state : path) reached.visit(state);
  }
  int64_t all = 0, lost = 0;
  for (int row = 0; row < ToyGrid::kSide; ++row) {
    for (int column = 0; column < ToyGrid::kSide; ++column) {
      if (!trained.visited(column, row)) continue;
      ++all;
      lost += reached.visited(column, row) ? 0 : 1;
    }
  }
  return all > 0 ? static_cast<double>(lost) / static_cast<double>(all) : 0;
}

// The cloud circles around the point that the mean token leads to; 0.8 of the distance across that
// circle and three deviations leaves nothing out that was ever seen.
double Toy::view_half_width() const {
  double mean_x = 0, mean_y = 0;
  for (int token = 0; token < kTokens; ++token) {
    mean_x += written_by(token).x / kTokens;
    mean_y += written_by(token).y / kTokens;
  }
  // |(1 - a e^{i phi})^{-1}| times the mean of what is written.
  const double re = 1 - settings_.decay * std::cos(settings_.turn);
  const double im = settings_.decay * std::sin(settings_.turn);
  const double far = settings_.input * std::hypot(mean_x, mean_y) / std::hypot(re, im);
  return 0.8 * (2 * far + 3 * spread(int64_t{1} << 20));
}

}  // namespace farstate::desktop
