// SPDX-License-Identifier: GPL-3.0-or-later
// Runners without an engine, for tests of front ends.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/session/runner.h"

namespace farstate::testing {

// Keeps what it was told and hands out what the test pushed. Nothing happens by itself.
class FakeRunner : public Runner {
 public:
  void load(const RunConfig& config) override {
    loaded = config;
    calls.push_back("load");
  }
  void inspect(const ModelSource& source) override {
    inspected.push_back(source);
    calls.push_back("inspect " + source.model);
  }
  void preview(const ModelSource&, const DataConfig& data) override {
    calls.push_back("preview " + data.path);
  }
  void run() override { calls.push_back("run"); }
  void run_for(double seconds) override {
    calls.push_back("run_for");
    run_seconds = seconds;
  }
  void pause() override { calls.push_back("pause"); }
  void step() override { calls.push_back("step"); }
  void stop() override { calls.push_back("stop"); }
  void reset() override { calls.push_back("reset"); }
  void measure() override { calls.push_back("measure"); }
  void examine(const StateQuestion& question) override {
    questions.push_back(question);
    calls.push_back("examine");
  }
  void try_task(const TaskQuestion& question) override {
    task_questions.push_back(question);
    calls.push_back("try_task");
  }
  void score(const RunConfig& config) override {
    scored.push_back(config);
    calls.push_back("score");
  }
  void generate(const GenerationRequest& request) override {
    requests.push_back(request);
    calls.push_back("generate");
  }
  void go_on(const SamplingConfig& sampling) override {
    samplings.push_back(sampling);
    calls.push_back("go_on");
  }
  void keep_state(const std::string& name, int64_t position) override {
    calls.push_back("keep_state " + name + " " + std::to_string(position));
  }
  void drop_state(const std::string& name) override { calls.push_back("drop_state " + name); }
  void edit_state(const std::vector<StateEdit>& edit) override {
    edits.push_back(edit);
    calls.push_back("edit_state");
  }
  void write_state(const std::string& name, const std::string& path) override {
    calls.push_back("write_state " + name + " " + path);
  }
  void read_state(const std::string& name, const std::string& path) override {
    calls.push_back("read_state " + name + " " + path);
  }
  void set_intervention(const InterventionConfig& config) override {
    interventions.push_back(config);
    calls.push_back("set_intervention");
  }
  void configure(const RunConfig& config) override {
    configured.push_back(config);
    calls.push_back("configure");
  }
  void experiment(const RunConfig& config, const ExperimentPlan& plan) override {
    experiments.emplace_back(config, plan);
    calls.push_back("experiment");
  }
  void estimate(const RunConfig& config) override {
    estimated.push_back(config);
    calls.push_back("estimate");
  }
  void find_rate(const RunConfig& config, const LrSearch&) override {
    searched.push_back(config);
    calls.push_back("find_rate");
  }
  void direct(const ArmCommand& command) override {
    directions.push_back(command);
    calls.push_back("direct");
  }
  void save(const std::string& folder) override { calls.push_back("save " + folder); }
  std::optional<RunnerUpdate> take() override {
    if (mailbox.empty()) return std::nullopt;
    RunnerUpdate update = std::move(mailbox.front());
    mailbox.pop_front();
    return update;
  }

  void push(RunnerUpdate update) { mailbox.push_back(std::move(update)); }
  int64_t count(const std::string& call) const {
    return std::count(calls.begin(), calls.end(), call);
  }

  std::deque<RunnerUpdate> mailbox;
  std::vector<std::string> calls;
  std::vector<InterventionConfig> interventions;
  std::vector<RunConfig> configured;
  std::vector<ModelSource> inspected;
  std::vector<StateQuestion> questions;
  std::vector<TaskQuestion> task_questions;
  std::vector<RunConfig> scored, estimated, searched;
  std::vector<GenerationRequest> requests;
  std::vector<std::pair<RunConfig, ExperimentPlan>> experiments;
  std::vector<ArmCommand> directions;
  std::vector<SamplingConfig> samplings;
  std::vector<std::vector<StateEdit>> edits;
  RunConfig loaded;
  double run_seconds = 0;
};

// Invented curves with the shape of real ones: a model of two layers that fails past T = 64 and
// mends under training. One take() is one moment: a step while running, a part of the sweep while
// measuring. The same calls give the same curves.
class AnimatedRunner : public FakeRunner {
 public:
  void load(const RunConfig& config) override {
    FakeRunner::load(config);
    recipe_ = config;
    restart();
  }
  void run() override {
    FakeRunner::run();
    if (state_ != RunState::kPaused) steps_ = step_ + recipe_.train.steps;
    state_ = RunState::kRunning;
  }
  void pause() override { become(RunState::kPaused); }
  void step() override {
    if (state_ != RunState::kPaused) steps_ = step_ + recipe_.train.steps;
    train_one();
    become(RunState::kPaused);
  }
  void stop() override {
    FakeRunner::stop();
    become(RunState::kReady);
  }
  void reset() override {
    FakeRunner::reset();
    restart();
  }
  void set_intervention(const InterventionConfig& config) override {
    FakeRunner::set_intervention(config);
    if (config.kind != recipe_.intervention.kind) {
      std::string name = to_string(config.kind);
      std::replace(name.begin(), name.end(), '-', ' ');
      next_.events.push_back({step_, "intervention", name + " from here"});
    }
    recipe_.intervention = config;
  }
  void configure(const RunConfig& config) override {
    FakeRunner::configure(config);
    recipe_ = config;
  }

