// SPDX-License-Identifier: GPL-3.0-or-later
// Less memory for the backward pass, for the time of a second forward pass: of a piece of the graph
// only the operands are kept, and what is inside is computed again when its gradients are asked for
// (Chen, Xu, Zhang and Guestrin 2016, arXiv:1604.06174).
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

namespace farstate::ops {

// A function of its operands and of nothing else that a gradient is wanted of. It is called twice,
// must give the same numbers both times, and must outlive the graph in all that it refers to.
using Piece = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& operands)>;

// piece(operands), with its results' gradients to the bit. Operands may be undefined; results may
// not. Where no gradient is wanted this is the call alone. A stop ends the second pass as it does
// the first. Throws Error(kInternal) where a second derivative is asked for.
std::vector<at::Tensor> recomputed(const Piece& piece, const std::vector<at::Tensor>& operands);

}  // namespace farstate::ops
