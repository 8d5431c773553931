// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/formats/safetensors.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"
#include "core/session/training_run.h"
#include "core/tokenizer/bpe_tokenizer.h"
#include "core/tokenizer/find_tokenizer.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

// A folder that already holds a run, or a model, is somebody's work. What a first save leaves when
// the disk is full or the program is killed is not: config.json and half-written files.
void refuse_occupied(const std::string& folder) {
  std::error_code ignored;
  if (!fs::exists(folder, ignored)) return;
  const bool file = !fs::is_directory(folder, ignored);
  bool occupied = file;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    occupied = occupied || (entry.path().filename() != "config.json" &&
                            entry.path().extension() != ".part");
  }
  if (file) {
    throw Error(ErrorKind::kBadInput, fmt::format("{} is a file; name a folder for --out.", folder));
  }
  if (occupied) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} is not empty; name a new folder, or resume the run in it with "
                            "--resume {}.",
                            folder, folder));
  }
}

// A run keeps the tokenizer of its model; one that ended before its first save has none yet.
std::shared_ptr<const Tokenizer> tokenizer_of_run(const ModelSource& source, const std::string& run,
                                                  const ModelInfo& info) {
  std::error_code ignored;
  const bool kept = fs::exists(fs::path(run) / kTokenizerFile, ignored);
  return kept ? find_tokenizer(run, "", info.vocabulary) : tokenizer_of(source, info.vocabulary);
}

}  // namespace

TrainOutcome train(const RunConfig& given, const TrainJob& job,
                   const StepSink& on_step, const ProgressSink& progress) {
  std::optional<TensorTable> saved;
  RunConfig config = given;
  const bool resuming = !job.resume.empty();
  if (resuming) {
    saved = read_safetensors(training_file(job.resume));
    config = Trainer::saved_config(*saved);
  } else if (!job.out.empty()) {
    refuse_occupied(job.out);
  }
  validate(config);
  // A run may be resumed from another folder than it was started in.
  for (std::string* path : {&config.data.path, &config.data.tokens, &config.model.tokenizer}) {
    if (!path->empty()) *path = fs::absolute(*path).lexically_normal().string();
  }
  const std::string folder = resuming ? job.resume : job.out;
  LoadedModel loaded = resuming ? allocate_model(job.resume)
                                : load_model(for_training(config.model), config.seed, progress);
  if (resuming) set_tokenizer(loaded, tokenizer_of_run(config.model, job.resume, loaded.info));
  const Corpus corpus =
      load_corpus(config.data, loaded.info.vocabulary, loaded.tokenizer, progress);
  check_window(corpus, config.train.context);
  refuse_what_does_not_fit("Training", training_bytes(model_memory(*loaded.model), config.train),
                           "choose a smaller batch or context, or a smaller model");
  Trainer trainer(*loaded.model, corpus, config);
  if (resuming) trainer.restore(*saved);
  if (resuming && job.more_steps >= 0) {
    trainer.set_planned_steps(trainer.steps() + job.more_steps);
  }
  // The folder is made before the work, so that an unwritable place costs no training.
  if (!folder.empty()) make_folder(folder);

  TrainOutcome outcome;
  outcome.interrupted = !train_to_end(loaded, trainer, folder, on_step);
  outcome.steps = trainer.steps();
  outcome.saved_in = folder;
  outcome.results.recipe = to_json(trainer.config());
  outcome.results.series = train_series(trainer.points());
  outcome.results.notes = corpus.notes;
  for (const RunEvent& event : trainer.events()) {
    outcome.results.notes.push_back(fmt::format("step {}: {}", event.step, event.text));
  }
  return outcome;
}

}  // namespace farstate
