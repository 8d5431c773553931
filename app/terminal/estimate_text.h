// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates, searches for a learning rate and presets, in words and for programs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/results/lr_finding.h"
#include "core/results/training_estimate.h"
#include "core/session/presets.h"

namespace farstate {

std::string duration(double seconds);  // "40 s", "12 min", "3.4 h", "2.1 days"

// "weights 0.52 GB, …", the largest first.
std::string parts_of(const TrainingMemory& memory);
nlohmann::ordered_json json_of(const TrainingMemory& memory);

// What --estimate prints; `runs` trainings and `measurements` whole measurements, 0: none.
void print_estimate(const TrainingEstimate& estimate, int64_t runs, int64_t measurements);
// One line before the first step of a long run; nothing for a short one.
std::string short_estimate(const TrainingEstimate& estimate, int64_t runs, int64_t measurements);
std::string to_json(const TrainingEstimate& estimate, int64_t runs, int64_t measurements);

void print_finding(const LrFinding& finding);

void print_presets();
void print_preset(const Preset& preset);

}  // namespace farstate
