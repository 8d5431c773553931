// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ssd_scan/ssd_scan.h"

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(
    template <class Real> int64_t ssd_scan_forward_scratch(const SsdScanSizes& sizes);
    template <class Real> int64_t ssd_scan_backward_scratch(const SsdScanSizes& sizes);
    template <class Real> void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin,
                                                int64_t end, Real* scratch);
    template <class Real> void ssd_scan_backward(const SsdScanBackward<Real>& args, int64_t begin,
                                                 int64_t end, Real* scratch);)

namespace {

void check_sizes(const SsdScanSizes& s) {
  require(s.B >= 0 && s.T >= 1 && s.H >= 1 && s.P >= 1 && s.N >= 1 && s.G >= 1,
          "ssd_scan: wanted B >= 0 and T, H, P, N, G >= 1",
          {{"B", s.B}, {"T", s.T}, {"H", s.H}, {"P", s.P}, {"N", s.N}, {"G", s.G}});
  require(s.H % s.G == 0, "ssd_scan: wanted H a multiple of G", {{"H", s.H}, {"G", s.G}});
  require(s.dt_min <= s.dt_max, "ssd_scan: wanted dt_min <= dt_max");
}

template <class Real>
void check_inputs(const SsdScanInputs<Real>& in) {
  check_sizes(in.sizes);
  require(in.x && in.B && in.C && in.dt_raw && in.A,
          "ssd_scan: wanted x, B, C, dt_raw and A; one is null");
}

void check_range(int64_t begin, int64_t end, int64_t tasks) {
  require(0 <= begin && begin <= end && end <= tasks, "ssd_scan: wanted 0 <= begin <= end <= tasks",
          {{"begin", begin}, {"end", end}, {"tasks", tasks}});
}

template <class Real>
int64_t forward_scratch(const SsdScanSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, ssd_scan_forward_scratch<Real>, sizes);
}

template <class Real>
int64_t backward_scratch(const SsdScanSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, ssd_scan_backward_scratch<Real>, sizes);
}

}  // namespace

int64_t ssd_scan_slices(const SsdScanSizes& sizes) {
  check_sizes(sizes);
  const int64_t heads = sizes.H / sizes.G;
  return sizes.G * ((heads + kSsdHeadsPerSlice - 1) / kSsdHeadsPerSlice);
}

template <class Real>
void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin, int64_t end, Isa isa) {
  const SsdScanSizes& s = args.in.sizes;
  check_inputs(args.in);
  check_range(begin, end, s.B * s.H);
  require(args.y && args.h_last, "ssd_scan: wanted y and h_last; one is null");
  require(args.K == 0 || (args.stat_positions && args.stats),
          "ssd_scan: wanted stat_positions and stats for K positions; one is null",
          {{"K", args.K}});
  for (int64_t k = 0, least = 0; k < args.K; least = args.stat_positions[k++] + 1) {
    require(least <= args.stat_positions[k] && args.stat_positions[k] < s.T,
            "ssd_scan: wanted stat_positions ascending in [0, T)",
            {{"k", k}, {"stat_positions[k]", args.stat_positions[k]}, {"T", s.T}});
  }
  const Scratch<Real> scratch = make_scratch<Real>(forward_scratch<Real>(s, isa));
  FARSTATE_CALL_ISA(isa, ssd_scan_forward, args, begin, end, scratch.get());
}

template <class Real>
void ssd_scan_backward(const SsdScanBackward<Real>& args, int64_t begin, int64_t end, Isa isa) {
  const SsdScanSizes& s = args.in.sizes;
  check_inputs(args.in);
  check_range(begin, end, s.B * ssd_scan_slices(s));
  require(args.block_states && args.grad_y,
          "ssd_scan: wanted block_states and grad_y; one is null");
  require(args.grad_x && args.grad_dt_raw && args.grad_h_first && args.grad_A && args.grad_D &&
              args.grad_dt_bias && args.slice_grad_B && args.slice_grad_C,
          "ssd_scan: wanted every gradient's memory; one is null");
  const Scratch<Real> scratch = make_scratch<Real>(backward_scratch<Real>(s, isa));
  FARSTATE_CALL_ISA(isa, ssd_scan_backward, args, begin, end, scratch.get());
}

template <class Real>
void ssd_scan_backward_gather(const SsdScanBackward<Real>& args, int64_t begin, int64_t end) {
  const SsdScanSizes& s = args.in.sizes;
  check_inputs(args.in);
  check_range(begin, end, s.B * s.T);
  require(args.grad_B && args.grad_C, "ssd_scan: wanted grad_B and grad_C; one is null");
  const int64_t slices = ssd_scan_slices(s), slices_per_group = slices / s.G;
  const auto add_up = [&](const Real* slice_sums, Real* grad) {  // [S,N] -> [G,N]
    for (int64_t g = 0; g < s.G; ++g) {
      for (int64_t n = 0; n < s.N; ++n) {
        Real sum = 0;
        for (int64_t i = 0; i < slices_per_group; ++i) {
          sum += slice_sums[(g * slices_per_group + i) * s.N + n];
        }
        grad[g * s.N + n] = sum;
      }
    }
  };
  for (int64_t task = begin; task < end; ++task) {
    const int64_t b = task / s.T, t = task % s.T;
    const int64_t to = b * args.grad_xBC_stride_b + t * args.grad_xBC_stride_t;
    add_up(args.slice_grad_B + task * slices * s.N, args.grad_B + to);
    add_up(args.slice_grad_C + task * slices * s.N, args.grad_C + to);
  }
}

template void ssd_scan_forward(const SsdScanForward<float>&, int64_t, int64_t, Isa);
template void ssd_scan_forward(const SsdScanForward<double>&, int64_t, int64_t, Isa);
template void ssd_scan_backward(const SsdScanBackward<float>&, int64_t, int64_t, Isa);
template void ssd_scan_backward(const SsdScanBackward<double>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_gather(const SsdScanBackward<float>&, int64_t, int64_t);
template void ssd_scan_backward_gather(const SsdScanBackward<double>&, int64_t, int64_t);

}  // namespace farstate::kernels
