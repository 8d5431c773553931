// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/training_run.h"

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/session/run_folder.h"

namespace farstate {

ModelSource for_training(ModelSource source) {
  if (source.precision == "bfloat16") {
    throw Error(ErrorKind::kBadUsage,
                "Training updates the weights in float32; leave --precision out, or use float32.");
  }
  source.precision = "float32";
  return source;
}

bool train_to_end(const LoadedModel& loaded, Trainer& trainer, const std::string& folder,
                  const StepSink& on_step) {
  const int64_t planned = trainer.config().train.steps;
  const int64_t every = trainer.config().train.save_every;
  int64_t saved_at = -1;
  const auto save = [&] {
    if (folder.empty() || saved_at == trainer.steps()) return;
    save_run(folder, loaded, trainer);
    saved_at = trainer.steps();
  };
  bool whole = true;
  try {
    while (trainer.steps() < planned) {
      throw_if_stopped();
      const TrainPoint point = trainer.step();
      if (on_step) on_step(point, planned);
      if (every > 0 && trainer.steps() % every == 0) save();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    whole = false;
  }
  save();
  return whole;
}

}  // namespace farstate
