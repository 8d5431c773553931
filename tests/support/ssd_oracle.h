// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2's recurrence as its definition has it (kernels/ssd_scan/ssd_scan.h), position by position
// in double precision, and its reverse: what kernels that work otherwise are compared with.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate::testing {

using Doubles = std::vector<double>;

struct SsdOracle {
  kernels::SsdScanSizes s;
  Doubles x, B, C;           // [B,T,H,P], [B,T,G,N] twice
  Doubles dt_raw;            // [B,T,H]
  Doubles A, D, dt_bias;     // [H]
  Doubles h_first;           // [B,H,P,N]
  Doubles grad_y;            // [B,T,H,P]
  Doubles grad_h_last;       // [B,H,P,N]

  Doubles y, h;              // [B,T,H,P], [B,T+1,H,P,N]: the first is h_first
  Doubles grad_x, grad_B, grad_C, grad_dt_raw, grad_h_first;  // as the operands
  Doubles grad_A, grad_D, grad_dt_bias;                       // [B,H]

  explicit SsdOracle(const kernels::SsdScanSizes& sizes) : s(sizes) {}

  int64_t state_size() const { return s.P * s.N; }
  int64_t state_at(int64_t b, int64_t t, int64_t head) const {  // t positions were read
    return ((b * (s.T + 1) + t) * s.H + head) * state_size();
  }
  double step(int64_t b, int64_t t, int64_t head) const { return clamp(softplus(raw(b, t, head))); }

  void forward() {
    y.assign(s.B * s.T * s.H * s.P, 0);
    h.assign(s.B * (s.T + 1) * s.H * state_size(), 0);
    for (int64_t b = 0; b < s.B; ++b) {
      for (int64_t head = 0; head < s.H; ++head) {
        std::copy_n(h_first.begin() + (b * s.H + head) * state_size(), state_size(),
                    h.begin() + state_at(b, 0, head));
        for (int64_t t = 0; t < s.T; ++t) read_position(b, t, head);
      }
    }
  }

  void backward() {
    grad_x.assign(x.size(), 0);
    grad_B.assign(B.size(), 0);
    grad_C.assign(C.size(), 0);
    grad_dt_raw.assign(dt_raw.size(), 0);
    grad_h_first.assign(h_first.size(), 0);
    for (Doubles* grad : {&grad_A, &grad_D, &grad_dt_bias}) grad->assign(s.B * s.H, 0);
    for (int64_t b = 0; b < s.B; ++b) {
      for (int64_t head = 0; head < s.H; ++head) {
        const int64_t at = (b * s.H + head) * state_size();
        Doubles g(grad_h_last.begin() + at, grad_h_last.begin() + at + state_size());
        for (int64_t t = s.T - 1; t >= 0; --t) unread_position(b, t, head, g);
        std::copy(g.begin(), g.end(), grad_h_first.begin() + at);
      }
    }
  }

 private:
  static double softplus(double v) { return v > 20 ? v : std::log1p(std::exp(v)); }
  double clamp(double dt) const { return dt < s.dt_min ? s.dt_min : dt > s.dt_max ? s.dt_max : dt; }
  double raw(int64_t b, int64_t t, int64_t head) const {
    return dt_raw[(b * s.T + t) * s.H + head] + dt_bias[head];
  }
  int64_t x_at(int64_t b, int64_t t, int64_t head) const { return ((b * s.T + t) * s.H + head) * s.P; }
  int64_t group_at(int64_t b, int64_t t, int64_t head) const {
    return ((b * s.T + t) * s.G + head / (s.H / s.G)) * s.N;
  }

  void read_position(int64_t b, int64_t t, int64_t head) {
    const double dt = step(b, t, head), decay = std::exp(dt * A[head]);
    const int64_t xs = x_at(b, t, head), group = group_at(b, t, head);
    const double* const before = h.data() + state_at(b, t, head);
    double* const after = h.data() + state_at(b, t + 1, head);
    for (int64_t p = 0; p < s.P; ++p) {
      double sum = D[head] * x[xs + p];
      for (int64_t n = 0; n < s.N; ++n) {
        const int64_t i = p * s.N + n;
        after[i] = decay * before[i] + dt * x[xs + p] * B[group + n];
        sum += after[i] * C[group + n];
      }
      y[xs + p] = sum;
    }
  }

  // g: the gradient of the state after the position becomes that of the state before it.
  void unread_position(int64_t b, int64_t t, int64_t head, Doubles& g) {
    const double free = softplus(raw(b, t, head)), dt = clamp(free), decay = std::exp(dt * A[head]);
    const int64_t xs = x_at(b, t, head), group = group_at(b, t, head);
    const double* const before = h.data() + state_at(b, t, head);
    const double* const after = h.data() + state_at(b, t + 1, head);
    double grad_dt = 0, grad_a = 0;
    for (int64_t p = 0; p < s.P; ++p) {
      grad_x[xs + p] += D[head] * grad_y[xs + p];
      grad_D[b * s.H + head] += grad_y[xs + p] * x[xs + p];
      for (int64_t n = 0; n < s.N; ++n) {
        const int64_t i = p * s.N + n;
        g[i] += grad_y[xs + p] * C[group + n];
        grad_C[group + n] += grad_y[xs + p] * after[i];
        grad_B[group + n] += dt * x[xs + p] * g[i];
        grad_x[xs + p] += dt * g[i] * B[group + n];
        grad_dt += g[i] * x[xs + p] * B[group + n];
        g[i] *= decay;
        grad_a += g[i] * before[i];
      }
    }
    const bool clamped = free < s.dt_min || free > s.dt_max;
    const double slope = clamped ? 0 : free > 20 ? 1 : 1 / (1 + std::exp(-raw(b, t, head)));
    const double grad = (grad_dt + A[head] * grad_a) * slope;
    grad_dt_raw[(b * s.T + t) * s.H + head] = grad;
    grad_A[b * s.H + head] += dt * grad_a;
    grad_dt_bias[b * s.H + head] += grad;
  }
};

}  // namespace farstate::testing
