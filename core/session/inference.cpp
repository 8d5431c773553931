// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/inference.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/checkpoint/state_files.h"
#include "core/data/corpus.h"
#include "core/session/boundary.h"
#include "core/session/memory_estimate.h"

namespace farstate {

void Inference::model_changes(bool same) {
  generator_.reset();
  request_ = {};
  running_ = weights_changed_ = false;
  problem_.clear();
  if (same) {
    shelf_.forget_predictions();
  } else {
    shelf_.clear();
  }
}

void Inference::weights_change() {
  running_ = false;
  weights_changed_ = true;
  shelf_.forget_predictions();
}

void Inference::try_to(const std::function<void()>& act) {
  try {
    act();
  } catch (...) {
    const Error error = current_error();
    if (error.kind() == ErrorKind::kInterrupted) throw error;
    running_ = false;
    problem_ = error.what();
  }
}

Generator& Inference::text() {
  if (generator_ == nullptr) {
    throw Error(ErrorKind::kBadUsage, "There is no text to go on from; read a prompt first.");
  }
  if (weights_changed_) {
    throw Error(ErrorKind::kBadUsage,
                "The model was trained since this text was read, so its state is not one of these "
                "weights; read the prompt again.");
  }
  return *generator_;
}

void Inference::generate(const GenerationRequest& request) {
  ++id_;
  generator_.reset();
  request_ = request;
  running_ = weights_changed_ = false;
  problem_.clear();
  try_to([&] {
    check_tokenizer(model_.tokenizer.get(), model_.info.vocabulary, "The prompt");
    generator_ = std::make_unique<Generator>(*model_.model, model_.tokenizer, request,
                                             initial_state(request, *model_.model, shelf_));
    running_ = true;
  });
}

void Inference::go_on(const SamplingConfig& sampling) {
  problem_.clear();
  try_to([&] {
    text().go_on(sampling);
    running_ = true;
  });
}

void Inference::advance(std::chrono::milliseconds slice) {
  try_to([&] { running_ = text().advance(slice); });
  // Of what could not begin there is nothing to go on with.
  if (!problem_.empty() && generator_ != nullptr && !generator_->began()) generator_.reset();
}

void Inference::hold() { running_ = false; }

void Inference::edit(const std::vector<StateEdit>& edits) { text().edit(edits); }

void Inference::keep(const std::string& name, int64_t position) {
  if (generator_ == nullptr) text();
  refuse_what_does_not_fit("Keeping a state", 2 * model_.model->sizes().state_bytes,
                           "drop another one");
  // The state now was made by the weights that made it; an earlier one can't be made again by others.
  HeldState held = (position < 0 ? *generator_ : text()).state_at(position);
  if (weights_changed_) held.forget_prediction();
  shelf_.keep(name, std::move(held), generator_->origin(position));
}

void Inference::write(const std::string& name, const std::string& path) const {
  save_state(path, shelf_.at(name));
}

void Inference::read(const std::string& name, const std::string& path) {
  shelf_.keep(name, load_state(path, *model_.model),
              fmt::format("file {}", std::filesystem::path(path).filename().string()));
}

std::vector<GeneratedToken> Inference::take_tokens() {
  return generator_ == nullptr ? std::vector<GeneratedToken>() : generator_->take_tokens();
}

Generation Inference::picture() const {
  Generation g;
  if (generator_ != nullptr) g = generator_->picture();
  const bool ended = generator_ == nullptr ? id_ > 0 && !problem_.empty()
                                           : g.stage == Generation::Stage::kDone;
  if (ended) {
    g.stage = Generation::Stage::kDone;
  } else if (generator_ != nullptr && !running_) {
    g.stage = Generation::Stage::kHeld;
  }
  if (generator_ == nullptr) g.request = request_;
  g.id = id_;
  g.kept = shelf_.list();
  g.problem = problem_;
  return g;
}

std::string Inference::phase() const {
  return generator_ != nullptr && generator_->reading() ? "reading the prompt" : "generating";
}

double Inference::progress() const { return generator_ == nullptr ? -1 : generator_->progress(); }

}  // namespace farstate
