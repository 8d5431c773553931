// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/split_rows.h"

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>

#include <cstring>
#include <numeric>

#include "core/ops/op_support.h"

namespace farstate::ops {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr char kOp[] = "split_rows";

// A part of a row: where it comes from, or nothing, which stands for zeros.
struct Part {
  Tensor rows;  // [R,width]
  size_t offset, bytes, stride;
};

Tensor side_by_side(const variable_list& grads, const std::vector<int64_t>& widths,
                    const std::vector<int64_t>& sizes, const torch::TensorOptions& options) {
  const Tensor whole = torch::empty(sizes, options);
  const size_t element = whole.element_size();
  std::vector<Part> parts;
  size_t row_bytes = 0;
  for (size_t i = 0; i < widths.size(); ++i) {
    const size_t bytes = static_cast<size_t>(widths[i]) * element;
    Part part{{}, row_bytes, bytes, 0};
    if (grads[i].defined()) {
      part.rows = with_contiguous_rows(grads[i]).reshape({-1, widths[i]});
      part.stride = static_cast<size_t>(part.rows.stride(0)) * element;
    }
    parts.push_back(std::move(part));
    row_bytes += bytes;
  }
  const int64_t rows = whole.numel() / whole.size(-1);
  auto* const to = static_cast<char*>(whole.data_ptr());
  for_each_task(rows, static_cast<double>(whole.size(-1)), [&](int64_t begin, int64_t end) {
    for (const Part& part : parts) {
      const auto* from = part.rows.defined() ? static_cast<const char*>(part.rows.data_ptr()) : nullptr;
      for (int64_t row = begin; row < end; ++row) {
        char* const target = to + static_cast<size_t>(row) * row_bytes + part.offset;
        if (from == nullptr) {
          std::memset(target, 0, part.bytes);
        } else {
          std::memcpy(target, from + static_cast<size_t>(row) * part.stride, part.bytes);
        }
      }
    }
  });
  return whole;
}

class SplitRowsFunction : public torch::autograd::Function<SplitRowsFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& x,
                               const std::vector<int64_t>& widths) {
    ctx->set_materialize_grads(false);
    ctx->saved_data["sizes"] = x.sizes().vec();
    ctx->saved_data["widths"] = widths;
    return x.split_with_sizes(widths, -1);
  }

  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    expect_first_derivative(kOp);
    const auto some = std::find_if(grads.begin(), grads.end(),
                                   [](const Tensor& grad) { return grad.defined(); });
    if (some == grads.end()) return {Tensor(), Tensor()};
    return {side_by_side(grads, ctx->saved_data["widths"].toIntVector(),
                         ctx->saved_data["sizes"].toIntVector(), some->options()),
            Tensor()};
  }
};

}  // namespace

variable_list split_rows(const Tensor& x, const std::vector<int64_t>& widths) {
  const int64_t width = std::accumulate(widths.begin(), widths.end(), int64_t{0});
  if (x.size(-1) != width) {
    expect(false, kOp, fmt::format("rows of {}", width), fmt::format("rows of {}", x.size(-1)));
  }
  const bool ours = x.is_cpu() && any_requires_grad({x});
  return ours ? SplitRowsFunction::apply(x, widths) : x.split_with_sizes(widths, -1);
}

}  // namespace farstate::ops
