// SPDX-License-Identifier: GPL-3.0-or-later
// A stored run as an event file of TensorBoard: TFRecord frames around protobuf messages
// (tensorflow/core/util/event.proto), scalars only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/store/run_store.h"

namespace farstate {

// The content of the file: train/loss, train/grad_norm, train/learning_rate and
// train/tokens_per_second by step, and of the snapshots perplexity/T/2 to perplexity/64T, as far as
// they reach. TensorBoard's scalars are float32.
std::string tensorboard_events(const StoredRun& run, const RunCurves& curves);

// Writes it into the folder, which is made, and returns the file's path. The name depends on the run
// alone, so that a second export replaces the first: TensorBoard shows all files of a folder as one
// run.
std::string write_tensorboard(const std::string& folder, const StoredRun& run,
                              const RunCurves& curves);

// CRC-32C (Castagnoli, RFC 3720).
uint32_t crc32c(std::string_view bytes);

}  // namespace farstate
