// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/task_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "app/terminal/options.h"
#include "core/base/error.h"

namespace farstate {
namespace {

// What a new model of each task learns it with in minutes.
struct TaskDefaults {
  const char* name;
  const char* what;  // in the list of commands
  NewModel shape;
  int64_t context, batch, steps;
  double learning_rate;
};
constexpr TaskDefaults kDefaults[] = {
    {"passkey", "find a key of five digits in a long text", {2, 64, 64, 64}, 128, 32, 2000, 3e-3},
    {"babilong", "questions about facts that a long text hides", {2, 64, 64, 64}, 256, 32, 2000, 3e-3},
    {"copying", "copy a string of letters", {2, 64, 64, 64}, 128, 32, 2000, 3e-3},
    {"register", "keep the newest values of keys", {2, 64, 64, 64}, 64, 64, 1500, 5e-3}};

void add_task_settings(CLI::App& command, TaskConfig& task) {
  const std::string& name = task.name;
  if (name == "passkey") {
    command.add_option("--source", task.source, "a text whose sentences are the filler (default: our own)")
        ->option_text("FILE");
  }
  if (name == "babilong") {
    command.add_option("--source", task.source,
                       "folder with the benchmark's files (default: our own, generated)")
        ->option_text("DIR");
    command.add_option("--questions", task.questions, "which of the benchmark's questions")
        ->delimiter(',')->capture_default_str();
    command.add_option("--shots", task.shots, "worked examples before the question")
        ->capture_default_str();
  }
  if (name == "register") {
    command.add_option("--keys", task.keys, "keys that hold values")->capture_default_str();
    command.add_option("--change-probability", task.change_probability,
                       "that an event's value has just changed")->capture_default_str();
  }
}

void add_training_text(CLI::App& command, TaskConfig& task) {
  command.add_option("--loss", task.loss, "training counts the answers' tokens (answer), or all")
      ->capture_default_str();
  const char* unit = task.name == "copying" ? "letters" : "tokens";
  if (task.name != "register") {
    command.add_option("--shortest", task.shortest,
                       fmt::format("of the samples that are trained on, {}; 0: as the longest", unit))
        ->capture_default_str();
    command.add_option("--longest", task.longest,
                       fmt::format("the same; 0: as the task has it ({})",
                                   task.name == "copying" ? "20" : "a window of T"))
        ->capture_default_str();
  }
  command.add_option("--task-tokens", task.tokens, "of the text that is made for training")
      ->capture_default_str();
}

void add_score_settings(CLI::App& command, const std::string& task, ScoreConfig& score) {
  command.add_option("--lengths", score.lengths,
                     task == "copying" ? "letters to score at (default: half to ten times the longest)"
                                       : "tokens to score at (default: half of T, T, and beyond)")
      ->delimiter(',')->option_text("N,...");
  if (task == "passkey") {
    command.add_option("--depths", score.depths, "where the key stands: 0 the start, 1 the end")
        ->delimiter(',')->capture_default_str();
  }
  command.add_option("--trials", score.trials, "samples per cell")->capture_default_str();
}

void add_scores_out(CLI::App& command, const std::string& task, ScoresOut& out) {
  command.add_option("--store", out.store, "record the scores in this store (default: your own)")
      ->option_text("FILE");
  command.add_flag("!--no-store", out.record, "do not record them");
  command.add_option("--json", out.json, "write the cells for programs")->option_text("FILE");
  command.add_option("--csv", out.csv, "write the cells as one table")->option_text("FILE");
  if (task != "register") {
    command.add_flag("--paper", out.paper, "print what the paper reports, too");
  }
}

void add_generate_step(CLI::App& command, GenerateSamplesOptions& options) {
  RunConfig& c = options.config;
  c.model.model.clear();
  command.add_option("MODEL", c.model.model,
                     "whose tokenizer counts (default: the task's own words)");
  command.add_option("--tokenizer", c.model.tokenizer, "instead: tokenizer.json or its folder")
      ->option_text("PATH");
  command.add_option("--length", options.request.length,
                     c.task.name == "copying" ? "letters of the string" : "tokens of a sample, at most")
      ->required();
  if (c.task.name == "passkey" || c.task.name == "babilong") {
    command.add_option("--depth", options.request.depth,
                       "of what the answer follows from: 0 the start, 1 the end (default: drawn)")
        ->check(CLI::Range(0.0, 1.0));
  }
  if (c.task.name == "babilong") {
    command.add_option("--kind", options.request.kind, "one question: qa1 (default: drawn from --questions)");
  }
  add_task_settings(command, c.task);
  command.add_option("--count", options.count, "samples")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000'000}))->capture_default_str();
  add_seed(command, c.seed);
  command.add_option("--out", options.out, "file of JSON lines (default: standard output)")
      ->option_text("FILE.jsonl");
}

void add_new_model(CLI::App& command, NewModel& shape) {
  command.add_option("--layers", shape.layers, "of the new model")->capture_default_str();
  command.add_option("--d-model", shape.model_dim, "its model dimension")->capture_default_str();
  command.add_option("--d-state", shape.state_dim, "its state dimension")->capture_default_str();
  command.add_option("--head-dim", shape.head_dim, "its head dimension")->capture_default_str();
  command.add_flag("--characters", shape.characters, "its tokens are characters, not words");
}

void add_train_step(CLI::App& command, const TaskDefaults& defaults, TrainTaskOptions& options) {
  RunConfig& c = options.config;
  c.train.context = defaults.context;
  c.train.batch = defaults.batch;
  c.train.steps = defaults.steps;
  c.train.learning_rate = defaults.learning_rate;
  c.train.warmup = 100;
  c.train.schedule = "cosine";
  c.train.save_every = 500;
  c.task.shots = 0;  // the form for fine-tuning: text, question and answer
  options.shape = defaults.shape;
  options.plan.arms = {"zero", "state-passing", "tbtt", "fitted-noise"};
  command.add_option("MODEL", options.model,
                     "a checkpoint that all arms start from (default: a new small model, from scratch)");
  command.add_option("--tokenizer", c.model.tokenizer,
                     "tokenizer.json or its folder (default: beside the model)")->option_text("PATH");
  command.add_option("--init", c.model.init, "instead: new models of this config.json")
      ->option_text("CONFIG");
  add_new_model(command, options.shape);
  command.add_option("--arms", options.plan.arms,
                     "laws of the initial state to compare; zero is the control. With settings of "
                     "their own: random-noise:sigma=0.3")
      ->delimiter(',')->capture_default_str();
  command.add_flag("--interleave", options.plan.interleaved, "the runs take turns");
  command.add_option("--seeds", options.plan.seeds, "runs of each arm, with --seed and those after it")
      ->capture_default_str();
  add_task_settings(command, c.task);
  add_training_text(command, c.task);
  add_intervention_settings(command, c.intervention);
  command.add_option("--steps", c.train.steps, "optimizer steps of each run")->capture_default_str();
  add_train_settings(command, c.train);
  add_score_settings(command, c.task.name, c.score);
  add_seed(command, c.seed);
  command.add_option("--out", options.plan.out,
                     "folder for the runs; the same command again goes on where it was ended")
      ->option_text("DIR");
  add_scores_out(command, c.task.name, options.out);
  command.add_flag("--estimate", options.estimate,
                   "time a second of the work, say what training will take here, and end");
}

void add_score_step(CLI::App& command, ScoreTaskOptions& options) {
  RunConfig& c = options.config;
  command.add_option("MODEL", options.models,
                     "checkpoints; a folder that train has made stands for all of its runs")
      ->required();
  command.add_option("--tokenizer", c.model.tokenizer,
                     "tokenizer.json or its folder (default: beside the model)")->option_text("PATH");
  command.add_option("--precision", c.model.precision,
                     "of the weights in memory: auto, float32, bfloat16")->capture_default_str();
  command.add_option("--arm", options.arm, "name of the models' arm (default: as their folders say)");
  command.add_option("--context", c.train.context, "T of a model that records none")
      ->capture_default_str();
  add_task_settings(command, c.task);
  add_score_settings(command, c.task.name, c.score);
  add_seed(command, c.seed);
  add_scores_out(command, c.task.name, options.out);
}

void add_stored_scores(CLI::App& command, StoredScoresOptions& options) {
  command.require_subcommand(0, 1);
  command.add_option("--store", options.store,
                     "file of the store (default: $FARSTATE_STORE, else your own)")
      ->option_text("FILE");
  CLI::App* show = command.add_subcommand("show", "a table of one's cells");
  show->add_option("ID", options.id, "number of the scores")->required();
  show->add_option("--json", options.json, "write the cells for programs")->option_text("FILE");
  show->add_option("--csv", options.csv, "write the cells as one table")->option_text("FILE");
  command.add_subcommand("delete", "forget scores")
      ->add_option("ID", options.ids, "their numbers")->required();
}

}  // namespace

void TrainTaskOptions::finish(const CLI::App& command) {
  if (!model.empty() && !config.model.init.empty()) {
    throw Error(ErrorKind::kBadUsage, "Both MODEL and --init are given; choose one of them.");
  }
  config.model.model = model;
  if (config.model.init.empty() && model.empty()) {
    if (plan.out.empty()) {
      throw Error(ErrorKind::kBadUsage,
                  "A new model needs a place: name a folder with --out, or a MODEL to start from.");
    }
    if (!config.model.tokenizer.empty()) {
      throw Error(ErrorKind::kBadUsage,
                  "A new model has a tokenizer of the task's words; --tokenizer goes with --init or MODEL.");
    }
    config.model.init = (std::filesystem::path(plan.out) / "model" / "config.json").string();
    return;
  }
  for (const char* option : {"--layers", "--d-model", "--d-state", "--head-dim", "--characters"}) {
    if (command.count(option) == 0) continue;
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} shapes a new model, and {} names one already.", option,
                            model.empty() ? "--init" : "MODEL"));
  }
  if (model.empty()) return;
  // The defaults above are for weights that know nothing yet.
  const TrainConfig usual;
  if (command.count("--steps") == 0) config.train.steps = usual.steps;
  if (command.count("--lr") == 0) config.train.learning_rate = usual.learning_rate;
  if (command.count("--warmup") == 0) config.train.warmup = usual.warmup;
  if (command.count("--schedule") == 0) config.train.schedule = usual.schedule;
}

