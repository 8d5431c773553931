// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2's recurrence by matrix products over chunks of Q positions (Dao and Gu 2024,
// arXiv:2405.21060, section 6), in ATen's operators: for devices and shapes without a kernel of
// ours. With a_t = dt_t A, h_in the state that enters a chunk, and sums within the chunk:
//   y_i   = sum_{j<=i} (C_i . B_j) exp(a_{j+1} + … + a_i) dt_j x_j + exp(a_0 + … + a_i) h_in C_i + D x_i
//   h_out = exp(a_0 + … + a_{Q-1}) h_in + sum_j exp(a_{j+1} + … + a_{Q-1}) dt_j x_j (outer) B_j
// No exponent is positive, and each is a sum of its own terms rather than a difference of two
// cumulative sums, which would lose the digits of a slow decay behind a fast one.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "core/ops/on_device.h"

namespace farstate::ops {
namespace {

using at::Tensor;

constexpr int64_t kChunk = 64;  // Q

// Everything in chunks, n of them; rows that fill up the last have dt = 0, so they change no state.
struct Chunks {
  Tensor u;         // [B,n,G,R,Q,P]  dt x, R = H/G heads of a group
  Tensor B, C;      // [B,n,G,Q,N]
  Tensor decay;     // [B,n,G,R,Q,Q]  exp(a_{j+1} + … + a_i) at (i,j), 0 above the diagonal
  Tensor from_in;   // [B,n,G,R,Q]    exp(a_0 + … + a_i)
};

Tensor fill_up(const Tensor& rows, int64_t chunks) {  // [B,T,…] -> [B,n,Q,…]
  const int64_t missing = chunks * kChunk - rows.size(1);
  std::vector<int64_t> padding(static_cast<size_t>(2 * (rows.dim() - 1)), 0);
  padding.back() = missing;
  return at::constant_pad_nd(rows, padding).unflatten(1, {chunks, kChunk});
}

Tensor decays(const Tensor& a) {  // [...,Q] -> [...,Q,Q]
  const int64_t Q = a.size(-1);
  const auto options = a.options().dtype(at::kBool);
  const Tensor keeps = at::ones({Q, Q}, options).tril();
  const Tensor after = keeps.tril(-1);
  std::vector<int64_t> shape = a.sizes().vec();
  shape.push_back(Q);
  const Tensor terms = a.unsqueeze(-1).expand(shape).masked_fill(after.logical_not(), 0);
  return terms.cumsum(-2).masked_fill(keeps.logical_not(), -INFINITY).exp();
}

// The heads of a group one below the other: [B,n,G,R,Q,P] -> [B,n,G,R*P,Q], as the states have them.
Tensor by_state_rows(const Tensor& u) { return u.transpose(-2, -1).flatten(3, 4); }

// Statistics after position i of chunk c, without a graph.
Tensor stats_after(const Chunks& k, const Tensor& h_in, int64_t position) {
  const int64_t c = position / kChunk, i = position % kChunk;
  const Tensor weights = k.decay.select(1, c).select(-2, i).unsqueeze(-1);  // [B,G,R,Q,1]
  const Tensor written = (k.u.select(1, c) * weights).transpose(-2, -1).flatten(2, 3);
  const Tensor kept = k.from_in.select(1, c).select(-1, i).unsqueeze(-1).unsqueeze(-1) *
                      h_in.select(1, c);                                    // [B,G,R,P,N]
  const Tensor h = kept + written.matmul(k.B.select(1, c)).view_as(kept);
  return state_stats_aten(h.flatten(1, 2));
}

}  // namespace

Tensor state_stats_aten(const Tensor& h) {
  const Tensor all = h.detach().to(at::kDouble).flatten(-2);
  const Tensor finite = all.isfinite();
  const Tensor kept = all.masked_fill(finite.logical_not(), 0);
  return at::stack({kept.sum(-1), kept.square().sum(-1), kept.abs().amax(-1),
                    finite.logical_not().sum(-1).to(at::kDouble)},
                   -1);
}

SsdScanResult ssd_scan_aten(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A,
                            const Tensor& D, const Tensor& dt_bias, const Tensor& h_first,
                            const SsdScanOptions& options) {
  const int64_t batch = xBC.size(0), T = xBC.size(1), H = dt_raw.size(2);
  const int64_t G = options.groups, N = options.state_dim, R = H / G;
  const int64_t P = (xBC.size(2) - 2 * G * N) / H, n = (T + kChunk - 1) / kChunk;
  const auto parts = xBC.split_with_sizes({H * P, G * N, G * N}, 2);
  const Tensor x = parts[0].unflatten(2, {H, P});
  const Tensor dt = ssd_steps(dt_raw, dt_bias, options);  // [B,T,H]

  Chunks k;
  k.u = fill_up(dt.unsqueeze(-1) * x, n).unflatten(3, {G, R}).permute({0, 1, 3, 4, 2, 5});
  k.B = fill_up(parts[1].unflatten(2, {G, N}), n).transpose(2, 3);
  k.C = fill_up(parts[2].unflatten(2, {G, N}), n).transpose(2, 3);
  const Tensor a = fill_up(dt * A, n).unflatten(3, {G, R}).permute({0, 1, 3, 4, 2});
  k.decay = decays(a);
  k.from_in = a.cumsum(-1).exp();

  // What each chunk writes, then the states that enter them, one after the other.
  const Tensor to_out = k.decay.select(-2, kChunk - 1).unsqueeze(-1);           // [B,n,G,R,Q,1]
  const Tensor writes =
      by_state_rows(k.u * to_out).matmul(k.B).unflatten(3, {R, P});             // [B,n,G,R,P,N]
  const Tensor keeps = k.from_in.select(-1, kChunk - 1).unsqueeze(-1).unsqueeze(-1);
  Tensor h = h_first.defined() ? h_first.reshape({batch, G, R, P, N})
                               : at::zeros({batch, G, R, P, N}, xBC.options());
  std::vector<Tensor> entering;
  for (int64_t c = 0; c < n; ++c) {
    entering.push_back(h);
    h = keeps.select(1, c) * h + writes.select(1, c);
  }
  const Tensor h_in = at::stack(entering, 1);  // [B,n,G,R,P,N]

  const Tensor scores = k.C.matmul(k.B.transpose(-2, -1)).unsqueeze(3);           // [B,n,G,1,Q,Q]
  const Tensor within = (scores * k.decay).matmul(k.u);                           // [B,n,G,R,Q,P]
  const Tensor before = k.C.matmul(h_in.flatten(3, 4).transpose(-2, -1))          // [B,n,G,Q,R*P]
                            .unflatten(-1, {R, P}).transpose(-3, -2) *            // [B,n,G,R,Q,P]
                        k.from_in.unsqueeze(-1);
  Tensor y = (within + before).permute({0, 1, 4, 2, 3, 5}).reshape({batch, n * kChunk, H, P})
                 .slice(1, 0, T);
  if (D.defined()) y = y + D.unsqueeze(-1) * x;

  SsdScanResult result{y.contiguous(), h.reshape({batch, H, P, N}), {}};
  if (!options.stat_positions.empty()) {
    const at::NoGradGuard no_grad;
    std::vector<Tensor> stats;
    for (const int64_t position : options.stat_positions) {
      stats.push_back(stats_after(k, h_in, position));
    }
    result.stats = at::stack(stats, 1);
  }
  return result;
}

Tensor ssd_step_aten(const Tensor& xBC, const Tensor& dt_raw, const Tensor& A, const Tensor& D,
                     const Tensor& dt_bias, Tensor& h, const SsdScanOptions& options) {
  const int64_t H = dt_raw.size(1), G = options.groups, N = options.state_dim, R = H / G;
  const int64_t P = h.size(2);
  const auto parts = xBC.split_with_sizes({H * P, G * N, G * N}, 1);
  const Tensor x = parts[0].unflatten(1, {H, P});
  const auto of_heads = [&](const Tensor& of_groups) {  // [B,G*N] -> [B,H,1,N]
    return of_groups.unflatten(1, {G, 1, 1, N}).expand({-1, G, R, 1, N}).flatten(1, 2);
  };
  const Tensor dt = ssd_steps(dt_raw, dt_bias, options);
  h.mul_((dt * A).exp().unsqueeze(-1).unsqueeze(-1));
  h.addcmul_((dt.unsqueeze(-1) * x).unsqueeze(-1), of_heads(parts[1]));
  const Tensor y = h.matmul(of_heads(parts[2]).transpose(-2, -1)).squeeze(-1);
  return D.defined() ? y + D.unsqueeze(-1) * x : y;
}

}  // namespace farstate::ops
