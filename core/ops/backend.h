// SPDX-License-Identifier: GPL-3.0-or-later
// Which implementation of an operator runs where, and why. On the CPU it is our own kernel. On a
// CUDA device it is our CUDA kernel where this build has it and it takes the shape, and else a
// composition of ATen's operators (<op>_aten.cpp), which takes everything and is slower. No choice
// is silent: it can be asked for before anything runs, and what ran is counted.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "kernels/cuda/matrix_inputs.h"
#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate::ops {

// Whether this build has the CUDA kernels.
#ifdef FARSTATE_CUDA
inline constexpr bool kHasCudaKernels = true;
#else
inline constexpr bool kHasCudaKernels = false;
#endif

enum class Operator {
  kCausalConv1d, kGatedRmsNorm, kSsdScan, kSsdStep, kStateStats, kHeadNll, kLinear
};
inline constexpr Operator kOperators[] = {
    Operator::kCausalConv1d, Operator::kGatedRmsNorm, Operator::kSsdScan, Operator::kSsdStep,
    Operator::kStateStats,   Operator::kHeadNll,      Operator::kLinear};
const char* name_of(Operator op);  // as its function is called

enum class Backend { kCpuKernel, kCudaKernel, kAten };
const char* name_of(Backend backend);

struct BackendChoice {
  Backend backend = Backend::kCpuKernel;
  std::string why;  // a clause: "double is left to ATen"
};

// What runs an operator on tensors of this device and dtype. The scan and the step depend on their
// sizes; the others don't look at them.
BackendChoice choose_backend(Operator op, const at::Device& device, at::ScalarType dtype,
                             const kernels::SsdScanSizes& sizes);

// What ran off the CPU since the last reset_backend_uses(), with the reason and the number of calls.
struct BackendUse {
  Operator op = Operator::kSsdScan;
  BackendChoice choice;
  int64_t calls = 0;
};
std::vector<BackendUse> backend_uses();
void reset_backend_uses();
// choose_backend(), counted.
Backend use_backend(Operator op, const at::Tensor& like, const kernels::SsdScanSizes& sizes = {});

// What the operands of the scan's matrix products, and of fp32 projections, are rounded to on a
// CUDA device; sums and states are fp32. kBf16 is of the scan alone: of the projections the
// caller's Compute decides. For the whole process; kFp32 unless set.
using kernels::cuda::MatrixInputs;
void set_matrix_inputs(MatrixInputs inputs);
MatrixInputs matrix_inputs();

// For tests: while one lives, tensors on the CPU go the way of a device's, and `backend` runs them.
// CUDA kernels run on the CPU where they are linked with the emulator.
class ScopedDeviceWay {
 public:
  explicit ScopedDeviceWay(Backend backend);
  ~ScopedDeviceWay();
  ScopedDeviceWay(const ScopedDeviceWay&) = delete;
  ScopedDeviceWay& operator=(const ScopedDeviceWay&) = delete;
};

// The question that every operator asks at its entry.
bool takes_device_way(const at::Tensor& operand);

}  // namespace farstate::ops
