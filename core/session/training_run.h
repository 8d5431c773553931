// SPDX-License-Identifier: GPL-3.0-or-later
// A run from its first step to its planned last one, with the saves between.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/checkpoint/model_files.h"
#include "core/session/trainer.h"

namespace farstate {

// Training updates the weights in float32: the source as training loads it. Throws
// Error(kBadUsage) where it asks for bfloat16.
ModelSource for_training(ModelSource source);

// Called after every step with its numbers and the planned number of steps.
using StepSink = std::function<void(const TrainPoint&, int64_t planned)>;

// Steps to the planned end, saved into `folder` every save_every steps and at the end; empty:
// nowhere. False: a stop ended it, saved as it was. What diverges throws, and the last regular save
// is kept, since the weights of the step before may be bad already.
bool train_to_end(const LoadedModel& loaded, Trainer& trainer, const std::string& folder,
                  const StepSink& on_step);

}  // namespace farstate
