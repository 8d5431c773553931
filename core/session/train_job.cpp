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
#include "core/session/snapshot.h"
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

// The run as the store begins it.
StoredRun record_of(const Trainer& trainer, const LoadedModel& loaded, const std::string& folder) {
  StoredRun run;
  run.law = to_string(trainer.now().intervention.kind);
  run.name = fmt::format("{} {}", loaded.info.name, run.law);
  run.recipe = to_json(trainer.config());
  run.seed = trainer.config().seed;
  run.planned = trainer.planned_steps();
  if (!folder.empty()) run.folder = fs::absolute(folder).lexically_normal().string();
  return run;
}

// Two programs that train one run would write over each other's weights.
void refuse_running(const RunStore& store, const std::string& folder) {
  const std::optional<StoredRun> run =
      store.find_by_folder(fs::absolute(folder).lexically_normal().string());
  if (!run || !run->alive) return;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("The run in {} is being trained by another program now; wait for its end, or "
                          "stop it.",
                          folder));
}

// Where the weights, the settings and the place in the text come from.
struct Beginning {
  RunConfig config;
  std::optional<TensorTable> saved;  // of the run that is gone on with, or forked
  std::string from;                  // its folder
  std::string folder;                // of this run
};

Beginning beginning_of(const RunConfig& given, const TrainJob& job) {
  Beginning b;
  b.config = given;
  b.from = !job.resume.empty() ? job.resume : job.fork;
  b.folder = !job.resume.empty() ? job.resume : job.out;
  if (job.resume.empty() && !job.out.empty()) refuse_occupied(job.out);
  if (!b.from.empty()) {
    b.saved = read_safetensors(training_file(b.from));
    b.config = Trainer::saved_config(*b.saved);
  }
  validate(b.config);
  // A run may be resumed from another folder than it was started in.
  for (std::string* path : {&b.config.data.path, &b.config.data.tokens, &b.config.model.tokenizer}) {
    if (!path->empty()) *path = fs::absolute(*path).lexically_normal().string();
  }
  return b;
}

LoadedModel load(const Beginning& b, const ProgressSink& progress) {
  if (b.from.empty()) return load_model(for_training(b.config.model), b.config.seed, progress);
  LoadedModel loaded = allocate_model(b.from);
  set_tokenizer(loaded, tokenizer_of_run(b.config.model, b.from, loaded.info));
  return loaded;
}

void refuse_too_large(const LoadedModel& loaded, const RunConfig& config) {
  const ModelMemory memory = model_memory(*loaded.model);
  int64_t bytes = training_bytes(memory, config.train);
  if (config.train.evaluate_every > 0) {
    bytes = std::max(bytes, measuring_bytes(memory, snapshot_config(config.measure)));
  }
  refuse_what_does_not_fit("Training", bytes,
                           "choose a smaller batch or context, or a smaller model");
}

// The saved run goes on, or another law goes on from it.
void restore(Trainer& trainer, const Beginning& b, const RunConfig& given, const TrainJob& job) {
  if (!b.saved) return;
  trainer.restore(*b.saved);
  if (!job.fork.empty()) {
    trainer.add_event("fork", fmt::format("forked from {}", job.fork));
    RunConfig next = trainer.now();
    next.intervention = given.intervention;
    trainer.change(next);
  }
  if (job.more_steps >= 0) trainer.set_planned_steps(trainer.steps() + job.more_steps);
}

RunLog begin_record(const Trainer& trainer, const LoadedModel& loaded, const Beginning& b,
                    const TrainJob& job, std::vector<std::string>& notes) {
  if (!job.record) return {};
  std::string problem;
  const std::shared_ptr<RunStore> store = open_store(job.store, problem);
  if (store == nullptr) {
    notes.push_back(problem);
    return {};
  }
  StoredRun run = record_of(trainer, loaded, b.folder);
  if (!job.resume.empty()) refuse_running(*store, b.folder);
  if (!job.fork.empty()) {
    const std::optional<StoredRun> parent =
        store->find_by_folder(fs::absolute(job.fork).lexically_normal().string());
    if (parent) run.parent = parent->id;
    run.forked_at = trainer.steps();
  }
  return RunLog(store, run, trainer.steps(), {trainer.points(), trainer.events(), {}, {}});
}

// Of a run that was resumed, those that were taken before are in its record alone.
std::vector<Snapshot> all_snapshots(const TrainingRun& run, const RunLog& log, const TrainJob& job) {
  if (log.id() == 0 || job.resume.empty()) return run.snapshots();
  std::string problem;
  const std::shared_ptr<RunStore> store = open_store(job.store, problem);
  return store != nullptr ? store->curves(log.id()).snapshots : run.snapshots();
}

}  // namespace

TrainOutcome train(const RunConfig& given, const TrainJob& job, const StepSink& on_step,
                   const ProgressSink& progress) {
  const Beginning b = beginning_of(given, job);
  LoadedModel loaded = load(b, progress);
  const Corpus corpus =
      load_corpus(b.config.data, loaded.info.vocabulary, loaded.tokenizer, progress);
  check_window(corpus, b.config.train.context);
  refuse_too_large(loaded, b.config);
  Trainer trainer(*loaded.model, corpus, b.config);
  restore(trainer, b, given, job);
  // The folder is made before the work, so that an unwritable place costs no training.
  if (!b.folder.empty()) make_folder(b.folder);

  TrainOutcome outcome;
  outcome.results.notes = corpus.notes;
  RunLog log = begin_record(trainer, loaded, b, job, outcome.results.notes);
  TrainingRun run(loaded, corpus, trainer, b.folder, log);
  outcome.interrupted = !run.to_end(on_step, progress);
  outcome.steps = trainer.steps();
  outcome.saved_in = b.folder;
  outcome.stored_as = log.id();
  outcome.results.recipe = to_json(trainer.config());
  outcome.results.series = train_series(trainer.points());
  outcome.results.snapshots = all_snapshots(run, log, job);
  if (!log.problem().empty()) outcome.results.notes.push_back(log.problem());
  for (const RunEvent& event : trainer.events()) {
    outcome.results.notes.push_back(fmt::format("step {}: {}", event.step, event.text));
  }
  return outcome;
}

}  // namespace farstate
