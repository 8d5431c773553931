// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/demo_text.h"

#include <algorithm>
#include <array>

#include "core/base/rng.h"

namespace farstate {
namespace {

constexpr char kMark = '>';  // opens a line
constexpr int64_t kLetters = 26;
constexpr int64_t kRepeatable = 8;  // the newest facts, of which one is repeated
// Chance that a pair states a new fact, by the number of facts known, the last entry standing for
// more. Few known facts make a repetition easy to guess, so new ones come faster then: to a perfect
// reader every pair but a line's first (3.3 nats) carries 2.3 to 2.7 nats.
constexpr std::array<double, kRepeatable + 1> kNewFact = {1.00, 0.50, 0.40, 0.30, 0.25,
                                                          0.22, 0.19, 0.17, 0.15};
constexpr double kEnd = 0.25;  // chance that a line that may end does, at every pair

void append_line(Rng& rng, std::string& text) {
  std::array<char, kLetters> values;  // of the names a, b, c, ...
  int64_t known = 0;
  text.push_back(kMark);
  for (int64_t length = 1; length < kDemoLineMax; length += 2) {
    if (length >= kDemoLineMin && rng.uniform() < kEnd) break;
    int64_t fact;
    if (known < kLetters && rng.uniform() < kNewFact[std::min(known, kRepeatable)]) {
      fact = known++;
      values[fact] = static_cast<char>('A' + rng.below(kLetters));
    } else {
      fact = known - 1 - rng.below(std::min(known, kRepeatable));
    }
    text.push_back(static_cast<char>('a' + fact));
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
