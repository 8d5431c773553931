// SPDX-License-Identifier: GPL-3.0-or-later
// The worker of this machine. It does one unit of work at a time: a command, one optimizer step, one
// measurement, one close look at the states, a slice of a text that is read and generated, or a slice
// of an experiment; between two units it looks at its queue. A unit that a command overtakes is
// stopped through its stop token: a step or a token then has not happened, a measurement stays
// incomplete, and a look is taken again later.
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/base/process.h"
#include "core/base/stop.h"
#include "core/data/corpus.h"
#include "core/ops/tensor_memory.h"
#include "core/session/boundary.h"
#include "core/session/evaluator.h"
#include "core/session/examination.h"
#include "core/session/experiment_bench.h"
#include "core/session/inference.h"
#include "core/session/jobs.h"
#include "core/session/lr_finder.h"
#include "core/session/memory_estimate.h"
#include "core/session/run_folder.h"
#include "core/session/runner.h"
#include "core/session/task_bench.h"
#include "core/session/training_bench.h"
#include "core/session/training_estimate.h"
#include "core/session/training_run.h"
#include "core/session/training_text.h"

namespace farstate {
namespace {

using Clock = std::chrono::steady_clock;

// Measuring and examining while training may take this share of the time together, and not more
// often than that.
constexpr double kMeasureShare = 0.3;
constexpr std::chrono::milliseconds kMeasureRest{300};

// A slice of a text: commands wait no longer, and the mailbox is filled often enough for the eye.
constexpr std::chrono::milliseconds kTextSlice{30};
constexpr std::chrono::milliseconds kExperimentSlice{50};
// What waits in the mailbox where nobody takes it: then states' norms are thinned out, and at so
// many tokens the text waits.
constexpr size_t kMostTokensWaiting = size_t{1} << 20;
constexpr size_t kMostNormsWaiting = size_t{1} << 22;

class LocalRunner : public Runner {
 public:
  LocalRunner() : worker_([this] { work(); }), inquirer_([this] { answer(); }) {}

  ~LocalRunner() override {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
      unit_stop_.request_stop();
      inquiry_stop_.request_stop();
    }
    wake_.notify_all();
    worker_.join();
    inquirer_.join();
  }

