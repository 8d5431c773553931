// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/adamw.h"

#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace farstate {
namespace {
constexpr double kEpsilon = 1e-8;
}

AdamW::AdamW(const RecurrentLM& model, const TrainConfig& config) : config_(config) {
  groups_.resize(2);
  groups_[0].weight_decay = config.weight_decay;
  for (const TensorEntry& entry : model.tensors()) {
    Group& group = groups_[entry.weight_decay ? 0 : 1];
    group.names.push_back(entry.name);
    group.parameters.push_back(entry.tensor);
    group.first.push_back(at::zeros_like(entry.tensor, at::MemoryFormat::Contiguous).detach());
    group.second.push_back(at::zeros_like(entry.tensor, at::MemoryFormat::Contiguous).detach());
  }
  std::erase_if(groups_, [](const Group& group) { return group.parameters.empty(); });
}

std::vector<at::Tensor> AdamW::Group::gradients() const {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : parameters) gradients.push_back(parameter.grad());
  return gradients;
}

double AdamW::clip_gradients(double clip) {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> gradients;
  for (const Group& group : groups_) {
    const std::vector<at::Tensor> of_group = group.gradients();
    gradients.insert(gradients.end(), of_group.begin(), of_group.end());
  }
  const double norm =
      at::stack(at::_foreach_norm(gradients, 2)).to(at::kDouble).norm().item<double>();
  if (clip > 0 && norm > clip) at::_foreach_mul_(gradients, clip / norm);
  return norm;
}

void AdamW::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  for (Group& group : groups_) {
    const std::vector<at::Tensor> gradients = group.gradients();
    // The operator wants the number of this update, counted from 1, once per tensor.
    const std::vector<at::Tensor> steps(
        gradients.size(), at::full({}, static_cast<double>(steps_ + 1),
                                   at::device(gradients.front().device()).dtype(at::kFloat)));
    at::_fused_adamw_(group.parameters, gradients, group.first, group.second, {}, steps,
                      learning_rate, config_.beta1, config_.beta2, group.weight_decay, kEpsilon,
                      /*amsgrad=*/false, /*maximize=*/false);
    for (at::Tensor& parameter : group.parameters) parameter.mutable_grad().reset();
  }
  ++steps_;
}

std::vector<std::pair<std::string, at::Tensor>> AdamW::moments() const {
  std::vector<std::pair<std::string, at::Tensor>> result;
  for (const Group& group : groups_) {
    for (size_t i = 0; i < group.names.size(); ++i) {
      result.emplace_back("first." + group.names[i], group.first[i]);
      result.emplace_back("second." + group.names[i], group.second[i]);
    }
  }
  return result;
}

}  // namespace farstate
