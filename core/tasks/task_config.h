// SPDX-License-Identifier: GPL-3.0-or-later
// Which long-context task a model is trained on and scored by, and with what, as plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

inline constexpr const char* kTaskNames[] = {"passkey", "babilong", "copying", "register"};

// A sample is a text in memory.
inline constexpr int64_t kLongestSample = int64_t{1} << 26;

struct TaskConfig {
  std::string name;  // of kTaskNames; empty: no task, the recipe's text is what is trained on
  // Passkey: a UTF-8 file whose text is the filler. BABILong: a folder with the benchmark's files.
  // Empty: our own, generated.
  std::string source;
  std::vector<std::string> questions = {"qa1", "qa2", "qa3", "qa4", "qa5"};  // BABILong
  int64_t shots = 2;        // BABILong: worked examples before the question
  std::string loss = "answer";  // training counts the answers' tokens, or "all"
  // Of the samples that are trained on: letters for copying, else tokens. 0: as the task has it
  // (copying: 5 to 20; passkey and BABILong: a window of T + 1, and the shortest as the longest).
  int64_t shortest = 0, longest = 0;
  int64_t keys = 32;                // register
  double change_probability = 0.05; // register: that an event's value has just changed
  int64_t tokens = int64_t{1} << 21;  // of the text that is made for training
  bool operator==(const TaskConfig&) const = default;
};

struct ScoreConfig {
  std::vector<int64_t> lengths;  // as TaskConfig's; empty: the task's own for the context T
  std::vector<double> depths = {0.1, 0.5, 0.9};  // where the task has them: 0 the start, 1 the end
  int64_t trials = 20;           // samples per cell
  bool operator==(const ScoreConfig&) const = default;
};

}  // namespace farstate
