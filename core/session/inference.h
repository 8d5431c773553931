// SPDX-License-Identifier: GPL-3.0-or-later
// Inference on the model that is open: its running text, and the states that were kept. What a
// runner is told of both, as plain data, is this room's to say.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/checkpoint/model_files.h"
#include "core/session/generation.h"
#include "core/session/generator.h"
#include "core/session/state_shelf.h"

namespace farstate {

class Inference {
 public:
  // `model` outlives this; it may be filled anew, which model_changes() announces.
  explicit Inference(const LoadedModel& model) : model_(model) {}

  // The text ends before its model goes; kept states stay where the next one is of the same kind.
  void model_changes(bool same);
  // A text can't go on with other weights than it was read with, and a kept state predicts nothing.
  void weights_change();

  // These three end nothing with an error but the text: picture().problem says why.
  void generate(const GenerationRequest& request);
  void go_on(const SamplingConfig& sampling);
  void advance(std::chrono::milliseconds slice);  // throws Error(kInterrupted) on a stop
  bool running() const { return running_; }
  void hold();

  // These throw Error, and change nothing then.
  void edit(const std::vector<StateEdit>& edits);
  void keep(const std::string& name, int64_t position);
  void drop(const std::string& name) { shelf_.drop(name); }
  void write(const std::string& name, const std::string& path) const;
  void read(const std::string& name, const std::string& path);

  uint64_t id() const { return id_; }
  std::vector<GeneratedToken> take_tokens();  // of the text; those since the last call
  Generation picture() const;
  std::string phase() const;
  double progress() const;  // as Generator::progress()

 private:
  void try_to(const std::function<void()>& act);
  Generator& text();  // throws Error(kBadUsage) if there is none to change or go on with

  const LoadedModel& model_;
  StateShelf shelf_;
  std::unique_ptr<Generator> generator_;  // null: no text
  GenerationRequest request_;             // of the newest, also of one that could not begin
  uint64_t id_ = 0;
  bool running_ = false;
  bool weights_changed_ = false;
  std::string problem_;
};

}  // namespace farstate
