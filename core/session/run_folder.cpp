// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/session/trainer.h"
#include "core/session/training_text.h"

namespace farstate {
namespace {
constexpr const char* kTraining = "training.safetensors";
}

void save_run(const std::string& folder, const LoadedModel& loaded, const Trainer& trainer,
              int64_t steps_before) {
  // What a stop is to keep is not stopped itself.
  const StopScope unstopped{std::stop_token()};
  save_config(folder, loaded);
  trainer.save((std::filesystem::path(folder) / kTraining).string());
  Provenance provenance;
  provenance.trained_context = trainer.now().train.context;
  provenance.trained_with = to_string(trainer.now().intervention.kind);
  provenance.steps = steps_before + trainer.steps();
  provenance.text = generated_text_of(trainer.config(), loaded.info);
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

bool remove_run(const std::string& folder) {
  namespace fs = std::filesystem;
  const std::string training = training_file(folder);
  std::vector<fs::path> files;
  for (const std::string& name : model_file_names()) files.push_back(fs::path(folder) / name);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".part") files.push_back(entry.path());
  }
  // Last what says that a run is here: if this is cut off, it can be done again.
  files.emplace_back(training);
  for (const fs::path& file : files) {
    std::error_code error;
    fs::remove(file, error);
    if (error) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("Cannot remove {}: {}.", file.string(), error.message()));
    }
  }
  std::error_code not_empty;
  return fs::remove(folder, not_empty);
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
