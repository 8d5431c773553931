// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/matrix_product.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "core/ops/matrix_view.h"
#include "core/ops/op_support.h"
#include "kernels/gemm/gemm.h"

namespace farstate::ops {
namespace {

using at::Tensor;

constexpr char kOp[] = "matrix_product";

void check_operands(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& addend) {
  expect_operand(kOp, "a", a, 2);
  expect(b.defined() && b.dim() == 2 && b.size(0) == a.size(1), kOp,
         fmt::format("b [{},N]", a.size(1)), "another tensor");
  expect(b.scalar_type() == a.scalar_type() ||
             (b.scalar_type() == at::kBFloat16 && a.scalar_type() == at::kFloat),
         kOp, "b of a's dtype, or a bfloat16 b under a float a", toString(b.scalar_type()));
  const int64_t M = a.size(0), N = b.size(1);
  expect_tensor(kOp, "out", out, {M, N}, a);
  expect(N <= 1 || out.stride(1) == 1, kOp, "out with contiguous rows", "other strides");
  if (!addend.defined()) return;
  addend.dim() == 1 ? expect_tensor(kOp, "addend", addend, {N}, a)
                    : expect_tensor(kOp, "addend", addend, {M, N}, a);
  expect(N <= 1 || addend.stride(-1) == 1, kOp, "an addend with contiguous rows", "other strides");
}

}  // namespace

Tensor with_unit_stride(const Tensor& matrix) {
  const auto dense = [&](int64_t dim) { return matrix.size(dim) <= 1 || matrix.stride(dim) == 1; };
  return dense(0) || dense(1) ? matrix : matrix.contiguous();
}

void multiply_into(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& addend) {
  check_operands(out, a, b, addend);
  const Tensor left = with_unit_stride(a), right = with_unit_stride(b);
  with_real_type(a, [&](auto zero) {
    using Real = decltype(zero);
    kernels::Gemm<Real> args;
    args.sizes = {left.size(0), right.size(1), left.size(1)};
    args.A = matrix_view<Real>(left);
    if (right.scalar_type() == at::kBFloat16) {
      args.narrow_B = narrow_view(right);
    } else {
      args.B = matrix_view<Real>(right);
    }
    args.addend = data_or_null<Real>(addend);
    args.addend_stride = addend.defined() && addend.dim() == 2 ? addend.stride(0) : 0;
    args.C = out.data_ptr<Real>();
    args.C_stride = out.stride(0);
    for_each_gemm_task(kernels::gemm_tasks(args.sizes), args.sizes.K, [&](int64_t begin, int64_t end) {
      kernels::gemm(args, begin, end);
    });
  });
}

Tensor matrix_product(const Tensor& a, const Tensor& b, const Tensor& addend) {
  const Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
  multiply_into(out, a, b, addend);
  return out;
}

}  // namespace farstate::ops
