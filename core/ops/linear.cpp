// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include <algorithm>

#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

// Elements of a widened block: 4 MB, enough rows for an efficient product and little enough to stay
// in the cache between widening and product.
constexpr int64_t kBlock = int64_t{1} << 20;

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  if (weight.scalar_type() == x.scalar_type()) return at::linear(x, weight, bias);
  expect(weight.scalar_type() == at::kBFloat16 && x.scalar_type() == at::kFloat, "linear",
         "a weight of x's dtype, or a bfloat16 weight under a float x", toString(weight.scalar_type()));
  expect(!any_requires_grad({x, weight}), "linear", "no graph with a bfloat16 weight", "one");
  const int64_t O = weight.size(0);
  const int64_t I = weight.size(1);
  const at::Tensor rows = x.reshape({-1, I});                       // [R,I]
  at::Tensor out = at::empty({rows.size(0), O}, x.options());       // [R,O]
  const int64_t block = std::clamp<int64_t>(kBlock / I, 1, O);
  for (int64_t row = 0; row < O; row += block) {
    throw_if_stopped();
    const int64_t count = std::min(block, O - row);
    const at::Tensor wide = weight.narrow(0, row, count).to(at::kFloat);
    at::Tensor part = out.narrow(1, row, count);
    at::mm_out(part, rows, wide.t());
  }
  if (bias.defined()) out.add_(bias);
  std::vector<int64_t> shape = x.sizes().vec();
  shape.back() = O;
  return out.view(shape);
}

}  // namespace farstate::ops
