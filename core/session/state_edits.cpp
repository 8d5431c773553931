// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/state_edits.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace farstate {
namespace {

std::vector<HeadIndex> all_heads(const ModelState& state) {
  std::vector<HeadIndex> heads;
  for (size_t layer = 0; layer < state.layers.size(); ++layer) {
    for (int64_t head = 0; head < state.layers[layer].recurrent.size(1); ++head) {
      heads.push_back({static_cast<int64_t>(layer), head});
    }
  }
  return heads;
}

// `number` tells the model's heads apart.
void add_noise(const at::Tensor& h, double amount, uint64_t seed, uint64_t number) {
  const at::Tensor noise = at::empty(h.sizes(), h.options().dtype(at::kFloat));
  Rng rng(seed, RngStream::kStateEdit, number);
  rng.fill_normal({noise.data_ptr<float>(), static_cast<size_t>(noise.numel())}, 0.0F, 1.0F);
  const double scale = h.to(at::kDouble).std(/*unbiased=*/false).item<double>();
  h.add_(noise.to(h.scalar_type()), amount * scale);
}

void apply(const StateEdit& edit, const HeadIndex& index, ModelState& state) {
  const at::Tensor& recurrent = state.layers[static_cast<size_t>(index.layer)].recurrent;
  const at::Tensor h = recurrent.select(1, index.head);  // [B,P,N]
  if (edit.kind == StateEdit::Kind::kNoise) {
    add_noise(h, edit.amount, edit.seed,
              static_cast<uint64_t>(index.layer * recurrent.size(1) + index.head));
  } else if (edit.kind == StateEdit::Kind::kZero || edit.amount == 0) {
    h.zero_();  // a product with 0 would leave infinities as NaN, and zeros with a sign
  } else {
    h.mul_(edit.amount);
  }
}

}  // namespace

void check_edits(const std::vector<StateEdit>& edits, const ModelSizes& sizes) {
  for (const StateEdit& edit : edits) {
    if (!std::isfinite(edit.amount) ||
        (edit.kind == StateEdit::Kind::kNoise && edit.amount < 0)) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("A state can't be changed by {}: a factor is a finite number, noise a "
                              "finite number from 0.",
                              edit.amount));
    }
    for (const HeadIndex& index : edit.heads) {
      if (index.layer >= 0 && index.layer < sizes.layers && index.head >= 0 &&
          index.head < sizes.heads) {
        continue;
      }
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("There is no head {}.{}: this model has the layers 0 to {} with the "
                              "heads 0 to {} each.",
                              index.layer, index.head, sizes.layers - 1, sizes.heads - 1));
    }
  }
}

void apply_edits(const std::vector<StateEdit>& edits, ModelState& state) {
  const at::NoGradGuard no_grad;
  for (const StateEdit& edit : edits) {
    for (const HeadIndex& index : edit.heads.empty() ? all_heads(state) : edit.heads) {
      apply(edit, index, state);
    }
  }
}

}  // namespace farstate
