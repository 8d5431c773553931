// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/guess.h"

#include <algorithm>
#include <cmath>

namespace farstate::desktop {

// Places past the end of what is measured could never be compared: they move to the end.
Guess new_guess(const std::vector<double>& multiples, int64_t context, int64_t length,
                double level) {
  Guess guess;
  for (const double multiple : multiples) {
    const auto wanted = std::llround(multiple * static_cast<double>(context));
    const int64_t position = std::min<int64_t>(wanted, length - 1);
    if (!guess.positions.empty() && position <= guess.positions.back()) break;
    guess.positions.push_back(position);
    guess.values.push_back(level);
  }
  return guess;
}

std::optional<double> guess_factor(const Guess& guess, const Series& perplexity) {
  double sum = 0;
  int places = 0;
  for (size_t i = 0; i < guess.positions.size(); ++i) {
    const auto sample = sample_at(perplexity, static_cast<double>(guess.positions[i]));
    if (!sample) continue;
    const double measured = perplexity.y[*sample];
    if (!(measured > 0) || !std::isfinite(measured) || !(guess.values[i] > 0)) continue;
    sum += std::abs(std::log(guess.values[i] / measured));
    ++places;
  }
  if (places == 0) return std::nullopt;
  return std::exp(sum / places);
}

}  // namespace farstate::desktop