void take_settings(const CLI::App& command, const RunConfig& recorded, RunConfig& config) {
  const auto take = [&](const char* option, auto& value, const auto& from) {
    const CLI::Option* known = command.get_option_no_throw(option);
    if (known == nullptr || known->count() == 0) value = from;
  };
  take("--source", config.task.source, recorded.task.source);
  take("--questions", config.task.questions, recorded.task.questions);
  take("--shots", config.task.shots, recorded.task.shots);
  take("--keys", config.task.keys, recorded.task.keys);
  take("--change-probability", config.task.change_probability, recorded.task.change_probability);
  // By these lengths the task chooses its own to score at.
  config.task.shortest = recorded.task.shortest;
  config.task.longest = recorded.task.longest;
  take("--lengths", config.score.lengths, recorded.score.lengths);
  take("--depths", config.score.depths, recorded.score.depths);
  take("--trials", config.score.trials, recorded.score.trials);
}

void add_task(CLI::App& command, TasksOptions& options) {
  command.require_subcommand(1);
  for (size_t i = 0; i < options.tasks.size(); ++i) {
    TaskOptions& task = options.tasks[i];
    task.name = kDefaults[i].name;
    for (RunConfig* config : {&task.generate.config, &task.train.config, &task.score.config}) {
      config->task.name = task.name;
    }
    CLI::App* named = command.add_subcommand(task.name, kDefaults[i].what);
    named->require_subcommand(1);
    add_generate_step(*named->add_subcommand("generate", "samples, as JSON lines"), task.generate);
    add_train_step(*named->add_subcommand("train", "train with several interventions and seeds, and score"),
                   kDefaults[i], task.train);
    add_score_step(*named->add_subcommand("score", "score models; what is recorded is not read again"),
                   task.score);
  }
  add_stored_scores(*command.add_subcommand("scores", "recorded scores: list, show, delete"),
                    options.scores);
}

}  // namespace farstate
