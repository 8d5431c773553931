// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/recompute.h"

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "recomputed";

// Which operands there are, and what is done with them: autograd knows only tensors that are defined.
struct Call : torch::CustomClassHolder {
  Call(Piece p, std::vector<bool> d) : piece(std::move(p)), defined(std::move(d)) {}

  variable_list run(const variable_list& compact) const {
    std::vector<Tensor> operands(defined.size());
    auto next = compact.begin();
    for (size_t i = 0; i < defined.size(); ++i) {
      if (defined[i]) operands[i] = *next++;
    }
    return piece(operands);
  }

  Piece piece;
  std::vector<bool> defined;
};

class RecomputedFunction : public torch::autograd::Function<RecomputedFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, at::TensorList operands,
                               const c10::intrusive_ptr<Call>& call) {
    variable_list kept = operands.vec();
    const variable_list results = call->run(kept);
    ctx->set_materialize_grads(false);
    ctx->save_for_backward(std::move(kept));
    ctx->saved_data["call"] = at::IValue::make_capsule(call);
    return results;
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    throw_if_stopped();
    const variable_list saved = ctx->get_saved_variables();
    variable_list operands;
    variable_list wanted;
    for (size_t i = 0; i < saved.size(); ++i) {
      operands.push_back(saved[i].detach().requires_grad_(ctx->needs_input_grad(i)));
      if (operands.back().requires_grad()) wanted.push_back(operands.back());
    }
    variable_list results;
    {
      const at::AutoGradMode with_graph(true);
      const auto call = ctx->saved_data["call"].toCapsule();
      results = static_cast<const Call&>(*call).run(operands);
    }
    // Results that nothing was read from have no gradient, and no part in the graph.
    variable_list outputs;
    variable_list output_grads;
    for (size_t i = 0; i < results.size(); ++i) {
      if (!grads[i].defined() || !results[i].requires_grad()) continue;
      outputs.push_back(std::move(results[i]));
      output_grads.push_back(std::move(grads[i]));
    }
    results.clear();
    variable_list result(saved.size() + 1);  // the last is of `call`
    if (outputs.empty()) return result;
    const variable_list found =
        torch::autograd::grad(outputs, wanted, output_grads, /*retain_graph=*/false,
                              /*create_graph=*/false, /*allow_unused=*/true);
    auto next = found.begin();
    for (size_t i = 0; i < saved.size(); ++i) {
      if (operands[i].requires_grad()) result[i] = *next++;
    }
    return result;
  }
};

}  // namespace

std::vector<Tensor> recomputed(const Piece& piece, const std::vector<Tensor>& operands) {
  if (!any_requires_grad(operands)) return piece(operands);
  std::vector<Tensor> compact;
  std::vector<bool> defined;
  for (const Tensor& operand : operands) {
    defined.push_back(operand.defined());
    if (operand.defined()) compact.push_back(operand);
  }
  return RecomputedFunction::apply(at::TensorList(compact),
                                   c10::make_intrusive<Call>(piece, std::move(defined)));
}

}  // namespace farstate::ops
