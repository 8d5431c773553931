// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ssd_scan/ssd_scan.h"

#include "kernels/simd/check.h"
#include "kernels/simd/scratch.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(
    template <class Real> int64_t ssd_scan_forward_scratch(const SsdScanSizes& sizes);
    template <class Real> int64_t ssd_scan_backward_states_scratch(const SsdScanSizes& sizes);
    template <class Real> int64_t ssd_scan_backward_blocks_scratch(const SsdScanSizes& sizes);
    template <class Real> void ssd_scan_forward(const SsdScanForward<Real>& args, int64_t begin,
                                                int64_t end, Real* scratch);
    template <class Real>
    void ssd_scan_backward_states(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                                  Real* scratch);
    template <class Real>
    void ssd_scan_backward_blocks(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                                  Real* scratch);)

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
int64_t backward_states_scratch(const SsdScanSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, ssd_scan_backward_states_scratch<Real>, sizes);
}

template <class Real>
int64_t backward_blocks_scratch(const SsdScanSizes& sizes, Isa isa) {
  FARSTATE_CALL_ISA(isa, ssd_scan_backward_blocks_scratch<Real>, sizes);
}

template <class Real>
void check_backward(const SsdScanBackward<Real>& args) {
  check_inputs(args.in);
  require(args.block_states && args.grad_y,
          "ssd_scan: wanted block_states and grad_y; one is null");
  require(args.grad_x && args.grad_B && args.grad_C && args.grad_dt_raw && args.grad_A &&
              args.grad_D && args.grad_dt_bias && args.block_grads && args.block_sums,
          "ssd_scan: wanted every gradient's memory; one is null");
}

}  // namespace

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
void ssd_scan_backward_states(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Isa isa) {
  const SsdScanSizes& s = args.in.sizes;
  check_backward(args);
  check_range(begin, end, s.B * s.H);
  const Scratch<Real> scratch = make_scratch<Real>(backward_states_scratch<Real>(s, isa));
  FARSTATE_CALL_ISA(isa, ssd_scan_backward_states, args, begin, end, scratch.get());
}

template <class Real>
void ssd_scan_backward_blocks(const SsdScanBackward<Real>& args, int64_t begin, int64_t end,
                              Isa isa) {
  const SsdScanSizes& s = args.in.sizes;
  check_backward(args);
  check_range(begin, end, s.B * ssd_blocks(s.T) * s.G);
  const Scratch<Real> scratch = make_scratch<Real>(backward_blocks_scratch<Real>(s, isa));
  FARSTATE_CALL_ISA(isa, ssd_scan_backward_blocks, args, begin, end, scratch.get());
}

template <class Real>
void ssd_scan_backward_sums(const SsdScanBackward<Real>& args) {
  const SsdScanSizes& s = args.in.sizes;
  check_backward(args);
  const int64_t blocks = ssd_blocks(s.T);
  for (int64_t head = 0; head < s.B * s.H; ++head) {
    double sums[3] = {};
    for (int64_t block = 0; block < blocks; ++block) {
      for (int64_t i = 0; i < 3; ++i) sums[i] += args.block_sums[(head * blocks + block) * 3 + i];
    }
    args.grad_A[head] = sums[0];
    args.grad_D[head] = sums[1];
    args.grad_dt_bias[head] = sums[2];
  }
}

template void ssd_scan_forward(const SsdScanForward<float>&, int64_t, int64_t, Isa);
template void ssd_scan_forward(const SsdScanForward<double>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_states(const SsdScanBackward<float>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_states(const SsdScanBackward<double>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_blocks(const SsdScanBackward<float>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_blocks(const SsdScanBackward<double>&, int64_t, int64_t, Isa);
template void ssd_scan_backward_sums(const SsdScanBackward<float>&);
template void ssd_scan_backward_sums(const SsdScanBackward<double>&);

}  // namespace farstate::kernels
