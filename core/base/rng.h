// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded random numbers that do not depend on LibTorch's version, the number of threads or the
// platform. A generator is made from (seed, stream, step), so a training step's numbers follow
// from its index alone: resuming a run needs no saved random state.
#pragma once

#include <cstdint>
#include <span>

namespace farstate {

// What the numbers are for; two streams of one seed are independent.
enum class RngStream : uint64_t {
  kInit = 1,
  kBatch = 2,
  kInitialState = 3,
  kZeroState = 4,
  kSampling = 5,
  kDemoText = 6,
  kMeasure = 7,
  kStateEdit = 8,
  kLawOfRow = 9,    // a mixture's choice
  kFactors = 10,    // of correlated noise
  kFittedSet = 11,  // windows that a law of noise is fitted to before the first step
  kTaskText = 12,   // samples of a task that are trained on
  kTaskScore = 13,  // samples that it is scored on
  kEnglishText = 14,
  kRegisterText = 15
};

// xoshiro256++ 1.0 (Blackman and Vigna, doi:10.1145/3460772), seeded through SplitMix64.
class Rng {
 public:
  Rng(uint64_t seed, RngStream stream, uint64_t step = 0);

  uint64_t next();                   // 64 uniform bits
  double uniform();                  // [0, 1), 53 bits
  int64_t below(int64_t bound);      // [0, bound), unbiased (Lemire's multiplication with rejection)
  double normal();                   // N(0, 1), Box-Muller
  void fill_normal(std::span<float> out, float mean, float std);
  void fill_uniform(std::span<float> out, float low, float high);

 private:
  uint64_t s_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace farstate
