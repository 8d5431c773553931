// SPDX-License-Identifier: GPL-3.0-or-later
// A run's folder: a model that other tools load, and training.safetensors to go on from.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

class Trainer;
struct LoadedModel;

// After config.json, training.safetensors is written first, and the two hold everything: a crash
// between the files leaves a run that resumes, beside a model that is one save older.
// steps_before: updates of the weights before this trainer's.
void save_run(const std::string& folder, const LoadedModel& loaded, const Trainer& trainer,
              int64_t steps_before = 0);

// Removes a folder's training.safetensors, if there is one.
void remove_training_file(const std::string& folder);

// Whether a run was saved there.
bool holds_run(const std::string& folder);

// Removes what a run and its model keep in a folder, and the folder where nothing else is in it; false:
// something else is. Throws Error(kBadInput) where the folder holds no run, or a file can't be removed.
bool remove_run(const std::string& folder);

// Path of the folder's training.safetensors. Throws Error(kBadInput) when there is none.
std::string training_file(const std::string& folder);

}  // namespace farstate
