// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/memory_estimate.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/process.h"
#include "core/models/unroll.h"
#include "core/ops/bf16_product.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/tensor_memory.h"
#include "core/probes/effective_remembrance.h"
#include "core/probes/position_bins.h"
#include "core/probes/state_distribution.h"
#include "core/session/batch_gradients.h"
#include "core/session/evaluator.h"
#include "kernels/ssd_scan/ssd_scan.h"

namespace farstate {
namespace {

constexpr int64_t kFloat = sizeof(float);

int64_t inner_dim(const ModelSizes& sizes) { return sizes.heads * sizes.head_dim; }

// What one layer's forward pass holds at once, in floats per token: what the backward pass would
// keep, without the scan's states between blocks, and the residual stream twice more.
int64_t layer_floats(const ModelSizes& sizes) {
  return sizes.kept_per_token - inner_dim(sizes) * sizes.state_dim / kernels::kSsdBlock +
         2 * sizes.model_dim;
}

// Hidden states, and what the head's loss needs besides them.
int64_t loss_bytes(const ModelSizes& sizes, int64_t tokens, bool rounds) {
  const int64_t D = sizes.model_dim, V = sizes.vocabulary;
  return kFloat * (tokens * D + ops::head_nll_floats(tokens, D, V, rounds));
}

// The state before a segment and after it.
int64_t two_states(const ModelMemory& model, int64_t rows) { return 2 * rows * model.sizes.state_bytes; }

int64_t sweep_bytes(const ModelMemory& model, const MeasureConfig& config) {
  const ModelSizes& sizes = model.sizes;
  const int64_t S = config.sequences;
  const int64_t rows = std::min(S, kRowsPerSweep);
  const int64_t tokens = rows * std::min(segment_length(sizes, rows), config.length);
  const bool perplexity = config.wants("perplexity");
  int64_t bytes = std::max(kFloat * tokens * layer_floats(sizes),
                           perplexity ? loss_bytes(sizes, tokens, false) : 0) +
                  two_states(model, rows);
  if (config.wants("distribution")) {
    // The law is looked for once nothing is read any more.
    bytes = std::max(bytes, state_law_bytes(sizes, S, at::get_num_threads()));
    const auto pins = static_cast<int64_t>(std::max<size_t>(config.pins.size(), 2));
    bytes += state_distribution_bytes(sizes, S, config.length, pins, /*curves=*/true);
  }
  const auto bins =
      static_cast<int64_t>(PositionBins::logarithmic(config.length, config.bins_per_octave).size());
  // Three sums per sequence, then six curves with their bounds, in the result and in its copy.
  if (config.wants("state")) bytes += bins * sizes.layers * sizes.heads * (24 * S + 2 * 6 * 32);
  // The same with four curves; of a segment two numbers per head and layer, and a third of one layer.
  if (config.wants("dynamics")) {
    bytes += bins * sizes.layers * sizes.heads * (24 * S + 2 * 4 * 48) +
             kFloat * tokens * sizes.heads * (2 * sizes.layers + 1);
  }
  if (perplexity) bytes += bins * S * 8;
  // A loss and an id, in the result and in its copy.
  if (perplexity && config.per_position) bytes += 2 * S * config.length * 8;
  return bytes;
}

int64_t effrem_bytes(const ModelMemory& model, const MeasureConfig& config) {
  const int64_t points = config.effrem_points;
  const int64_t length = config.effrem_length > 0 ? config.effrem_length : config.length;
  const int64_t group = effrem_group(model.sizes.state_bytes, points, config.sequences);
  const int64_t rows = points * group;
  const int64_t tokens = rows * std::min(segment_length(model.sizes, rows), length);
  // All logits, and in fp64 two distributions with their logarithms, the ratio of these and its
  // magnitude, and the terms of a divergence.
  const int64_t distributions = (kFloat * rows + 9 * 8 * group) * model.sizes.vocabulary;
  return std::max(kFloat * tokens * layer_floats(model.sizes), distributions) +
         two_states(model, rows);
}

// A window's forward pass as the backward pass keeps it, and the widest gradients of that.
int64_t attention_bytes(const ModelMemory& model, const MeasureConfig& config) {
  const ModelSizes& sizes = model.sizes;
  const int64_t n = std::min(config.attention_window, config.length);
  return kFloat * n * (sizes.layers * sizes.kept_per_token + 2 * sizes.widest) +
         two_states(model, 1);
}

// A moment of a training step.
struct Moment {
  int64_t gradients = 0;
  int64_t activations = 0;
};

// Gradients grow as the backward pass goes down the layers, and activations shrink; so the peak is
// where it begins or where it ends. From the second group of rows on, all gradients are there from
// the beginning, and those of the group come beside them.
Moment peak_of_step(const ModelMemory& model, const TrainConfig& config) {
  const ModelSizes& sizes = model.sizes;
  const int64_t tokens = rows_at_once(config) * config.context;
  const bool narrow = config.compute == "bfloat16";
  const int64_t D = sizes.model_dim;
  const int64_t head = kFloat * sizes.vocabulary * D;  // and so large is the embedding's gradient
  const int64_t all = kFloat * model.parameters;
  const int64_t before = config.batch > rows_at_once(config) ? all : 0;
  // The projections' inputs are kept in half of the bytes.
  const int64_t layer =
      kFloat * tokens * (sizes.kept_per_token - (narrow ? (D + inner_dim(sizes)) / 2 : 0));
  const int64_t inputs = kFloat * tokens * sizes.layers * D;
  const int64_t kept = (config.recompute ? inputs : sizes.layers * layer) + kFloat * tokens * D;
  // A layer's gradients reach in_proj's output from three sides and are joined there.
  const int64_t joining = kFloat * tokens * (2 * sizes.widest + D) + (config.recompute ? layer : 0);
  // The rounded head, beside it what it was widened to where the machine multiplies floats alone.
  const int64_t rounded = !narrow ? 0 : ops::has_bf16_products() ? head / 2 : head / 2 + head;
  const int64_t loss = loss_bytes(sizes, tokens, narrow) + kFloat * tokens * D + rounded;
  const Moment begin = {before + head, kept + std::max(loss, joining)};
  // A tied head's gradient waits for the embedding's.
  const Moment end = {all + head + (sizes.tied_head && before > 0 ? head : 0),
                      config.recompute ? layer : kFloat * tokens * D};
  const auto total = [](const Moment& m) { return m.gradients + m.activations; };
  return total(begin) > total(end) ? begin : end;
}

// Of the freed blocks that wait for a tensor, the allocator lets up to its slack go beyond the
// peak; half of it is what runs come to.
constexpr int64_t kKept = ops::kTensorMemorySlack / 2;

}  // namespace

ModelMemory model_memory(const RecurrentLM& model) {
  ModelMemory memory;
  memory.sizes = model.sizes();
  memory.parameters = model.parameter_count();
  for (const TensorEntry& entry : model.tensors()) {
    memory.weight_bytes += static_cast<int64_t>(entry.tensor.nbytes());
  }
  return memory;
}

int64_t measuring_bytes(const ModelMemory& model, const MeasureConfig& config) {
  return std::max({config.sweeps() ? sweep_bytes(model, config) : 0,
                   config.wants("effrem") ? effrem_bytes(model, config) : 0,
                   config.wants("attention") ? attention_bytes(model, config) : 0}) +
         kKept;
}

int64_t examining_bytes(const ModelMemory& model, const MeasureConfig& config, int64_t positions) {
  const ModelSizes& sizes = model.sizes;
  const int64_t S = config.sequences;
  const int64_t rows = std::min(S, kRowsPerSweep);
  const int64_t tokens = rows * std::min(segment_length(sizes, rows), config.length);
  return std::max(kFloat * tokens * layer_floats(sizes) + two_states(model, rows),
                  state_law_bytes(sizes, S, at::get_num_threads())) +
         state_distribution_bytes(sizes, S, config.length, positions, /*curves=*/false) + kKept;
}

TrainingMemory training_memory(const ModelMemory& model, const TrainConfig& config) {
  TrainingMemory memory;
  memory.weights = kFloat * model.parameters;
  memory.moments = 2 * kFloat * model.parameters;
  // The states that a step starts from, ends with, and that the law of the initial state keeps.
  memory.states = 3 * config.batch * model.sizes.state_bytes;
  const Moment peak = peak_of_step(model, config);
  memory.gradients = peak.gradients;
  memory.activations = peak.activations;
  // Peaks of large trainings lie up to 2 % above the sum of their tensors: blocks that fit no other
  // tensor, and the buffers of larger products.
  constexpr int64_t kShare = 33;
  memory.process = kKept + memory.total() / kShare;
  return memory;
}

int64_t training_bytes(const ModelMemory& model, const TrainConfig& config) {
  const TrainingMemory memory = training_memory(model, config);
  return memory.total() - memory.weights;
}

int64_t measuring_between_steps_bytes(const ModelMemory& model, const MeasureConfig& config) {
  return 2 * kFloat * model.parameters + measuring_bytes(model, config);
}

std::string training_advice(const ModelMemory& model, const TrainConfig& config,
                            int64_t available) {
  TrainConfig helped = config;
  std::string settings;
  const auto fits = [&] { return training_bytes(model, helped) <= available; };
  if (!helped.recompute) {
    helped.recompute = true;
    settings = "train.recompute";
  }
  if (!fits() && rows_at_once(helped) > 1) {
    // As many rows as fit, since fewer of them cost time.
    helped.micro_batch = rows_at_once(helped) / 2;
    while (helped.micro_batch > 1 && !fits()) helped.micro_batch /= 2;
    settings += fmt::format("{}train.micro_batch {}", settings.empty() ? "" : " and ",
                            helped.micro_batch);
  }
  if (!fits() || settings.empty()) return "choose a smaller batch or context, or a smaller model";
  return fmt::format("{} would bring it to about {:.1f} GB", settings,
                     static_cast<double>(training_bytes(model, helped)) / 1e9);
}

int64_t process_bytes() {
  constexpr int64_t kFirstUse = int64_t{12} << 20;
  return resident_memory() + kFirstUse;
}

void refuse_what_does_not_fit(const std::string& job, int64_t bytes, const std::string& advice) {
  // The estimates are good to a fifth.
  constexpr double kLeast = 0.8;
  const int64_t available = available_memory();
  if (available == 0 || kLeast * static_cast<double>(bytes) <= static_cast<double>(available)) return;
  const auto gigabytes = [](int64_t n) { return static_cast<double>(n) / 1e9; };
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("{} would take about {:.1f} GB of memory, and {:.1f} GB are available; {}.",
                          job, gigabytes(bytes), gigabytes(available), advice));
}

}  // namespace farstate
