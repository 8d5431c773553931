// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/ssd_scan.h"

#include <torch/types.h>

namespace farstate::ops {
namespace {

// h [B,H,P,N] -> [B,H,4] as kernels/state_stats defines them.
torch::Tensor naive_stats(const torch::Tensor& h) {
  const torch::Tensor all = h.detach().to(torch::kDouble).flatten(2);
  const torch::Tensor finite = all.isfinite();
  const torch::Tensor kept = all.where(finite, torch::zeros_like(all));
  return torch::stack({kept.sum(-1), kept.square().sum(-1), kept.abs().amax(-1),
                       finite.logical_not().to(torch::kDouble).sum(-1)},
                      -1);
}

}  // namespace

torch::Tensor ssd_steps(const torch::Tensor& dt_raw, const torch::Tensor& dt_bias,
                        const SsdScanOptions& options) {
  return at::softplus(dt_bias.defined() ? dt_raw + dt_bias : dt_raw)
      .clamp(options.dt_min, options.dt_max);
}

SsdScanResult ssd_scan_naive(const torch::Tensor& xBC, const torch::Tensor& dt_raw,
                             const torch::Tensor& A, const torch::Tensor& D,
                             const torch::Tensor& dt_bias, const torch::Tensor& h_first,
                             const SsdScanOptions& options) {
  const int64_t T = xBC.size(1), H = dt_raw.size(2), G = options.groups, N = options.state_dim;
  const int64_t P = (xBC.size(2) - 2 * G * N) / H;
  const auto parts = xBC.split_with_sizes({H * P, G * N, G * N}, 2);
  const torch::Tensor x = parts[0].unflatten(2, {H, P});                              // [B,T,H,P]
  const torch::Tensor B = parts[1].unflatten(2, {G, N}).repeat_interleave(H / G, 2);  // [B,T,H,N]
  const torch::Tensor C = parts[2].unflatten(2, {G, N}).repeat_interleave(H / G, 2);  // [B,T,H,N]
  const torch::Tensor dt = ssd_steps(dt_raw, dt_bias, options);                       // [B,T,H]

  torch::Tensor h =
      h_first.defined() ? h_first : torch::zeros({xBC.size(0), H, P, N}, xBC.options());
  std::vector<torch::Tensor> y, stats;
  for (int64_t t = 0; t < T; ++t) {
    const torch::Tensor dt_t = dt.select(1, t), x_t = x.select(1, t);
    const torch::Tensor u = dt_t.unsqueeze(-1) * x_t;  // [B,H,P]
    h = (dt_t * A).exp().unsqueeze(-1).unsqueeze(-1) * h +
        u.unsqueeze(-1) * B.select(1, t).unsqueeze(-2);
    torch::Tensor y_t = (h * C.select(1, t).unsqueeze(-2)).sum(-1);
    if (D.defined()) y_t = y_t + D.unsqueeze(-1) * x_t;
    y.push_back(y_t);
    const auto& chosen = options.stat_positions;
    if (std::find(chosen.begin(), chosen.end(), t) != chosen.end()) stats.push_back(naive_stats(h));
  }
  return {torch::stack(y, 1), h, stats.empty() ? torch::Tensor() : torch::stack(stats, 1)};
}

}  // namespace farstate::ops
