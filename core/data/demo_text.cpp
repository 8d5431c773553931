// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/demo_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/base/rng.h"

namespace farstate {
namespace {

constexpr int64_t kLetters = 26;
constexpr int64_t kRepeatable = 8;  // the newest facts, of which one is repeated
// Chance that a pair states a new fact, by the number of facts known, 8 standing for more. Few
// known facts make a repetition easy to guess, so new ones come faster then: to a perfect reader
// every pair after a line's first is about equally surprising (2.7 to 3.1 nats), and the curve of
// perplexity over position is flat but for what the model gets wrong.
constexpr std::array<double, kRepeatable + 1> kNewFact = {1.00, 0.32, 0.27, 0.23, 0.20,
                                                          0.18, 0.17, 0.16, 0.15};
constexpr double kEnd = 0.125;  // chance that a line that may end does, at every pair

void append_line(Rng& rng, std::string& text) {
  std::array<char, kLetters> names;
  std::array<char, kLetters> values;
  std::iota(names.begin(), names.end(), 'a');
  int64_t known = 0;
  for (int64_t length = 0; length < kDemoLineMax; length += 2) {
    if (length >= kDemoLineMin && rng.uniform() < kEnd) break;
    int64_t fact;
    if (known < kLetters && rng.uniform() < kNewFact[std::min(known, kRepeatable)]) {
      fact = known++;
      std::swap(names[fact], names[fact + rng.below(kLetters - fact)]);
      values[fact] = static_cast<char>('A' + rng.below(kLetters));
    } else {
      fact = known - 1 - rng.below(std::min(known, kRepeatable));
    }
    text.push_back(names[fact]);
    text.push_back(values[fact]);
  }
  text.push_back('\n');
}

}  // namespace

std::string demo_text(uint64_t seed, int64_t bytes) {
  Rng rng(seed, RngStream::kDemoText);
  std::string text;
  if (bytes <= 0) return text;
  const auto wanted = static_cast<size_t>(bytes);
  text.reserve(wanted + kDemoLineMax + 1);
  while (true) {
    const size_t before = text.size();
    append_line(rng, text);
    if (text.size() > wanted) {
      text.resize(before);
      return text;
    }
  }
}

}  // namespace farstate
