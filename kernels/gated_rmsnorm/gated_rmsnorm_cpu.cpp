// SPDX-License-Identifier: GPL-3.0-or-later
// Two passes over each group of a row: v and its sum of squares, then the scaled result. With
// s = sigmoid(z), q = weight grad_out and m = C/G the backward is
//   grad_v = rstd q - v rstd^3 <v, q> / m
//   grad_y = grad_v z s,  grad_z = grad_v y s (1 + z (1 - s)),  grad_weight = grad_out v rstd
#include "kernels/gated_rmsnorm/gated_rmsnorm.h"
#include "kernels/simd/lanes.h"
#include "kernels/simd/math.h"

namespace farstate::kernels::FARSTATE_ISA {
namespace {

FARSTATE_INLINE float square_root(float value) { return __builtin_sqrtf(value); }
FARSTATE_INLINE double square_root(double value) { return __builtin_sqrt(value); }

template <class Real>
void forward_group(const GatedRmsNormForward<Real>& args, int64_t row, int64_t group) {
  const GatedRmsNormInputs<Real>& in = args.in;
  const int64_t width = in.sizes.C / in.sizes.G, c0 = group * width;
  const Real* const y = in.y + row * in.y_stride + c0;
  const Real* const z = in.z == nullptr ? nullptr : in.z + row * in.z_stride + c0;
  Real* const out = args.out + row * in.sizes.C + c0;

  Vec<Real> squares{};
  for_each_vector<Real>(width, [&](int64_t i, int64_t lanes) {
    Vec<Real> v = load_first(y + i, lanes);
    if (z != nullptr) {
      const Vec<Real> gate = load_first(z + i, lanes);
      v *= gate * sigmoid<Real>(gate);
    }
    squares += v * v;
    store_first<Real>(out + i, v, lanes);
  });
  const Real mean = sum_lanes<Real>(squares) / static_cast<Real>(width);
  const Real rstd = Real(1) / square_root(mean + static_cast<Real>(in.sizes.eps));
  for_each_vector<Real>(width, [&](int64_t i, int64_t lanes) {
    const Vec<Real> weight = load_first(in.weight + c0 + i, lanes);
    store_first<Real>(out + i, weight * load_first(out + i, lanes) * rstd, lanes);
  });
  if (args.rstd != nullptr) args.rstd[row * in.sizes.G + group] = rstd;
}

// What the first pass leaves for the second, per channel of a group.
template <class Real>
struct GroupScratch {
  Real *v, *gate, *gate_slope;  // [C/G]
  int64_t size;

  GroupScratch(const GatedRmsNormSizes& s, Real* scratch) {
    Carver<Real> carve{scratch};
    v = carve.take(s.C / s.G);
    gate = carve.take(s.C / s.G);
    gate_slope = carve.take(s.C / s.G);
    size = carve.used;
  }
};

template <class Real>
void backward_group(const GatedRmsNormBackward<Real>& args, int64_t row, int64_t group,
                    const GroupScratch<Real>& w, Real* grad_weight) {
  const GatedRmsNormInputs<Real>& in = args.in;
  const int64_t width = in.sizes.C / in.sizes.G, c0 = group * width;
  const Real* const y = in.y + row * in.y_stride + c0;
  const Real* const z = in.z == nullptr ? nullptr : in.z + row * in.z_stride + c0;
  const Real* const grad_out = args.grad_out + row * args.grad_out_stride + c0;
  const Real rstd = args.rstd[row * in.sizes.G + group];

  Vec<Real> products{};
  for_each_vector<Real>(width, [&](int64_t i, int64_t lanes) {
    Vec<Real> v = load_first(y + i, lanes);
    if (z != nullptr) {
      const Vec<Real> gate_input = load_first(z + i, lanes);
      const Vec<Real> s = sigmoid<Real>(gate_input);
      const Vec<Real> gate = gate_input * s;
      store_first<Real>(w.gate_slope + i, v * s * (gate_input * (Real(1) - s) + Real(1)), lanes);
      store_first<Real>(w.gate + i, gate, lanes);
      v *= gate;
    }
    const Vec<Real> g = load_first(grad_out + i, lanes);
    products += v * g * load_first(in.weight + c0 + i, lanes);
    store_first<Real>(w.v + i, v, lanes);
    store_first<Real>(grad_weight + c0 + i, load_first(grad_weight + c0 + i, lanes) + g * v * rstd,
                      lanes);
  });
  const Real along_v = rstd * rstd * rstd * sum_lanes<Real>(products) / static_cast<Real>(width);
  Real* const grad_y = args.grad_y + row * in.sizes.C + c0;
  for_each_vector<Real>(width, [&](int64_t i, int64_t lanes) {
    const Vec<Real> q = load_first(grad_out + i, lanes) * load_first(in.weight + c0 + i, lanes);
    const Vec<Real> grad_v = q * rstd - load_first(w.v + i, lanes) * along_v;
    if (z == nullptr) return store_first<Real>(grad_y + i, grad_v, lanes);
    store_first<Real>(grad_y + i, grad_v * load_first(w.gate + i, lanes), lanes);
    store_first<Real>(args.grad_z + row * in.sizes.C + c0 + i,
                      grad_v * load_first(w.gate_slope + i, lanes), lanes);
  });
}

}  // namespace

template <class Real>
int64_t gated_rmsnorm_scratch(const GatedRmsNormSizes& sizes) {
  return GroupScratch<Real>(sizes, nullptr).size;
}

template <class Real>
void gated_rmsnorm_forward(const GatedRmsNormForward<Real>& args, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    for (int64_t group = 0; group < args.in.sizes.G; ++group) forward_group(args, row, group);
  }
}

template <class Real>
void gated_rmsnorm_backward(const GatedRmsNormBackward<Real>& args, int64_t begin, int64_t end,
                            Real* scratch) {
  const GatedRmsNormSizes& s = args.in.sizes;
  const GroupScratch<Real> w(s, scratch);
  for (int64_t task = begin; task < end; ++task) {
    Real* const grad_weight = args.grad_weight + task * s.C;
    for (int64_t c = 0; c < s.C; ++c) grad_weight[c] = 0;
    for (int64_t row = task * kNormRows; row < smaller(s.R, (task + 1) * kNormRows); ++row) {
      for (int64_t group = 0; group < s.G; ++group) {
        backward_group(args, row, group, w, grad_weight);
      }
    }
  }
}

template int64_t gated_rmsnorm_scratch<float>(const GatedRmsNormSizes&);
template int64_t gated_rmsnorm_scratch<double>(const GatedRmsNormSizes&);
template void gated_rmsnorm_forward(const GatedRmsNormForward<float>&, int64_t, int64_t);
template void gated_rmsnorm_forward(const GatedRmsNormForward<double>&, int64_t, int64_t);
template void gated_rmsnorm_backward(const GatedRmsNormBackward<float>&, int64_t, int64_t, float*);
template void gated_rmsnorm_backward(const GatedRmsNormBackward<double>&, int64_t, int64_t,
                                     double*);

}  // namespace farstate::kernels::FARSTATE_ISA