  std::optional<RunnerUpdate> take() override {
    if (epoch_ == 0) return std::nullopt;
    if (state_ == RunState::kRunning) train_one();
    if (sweep_ < 1) advance_sweep();
    RunnerUpdate out = std::move(next_);
    next_ = {};
    out.epoch = epoch_;
    out.state = sweep_ < 1 && state_ != RunState::kRunning ? RunState::kEvaluating : state_;
    out.phase = out.state == RunState::kEvaluating ? "perplexity and state" : "";
    out.progress = sweep_;
    out.seconds_left = static_cast<double>(steps_ - step_) * 0.13;
    out.step = step_;
    out.steps = steps_;
    out.tokens_per_second = 118000 + 900 * noise(step_, 3);
    out.memory_bytes = 212LL << 20;
    out.threads = 2;
    out.intervention = recipe_.intervention;
    out.model = model_;
    out.data = data_;
    out.recipe = std::make_shared<RunConfig>(recipe_);
    return out;
  }

  static constexpr int64_t kContext = 64;
  int64_t layers = 2, heads = 4;

 protected:
  static double noise(int64_t i, int64_t salt) {
    uint64_t h = static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15ULL +
                 static_cast<uint64_t>(salt) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 31)) * 0x94D049BB133111EBULL;
    return static_cast<double>((h ^ (h >> 29)) >> 11) / 4503599627370496.0 - 1;
  }

 private:
  void become(RunState state) {
    state_ = state;
    if (state_ == RunState::kReady) sweep_ = 1;
  }

  void restart() {
    ++epoch_;
    next_ = {};
    step_ = steps_ = 0;
    sweep_ = 0;
    measured_kind_ = recipe_.intervention.kind;
    mended_.fill(0);
    state_ = RunState::kReady;
    auto model = std::make_shared<ModelInfo>();
    model->name = recipe_.model.model;
    model->architecture = "Mamba-2";
    model->parameters = 77068;
    model->layers = layers;
    model->heads = heads;
    model->head_dim = model->state_dim = 64;
    model->trained_context = kContext;
    model->trained_with = "zero";
    model_ = model;
    auto data = std::make_shared<DataInfo>();
    data->name = recipe_.data.path.empty() ? "generated text" : recipe_.data.path;
    data->train_tokens = 3774873;
    data->held_out_tokens = 419430;
    data_ = data;
    begin_measurement();
  }

  void train_one() {
    ++step_;
    const auto k = static_cast<size_t>(recipe_.intervention.kind);
    mended_[k] = std::min(1.0, mended_[k] + 0.012);
    const double s = static_cast<double>(step_);
    next_.train_points.push_back({step_, 0.03 + 0.62 * std::exp(-s / 70) + 0.02 * noise(step_, 1),
                                  0.4, recipe_.train.learning_rate, 118000});
    if (step_ >= steps_) state_ = RunState::kReady;
    if (step_ % 10 == 0) {
      begin_measurement();
      sweep_ = 1;
      publish();
    }
  }

  void begin_measurement() {
    ++measurement_;
    sweep_ = 0;
    measured_step_ = step_;
    measured_kind_ = recipe_.intervention.kind;
  }

  void advance_sweep() {
    sweep_ = std::min(1.0, sweep_ + 0.25);
    publish();
  }

  // How far past T the model still fails: 1 untouched, 0 mended.
  double failure() const {
    static constexpr double kFloor[kInterventionCount] = {0.96, 0.25, 0.18, 0.04,
                                                          0.02, 0.08, 0.05};
    const auto k = static_cast<size_t>(measured_kind_);
    return measured_step_ == 0 ? 1 : 1 + (kFloor[k] - 1) * mended_[k];
  }

  void publish() {
    auto m = std::make_shared<Measurement>();
    m->epoch = epoch_;
    m->step = measured_step_;
    m->id = measurement_;
    m->intervention = measured_kind_;
    m->recipe = recipe_;
    m->complete = sweep_ >= 1;
    const double reach = std::pow(static_cast<double>(recipe_.measure.length), sweep_);
    const Series bins = binned(reach);
    m->series.push_back(perplexity(bins));
    for (int64_t layer = 0; layer < layers; ++layer) {
      for (int64_t head = 0; head < heads; ++head) add_state(*m, bins, layer, head);
    }
    if (m->complete) add_effrem(*m);
    next_.measurements.push_back(m);
  }

  Series binned(double reach) const {
    Series s;
    s.x_name = "position";
    int64_t begin = 1;
    for (int i = 1; static_cast<double>(begin) < reach; ++i) {
      const auto end = std::max<int64_t>(
          begin + 1, std::llround(std::exp2(static_cast<double>(i) /
                                            static_cast<double>(recipe_.measure.bins_per_octave))));
      if (static_cast<double>(end) > reach + 1) break;
      s.bin_begin.push_back(begin);
      s.bin_end.push_back(end);
      s.x.push_back(0.5 * static_cast<double>(begin + end - 1));
      begin = end;
    }
    s.sequences = recipe_.measure.sequences;
    return s;
  }

  static double past(double position) {  // 0 within T, rising to 1 beyond
    const double octaves = std::log2(position / kContext);
    return 1 / (1 + std::exp(-2.2 * (octaves - 1.1)));
  }

  Series perplexity(Series s) const {
    s.name = s.unit = "perplexity";
    for (size_t i = 0; i < s.x.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      const double y = 1.02 + 1.05 * past(s.x[i]) * failure() +
                       0.02 * noise(at, measured_step_ + 7) + 0.25 * std::exp(-s.x[i] / 2);
      const double half = 0.02 + 0.03 * past(s.x[i]) * failure();
      s.y.push_back(y);
      s.lower.push_back(y - half);
      s.upper.push_back(y + half);
    }
    return s;
  }

  void add_state(Measurement& m, const Series& bins, int64_t layer, int64_t head) const {
    for (const auto& [name, size] : {std::pair("state_norm", 50.0), std::pair("state_std", 0.8),
                                     std::pair("state_max", 4.0)}) {
      Series s = bins;
      s.name = name;
      s.unit = "1";
      s.layer = layer;
      s.head = head;
      const double growth = 0.4 + 0.3 * static_cast<double>((head * 5 + layer * 3) % 7);
      for (size_t i = 0; i < s.x.size(); ++i) {
        const double settled = 1 - 0.62 * std::exp(-s.x[i] / 24);
        s.y.push_back(size * (settled + growth * past(s.x[i]) * failure()) *
                      (1 + 0.03 * noise(static_cast<int64_t>(i), layer * 64 + head)));
      }
      if (name == std::string("state_norm")) add_drift(m, s);
      m.series.push_back(std::move(s));
    }
    if (recipe_.measure.wants("dynamics")) add_dynamics(m, bins, layer, head);
  }

  static void add_drift(Measurement& m, Series s) {
    s.name = "state_drift";
    const auto bin = std::find_if(s.bin_end.begin(), s.bin_end.end(),
                                  [](int64_t end) { return end > kContext; });
    if (bin == s.bin_end.end()) return;
    const double at_t = s.y[static_cast<size_t>(bin - s.bin_end.begin())];
    for (double& y : s.y) y /= at_t;
    m.series.push_back(std::move(s));
  }

  static void add_dynamics(Measurement& m, Series s, int64_t layer, int64_t head) {
    const double half_life = 2 + 9 * static_cast<double>((layer * 11 + head * 7) % 23);
    const double decay = std::exp2(-1 / half_life);
    s.layer = layer;
    s.head = head;
    for (const auto& [name, y] :
         {std::pair("half_life", half_life), std::pair("decay_mean", decay),
          std::pair("write_share", 1 - decay), std::pair("dt_mean", 0.3 * (1 - decay))}) {
      s.name = name;
      s.y.assign(s.x.size(), y);
      m.series.push_back(s);
    }
  }

  // As total variation with its quantiles over sequences, and as the other distances.
  void add_effrem(Measurement& m) const {
    const Series mean = effrem();
    for (const auto& [name, scale] :
         {std::pair("effrem", 1.0), std::pair("effrem_q10", 0.7), std::pair("effrem_q90", 1.2),
          std::pair("effrem_js", 0.4), std::pair("effrem_kl", 2.5)}) {
      Series s = mean;
      s.name = name;
      for (double& y : s.y) y *= scale;
      m.series.push_back(std::move(s));
    }
    Series agreement = mean;
    agreement.name = "effrem_agreement";
    for (double& y : agreement.y) y = 1 - 0.9 * y;
    m.series.push_back(std::move(agreement));
  }

  Series effrem() const {
    Series s;
    s.name = "effrem";
    s.x_name = "dropped_tokens";
    s.unit = "1";
    const auto n = static_cast<double>(recipe_.measure.length);
    const auto points = static_cast<int>(recipe_.measure.effrem_points);
    for (int i = 0; i < points; ++i) {
      const double t = std::round(n * i / (points - 1));
      const double share = t / n;
      const double fails = 0.45 * (1 - std::exp(-share * 7));
      const double mended = 0.011 + 0.02 * share * share + 0.8 * std::pow(share, 24);
      s.x.push_back(t);
      s.y.push_back(i == 0 ? 0 : failure() * fails + (1 - failure()) * mended);
    }
    return s;
  }

  uint64_t epoch_ = 0, measurement_ = 0;
  RunState state_ = RunState::kIdle;
  RunConfig recipe_;
  std::shared_ptr<const ModelInfo> model_;
  std::shared_ptr<const DataInfo> data_;
  RunnerUpdate next_;
  int64_t step_ = 0, steps_ = 0, measured_step_ = 0;
  Intervention measured_kind_ = Intervention::kZero;
  double sweep_ = 1;
  std::array<double, kInterventionCount> mended_{};
};

}  // namespace farstate::testing
