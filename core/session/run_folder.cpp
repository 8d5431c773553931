// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/model_files.h"

namespace farstate {
namespace {
constexpr const char* kTraining = "training.safetensors";
}

void save_run(const std::string& folder, const LoadedModel& loaded, const Trainer& trainer,
              int64_t steps_before) {
  save_config(folder, loaded);
  trainer.save((std::filesystem::path(folder) / kTraining).string());
  Provenance provenance;
  provenance.trained_context = trainer.now().train.context;
  provenance.trained_with = to_string(trainer.now().intervention.kind);
  provenance.steps = steps_before + trainer.steps();
  provenance.recipe = to_json(trainer.config());
  save_model(folder, loaded, provenance);
}

void remove_training_file(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove(std::filesystem::path(folder) / kTraining, ignored);
}

bool holds_run(const std::string& folder) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(folder) / kTraining, ignored);
}

std::string training_file(const std::string& folder) {
  if (!holds_run(folder)) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} holds no {}: it is not the folder of a training run (--out).", folder,
                            kTraining));
  }
  return (std::filesystem::path(folder) / kTraining).string();
}

}  // namespace farstate
