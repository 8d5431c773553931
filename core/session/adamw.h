// SPDX-License-Identifier: GPL-3.0-or-later
// AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101) over a model's tensor table.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "core/models/recurrent_lm.h"
#include "core/session/run_config.h"

namespace farstate {

class AdamW {
 public:
  AdamW(const RecurrentLM& model, const TrainConfig& config);

  // Scales the gradients so that their global norm is at most `clip` (0: leaves them) and returns
  // the norm before that.
  double clip_gradients(double clip);
  // One update from the gradients, which are dropped afterwards.
  void step(double learning_rate);

  int64_t steps() const { return steps_; }
  // Moments by name, for a run's checkpoint: "first.<tensor>", "second.<tensor>".
  std::vector<std::pair<std::string, at::Tensor>> moments() const;
  void set_steps(int64_t steps) { steps_ = steps; }

 private:
  struct Group {  // tensors that share a weight decay
    double weight_decay = 0;
    std::vector<std::string> names;
    std::vector<at::Tensor> parameters, first, second;
    std::vector<at::Tensor> gradients() const;
  };

  TrainConfig config_;
  std::vector<Group> groups_;
  int64_t steps_ = 0;
};

}  // namespace farstate
