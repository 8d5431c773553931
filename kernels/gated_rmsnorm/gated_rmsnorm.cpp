// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(
    template <class Real> int64_t gated_rmsnorm_scratch(const GatedRmsNormSizes& sizes);
    template <class Real>
    void gated_rmsnorm_forward(const GatedRmsNormForward<Real>& args, int64_t begin, int64_t end);
    template <class Real> void gated_rmsnorm_backward(const GatedRmsNormBackward<Real>& args,
                                                      int64_t begin, int64_t end, Real* scratch);)

namespace {

template <class Real>
void check_inputs(const GatedRmsNormInputs<Real>& in, int64_t begin, int64_t end, int64_t tasks) {
  const GatedRmsNormSizes& s = in.sizes;
  require(s.R >= 0 && s.C >= 1 && s.G >= 1 && s.C % s.G == 0,
          "gated_rmsnorm: wanted R >= 0, C and G >= 1, C a multiple of G",
          {{"R", s.R}, {"C", s.C}, {"G", s.G}});
  require(0 <= begin && begin <= end && end <= tasks,
          "gated_rmsnorm: wanted 0 <= begin <= end <= tasks",
          {{"begin", begin}, {"end", end}, {"tasks", tasks}});
  require(in.y && in.weight, "gated_rmsnorm: wanted y and weight; one is null");
}

template <class Real>
int64_t scratch_size(const GatedRmsNormSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, gated_rmsnorm_scratch<Real>, sizes);
}

}  // namespace

template <class Real>
void gated_rmsnorm_forward(const GatedRmsNormForward<Real>& args, int64_t begin, int64_t end,
                           Isa isa) {
  check_inputs(args.in, begin, end, args.in.sizes.R);
  require(args.out != nullptr, "gated_rmsnorm: wanted out; it is null");
  FARSTATE_CALL_ISA(isa, gated_rmsnorm_forward, args, begin, end);
}

template <class Real>
void gated_rmsnorm_backward(const GatedRmsNormBackward<Real>& args, int64_t begin, int64_t end,
                            Isa isa) {
  check_inputs(args.in, begin, end, args.in.sizes.backward_tasks());
  require(
      args.rstd && args.grad_out && args.grad_y && args.grad_weight && (args.grad_z || !args.in.z),
      "gated_rmsnorm: wanted rstd, grad_out and every gradient's memory; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size<Real>(args.in.sizes, isa));
  FARSTATE_CALL_ISA(isa, gated_rmsnorm_backward, args, begin, end, scratch.get());
}

template void gated_rmsnorm_forward(const GatedRmsNormForward<float>&, int64_t, int64_t, Isa);
template void gated_rmsnorm_forward(const GatedRmsNormForward<double>&, int64_t, int64_t, Isa);
template void gated_rmsnorm_backward(const GatedRmsNormBackward<float>&, int64_t, int64_t, Isa);
template void gated_rmsnorm_backward(const GatedRmsNormBackward<double>&, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
