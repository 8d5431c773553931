// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/probes/state_dump.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/data/npy.h"

namespace farstate {

StateDump::StateDump(const RecurrentLM& model, int64_t sequences, int64_t length,
                     std::vector<int64_t> positions, std::string folder)
    : sequences_(sequences), positions_(std::move(positions)), folder_(std::move(folder)) {
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  if (positions_.empty() || positions_.front() < 0 || positions_.back() >= length) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("The states to write are those after tokens of a sequence of {}, counted "
                            "from 0: give positions from 0 to {}.",
                            length, length - 1));
  }
  make_folder(folder_);
  const ModelSizes& sizes = model.sizes();
  const std::vector<int64_t> shape = {sequences, sizes.heads, sizes.head_dim, sizes.state_dim};
  states_.resize(positions_.size());
  for (std::vector<at::Tensor>& layers : states_) {
    for (int64_t layer = 0; layer < sizes.layers; ++layer) layers.push_back(at::empty(shape));
  }
}

void StateDump::observe(int64_t first_sequence, const UnrollSegment& segment) {
  if (!segment.shows_state) return;
  const int64_t position = segment.begin + segment.tokens.size(1) - 1;
  const auto found = std::lower_bound(positions_.begin(), positions_.end(), position);
  if (found == positions_.end() || *found != position) return;  // another probe asked for it
  std::vector<at::Tensor>& layers = states_[static_cast<size_t>(found - positions_.begin())];
  const int64_t rows = segment.tokens.size(0);
  for (size_t layer = 0; layer < layers.size(); ++layer) {
    layers[layer].narrow(0, first_sequence, rows).copy_(segment.result.state.layers[layer].recurrent);
    if (first_sequence + rows < sequences_) continue;
    const at::Tensor& whole = layers[layer];
    write_npy((std::filesystem::path(folder_) / fmt::format("state_L{}_t{}.npy", layer, position)).string(),
              {whole.data_ptr<float>(), static_cast<size_t>(whole.numel())}, whole.sizes().vec());
  }
}

}  // namespace farstate
