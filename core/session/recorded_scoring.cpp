// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/recorded_scoring.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/error.h"

namespace farstate {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kWriteRest{300};

}  // namespace

RecordedScoring::RecordedScoring(const RecurrentLM& model, std::shared_ptr<const Task> task,
                                 std::shared_ptr<const Tokenizer> tokenizer,
                                 const RunConfig& config, const TaskScorer::Subject& subject)
    : model_(model),
      task_(std::move(task)),
      tokenizer_(std::move(tokenizer)),
      config_(config),
      subject_(subject),
      scorer_(model, *task_, tokenizer_, config.score, config.seed, subject) {}

RecordedScoring::~RecordedScoring() { write(); }

void RecordedScoring::record(std::shared_ptr<RunStore> store, const std::string& model,
                             int64_t run) {
  if (store == nullptr) return;
  StoredScoring scoring;
  scoring.key = fmt::format("{}|{}|{}", score_key(model_, *tokenizer_, config_.task, config_.score,
                                                  config_.seed),
                            subject_.arm, subject_.seed);
  scoring.recipe = to_json(config_);
  scoring.task = config_.task.name;
  scoring.model = model;
  scoring.arm = subject_.arm;
  scoring.seed = subject_.seed;
  scoring.run = run;
  try {
    id_ = store->begin_scoring(scoring);
    scorer_.take(store->cells(id_));
    store_ = std::move(store);
  } catch (const Error& error) {
    problem_ = fmt::format("The scores are not recorded: {}", error.what());
  }
}

void RecordedScoring::next(const ProgressSink& progress) {
  scorer_.next(progress);
  unwritten_ = true;
  if (scorer_.done() || Clock::now() - written_ >= kWriteRest) write();
}

void RecordedScoring::write() {
  if (store_ == nullptr || !unwritten_) return;
  try {
    store_->add_cells(id_, scorer_.cells());
    unwritten_ = false;
    written_ = Clock::now();
  } catch (const Error& error) {
    problem_ = fmt::format("The scores are recorded no further: {}", error.what());
    store_.reset();
  }
}

}  // namespace farstate
