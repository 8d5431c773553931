// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/memory_estimate.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/process.h"
#include "core/models/unroll.h"
#include "core/ops/cross_entropy.h"
#include "core/ops/tensor_memory.h"
#include "core/probes/effective_remembrance.h"
#include "core/probes/position_bins.h"
#include "core/probes/state_distribution.h"
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

// Hidden states and a block of logits, which the sum of exponentials copies once.
int64_t loss_bytes(const ModelSizes& sizes, int64_t tokens) {
  const int64_t block =
      std::min(tokens, ops::head_block_rows(sizes.vocabulary, sizes.model_dim));
  return kFloat * (tokens * sizes.model_dim + 2 * block * sizes.vocabulary);
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
                           perplexity ? loss_bytes(sizes, tokens) : 0) +
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

int64_t training_bytes(const ModelMemory& model, const TrainConfig& config) {
  const ModelSizes& sizes = model.sizes;
  const int64_t rows = config.micro_batch > 0 ? std::min(config.micro_batch, config.batch) : config.batch;
  const int64_t tokens = rows * config.context;
  // Gradients and two moments; the head's gradient is made beside the one that it is added to.
  const int64_t optimizer = kFloat * (3 * model.parameters + sizes.vocabulary * sizes.model_dim);
  const int64_t kept = kFloat * tokens * (sizes.layers * sizes.kept_per_token + sizes.model_dim);
  // The loss is differentiated, then the last layer: its gradients reach in_proj's output from
  // three sides and are joined there.
  const int64_t backward = std::max(loss_bytes(sizes, tokens) + kFloat * tokens * sizes.model_dim,
                                    kFloat * tokens * (2 * sizes.widest + sizes.model_dim));
  // The states that a step starts from, ends with, and that the law of the initial state keeps.
  const int64_t states = 3 * config.batch * model.sizes.state_bytes;
  return optimizer + kept + backward + states + kKept;
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
