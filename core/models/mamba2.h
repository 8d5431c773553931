// SPDX-License-Identifier: GPL-3.0-or-later
// Mamba-2 as a language model (Dao and Gu 2024, arXiv:2405.21060): embedding, L blocks of
// residual + mixer(norm(residual)), final norm, head. The residual stream is fp32.
#pragma once

#include <memory>

#include "core/models/model_config.h"
#include "core/models/recurrent_lm.h"
#include "core/ops/ssd_scan.h"

namespace farstate {

class Mamba2 : public RecurrentLM {
 public:
  // Weights as the reference initialises them, from `seed` alone.
  static std::unique_ptr<Mamba2> initialise(const Mamba2Config& config, uint64_t seed);
  // Weights to be filled in by a loader: every tensor of tensors(), uninitialised. With kBFloat16
  // the matrices are, and everything else, the state too, is float; such a model can't be trained.
  static std::unique_ptr<Mamba2> allocate(const Mamba2Config& config,
                                          at::ScalarType dtype = at::kFloat);

  const Mamba2Config& config() const { return config_; }
  const ModelSizes& sizes() const override { return sizes_; }
  std::string config_json(const std::string& dtype, const std::string& original) const override;
  const std::vector<TensorEntry>& tensors() const override { return tensors_; }
  ForwardResult forward(const at::Tensor& tokens, const ModelState& state,
                        const ForwardOptions& options) const override;
  at::Tensor step(const at::Tensor& tokens, ModelState& state) const override;
  at::Tensor embed(const at::Tensor& tokens) const override;  // in dtype_
  at::Tensor head_weight() const override;
  bool trainable() const override { return matrix_dtype_ == dtype_; }
  ModelState zero_state(int64_t batch) const override;

 private:
  struct Layer {
    at::Tensor norm;           // [D]
    at::Tensor in_proj;        // [H*P + C + H, D]: rows z | x | B | C | dt
    at::Tensor in_proj_bias;   // [H*P + C + H] or undefined
    at::Tensor conv_weight;    // [C,1,W]
    at::Tensor conv_bias;      // [C] or undefined
    at::Tensor dt_bias;        // [H]
    at::Tensor A_log;          // [H]
    at::Tensor D;              // [H]
    at::Tensor gated_norm;     // [H*P]
    at::Tensor out_proj;       // [D, H*P]
    at::Tensor out_proj_bias;  // [D] or undefined
  };

  // What a layer makes of B x T positions, and what it was made from.
  struct LayerPass {
    at::Tensor residual;  // [B,T,D]
    LayerState state;     // after the last position
    at::Tensor stats;     // as ops::SsdScanResult::stats
    at::Tensor xBC;       // [B,T,C] after the convolution
    at::Tensor dt_raw;    // [B,T,H]
    at::Tensor A;         // [H]
  };

  Mamba2(const Mamba2Config& config, at::ScalarType dtype);
  LayerPass run_layer(const Layer& layer, const at::Tensor& residual, const LayerState& in,
                      const ops::SsdScanOptions& scan, ops::Compute compute) const;
  // The same, of which the graph keeps the operands; without stats, xBC, dt_raw and A.
  LayerPass run_layer_twice(const Layer& layer, const at::Tensor& residual, const LayerState& in,
                            const ops::SsdScanOptions& scan, ops::Compute compute) const;

  Mamba2Config config_;
  ModelSizes sizes_;
  at::ScalarType dtype_;         // of the computation and the state
  at::ScalarType matrix_dtype_;  // of projections, embedding and head
  std::vector<TensorEntry> tensors_;
  at::Tensor embedding_;  // [V,D]
  at::Tensor norm_f_;     // [D]
  at::Tensor head_;       // [V,D]; undefined when tied
  std::vector<Layer> layers_;
};

}  // namespace farstate
