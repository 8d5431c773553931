// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <limits>

#include "core/base/error.h"

namespace farstate {
namespace {

std::vector<float> floats(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.to(at::kFloat).contiguous();
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

// One row of the batch, in fp64: differences of sums of logarithms lose digits.
at::Tensor wide(const at::Tensor& operand) { return operand.squeeze(0).to(at::kDouble); }

// Of what a head writes at each token the share that comes from before the window. Where it writes
// nothing at all, nothing does.
at::Tensor share_from_before(const HeadWeights& weights, const at::Tensor& x) {
  const at::Tensor before = weights.before.norm(2, 1);
  const at::Tensor within = weights.within.matmul(x).norm(2, 1);
  return (before / (before + within)).masked_fill(before == 0, 0);
}

}  // namespace

void check_head(const ModelSizes& sizes, HeadIndex head) {
  if (head.layer >= 0 && head.layer < sizes.layers && head.head >= 0 && head.head < sizes.heads) {
    return;
  }
  throw Error(ErrorKind::kBadUsage,
              fmt::format("There is no head {} in layer {}: the model has {} layers of {} heads, "
                          "counted from 0.",
                          head.head, head.layer, sizes.layers, sizes.heads));
}

HeadWeights head_weights(const HeadOperands& operands, const at::Tensor& h_before) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const at::Tensor B = wide(operands.B), C = wide(operands.C);  // [n,N]
  const at::Tensor decay = wide(operands.log_decay).cumsum(0);  // [n]: since before the window
  const int64_t n = decay.size(0);
  const at::Tensor between = decay.unsqueeze(1) - decay.unsqueeze(0);  // [i,j]: of j+1 to i
  const at::Tensor later = at::ones({n, n}, at::kBool).triu(1);
  HeadWeights weights;
  weights.within = (C.matmul(B.t()) * wide(operands.dt).unsqueeze(0) *
                    between.masked_fill(later, -kInfinity).exp())
                       .tril();
  weights.before = h_before.defined()
                       ? C.matmul(h_before.to(at::kDouble).t()) * decay.exp().unsqueeze(1)
                       : at::zeros({n, operands.x.size(2)}, at::kDouble);
  return weights;
}

AttentionReport hidden_attention(const RecurrentLM& model, const at::Tensor& tokens,
                                 const ModelState& before, HeadIndex focus) {
  check_head(model.sizes(), focus);
  const bool leans = model.trainable();
  const at::AutoGradMode graph(leans);
  ForwardOptions options;
  options.operands_of = focus;
  if (leans) options.embedded = model.embed(tokens.unsqueeze(0)).detach().requires_grad_();
  const ForwardResult result = model.forward(tokens.unsqueeze(0), before.detach(), options);
  const at::Tensor log_p =
      model.logits(result.hidden.slice(1, -1)).flatten().to(at::kDouble).log_softmax(0);  // [V]

  AttentionReport report;
  report.index = focus;
  report.predicted.id = log_p.argmax().item<int64_t>();
  const at::Tensor best = log_p[report.predicted.id];
  report.probability = best.detach().exp().item<double>();
  if (leans) {
    const at::Tensor gradient = torch::autograd::grad({best}, {options.embedded}).front();
    report.leaning = floats((gradient * options.embedded.detach()).sum(-1).squeeze(0));
  }
  const at::NoGradGuard no_grad;
  const at::Tensor ids = tokens.contiguous();
  for (int64_t i = 0; i < ids.numel(); ++i) {
    report.tokens.push_back({ids.const_data_ptr<int64_t>()[i], ""});
  }
  const auto layer = static_cast<size_t>(focus.layer);
  const HeadWeights weights = head_weights(
      *result.operands,
      before.empty() ? at::Tensor() : before.layers[layer].recurrent[0][focus.head]);
  report.weights = floats(weights.within);
  report.from_before = floats(share_from_before(weights, wide(result.operands->x)));
  return report;
}

}  // namespace farstate
