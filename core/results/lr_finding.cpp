// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/lr_finding.h"

#include <algorithm>

namespace farstate {
namespace {

Series curve(const char* name, std::vector<double> x, std::vector<double> y) {
  Series series;
  series.name = name;
  series.x_name = "learning_rate";
  series.x = std::move(x);
  series.y = std::move(y);
  series.unit = "nats";
  return series;
}

}  // namespace

std::vector<Series> lr_series(const LrFinding& finding) {
  std::vector<Series> series = {curve("lr_loss", finding.rates, finding.losses),
                                curve("lr_loss_smoothed", finding.rates, finding.smoothed)};
  if (finding.suggestion && !finding.rates.empty()) {
    const auto at = std::lower_bound(finding.rates.begin(), finding.rates.end(), *finding.suggestion);
    const auto index = static_cast<size_t>(
        std::min<std::ptrdiff_t>(at - finding.rates.begin(),
                                 static_cast<std::ptrdiff_t>(finding.rates.size()) - 1));
    series.push_back(curve("lr_suggestion", {*finding.suggestion}, {finding.smoothed[index]}));
  }
  return series;
}

}  // namespace farstate
