// SPDX-License-Identifier: GPL-3.0-or-later
// What a CUDA kernel rounds the inputs of its matrix products to. Sums are fp32 in any case.
#pragma once

namespace farstate::kernels::cuda {

enum class MatrixInputs {
  kFp32,  // not at all: multiply-adds of the ordinary units
  kTf32,  // 11 significant bits: off by 2^-11 at most
  kBf16,  // 8 significant bits: off by 2^-9 at most
};

}  // namespace farstate::kernels::cuda
