// SPDX-License-Identifier: GPL-3.0-or-later
// What a task brings along where no model does: a tokenizer of its own words, and the files that a new
// small model is trained from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/tasks/task_config.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct NewModel {
  int64_t layers = 2;
  int64_t model_dim = 64;  // D; twice that is H*P
  int64_t state_dim = 64;  // N
  int64_t head_dim = 64;   // P
  bool characters = false;  // every character is a token, else every word
};

std::shared_ptr<const Tokenizer> task_tokenizer(const TaskConfig& task, bool characters);

// Writes config.json and tokenizer.json into the folder, which is made; the same files that are there
// already stay. Throws Error(kBadUsage) for sizes that can't be, and where the folder holds another
// model.
void write_new_model(const std::string& folder, const TaskConfig& task, const NewModel& shape);

}  // namespace farstate
