// SPDX-License-Identifier: GPL-3.0-or-later
// The seat of an architecture. State goes in and comes out of every call, so training, decoding,
// probing and interventions share one path.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/models/model_sizes.h"
#include "core/models/tensor_spec.h"
#include "core/ops/bf16_product.h"
#include "core/results/state_report.h"
#include "core/state/model_state.h"

namespace farstate {

// One weight of a model. Loader, exporter, optimizer groups and tests all read this table.
struct TensorEntry : TensorSpec {
  at::Tensor tensor;  // fp32 and with gradients, or a bfloat16 matrix without
};

struct ForwardOptions {
  // Ascending positions in [0,T) after which the statistics of every layer's state are taken.
  std::vector<int64_t> stat_positions;
  bool dynamics = false;  // what drives every layer's state
  std::optional<HeadIndex> operands_of;  // the head whose HeadOperands are asked for
  // [B,T,D] what is read in place of embed(tokens): where a gradient with respect to the tokens is
  // wanted, a leaf that requires one.
  at::Tensor embedded;
  // What the projections' operands are rounded to. The rest of the model is float32.
  ops::Compute compute = ops::Compute::kFloat32;
  // Of each layer keep its operands alone for the backward pass and compute it again there: the same
  // numbers. Has no effect without a graph, and none where what is inside the layers is asked for.
  bool recompute = false;
};

// What drives the state of a layer in which position t multiplies a head's state by one factor:
// h_t = exp(log_decay_t) h_{t-1} + what the position writes. Without gradients.
struct LayerDynamics {
  at::Tensor log_decay;  // [B,T,H], at most 0
  at::Tensor dt;         // [B,T,H] the step sizes; undefined in a family that has none
};

// One head's recurrence without its skip, where the state is a decaying sum of outer products:
//   h_t = exp(log_decay_t) h_{t-1} + dt_t x_t (outer) B_t,   y_t = h_t C_t
// Without gradients.
struct HeadOperands {
  at::Tensor x;          // [B,T,P]
  at::Tensor B, C;       // [B,T,N]
  at::Tensor dt;         // [B,T]
  at::Tensor log_decay;  // [B,T]
};

struct ForwardResult {
  at::Tensor hidden;  // [B,T,D], after the final norm: head_weight() turns it into logits
  ModelState state;      // after the last position
  // [L][B,K,H,4] as ops::SsdScanResult::stats; empty without stat_positions.
  std::vector<at::Tensor> stats;
  std::vector<LayerDynamics> dynamics;  // [L]; empty unless asked for
  std::optional<HeadOperands> operands;  // of ForwardOptions::operands_of
};

class RecurrentLM {
 public:
  virtual ~RecurrentLM() = default;

  virtual const ModelSizes& sizes() const = 0;
  // config.json in Hugging Face's spelling; dtype: "float32", …; `original` as to_json() takes it.
  virtual std::string config_json(const std::string& dtype, const std::string& original) const = 0;
  virtual const std::vector<TensorEntry>& tensors() const = 0;

  // tokens [B,T] int64, T >= 1; `state` holds B rows or is empty (zero). The state is an operand
  // like any other: gradients flow into it and out of the result's state.
  virtual ForwardResult forward(const at::Tensor& tokens, const ModelState& state,
                                const ForwardOptions& options = {}) const = 0;

  // One position without a graph: tokens [B] -> hidden [B,D]; `state` holds B rows and is
  // updated in place.
  virtual at::Tensor step(const at::Tensor& tokens, ModelState& state) const = 0;

  virtual at::Tensor embed(const at::Tensor& tokens) const = 0;  // [...] -> [...,D]
  virtual at::Tensor head_weight() const = 0;  // [V,D]; bfloat16 where the matrices are
  virtual bool trainable() const = 0;  // false: its matrices are bfloat16
  virtual ModelState zero_state(int64_t batch) const = 0;

  at::Tensor logits(const at::Tensor& hidden) const;  // [...,D] -> [...,V]
  int64_t parameter_count() const;
};

}  // namespace farstate
