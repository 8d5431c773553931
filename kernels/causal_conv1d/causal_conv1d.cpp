// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/causal_conv1d/causal_conv1d.h"

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(template <class Real>
                      int64_t causal_conv1d_scratch(const CausalConv1dSizes& sizes);
                      template <class Real>
                      void causal_conv1d_forward(const CausalConv1dForward<Real>& args,
                                                 int64_t begin, int64_t end, Real* scratch);
                      template <class Real>
                      void causal_conv1d_backward(const CausalConv1dBackward<Real>& args,
                                                  int64_t begin, int64_t end, Real* scratch);)

namespace {

template <class Real>
void check_inputs(const CausalConv1dInputs<Real>& in, int64_t begin, int64_t end) {
  const CausalConv1dSizes& s = in.sizes;
  require(s.B >= 0 && s.T >= 1 && s.C >= 1 && s.W >= 1,
          "causal_conv1d: wanted B >= 0 and T, C, W >= 1",
          {{"B", s.B}, {"T", s.T}, {"C", s.C}, {"W", s.W}});
  require(0 <= begin && begin <= end && end <= s.tasks(),
          "causal_conv1d: wanted 0 <= begin <= end <= tasks",
          {{"begin", begin}, {"end", end}, {"tasks", s.tasks()}});
  require(in.u && in.weight, "causal_conv1d: wanted u and weight; one is null");
}

template <class Real>
int64_t scratch_size(const CausalConv1dSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, causal_conv1d_scratch<Real>, sizes);
}

}  // namespace

template <class Real>
void causal_conv1d_forward(const CausalConv1dForward<Real>& args, int64_t begin, int64_t end,
                           Isa isa) {
  check_inputs(args.in, begin, end);
  require(args.y && (args.new_context || args.in.sizes.W == 1),
          "causal_conv1d: wanted y and new_context; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size<Real>(args.in.sizes, isa));
  FARSTATE_CALL_ISA(isa, causal_conv1d_forward, args, begin, end, scratch.get());
}

template <class Real>
void causal_conv1d_backward(const CausalConv1dBackward<Real>& args, int64_t begin, int64_t end,
                            Isa isa) {
  check_inputs(args.in, begin, end);
  require(args.grad_y && args.grad_u && args.grad_weight && args.grad_bias &&
              (args.grad_context || args.in.sizes.W == 1),
          "causal_conv1d: wanted grad_y and every gradient's memory; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(scratch_size<Real>(args.in.sizes, isa));
  FARSTATE_CALL_ISA(isa, causal_conv1d_backward, args, begin, end, scratch.get());
}

template void causal_conv1d_forward(const CausalConv1dForward<float>&, int64_t, int64_t, Isa);
template void causal_conv1d_forward(const CausalConv1dForward<double>&, int64_t, int64_t, Isa);
template void causal_conv1d_backward(const CausalConv1dBackward<float>&, int64_t, int64_t, Isa);
template void causal_conv1d_backward(const CausalConv1dBackward<double>&, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