  void load(const RunConfig& config) override {
    const std::lock_guard lock(mutex_);
    queue_.clear();  // older commands were meant for the model that goes
    directions_.clear();
    set_state(RunState::kLoading, "reading the model");
    enqueue([this, config] { do_load(config); }, Overtake::kAnything);
  }
  void inspect(const ModelSource& source) override {
    const std::lock_guard lock(mutex_);
    mail_.report.reset();
    inquire([this, source] { do_inspect(source); });
  }
  void preview(const ModelSource& source, const DataConfig& data) override {
    const std::lock_guard lock(mutex_);
    mail_.preview.reset();
    inquire([this, source, data] { do_preview(source, data); });
  }
  void reset() override {
    const std::lock_guard lock(mutex_);
    set_state(RunState::kLoading, "reading the model");
    // The arms begin at the checkpoint too: a comparison stands beside the training that is reset.
    enqueue([this] { do_load(recipe_, /*keep_experiment=*/true); }, Overtake::kAnything);
  }
  void run() override {
    const std::lock_guard lock(mutex_);
    // The curves of the untouched model are what everything is compared with: they come first.
    enqueue([this] { do_run(); }, base_measured_ ? Overtake::kLooks : Overtake::kNothing);
  }
  void run_for(double seconds) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { do_run_for(seconds); },
            base_measured_ ? Overtake::kLooks : Overtake::kNothing);
  }
  void pause() override {
    const std::lock_guard lock(mutex_);
    enqueue([this] { do_pause(); }, Overtake::kLooks);
  }
  void step() override {
    const std::lock_guard lock(mutex_);
    enqueue([this] { do_step(); }, Overtake::kLooks);
  }
  void stop() override {
    const std::lock_guard lock(mutex_);
    const bool busy = mail_.state == RunState::kRunning || mail_.state == RunState::kPaused ||
                      mail_.state == RunState::kEvaluating || mail_.state == RunState::kLoading ||
                      mail_.state == RunState::kExperimenting;
    const bool experiment = mail_.state == RunState::kExperimenting;
    if (busy) set_state(RunState::kStopping, "stopping");
    enqueue([=, this, text = shows_running_text()] { do_stop(text, experiment); },
            Overtake::kAnything);
  }
  void measure() override {
    const std::lock_guard lock(mutex_);
    enqueue([this] { do_measure(); }, Overtake::kMeasurement);
  }
  void examine(const StateQuestion& question) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, question] { do_examine(question); }, Overtake::kExamination);
  }
  void try_task(const TaskQuestion& question) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, question] { do_try(question); }, Overtake::kExamination);
  }
  void score(const RunConfig& config) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, config] { do_score(config); }, Overtake::kMeasurement);
  }
  void generate(const GenerationRequest& request) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, request] { do_generate(request); }, Overtake::kText);
  }
  void go_on(const SamplingConfig& sampling) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, sampling] { do_go_on(sampling); }, Overtake::kNothing);
  }
  void keep_state(const std::string& name, int64_t position) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { with_states([&] { inference_.keep(name, position); }); },
            Overtake::kNothing);
  }
  void drop_state(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { with_states([&] { inference_.drop(name); }); }, Overtake::kNothing);
  }
  void edit_state(const std::vector<StateEdit>& edits) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, edits] { do_edit(edits); }, Overtake::kNothing);
  }
  void write_state(const std::string& name, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { with_states([&] { inference_.write(name, path); }); }, Overtake::kNothing);
  }
  void read_state(const std::string& name, const std::string& path) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { with_states([&] { inference_.read(name, path); }); }, Overtake::kNothing);
  }
  void set_intervention(const InterventionConfig& config) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, config] { do_set_intervention(config); }, Overtake::kNothing);
  }
  void configure(const RunConfig& config) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, config] { do_configure(config); }, Overtake::kNothing);
  }
  void experiment(const RunConfig& config, const ExperimentPlan& plan) override {
    const std::lock_guard lock(mutex_);
    directions_.clear();  // they were meant for the experiment before it
    enqueue([=, this] { do_experiment(config, plan); }, Overtake::kExperiment);
  }
  void estimate(const RunConfig& config) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, config] { do_estimate(config); }, Overtake::kCosting);
  }
  void find_rate(const RunConfig& config, const LrSearch& search) override {
    const std::lock_guard lock(mutex_);
    enqueue([=, this] { do_find_rate(config, search); }, Overtake::kMeasurement);
  }
  void direct(const ArmCommand& command) override {
    const std::lock_guard lock(mutex_);
    directions_.push_back(command);
    if (unit_ == Unit::kExperiment && interrupts(command, run_at_work_)) unit_stop_.request_stop();
    wake_.notify_all();
  }
  void save(const std::string& folder) override {
    const std::lock_guard lock(mutex_);
    enqueue([this, folder] { do_save(folder); }, Overtake::kLooks);
  }

  std::optional<RunnerUpdate> take() override {
    const std::lock_guard lock(mutex_);
    if (!new_mail_) return std::nullopt;
    new_mail_ = false;
    RunnerUpdate update = mail_;
    mail_.train_points.clear();
    mail_.events.clear();
    mail_.measurements.clear();
    if (mail_.generated.size() >= kMostTokensWaiting) wake_.notify_all();
    mail_.generated.clear();
    norms_waiting_ = 0;
    return update;
  }

 private:
  // What a command stops if it runs; looks are measurements and examinations.
  enum class Overtake {
    kNothing,
    kText,
    kMeasurement,
    kExamination,
    kLooks,
    kExperiment,
    kCosting,
    kAnything
  };
  struct RateSearch {
    RunConfig recipe;
    LrSearch search;
  };
  enum class Unit {
    kNone,
    kCommand,
    kStep,
    kMeasurement,
    kExamination,
    kText,
    kScoring,
    kSearch,
    kExperiment,
    kCosting
  };

  // Called with the mutex held, from any thread:

  void enqueue(std::function<void()> command, Overtake overtake) {
    queue_.push_back(std::move(command));
    if (overtakes(overtake)) unit_stop_.request_stop();
    wake_.notify_all();
  }

  bool overtakes(Overtake overtake) const {
    const bool measures = unit_ == Unit::kMeasurement;
    const bool examines = unit_ == Unit::kExamination;
    const bool reads = unit_ == Unit::kText || unit_ == Unit::kScoring || unit_ == Unit::kSearch;
    if (unit_ == Unit::kCosting) return true;  // a person's wish comes first; it is done again
    switch (overtake) {
      case Overtake::kNothing: return false;
      case Overtake::kText: return reads;
      case Overtake::kMeasurement: return measures || reads;
      case Overtake::kExamination: return examines;
      case Overtake::kLooks: return measures || examines || reads;
      case Overtake::kExperiment: return unit_ == Unit::kExperiment;
      case Overtake::kCosting:
        return false;
      case Overtake::kAnything: return true;
    }
    return false;
  }

  bool shows_running_text() const {
    return mail_.generation != nullptr && is_running(mail_.generation->stage);
  }

  // The newest question is the one that counts; an answer to an older one is wanted no more.
  void inquire(std::function<void()> question) {
    inquiry_ = std::move(question);
    inquiry_stop_.request_stop();
    wake_.notify_all();
  }

  void begin_epoch() {
    ++mail_.epoch;
    mail_.train_points.clear();
    mail_.events.clear();
    mail_.measurements.clear();
    mail_.generated.clear();
    norms_waiting_ = 0;
    mail_.generation.reset();
    mail_.step = mail_.steps = 0;
    mail_.seconds_left = -1;
    mail_.tokens_per_second = 0;
    mail_.error.reset();
    mail_.states.reset();
    mail_.experiment.reset();
    mail_.trial.reset();
    mail_.scores.reset();
    mail_.cost.reset();
    mail_.rates.reset();
    base_measured_ = false;
    new_mail_ = true;
  }

  void set_state(RunState state, const std::string& phase) {
    mail_.state = state;
    mail_.phase = phase;
    mail_.progress = -1;
    new_mail_ = true;
  }

  // On the worker's thread, mutex not held:

  // On a thread of its own: looking at files needs no model, and a measurement may take minutes.
  void answer() {
    while (true) {
      std::function<void()> question;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || inquiry_ != nullptr; });
        if (quit_) return;
        question = std::exchange(inquiry_, nullptr);
        inquiry_stop_ = std::stop_source();
      }
      const StopScope scope(inquiry_stop_.get_token());
      question();
    }
  }

  void show_loading(const std::string& phase, double share) {
    publish([&] {
      mail_.phase = phase;
      mail_.progress = share;
    });
  }

  void work() {
    // The window's thread must win whenever it wants a core. LibTorch's threads are started by
    // this one later and inherit its niceness, which on Linux belongs to the thread.
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 10);
    ops::install_tensor_memory();
    publish([&] { mail_.threads = at::get_num_threads(); });
    while (true) {
      std::function<void()> unit;
      {
        std::unique_lock lock(mutex_);
        unit_ = Unit::kNone;
        wake_.wait(lock, [&] { return quit_ || !queue_.empty() || has_own_work(); });
        if (quit_) break;
        unit_stop_ = std::stop_source();
        unit = next_unit();
      }
      const StopScope scope(unit_stop_.get_token());
      try {
        unit();
      } catch (...) {
        const Error error = current_error();
        if (error.kind() == ErrorKind::kInterrupted) {
          settle();
        } else {
          fail(error);
        }
      }
    }
    runs_.end(RunStatus::kStopped);
    bench_.end();  // an experiment that is left is saved where it is
  }

  bool text_due() const {
    return inference_.running() && mail_.generated.size() < kMostTokensWaiting;
  }
  bool has_own_work() const {
    return measure_due_ || training_ || question_.has_value() || text_due() || tasks_.asked() ||
           tasks_.scoring() || rate_search_ || bench_.running() || !directions_.empty() ||
           cost_due();
  }

  // Timed work must have the machine for itself.
  bool cost_due() const {
    return cost_question_ && base_measured_ && !measure_due_ && !training_ && !bench_.running();
  }

  // While training, looks wait for their time; the untouched model's measurement comes first of all.
  bool may_look() const {
    return !training_ || !base_measured_ || Clock::now() >= next_look_;
  }

  // Questions and measurements take turns where both are due.
  bool may_examine() const {
    return question_.has_value() && may_look() && !(measure_due_ && examined_last_) &&
           (base_measured_ || !measure_due_);
  }

  std::function<void()> next_unit() {
    if (!queue_.empty()) {
      unit_ = Unit::kCommand;
      std::function<void()> command = std::move(queue_.front());
      queue_.pop_front();
      return command;
    }
    if (!directions_.empty()) {
      unit_ = Unit::kCommand;
      return [this] { follow_directions(); };
    }
    if (may_examine()) {
      unit_ = Unit::kExamination;
      return [this] { examine_unit(); };
    }
    if (tasks_.asked() && may_look() && (base_measured_ || !measure_due_)) {
      unit_ = Unit::kExamination;
      return [this] { trial_unit(); };
    }
    if (measure_due_ && may_look()) {
      unit_ = Unit::kMeasurement;
      return [this] { measure_unit(); };
    }
    if (text_due()) {
      unit_ = Unit::kText;
      return [this] { text_unit(); };
    }
    if (tasks_.scoring() && !training_) {
      unit_ = Unit::kScoring;
      return [this] { scoring_unit(); };
    }
    if (rate_search_ && !training_) {
      unit_ = Unit::kSearch;
      return [this] { rate_unit(); };
    }
    if (experimenting()) {
      unit_ = Unit::kExperiment;
      return [this] { experiment_unit(); };
    }
    if (cost_due()) {
      unit_ = Unit::kCosting;
      return [this] { cost_unit(); };
    }
    unit_ = Unit::kStep;
    return [this] { step_unit(); };
  }

  template <typename Change>
  void publish(Change&& change) {
    const std::lock_guard lock(mutex_);
    change();
    if (Clock::now() - memory_read_ > std::chrono::milliseconds(500)) {
      memory_read_ = Clock::now();
      mail_.memory_bytes = resident_memory();
    }
    new_mail_ = true;
  }

  // A failed command costs no model: only where there is none left is the state kFailed.
  void fail(const Error& error) {
    if (training_) runs_.end(RunStatus::kFailed, error.what());
    training_ = measure_due_ = false;
    publish([&] { mail_.error = RunError{error.kind(), error.what()}; });
    if (model_.model != nullptr) {
      settle();
    } else {
      publish([&] { set_state(RunState::kFailed, ""); });
    }
  }

  void forget_error() {
    publish([&] { mail_.error.reset(); });
  }

  void settle() {
    publish([&] {
      // A command that is waiting brings its own state.
      if (!queue_.empty() &&
          (mail_.state == RunState::kStopping || mail_.state == RunState::kLoading)) {
        return;
      }
      set_state(model_.model == nullptr ? RunState::kIdle
                : training_             ? RunState::kRunning
                : reading()             ? RunState::kEvaluating
                : bench_.running()      ? RunState::kExperimenting
                : paused_               ? RunState::kPaused
                : measure_due_          ? RunState::kEvaluating
                                        : RunState::kReady,
                inference_.running() ? inference_.phase() : "");
    });
  }

  // Until the new model and its text are whole, the old ones stay as they are, held.
  void do_load(const RunConfig& config, bool keep_experiment = false) {
    paused_ = paused_ || training_;
    training_ = measure_due_ = false;
    hold_reading();
    bench_.hold();
    forget_error();
    validate(config);
    const ProgressSink progress = [this](const std::string& phase, double share) {
      show_loading(phase, share);
    };
    LoadedModel loaded = load_model(config.model, config.seed, progress);
    const uint64_t tokenizer = loaded.tokenizer == nullptr ? 0 : loaded.tokenizer->fingerprint();
    if (corpus_ == nullptr || config.data != recipe_.data || config.task != recipe_.task ||
        (!config.task.name.empty() && config.train.context != corpus_context_) ||
        loaded.info.vocabulary != corpus_vocabulary_ || tokenizer != corpus_tokenizer_) {
      progress("reading the text", -1);
      Corpus corpus = open_text(config, loaded.info, loaded.tokenizer, progress);
      runs_.leave();
      corpus_ = std::make_shared<const Corpus>(std::move(corpus));
      corpus_vocabulary_ = loaded.info.vocabulary;
      corpus_tokenizer_ = tokenizer;
      corpus_context_ = config.train.context;
    }
    runs_.leave();
    if (!keep_experiment) bench_.end();
    inference_.model_changes(config.model == recipe_.model);
    tasks_.model_changes();
    model_ = std::move(loaded);
    recipe_ = config;
    paused_ = false;
    measure_due_ = true;
    question_.reset();  // it was about the model that is gone
    cost_question_.reset();
    publish([&] {
      begin_epoch();
      mail_.experiment = bench_.picture();
      mail_.model = std::make_shared<ModelInfo>(model_.info);
      DataInfo data;
      data.name = corpus_->is_text && config.data.path.empty()
                      ? corpus_->name
                      : std::filesystem::path(corpus_->name).filename().string();
      data.train_tokens = corpus_->train_end;
      data.held_out_tokens = corpus_->tokens->size() - corpus_->train_end;
      mail_.data = std::make_shared<DataInfo>(data);
      mail_.recipe = std::make_shared<RunConfig>(recipe_);
      mail_.intervention = recipe_.intervention;
    });
    if (!inference_.picture().kept.empty()) show_text();
    settle();
  }

  void do_inspect(const ModelSource& source) {
    ModelReport report;
    try {
      report = farstate::inspect(source);
    } catch (...) {
      const Error error = current_error();
      if (error.kind() == ErrorKind::kInterrupted) return;
      report.asked = source.model;
      report.problem = error.what();
    }
    publish([&] { mail_.report = std::make_shared<ModelReport>(std::move(report)); });
  }

  void do_preview(const ModelSource& source, const DataConfig& data) {
    TextPreview preview;
    try {
      preview = farstate::preview(source, data);
    } catch (...) {
      const Error error = current_error();
      if (error.kind() == ErrorKind::kInterrupted) return;
      preview.asked = data.path;
      preview.problem = error.what();
    }
    publish([&] { mail_.preview = std::make_shared<TextPreview>(std::move(preview)); });
  }

  void do_configure(const RunConfig& config) {
    validate(config);
    RunConfig next = config;  // model and text change by load() alone
    next.model = recipe_.model;
    next.data = recipe_.data;
    next.task = recipe_.task;
    recipe_ = next;
    if (training_ || paused_) runs_.configure(config);
    publish([&] { mail_.recipe = std::make_shared<RunConfig>(recipe_); });
  }

  void do_set_intervention(const InterventionConfig& config) {
    RunConfig next = recipe_;
    next.intervention = config;
    validate(next);
    recipe_ = next;
    runs_.set_intervention(config);
    publish([&] {
      mail_.recipe = std::make_shared<RunConfig>(recipe_);
      mail_.intervention = config;
    });
  }

  void begin_training(Clock::duration limit = {}) {
    runs_.begin(recipe_, *corpus_, limit);
    tell_record();
    next_look_ = Clock::now() + kMeasureRest;
    paused_ = false;
  }

  bool can_train() const { return model_.model != nullptr && corpus_ != nullptr && !experimenting(); }

  void do_measure() {
    if (model_.model == nullptr || experimenting()) return;
    forget_error();
    hold_reading();
    measure_due_ = true;
    settle();
  }

  void do_examine(const StateQuestion& question) {
    if (model_.model == nullptr) return;
    question_ = question;
  }

  void do_run() {
    if (!can_train() || training_) return;
    forget_error();
    hold_reading();
    if (paused_) {
      runs_.begin_stretch();
      paused_ = false;
    } else {
      begin_training();
    }
    measure_due_ = !base_measured_;
    training_ = true;
    settle();
  }

  void do_run_for(double seconds) {
    if (!can_train() || training_) return;
    forget_error();
    hold_reading();
    begin_training(
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
    measure_due_ = !base_measured_;
    training_ = true;
    settle();
  }

  void do_pause() {
    if (reading()) {
      hold_reading();
      settle();
    }
    if (!training_) return;
    hold();
  }

  void hold() {
    training_ = false;
    paused_ = true;
    runs_.hold();
    measure_due_ = true;
    settle();
  }

  void do_step() {
    if (!can_train() || training_) return;
    forget_error();
    hold_reading();
    if (!paused_) begin_training();
    one_step();
    runs_.go_beyond_plan();
    hold();
  }

  // Stopping a run leaves curves of where it got to; stopping a measurement leaves it at that, and
  // stopping a text or an experiment ends no run that is held.
  void do_stop(bool text, bool experiment) {
    if (experiment) {
      bench_.pause();
      show_experiment();
      settle();
      return;
    }
    text = text || reading();
    hold_reading();
    measure_due_ = training_;
    if (!text && (training_ || paused_)) end_run(RunStatus::kStopped);
    if (!text) training_ = paused_ = false;
    question_.reset();
    tasks_.forget();
    settle();
  }

  // Beside the weights at hand. While these are trained, an experiment waits.
  bool experimenting() const { return bench_.running() && !training_; }

  void do_experiment(const RunConfig& config, const ExperimentPlan& plan) {
    if (model_.model == nullptr || training_) return;
    forget_error();
    hold_reading();
    RunConfig recipe = config;
    recipe.model = recipe_.model;
    recipe.data = recipe_.data;
    recipe.task = recipe_.task;
    publish([&] {
      mail_.experiment.reset();
      set_state(RunState::kExperimenting, "reading the model");
    });
    bench_.begin(recipe, plan, corpus_, [this](const std::string& phase, double share) {
      show_loading(phase, share);
    });
    show_experiment();
    settle();
  }

  void experiment_unit() {
    try {
      bench_.advance(kExperimentSlice, [this] {
        {
          const std::lock_guard lock(mutex_);
          run_at_work_ = bench_.current();
        }
        follow_directions();
      });
    } catch (...) {
      if (current_error().kind() != ErrorKind::kInterrupted) bench_.pause();  // not again and again
      show_experiment();
      throw;
    }
    show_experiment();
    if (!bench_.running()) settle();
  }

  // Between two units, and while a long one of an experiment goes on. One that can't be followed ends
  // nothing.
  void follow_directions() {
    std::deque<ArmCommand> directions;
    {
      const std::lock_guard lock(mutex_);
      directions.swap(directions_);
    }
    for (const ArmCommand& command : directions) {
      try {
        bench_.direct(command);
        forget_error();
      } catch (const Error& error) {
        publish([&] { mail_.error = RunError{error.kind(), error.what()}; });
      }
    }
    show_experiment();
    if (!directions.empty()) settle();
  }

  void show_experiment() {
    std::shared_ptr<const Experiment> picture = bench_.picture();
    if (picture == mail_.experiment) return;
    publish([&] {
      mail_.experiment = std::move(picture);
      if (mail_.state != RunState::kExperimenting || mail_.experiment == nullptr) return;
      mail_.phase = mail_.experiment->phase;
      mail_.progress = mail_.experiment->progress;
      mail_.seconds_left = mail_.experiment->seconds_left;
    });
  }

  void do_save(const std::string& folder) {
    if (model_.model == nullptr) return;
    forget_error();
    std::error_code ignored;
    const bool ours = folder == saved_in_;  // this window's own work may be written again
    if (!ours && std::filesystem::exists(folder, ignored) &&
        !std::filesystem::is_empty(folder, ignored)) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("{} is not empty; choose a new folder for the model.", folder));
    }
    if (!runs_.save(folder)) {
      remove_training_file(folder);  // of an earlier save: it would resume other weights
      save_model(folder, model_, model_.provenance);
    }
    saved_in_ = folder;
    publish([&] {
      mail_.events.push_back({steps(), "saved", fmt::format("saved in {}", folder)});
    });
  }

  // Updates of the weights since they were loaded.
  int64_t steps() const { return runs_.steps(); }

  void step_unit() {
    one_step();
    if (runs_.over()) {
      training_ = false;
      end_run(RunStatus::kDone);
      measure_due_ = true;
      settle();
    } else if (Clock::now() >= next_look_) {
      measure_due_ = true;
    }
  }

  void end_run(RunStatus status) {
    runs_.end(status);
    publish([&] { mail_.steps = runs_.planned(); });
  }

  void one_step() {
    const TrainPoint point = runs_.step();
    inference_.weights_change();
    std::vector<RunEvent> events = runs_.new_events();
    publish([&] {
      std::move(events.begin(), events.end(), std::back_inserter(mail_.events));
      mail_.train_points.push_back(point);
      mail_.step = point.step;
      mail_.steps = runs_.planned();
      const double before = mail_.tokens_per_second;
      mail_.tokens_per_second =
          before > 0 ? 0.9 * before + 0.1 * point.tokens_per_second : point.tokens_per_second;
      mail_.phase = mail_.steps > 0 ? fmt::format("step {} of {}", mail_.step, mail_.steps)
                                    : fmt::format("step {}", mail_.step);
      mail_.progress = runs_.share();
      mail_.seconds_left = runs_.seconds_left();
    });
  }

  // Once, why a run is not recorded.
  void tell_record() {
    if (runs_.record_problem() == record_problem_) return;
    record_problem_ = runs_.record_problem();
    publish([&] { mail_.events.push_back({steps(), "record", record_problem_}); });
  }

  void measure_unit() {
    const auto began = Clock::now();
    if (!training_ && !paused_) settle();
    const uint64_t id = ++measurements_;
    const Evaluator evaluator(*corpus_, measured_now(), model_.info.trained_context,
                              model_.tokenizer);
    refuse_what_does_not_fit("Measuring",
                             measuring_bytes(model_memory(*model_.model), evaluator.config()),
                             "ask for fewer sequences or EffRem points, or choose a smaller model");
    size_t sent = 0, noted = 0;  // of what is complete
    const auto send = [&](const Evaluation& evaluation, bool complete) {
      auto m = std::make_shared<Measurement>();
      m->id = id;
      m->complete = complete;
      m->step = steps();
      m->intervention = runs_.trained_with();
      m->recipe = runs_.recipe_or(recipe_);
      m->recipe.measure = evaluation.config;
      m->series.assign(evaluation.series.begin() + static_cast<std::ptrdiff_t>(sent),
                       evaluation.series.end());
      if (evaluation.swept) {
        std::vector<std::string> notes = model_.notes;
        notes.insert(notes.end(), evaluation.notes.begin(), evaluation.notes.end());
        m->notes.assign(notes.begin() + static_cast<std::ptrdiff_t>(noted), notes.end());
        noted = notes.size();
        sent = evaluation.series.size();
      }
      publish([&] {
        m->epoch = mail_.epoch;
        mail_.measurements.push_back(std::move(m));
      });
    };
    const Evaluation result = evaluator.run(
        *model_.model,
        [&](const std::string& phase, double share) {
          publish([&] {
            // While training, the bar belongs to the run.
            if (!training_) mail_.progress = share;
            mail_.phase = training_ ? fmt::format("measuring: {}", phase) : phase;
          });
        },
        [&](const Evaluation& part) { send(part, false); });
    send(result, true);
    runs_.measured(result.series, result.notes);
    measure_due_ = false;
    examined_last_ = false;
    if (training_ && !base_measured_) runs_.begin_stretch();  // the untouched model's belongs to no run
    publish([&] { base_measured_ = true; });
    rest_after(began);
    settle();
  }

  // Where time ends the run, what is measured beside it comes often.
  MeasureConfig measured_now() const {
    MeasureConfig config = recipe_.measure;
    const bool often = training_ && base_measured_ && runs_.by_time();
    if (often && config.sweeps()) std::erase(config.probes, "effrem");
    return config;
  }

  // Until the next look while training.
  void rest_after(Clock::time_point began) {
    const std::chrono::duration<double> spent = Clock::now() - began;
    next_look_ =
        Clock::now() + std::max<Clock::duration>(
                           kMeasureRest, std::chrono::duration_cast<Clock::duration>(
                                             spent * (1.0 / kMeasureShare - 1.0)));
  }

  // The buttons have nothing to do with it, so the state stays as it is.
  void examine_unit() {
    const auto began = Clock::now();
    RunConfig recipe = runs_.recipe_or(recipe_);
    StateReport report;
    try {
      const Evaluator evaluator(*corpus_, recipe_.measure, model_.info.trained_context);
      recipe.measure = evaluator.config();
      refuse_what_does_not_fit(
          "Looking into the states",
          examining_bytes(model_memory(*model_.model), recipe.measure,
                          static_cast<int64_t>(question_->positions.size())),
          "ask for fewer sequences, or choose a smaller model");
      report = farstate::examine(*model_.model, evaluator.sequences(), model_.info.trained_context,
                                 model_.tokenizer.get(), *question_,
                                 [&](const std::string& phase, double share) {
                                   publish([&] {
                                     // While training, the bar belongs to the run.
                                     if (!training_) mail_.progress = share;
                                     mail_.phase = phase;
                                   });
                                 });
      if (runs_.trainer() != nullptr) add_fitted(runs_.trainer()->policy().fitted(), report);
    } catch (...) {
      const Error error = current_error();
      if (error.kind() == ErrorKind::kInterrupted) throw;  // it stays due
      report.question = question_->number;
      report.notes.push_back(error.what());
    }
    report.step = steps();
    report.recipe = to_json(recipe);
    question_.reset();
    examined_last_ = true;
    publish([&] {
      report.epoch = mail_.epoch;
      mail_.states = std::make_shared<StateReport>(std::move(report));
    });
    rest_after(began);
    settle();
  }

  void do_try(const TaskQuestion& question) {
    if (model_.model != nullptr) tasks_.ask(question);
  }

  // As a close look at the states.
  void trial_unit() {
    const auto began = Clock::now();
    TaskTrial trial = tasks_.answer(recipe_, [&](const std::string& phase, double share) {
      publish([&] {
        if (!training_) mail_.progress = share;
        mail_.phase = phase;
      });
    });
    trial.step = steps();
    publish([&] { mail_.trial = std::make_shared<const TaskTrial>(std::move(trial)); });
    rest_after(began);
    settle();
  }

  void do_score(const RunConfig& config) {
    if (model_.model == nullptr || training_ || experimenting()) return;
    forget_error();
    hold_reading();
    RunConfig recipe = config;
    recipe.model = recipe_.model;
    recipe.seed = recipe_.seed;
    recipe.train.context = recipe_.train.context;
    const bool base = steps() == 0;
    tasks_.begin(recipe, steps(), {base ? "base" : to_string(runs_.trained_with()), recipe_.seed});
    show_scores();
    settle();
  }

  void scoring_unit() {
    try {
      tasks_.advance([&](const std::string&, double share) {
        publish([&] { mail_.progress = share; });
      });
    } catch (...) {
      show_scores();
      throw;
    }
    show_scores();
    if (!tasks_.scoring()) settle();
  }

  void show_scores() {
    std::shared_ptr<const TaskScores> scores = tasks_.picture();
    publish([&] {
      mail_.scores = std::move(scores);
      if (mail_.state != RunState::kEvaluating || mail_.scores == nullptr) return;
      mail_.phase = mail_.scores->phase;
      mail_.progress = mail_.scores->progress;
      mail_.seconds_left = mail_.scores->seconds_left;
    });
  }

  void do_estimate(const RunConfig& config) {
    if (model_.model != nullptr) cost_question_ = config;
  }

  void cost_unit() {
    CostAnswer answer;
    answer.recipe = *cost_question_;
    try {
      validate(answer.recipe);
      if (!model_.model->trainable()) {
        throw Error(
            ErrorKind::kBadUsage,
            fmt::format("How long it takes isn't known: {} is in memory in {}, and a second of "
                        "training can be timed in float32 alone.",
                        model_.info.name, model_.info.precision));
      }
      check_window(*corpus_, answer.recipe.train.context);
      answer.estimate = estimate_training(
          model_, *corpus_, answer.recipe,
          {.steps = answer.recipe.train.steps, .trainer = runs_.trainer() != nullptr, .measures = true});
      const Evaluator evaluator(*corpus_, answer.recipe.measure, model_.info.trained_context);
      answer.seconds_curve = answer.estimate.seconds_measuring * curve_share(evaluator.config());
    } catch (...) {
      const Error error = current_error();
      if (error.kind() == ErrorKind::kInterrupted) throw;  // it stays due
      answer.problem = error.what();
    }
    cost_question_.reset();
    publish([&] { mail_.cost = std::make_shared<const CostAnswer>(std::move(answer)); });
  }

  void do_find_rate(const RunConfig& config, const LrSearch& search) {
    if (model_.model == nullptr || training_ || experimenting()) return;
    forget_error();
    hold_reading();
    RateSearch wanted{config, search};
    wanted.recipe.model = recipe_.model;
    rate_search_ = wanted;
    publish([&] { mail_.rates.reset(); });
    settle();
  }

  // One that a command interrupts stays due, as everything does: the command says what becomes of
  // it.
  void rate_unit() {
    const RateSearch wanted = *rate_search_;
    bool interrupted = false;
    try {
      LrFinding found = search_rate(wanted);
      interrupted = found.interrupted;
      publish([&] { mail_.rates = std::make_shared<const LrFinding>(std::move(found)); });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInterrupted) rate_search_.reset();
      throw;
    }
    if (!interrupted) rate_search_.reset();
    settle();
  }

  LrFinding search_rate(const RateSearch& wanted) {
    const ModelMemory memory = model_memory(*model_.model);
    const int64_t own_weights = memory.parameters * static_cast<int64_t>(sizeof(float));
    refuse_what_does_not_fit("The search",
                             own_weights + training_bytes(memory, wanted.recipe.train),
                             training_advice(memory, wanted.recipe.train, available_memory()));
    check_window(*corpus_, wanted.recipe.train.context);
    const LoadedModel own = load_model(for_training(wanted.recipe.model), wanted.recipe.seed);
    const auto most = static_cast<double>(wanted.search.steps);
    return find_learning_rate(
        *own.model, *corpus_, wanted.recipe, wanted.search, [&](const LrFinding& so_far) {
          publish([&] {
            mail_.rates = std::make_shared<const LrFinding>(so_far);
            mail_.phase = fmt::format("searching a learning rate: step {} of at most {}",
                                      so_far.losses.size(), wanted.search.steps);
            mail_.progress = static_cast<double>(so_far.losses.size()) / most;
          });
        });
  }

  void do_generate(const GenerationRequest& request) {
    if (model_.model == nullptr || training_ || experimenting()) return;
    forget_error();
    hold_reading();
    inference_.generate(request);
    show_text();
    settle();
  }

  void do_go_on(const SamplingConfig& sampling) {
    if (model_.model == nullptr || training_ || reading() || experimenting()) return;
    forget_error();
    inference_.go_on(sampling);
    show_text();
    settle();
  }

  void do_edit(const std::vector<StateEdit>& edits) {
    if (training_ || inference_.running()) return;
    with_states([&] { inference_.edit(edits); });
  }

  // What is asked of states may fail without ending anything that runs.
  template <typename Act>
  void with_states(Act&& act) {
    if (model_.model == nullptr) return;
    forget_error();
    try {
      act();
    } catch (...) {
      const Error error = current_error();
      if (error.kind() == ErrorKind::kInterrupted) throw error;
      publish([&] { mail_.error = RunError{error.kind(), error.what()}; });
    }
    show_text();
  }

  // A text that goes on, a scoring, or a search for a learning rate.
  bool reading() const { return inference_.running() || tasks_.scoring() || rate_search_; }

  void hold_reading() {
    rate_search_.reset();
    if (tasks_.scoring()) {
      tasks_.hold();
      show_scores();
    }
    if (!inference_.running()) return;
    inference_.hold();
    show_text();
  }

  void text_unit() {
    inference_.advance(kTextSlice);
    show_text();
    if (!inference_.running()) settle();
  }

  void show_text() {
    std::vector<GeneratedToken> tokens = inference_.take_tokens();
    auto picture = std::make_shared<const Generation>(inference_.picture());
    publish([&] {
      if (mail_.generation == nullptr || mail_.generation->id != picture->id) {
        mail_.generated.clear();
        norms_waiting_ = 0;
      }
      mail_.generation = std::move(picture);
      for (GeneratedToken& token : tokens) {
        norms_waiting_ += token.norms.size();
        mail_.generated.push_back(std::move(token));
      }
      if (norms_waiting_ > kMostNormsWaiting) thin_norms();
      if (inference_.running()) {
        mail_.phase = inference_.phase();
        mail_.progress = inference_.progress();
      }
    });
  }

  // Every other token that has norms loses them.
  void thin_norms() {
    bool drop = false;
    norms_waiting_ = 0;
    for (GeneratedToken& token : mail_.generated) {
      if (token.norms.empty()) continue;
      if (drop) token.norms = std::vector<float>();
      drop = !drop;
      norms_waiting_ += token.norms.size();
    }
  }

  // Shared, under the mutex.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  std::deque<ArmCommand> directions_;  // of the experiment's runs
  int64_t run_at_work_ = -1;           // of the experiment; 0: the base; negative: none
  std::stop_source unit_stop_;
  std::function<void()> inquiry_;  // the next question; null: none
  std::stop_source inquiry_stop_;
  Unit unit_ = Unit::kNone;
  bool quit_ = false;
  RunnerUpdate mail_;
  size_t norms_waiting_ = 0;  // floats in mail_.generated
  bool new_mail_ = true;
  bool base_measured_ = false;  // the curves of the untouched model are there

  // The worker's own.
  Clock::time_point memory_read_{};
  RunConfig recipe_;
  LoadedModel model_;
  Inference inference_{model_};
  TaskBench tasks_{model_};
  ExperimentBench bench_;
  std::shared_ptr<const Corpus> corpus_;  // null: none was read
  int64_t corpus_vocabulary_ = 0;
  int64_t corpus_context_ = 0;     // that a task's text was made for
  uint64_t corpus_tokenizer_ = 0;  // its fingerprint
  TrainingBench runs_{model_};
  std::string record_problem_;
  std::string saved_in_;
  bool training_ = false;
  bool paused_ = false;
  bool measure_due_ = false;
  std::optional<RateSearch> rate_search_;   // goes on, or is due
  std::optional<RunConfig> cost_question_;  // the newest, until it is answered
  std::optional<StateQuestion> question_;  // the newest, until it is answered
  bool examined_last_ = false;             // of the looks
  uint64_t measurements_ = 0;
  Clock::time_point next_look_{};

  std::thread worker_;  // these last: they use everything above
  std::thread inquirer_;
};

}  // namespace

std::unique_ptr<Runner> make_local_runner() { return std::make_unique<LocalRunner>(); }

}  // namespace farstate
