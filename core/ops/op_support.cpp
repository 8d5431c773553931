// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/op_support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace farstate::ops {
namespace {

std::string describe(torch::IntArrayRef sizes) {
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

std::string describe(const torch::Tensor& tensor) {
  if (!tensor.defined()) return "no tensor";
  return fmt::format("{} {} on {}", describe(tensor.sizes()), c10::toString(tensor.scalar_type()),
                     tensor.device().str());
}

}  // namespace

void expect(bool holds, const char* op, const std::string& wanted, const std::string& got) {
  if (holds) return;
  throw Error(ErrorKind::kInternal, fmt::format("{}: wanted {}; got {}.", op, wanted, got));
}

void expect_tensor(const char* op, const char* name, const torch::Tensor& tensor,
                   torch::IntArrayRef sizes, const torch::Tensor& like) {
  if (tensor.defined() && tensor.sizes() == sizes && tensor.scalar_type() == like.scalar_type() &&
      tensor.device() == like.device()) {
    return;
  }
  const std::string wanted = fmt::format("{} {} {} on {}", name, describe(sizes),
                                         c10::toString(like.scalar_type()), like.device().str());
  expect(false, op, wanted, describe(tensor));
}

void expect_optional(const char* op, const char* name, const torch::Tensor& tensor,
                     torch::IntArrayRef sizes, const torch::Tensor& like) {
  if (tensor.defined()) expect_tensor(op, name, tensor, sizes, like);
}

void expect_real(const char* op, const char* name, const torch::Tensor& tensor, int64_t dims) {
  if (tensor.defined() && tensor.dim() == dims &&
      (tensor.scalar_type() == torch::kFloat || tensor.scalar_type() == torch::kDouble)) {
    return;
  }
  expect(false, op, fmt::format("{} with {} dimensions, Float or Double", name, dims),
         describe(tensor));
}

void expect_operand(const char* op, const char* name, const torch::Tensor& tensor, int64_t dims) {
  if (tensor.defined() && tensor.dim() == dims && tensor.is_cpu() &&
      (tensor.scalar_type() == torch::kFloat || tensor.scalar_type() == torch::kDouble)) {
    return;
  }
  expect(false, op, fmt::format("{} with {} dimensions, Float or Double on cpu", name, dims),
         describe(tensor));
}

void expect_first_derivative(const char* op) {
  expect(!at::GradMode::is_enabled(), op, "a first derivative",
         "a backward pass that is itself recorded (create_graph)");
}

torch::Tensor with_contiguous_rows(const torch::Tensor& tensor) {
  return tensor.size(-1) == 1 || tensor.stride(-1) == 1 ? tensor : tensor.contiguous();
}

bool any_requires_grad(torch::TensorList tensors) {
  return at::GradMode::is_enabled() &&
         std::any_of(tensors.begin(), tensors.end(), [](const torch::Tensor& tensor) {
           return tensor.defined() && tensor.requires_grad();
         });
}

std::optional<torch::Tensor> to_optional(const torch::Tensor& tensor) {
  return tensor.defined() ? std::make_optional(tensor) : std::nullopt;
}

}  // namespace farstate::ops
