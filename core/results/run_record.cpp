// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/run_record.h"

namespace farstate {

std::vector<Series> train_series(const std::vector<TrainPoint>& points) {
  Series loss;
  loss.name = "train_loss";
  loss.x_name = "step";
  loss.unit = "nats";
  Series speed = loss;
  speed.name = "tokens_per_second";
  speed.unit = "tokens/s";
  for (const TrainPoint& point : points) {
    loss.x.push_back(static_cast<double>(point.step));
    loss.y.push_back(point.loss);
    speed.x.push_back(static_cast<double>(point.step));
    speed.y.push_back(point.tokens_per_second);
  }
  return {loss, speed};
}

}  // namespace farstate
