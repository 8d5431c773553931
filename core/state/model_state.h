// SPDX-License-Identifier: GPL-3.0-or-later
// The noun that everything shares: what a recurrent model carries from one position to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace farstate {

// Of one layer. Both are fp32 or wider whatever the weights are: with a decay of 0.9999 a state
// stored in bf16 is 63 % off after 20k steps.
struct LayerState {
  at::Tensor recurrent;  // h [B,H,…], Mamba-2: [B,H,P,N]
  at::Tensor context;    // recent inputs of the layer's short memory [B,…], Mamba-2: [B,W-1,C]
};

struct ModelState {
  std::vector<LayerState> layers;  // L; empty: the zero state

  bool empty() const { return layers.empty(); }
  int64_t batch() const { return empty() ? 0 : layers.front().recurrent.size(0); }

  ModelState detach() const;  // shares storage, leaves the graph
  ModelState clone() const;   // owns its storage
  ModelState rows(int64_t first, int64_t last) const;  // a view of rows [first, last)
  // The states one below the other; all of one model, none empty.
  static ModelState concatenate(const std::vector<ModelState>& parts);
  // Sets the rows b with zero[b] != 0 to zero, in place and outside any graph. zero: [B].
  void zero_rows(const std::vector<uint8_t>& zero);
};

}  // namespace farstate
