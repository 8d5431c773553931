// SPDX-License-Identifier: GPL-3.0-or-later
// What a model scored at a long-context task, cell by cell, and the JSON of it
// ("farstate.scores/1").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

struct TextSpan {  // bytes [begin, end) of a text
  int64_t begin = 0, end = 0;
  bool operator==(const TextSpan&) const = default;
};

// A text with answers in it that follow from what stands before.
struct TaskSample {
  std::string text;
  std::vector<TextSpan> answers;   // ascending, at least one
  std::vector<TextSpan> evidence;  // what the answers follow from: the key, the supporting facts
  std::string kind;      // of TaskTraits::kinds
  std::string question;  // BABILong's
  std::string target;    // the right answer as it is scored; empty: the text of the answers
};

struct Marks {
  int64_t correct = 0, total = 0;  // 0 or 1 of 1 answer; letters for copying; answers for the register
};

// Answers of one kind at one place.
struct TaskCell {
  std::string task;    // "passkey"
  std::string kind;    // "qa1"; empty: the task has one kind
  std::string mode;    // "generated", or "predicted": the likeliest token at each, the text given
  int64_t length = 0;
  double depth = -1;   // negative: the task has none
  std::string arm;     // "base", or the arm that the model was trained by
  uint64_t seed = 0;   // of that training; for the base, of the samples
  int64_t samples = 0, planned = 0;     // read so far, and to be read
  int64_t correct = 0, trials = 0;      // Marks of all samples
};

double accuracy(const TaskCell& cell);  // NaN without a trial

// Wilson's interval for a share (1927), of confidence 0.95. It takes trials for independent: letters
// of one string are not.
struct Interval {
  double lower = 0, upper = 1;
};
Interval wilson(int64_t correct, int64_t trials);

struct TaskScores {
  std::string recipe;   // JSON of the RunConfig
  std::string model;    // where it lies
  int64_t context = 0;  // T
  int64_t step = 0;     // optimizer steps since the weights were loaded
  std::vector<TaskCell> cells;
  std::vector<std::string> notes;
  bool running = false;
  std::string phase;         // in words: "8192 tokens, depth 0.5: trial 3 of 20"
  double progress = 0;       // of all that is planned, 0 to 1
  double seconds_left = -1;  // negative: not known yet
};

// {"schema":…,"recipe":…,"model":…,"context":…,"cells":[{"task","kind","mode","length","depth","arm",
// "seed","samples","planned","correct","trials","accuracy","lower","upper"}],"notes":[…]}; "depth" and
// "accuracy" are null where there is none.
std::string to_json(const TaskScores& scores);
// Throws Error(kBadInput) naming the key, what was found and what was wanted.
TaskScores task_scores_from_json(const std::string& text, const std::string& source);

// A model's answer to one sample.
struct TaskTrial {
  uint64_t number = 0;      // the question's
  TaskSample sample;
  int64_t prompt_tokens = 0;
  std::string output;       // what the model went on with, the likeliest token at each
  Marks marks;              // of the output
  double probability = 0;   // that the model gives to the first answer: the product over its tokens
  std::vector<double> by_answer;  // the same for every answer
  int64_t step = 0;         // optimizer steps of the weights
  std::string problem;      // why there is no answer, as a sentence; empty: there is one
};

}  // namespace farstate
