// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/mamba2.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/base/stop.h"
#include "core/ops/causal_conv1d.h"
#include "core/ops/gated_rmsnorm.h"
#include "core/ops/linear.h"
#include "core/ops/on_device.h"
#include "core/ops/recompute.h"
#include "core/ops/split_rows.h"
#include "core/ops/ssd_scan.h"

namespace farstate {
namespace {

ops::SsdScanOptions scan_options(const Mamba2Config& config) {
  ops::SsdScanOptions options;
  options.groups = config.groups;
  options.state_dim = config.state_dim;
  options.dt_min = config.dt_min;
  options.dt_max = config.dt_max;
  return options;
}

LayerDynamics layer_dynamics(const at::Tensor& dt_raw, const at::Tensor& A,
                             const at::Tensor& dt_bias, const ops::SsdScanOptions& scan) {
  const at::NoGradGuard no_grad;
  const at::Tensor dt = ops::ssd_steps(dt_raw, dt_bias, scan);
  return {dt * A, dt};
}

// Of the packed operands of ops::ssd_scan what one head reads; heads of a group share B and C.
HeadOperands head_operands(const Mamba2Config& c, const at::Tensor& xBC, const at::Tensor& dt_raw,
                           const at::Tensor& A, const at::Tensor& dt_bias, int64_t head) {
  const at::NoGradGuard no_grad;
  const int64_t group = head / (c.heads / c.groups);
  const auto parts = xBC.detach().split_with_sizes(
      {c.inner_dim(), c.groups * c.state_dim, c.groups * c.state_dim}, 2);
  const LayerDynamics dynamics = layer_dynamics(dt_raw.detach(), A, dt_bias, scan_options(c));
  return {.x = parts[0].narrow(2, head * c.head_dim, c.head_dim),
          .B = parts[1].narrow(2, group * c.state_dim, c.state_dim),
          .C = parts[2].narrow(2, group * c.state_dim, c.state_dim),
          .dt = dynamics.dt.select(2, head),
          .log_decay = dynamics.log_decay.select(2, head)};
}

void check_tokens(const at::Tensor& tokens, int64_t dims) {
  if (tokens.dim() != dims || tokens.scalar_type() != at::kLong || tokens.numel() == 0) {
    throw Error(ErrorKind::kInternal,
                fmt::format("tokens: wanted a non-empty int64 tensor of {} dimensions, got {} of "
                            "{} with {} elements.",
                            dims, toString(tokens.scalar_type()), tokens.dim(), tokens.numel()));
  }
}

void check_state(const ModelState& state, int64_t batch, int64_t layers) {
  if (static_cast<int64_t>(state.layers.size()) != layers || state.batch() != batch) {
    throw Error(ErrorKind::kInternal,
                fmt::format("state: wanted {} layers of {} rows, got {} of {}.", layers, batch,
                            state.layers.size(), state.batch()));
  }
}

}  // namespace

at::Tensor RecurrentLM::logits(const at::Tensor& hidden) const {
  return ops::linear(hidden, head_weight());
}

int64_t RecurrentLM::parameter_count() const {
  int64_t count = 0;
  for (const TensorEntry& entry : tensors()) count += entry.tensor.numel();
  return count;
}

Mamba2::Mamba2(const Mamba2Config& config, at::ScalarType dtype)
    : config_(config),
      dtype_(dtype == at::kBFloat16 ? at::kFloat : dtype),
      matrix_dtype_(dtype) {
  sizes_ = mamba2_sizes(config);
  std::unordered_map<std::string, at::Tensor> by_name;
  for (TensorSpec& spec : mamba2_tensor_specs(config)) {
    const at::Tensor tensor = at::empty(spec.shape, spec.matrix ? matrix_dtype_ : dtype_);
    tensor.requires_grad_(trainable());
    by_name.emplace(spec.name, tensor);
    tensors_.push_back({std::move(spec), tensor});
  }
  // Undefined where this model has no such weight.
  const auto take = [&](const std::string& name) { return by_name[name]; };
  embedding_ = take("backbone.embeddings.weight");
  for (int64_t i = 0; i < config.layers; ++i) {
    const std::string layer = fmt::format("backbone.layers.{}.", i);
    const std::string mixer = layer + "mixer.";
    layers_.push_back({.norm = take(layer + "norm.weight"),
                       .in_proj = take(mixer + "in_proj.weight"),
                       .in_proj_bias = take(mixer + "in_proj.bias"),
                       .conv_weight = take(mixer + "conv1d.weight"),
                       .conv_bias = take(mixer + "conv1d.bias"),
                       .dt_bias = take(mixer + "dt_bias"),
                       .A_log = take(mixer + "A_log"),
                       .D = take(mixer + "D"),
                       .gated_norm = take(mixer + "norm.weight"),
                       .out_proj = take(mixer + "out_proj.weight"),
                       .out_proj_bias = take(mixer + "out_proj.bias")});
  }
  norm_f_ = take("backbone.norm_f.weight");
  head_ = take(kHeadName);
}

std::unique_ptr<Mamba2> Mamba2::allocate(const Mamba2Config& config, at::ScalarType dtype) {
  return std::unique_ptr<Mamba2>(new Mamba2(config, dtype));
}

// As state-spaces/mamba initialises Mamba2 and MambaLMHeadModel: dt log-uniform in its range and
// stored through the inverse of softplus, A uniform in [1,16], D and norms 1, embedding N(0,0.02),
// projections and convolution uniform in +-1/sqrt(fan_in) (PyTorch's default, kept on purpose),
// and out_proj shrunk by sqrt(L) so that the residual stream does not grow with depth.
std::unique_ptr<Mamba2> Mamba2::initialise(const Mamba2Config& config, uint64_t seed) {
  const at::NoGradGuard no_grad;
  std::unique_ptr<Mamba2> model = allocate(config);
  Rng rng(seed, RngStream::kInit);
  const auto values = [](const at::Tensor& t) {
    return std::span<float>(t.data_ptr<float>(), static_cast<size_t>(t.numel()));
  };
  const auto uniform = [&](const at::Tensor& t, double bound) {
    if (t.defined()) rng.fill_uniform(values(t), -static_cast<float>(bound), static_cast<float>(bound));
  };

  rng.fill_normal(values(model->embedding_), 0.0F, 0.02F);
  for (const Layer& layer : model->layers_) {
    layer.norm.fill_(1);
    layer.gated_norm.fill_(1);
    layer.D.fill_(1);
    const double in_bound = 1.0 / std::sqrt(static_cast<double>(config.model_dim));
    const double out_bound = 1.0 / std::sqrt(static_cast<double>(config.inner_dim()));
    const double conv_bound = 1.0 / std::sqrt(static_cast<double>(config.conv_width));
    uniform(layer.in_proj, in_bound);
    uniform(layer.conv_weight, conv_bound);
    uniform(layer.conv_bias, conv_bound);
    uniform(layer.out_proj, out_bound / std::sqrt(static_cast<double>(config.layers)));
    for (const at::Tensor& bias : {layer.in_proj_bias, layer.out_proj_bias}) {
      if (bias.defined()) bias.zero_();
    }
    const double log_min = std::log(config.dt_init_min);
    const double log_max = std::log(config.dt_init_max);
    for (float& bias : values(layer.dt_bias)) {
      const double dt = std::max(std::exp(log_min + (log_max - log_min) * rng.uniform()),
                                 config.dt_init_floor);
      bias = static_cast<float>(dt + std::log(-std::expm1(-dt)));
    }
    for (float& a : values(layer.A_log)) {
      a = static_cast<float>(std::log(1.0 + 15.0 * rng.uniform()));
    }
  }
  model->norm_f_.fill_(1);
  if (model->head_.defined()) rng.fill_normal(values(model->head_), 0.0F, 0.02F);
  return model;
}

std::string Mamba2::config_json(const std::string& dtype, const std::string& original) const {
  return to_json(config_, dtype, original);
}

at::Tensor Mamba2::head_weight() const { return head_.defined() ? head_ : embedding_; }

at::Tensor Mamba2::embed(const at::Tensor& tokens) const {
  return at::embedding(embedding_, ops::to_device(tokens, embedding_.device())).to(dtype_);
}

ModelState Mamba2::zero_state(int64_t batch) const {
  const at::TensorOptions options = at::TensorOptions().dtype(dtype_).device(embedding_.device());
  ModelState state;
  for (int64_t i = 0; i < config_.layers; ++i) {
    state.layers.push_back(
        {at::zeros({batch, config_.heads, config_.head_dim, config_.state_dim}, options),
         at::zeros({batch, config_.conv_width - 1, config_.conv_channels()}, options)});
  }
  return state;
}

Mamba2::LayerPass Mamba2::run_layer(const Layer& layer, const at::Tensor& residual,
                                    const LayerState& in, const ops::SsdScanOptions& scan,
                                    ops::Compute compute) const {
  const int64_t B = residual.size(0);
  const int64_t T = residual.size(1);
  const at::Tensor normed = ops::gated_rmsnorm(residual, {}, layer.norm, 1, config_.norm_eps);
  const std::vector<at::Tensor> parts =
      ops::split_rows(ops::linear(normed, layer.in_proj, layer.in_proj_bias, compute),
                      {config_.inner_dim(), config_.conv_channels(), config_.heads});
  const at::Tensor& z = parts[0];       // [B,T,H*P]
  const at::Tensor& xBC = parts[1];     // [B,T,C]
  const at::Tensor& dt_raw = parts[2];  // [B,T,H]
  ops::CausalConv1dResult conv =
      ops::causal_conv1d_silu(xBC, layer.conv_weight.squeeze(1), layer.conv_bias, in.context);
  const at::Tensor A = layer.A_log.exp().neg();
  ops::SsdScanResult ssd =
      ops::ssd_scan(conv.y, dt_raw, A, layer.D, layer.dt_bias, in.recurrent, scan);
  const at::Tensor y = ops::gated_rmsnorm(ssd.y.reshape({B, T, config_.inner_dim()}), z,
                                          layer.gated_norm, config_.groups, config_.norm_eps);
  return {.residual = ops::linear_plus(y, layer.out_proj, layer.out_proj_bias, residual, compute),
          .state = {std::move(ssd.h_last), std::move(conv.context)},
          .stats = std::move(ssd.stats),
          .xBC = std::move(conv.y),
          .dt_raw = dt_raw,
          .A = A};
}

Mamba2::LayerPass Mamba2::run_layer_twice(const Layer& layer, const at::Tensor& residual,
                                          const LayerState& in, const ops::SsdScanOptions& scan,
                                          ops::Compute compute) const {
  // Autograd must see every tensor that a gradient is wanted of as an operand of the piece.
  static constexpr at::Tensor Layer::* kWeights[] = {
      &Layer::norm,    &Layer::in_proj, &Layer::in_proj_bias, &Layer::conv_weight,
      &Layer::conv_bias, &Layer::dt_bias, &Layer::A_log,        &Layer::D,
      &Layer::gated_norm, &Layer::out_proj, &Layer::out_proj_bias};
  std::vector<at::Tensor> operands = {residual, in.recurrent, in.context};
  for (const auto weight : kWeights) operands.push_back(layer.*weight);
  std::vector<at::Tensor> results = ops::recomputed(
      [this, scan, compute](const std::vector<at::Tensor>& given) {
        Layer again;
        auto next = given.begin() + 3;
        for (const auto weight : kWeights) again.*weight = *next++;
        LayerPass pass = run_layer(again, given[0], {given[1], given[2]}, scan, compute);
        std::vector<at::Tensor> made = {std::move(pass.residual), std::move(pass.state.recurrent),
                                        std::move(pass.state.context)};
        if (pass.stats.defined()) made.push_back(std::move(pass.stats));
        return made;
      },
      operands);
  LayerPass pass;
  pass.residual = std::move(results[0]);
  pass.state = {std::move(results[1]), std::move(results[2])};
  if (results.size() > 3) pass.stats = results[3].detach();
  return pass;
}

ForwardResult Mamba2::forward(const at::Tensor& tokens, const ModelState& state,
                              const ForwardOptions& options) const {
  check_tokens(tokens, 2);
  if (!state.empty()) check_state(state, tokens.size(0), config_.layers);
  ops::SsdScanOptions scan = scan_options(config_);
  scan.stat_positions = options.stat_positions;
  const bool looks_inside = options.dynamics || options.operands_of.has_value();
  const auto run = options.recompute && !looks_inside ? &Mamba2::run_layer_twice
                                                      : &Mamba2::run_layer;

  ForwardResult result;
  at::Tensor residual = options.embedded.defined() ? options.embedded : embed(tokens);  // [B,T,D]
  for (size_t i = 0; i < layers_.size(); ++i) {
    throw_if_stopped();
    const Layer& layer = layers_[i];
    const LayerState in = state.empty() ? LayerState{} : state.layers[i];
    LayerPass pass = (this->*run)(layer, residual, in, scan, options.compute);
    residual = std::move(pass.residual);
    result.state.layers.push_back(std::move(pass.state));
    if (!options.stat_positions.empty()) result.stats.push_back(std::move(pass.stats));
    if (options.dynamics) {
      result.dynamics.push_back(layer_dynamics(pass.dt_raw, pass.A, layer.dt_bias, scan));
    }
    if (options.operands_of && options.operands_of->layer == static_cast<int64_t>(i)) {
      result.operands = head_operands(config_, pass.xBC, pass.dt_raw, pass.A, layer.dt_bias,
                                      options.operands_of->head);
    }
  }
  result.hidden = ops::gated_rmsnorm(residual, {}, norm_f_, 1, config_.norm_eps);
  return result;
}

at::Tensor Mamba2::step(const at::Tensor& tokens, ModelState& state) const {
  check_tokens(tokens, 1);
  const int64_t B = tokens.size(0);
  check_state(state, B, config_.layers);
  const at::NoGradGuard no_grad;
  const ops::SsdScanOptions scan = scan_options(config_);
  at::Tensor residual = embed(tokens);  // [B,D]
  for (size_t i = 0; i < layers_.size(); ++i) {
    throw_if_stopped();
    const Layer& layer = layers_[i];
    LayerState& carried = state.layers[i];
    const at::Tensor normed =
        ops::gated_rmsnorm(residual, {}, layer.norm, 1, config_.norm_eps);
    const std::vector<at::Tensor> parts =
        ops::linear(normed, layer.in_proj, layer.in_proj_bias)
            .split_with_sizes({config_.inner_dim(), config_.conv_channels(), config_.heads}, -1);
    ops::CausalConv1dResult conv = ops::causal_conv1d_silu(
        parts[1].unsqueeze(1), layer.conv_weight.squeeze(1), layer.conv_bias, carried.context);
    const at::Tensor y =
        ops::ssd_step(conv.y.squeeze(1), parts[2], layer.A_log.exp().neg(), layer.D, layer.dt_bias,
                      carried.recurrent, scan);
    carried.context = conv.context;
    const at::Tensor gated = ops::gated_rmsnorm(y.reshape({B, config_.inner_dim()}), parts[0],
                                                   layer.gated_norm, config_.groups,
                                                   config_.norm_eps);
    residual = ops::linear_plus(gated, layer.out_proj, layer.out_proj_bias, residual);
  }
  return ops::gated_rmsnorm(residual, {}, norm_f_, 1, config_.norm_eps);
}

}  // namespace farstate
