// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that tells on a kernel: filled with NaN, so that an element never written or read
// without need shows, and between fences, so that a write past the end shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace farstate::testing {

template <class Number>
class GuardedBuffer {
 public:
  explicit GuardedBuffer(int64_t count)
      : memory_(count + 2 * kFence, std::numeric_limits<Number>::quiet_NaN()), count_(count) {
    std::fill_n(memory_.begin(), kFence, kMark);
    std::fill_n(memory_.end() - kFence, kFence, kMark);
  }

  Number* data() { return memory_.data() + kFence; }
  const Number* data() const { return memory_.data() + kFence; }
  Number& operator[](int64_t i) { return data()[i]; }
  Number operator[](int64_t i) const { return data()[i]; }
  int64_t size() const { return count_; }

  // Rows of `width` numbers N(mean, std^2) every `stride`; what lies between stays NaN.
  GuardedBuffer& fill_normal(uint64_t seed, double mean, double std, int64_t width,
                             int64_t stride) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(mean, std);
    for (int64_t row = 0; row + width <= count_; row += stride) {
      for (int64_t i = 0; i < width; ++i) data()[row + i] = static_cast<Number>(normal(engine));
    }
    return *this;
  }
  GuardedBuffer& fill_normal(uint64_t seed, double mean = 0, double std = 1) {
    return fill_normal(seed, mean, std, count_, std::max<int64_t>(count_, 1));
  }

  bool same_bits(const GuardedBuffer& other) const {
    return count_ == other.count_ &&
           std::memcmp(data(), other.data(), count_ * sizeof(Number)) == 0;
  }

  bool fences_intact() const {
    const auto is_mark = [](Number number) { return number == kMark; };
    return std::all_of(memory_.begin(), memory_.begin() + kFence, is_mark) &&
           std::all_of(memory_.end() - kFence, memory_.end(), is_mark);
  }

 private:
  static constexpr int64_t kFence = 64;
  static constexpr Number kMark = Number(-271828);
  std::vector<Number> memory_;
  int64_t count_;
};

}  // namespace farstate::testing
