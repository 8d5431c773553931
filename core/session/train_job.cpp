// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/checkpoint/model_files.h"
#include "core/formats/safetensors.h"
#include "core/ops/bf16_product.h"
#include "core/session/batch_gradients.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"
#include "core/session/snapshot.h"
#include "core/session/training_estimate.h"
#include "core/session/training_run.h"
#include "core/session/training_text.h"
#include "core/tokenizer/find_tokenizer.h"
#include "core/tokenizer/load_tokenizer.h"

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

// Two programs that train one run would write over each other's weights.
void refuse_running(const RunStore& store, const std::string& folder) {
  const std::optional<StoredRun> run = store.find_by_folder(folder);
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
  refuse_what_does_not_fit("Training", training_bytes(memory, config.train),
                           training_advice(memory, config.train, available_memory()));
  if (config.train.evaluate_every == 0) return;
  refuse_what_does_not_fit(
      "Measuring between the steps",
      measuring_between_steps_bytes(memory, snapshot_config(config.measure)),
      "choose fewer or shorter sequences, or no --evaluate-every");
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
  StoredRun run = stored_run(loaded, trainer, b.folder);
  if (!job.resume.empty()) refuse_running(*store, b.folder);
  if (!job.fork.empty()) {
    const std::optional<StoredRun> parent = store->find_by_folder(job.fork);
    if (parent) run.parent = parent->id;
    run.forked_at = trainer.steps();
  }
  return RunLog(store, run, trainer.steps(), {trainer.points(), trainer.events(), {}, {}});
}

}  // namespace

TrainOutcome train(const RunConfig& given, const TrainJob& job, const StepSink& on_step,
                   const ProgressSink& progress) {
  Beginning b = beginning_of(given, job);
  LoadedModel loaded = load(b, progress);
  b.config.data.generated = generated_text_of(b.config, loaded.info);
  const Corpus corpus = open_text(b.config, loaded.info, loaded.tokenizer, progress);
  check_window(corpus, b.config.train.context);
  refuse_too_large(loaded, b.config);
  Trainer trainer(*loaded.model, corpus, b.config);
  restore(trainer, b, given, job);
  // The folder is made before the work, so that an unwritable place costs no training.
  if (!b.folder.empty()) {
    make_folder(b.folder);
    check_writable((fs::path(b.folder) / "config.json").string());
  }

  if (job.on_estimate && trainer.steps() < trainer.planned_steps()) {
    job.on_estimate(estimate_training(loaded, corpus, trainer.now(),
                                      {trainer.planned_steps() - trainer.steps(), true, false}));
  }
  TrainOutcome outcome;
  outcome.results.notes = corpus.notes;
  if (b.config.train.compute == "bfloat16" && !ops::has_bf16_products()) {
    outcome.results.notes.emplace_back(kNoBf16);
  }
  RunLog log = begin_record(trainer, loaded, b, job, outcome.results.notes);
  TrainingRun run(loaded, corpus, trainer, b.folder, log);
  outcome.interrupted = !run.to_end(on_step, progress);
  outcome.steps = trainer.steps();
  outcome.saved_in = b.folder;
  outcome.stored_as = log.id();
  outcome.results.recipe = to_json(trainer.config());
  outcome.results.series = train_series(trainer.points());
  // Of a run that was resumed, those that were taken before are in its record alone.
  if (!job.resume.empty()) outcome.results.snapshots = log.recorded_snapshots();
  if (outcome.results.snapshots.empty()) outcome.results.snapshots = run.snapshots();
  if (!log.problem().empty()) outcome.results.notes.push_back(log.problem());
  for (const RunEvent& event : trainer.events()) {
    outcome.results.notes.push_back(fmt::format("step {}: {}", event.step, event.text));
  }
  return outcome;
}

TrainingEstimate estimate(const RunConfig& given, const TrainJob& job, bool measures,
                          const ProgressSink& progress) {
  const Beginning b = beginning_of(given, job);
  const LoadedModel loaded = load(b, progress);
  const Corpus corpus = open_text(b.config, loaded.info, loaded.tokenizer, progress);
  check_window(corpus, b.config.train.context);
  int64_t steps = b.config.train.steps;
  if (b.saved) {
    const int64_t planned = at_step(b.config, Trainer::saved_steps(*b.saved)).train.steps;
    steps = job.more_steps >= 0 ? job.more_steps : planned - Trainer::saved_steps(*b.saved);
  }
  return estimate_training(loaded, corpus, b.config,
                           {std::max<int64_t>(steps, 0), /*trainer=*/false, measures});
}

}  // namespace farstate
