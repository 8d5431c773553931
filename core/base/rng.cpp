// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/rng.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace farstate {
namespace {

uint64_t splitmix64(uint64_t& x) {
  x += 0x9e3779b97f4a7c15ULL;
  uint64_t z = x;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(uint64_t seed, RngStream stream, uint64_t step) {
  // Each part is mixed before the next is added, so that (1, 2) and (2, 1) do not collide.
  uint64_t x = seed;
  x = splitmix64(x) ^ static_cast<uint64_t>(stream);
  x = splitmix64(x) ^ step;
  for (uint64_t& word : s_) word = splitmix64(x);
}

uint64_t Rng::next() {
  const uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
  const uint64_t t = s_[1] << 17;
  s_[2] ^= s_[0];
  s_[3] ^= s_[1];
  s_[1] ^= s_[2];
  s_[0] ^= s_[3];
  s_[2] ^= t;
  s_[3] = std::rotl(s_[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

int64_t Rng::below(int64_t bound) {
  const auto n = static_cast<uint64_t>(bound);
  const uint64_t threshold = (0 - n) % n;
  while (true) {
    const unsigned __int128 product = static_cast<unsigned __int128>(next()) * n;
    if (static_cast<uint64_t>(product) >= threshold) return static_cast<int64_t>(product >> 64);
  }
}

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

void Rng::fill_normal(std::span<float> out, float mean, float std) {
  for (float& v : out) v = mean + std * static_cast<float>(normal());
}

void Rng::fill_uniform(std::span<float> out, float low, float high) {
  for (float& v : out) v = low + (high - low) * static_cast<float>(uniform());
}

}  // namespace farstate
