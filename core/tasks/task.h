// SPDX-License-Identifier: GPL-3.0-or-later
// The seat of a long-context task: it makes samples, texts with answers in them that follow from
// what stands before, and marks what a model went on with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"
#include "core/results/task_scores.h"
#include "core/tasks/task_config.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

struct SampleRequest {
  // Tokens of the whole sample at most, and as many as the task can come near to; letters of the
  // string for copying.
  int64_t length = 0;
  double depth = -1;  // of the evidence in the text, 0 to 1; negative: drawn
  std::string kind;   // BABILong: "qa1"; empty: drawn from the configured ones
  bool operator==(const SampleRequest&) const = default;
};

struct TaskTraits {
  std::string name;         // of kTaskNames
  bool depths = false;      // cells differ in depth too
  bool generates = false;   // scored on text that the model goes on with
  bool predicts = false;    // scored on the likeliest token at each token of the answers, the text given
  // The answers of one long sample serve all lengths: a cell's are those in [length/2, length).
  bool by_position = false;
  // Training reads one endless text, in which windows begin at any event; else sample by sample.
  bool endless = false;
  // Of the samples that are trained on, where the recipe doesn't say; 0: a whole window.
  int64_t shortest = 0, longest = 0;
  std::vector<std::string> kinds;   // cells differ in them too; empty: there is one kind
  std::string unit = "tokens";      // of a length
};

class Task {
 public:
  virtual ~Task() = default;

  virtual const TaskTraits& traits() const = 0;
  virtual std::vector<int64_t> lengths(int64_t context) const = 0;  // to score at, ascending
  // Follows from the request and the numbers alone. Throws Error(kBadUsage) where no sample is so
  // short, naming the shortest length.
  virtual TaskSample sample(const SampleRequest& request, Rng& numbers) const = 0;
  // Of an endless task: hands over pieces of one text, each of which goes on where the one before
  // ended, until `take` returns false. Their answers are all that training counts.
  virtual void endless_text(Rng&, const std::function<bool(const TaskSample&)>& /*take*/) const {}
  // What a text that the model went on with after the text before the first answer is worth.
  virtual Marks mark(const TaskSample& sample, std::string_view continuation) const = 0;
  // Nothing that comes after can change the marks.
  virtual bool ended(const TaskSample& sample, std::string_view continuation) const = 0;
  // Tokens to go on with, for a right answer of so many.
  virtual int64_t most_tokens(int64_t answer_tokens) const { return answer_tokens + 3; }
  // A text in which every word of the task stands, for the tokenizer of a new model.
  virtual std::string every_word() const = 0;
};

// `tokenizer` counts the tokens of a sample; null where only traits() and every_word() are wanted.
// Throws Error(kBadUsage) for settings that can't be, Error(kBadInput) for a source that can't be read.
std::unique_ptr<Task> make_task(const TaskConfig& config, std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace farstate
