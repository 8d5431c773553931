// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/adamw.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/ops/op_support.h"
#include "core/ops/threads.h"
#include "kernels/adamw/adamw.h"

namespace farstate {
namespace {

constexpr double kEpsilon = 1e-8;
// Of a piece: about 10 us of work.
constexpr int64_t kPieceElements = int64_t{1} << 14;

}  // namespace

AdamW::AdamW(const RecurrentLM& model, const TrainConfig& config) : config_(config) {
  for (const TensorEntry& entry : model.tensors()) {
    tensors_.push_back({entry.name, entry.tensor,
                        at::zeros_like(entry.tensor, at::MemoryFormat::Contiguous).detach(),
                        at::zeros_like(entry.tensor, at::MemoryFormat::Contiguous).detach(),
                        entry.weight_decay ? config.weight_decay : 0});
  }
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const int64_t count = tensors_[i].parameter.numel();
    for (int64_t begin = 0; begin < count; begin += kPieceElements) {
      pieces_.push_back({i, begin, std::min(begin + kPieceElements, count)});
    }
  }
}

std::vector<at::Tensor> AdamW::gradients() const {
  std::vector<at::Tensor> gradients;
  for (const Tensor& tensor : tensors_) {
    const at::Tensor& gradient = tensor.parameter.grad();
    if (!gradient.defined()) {
      throw Error(ErrorKind::kInternal, "AdamW: wanted a gradient of " + tensor.name + "; got none.");
    }
    gradients.push_back(gradient.contiguous());
  }
  return gradients;
}

double AdamW::clip_gradients(double clip) {
  const at::NoGradGuard no_grad;
  const double norm = norm_of(gradients());
  scale_ = clip > 0 && norm > clip ? clip / norm : 1;
  return norm;
}

double AdamW::norm_of(const std::vector<at::Tensor>& of_tensors) const {
  if (!of_tensors.front().is_cpu()) {
    return at::stack(at::_foreach_norm(of_tensors, 2)).to(at::kDouble).norm().item<double>();
  }
  std::vector<double> squares(pieces_.size());
  Crew::run(static_cast<int64_t>(pieces_.size()), ops::thread_count(), [&](int64_t number) {
    const Piece& piece = pieces_[static_cast<size_t>(number)];
    const at::Tensor& gradient = of_tensors[piece.tensor];
    ops::with_real_type(gradient, [&](auto zero) {
      squares[static_cast<size_t>(number)] = kernels::sum_of_squares(
          gradient.data_ptr<decltype(zero)>(), piece.begin, piece.end);
    });
  });
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0));
}

void AdamW::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  const std::vector<at::Tensor> of_tensors = gradients();
  if (of_tensors.front().is_cpu()) {
    update(of_tensors, learning_rate);
  } else {
    update_on_device(of_tensors, learning_rate);
  }
  for (Tensor& tensor : tensors_) tensor.parameter.mutable_grad().reset();
  scale_ = 1;
  ++steps_;
}

void AdamW::update(const std::vector<at::Tensor>& of_tensors, double learning_rate) {
  const kernels::AdamWUpdate settings{learning_rate, config_.beta1, config_.beta2,
                                    kEpsilon,      scale_,        steps_ + 1};
  Crew::run(static_cast<int64_t>(pieces_.size()), ops::thread_count(), [&](int64_t number) {
    const Piece& piece = pieces_[static_cast<size_t>(number)];
    const Tensor& tensor = tensors_[piece.tensor];
    ops::with_real_type(tensor.parameter, [&](auto zero) {
      using Real = decltype(zero);
      const kernels::AdamWTensor<Real> operands{
          tensor.parameter.data_ptr<Real>(), of_tensors[piece.tensor].data_ptr<Real>(),
          tensor.first.data_ptr<Real>(), tensor.second.data_ptr<Real>(), tensor.weight_decay};
      kernels::adamw(operands, settings, piece.begin, piece.end);
    });
  });
  for (Tensor& tensor : tensors_) {
    tensor.parameter.unsafeGetTensorImpl()->bump_version();  // autograd did not see the update
  }
}

// LibTorch's operator takes the tensors of one weight decay at a time.
void AdamW::update_on_device(const std::vector<at::Tensor>& of_tensors, double learning_rate) {
  std::vector<at::Tensor> scaled = of_tensors;
  if (scale_ != 1) at::_foreach_mul_(scaled, scale_);
  for (const bool decays : {true, false}) {
    std::vector<at::Tensor> parameters, gradients, first, second;
    double weight_decay = 0;
    for (size_t i = 0; i < tensors_.size(); ++i) {
      const Tensor& tensor = tensors_[i];
      if ((tensor.weight_decay != 0) != decays) continue;
      parameters.push_back(tensor.parameter);
      gradients.push_back(scaled[i]);
      first.push_back(tensor.first);
      second.push_back(tensor.second);
      weight_decay = tensor.weight_decay;
    }
    if (parameters.empty()) continue;
    // The operator wants the number of this update, counted from 1, once per tensor.
    const std::vector<at::Tensor> steps(
        parameters.size(), at::full({}, static_cast<double>(steps_ + 1),
                                    at::device(parameters.front().device()).dtype(at::kFloat)));
    at::_fused_adamw_(parameters, gradients, first, second, {}, steps, learning_rate, config_.beta1,
                      config_.beta2, weight_decay, kEpsilon, /*amsgrad=*/false, /*maximize=*/false);
  }
}

std::vector<std::pair<std::string, at::Tensor>> AdamW::moments() const {
  std::vector<std::pair<std::string, at::Tensor>> result;
  for (const Tensor& tensor : tensors_) {
    result.emplace_back("first." + tensor.name, tensor.first);
    result.emplace_back("second." + tensor.name, tensor.second);
  }
  return result;
}

}  // namespace farstate
