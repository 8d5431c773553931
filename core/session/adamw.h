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

  // The gradients' global norm; the next step() takes them scaled so that it is at most `clip`
  // (0: as they are).
  double clip_gradients(double clip);
  // One update from the gradients, which are dropped afterwards.
  void step(double learning_rate);

  int64_t steps() const { return steps_; }
  // Moments by name, for a run's checkpoint: "first.<tensor>", "second.<tensor>".
  std::vector<std::pair<std::string, at::Tensor>> moments() const;
  void set_steps(int64_t steps) { steps_ = steps; }

 private:
  struct Tensor {
    std::string name;
    at::Tensor parameter, first, second;
    double weight_decay;
  };
  // Elements [begin, end) of a tensor: what one thread does at a time.
  struct Piece {
    size_t tensor;
    int64_t begin, end;
  };

  // In the order of tensors_, contiguous.
  std::vector<at::Tensor> gradients() const;
  // As gradients() has them, on any device.
  double norm_of(const std::vector<at::Tensor>& of_tensors) const;
  void update(const std::vector<at::Tensor>& of_tensors, double learning_rate);
  void update_on_device(const std::vector<at::Tensor>& of_tensors, double learning_rate);

  TrainConfig config_;
  std::vector<Tensor> tensors_;
  std::vector<Piece> pieces_;
  double scale_ = 1;  // of the next step's gradients
  int64_t steps_ = 0;
};

}  // namespace farstate
