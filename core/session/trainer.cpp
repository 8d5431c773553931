// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/stop.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/models/placement.h"
#include "core/ops/tensor_memory.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRecord = "farstate.training/1";  // key of the metadata, and its version

[[noreturn]] void fail(const TensorTable& file, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", file.source(), why));
}

// The rate falls to this share of its peak by the end of a cosine schedule.
constexpr double kCosineFloor = 0.1;

at::Tensor curve_tensor(const std::vector<TrainPoint>& points) {
  at::Tensor curve = at::empty({static_cast<int64_t>(points.size()), 5}, at::kDouble);
  double* out = curve.data_ptr<double>();
  for (const TrainPoint& p : points) {
    for (const double v : {static_cast<double>(p.step), p.loss, p.grad_norm, p.learning_rate,
                           p.tokens_per_second}) {
      *out++ = v;
    }
  }
  return curve;
}

std::vector<TrainPoint> curve_points(const at::Tensor& curve) {
  std::vector<TrainPoint> points;
  const double* in = curve.data_ptr<double>();
  for (int64_t i = 0; i < curve.size(0); ++i, in += 5) {
    points.push_back({static_cast<int64_t>(in[0]), in[1], in[2], in[3], in[4]});
  }
  return points;
}

Json record_of(const TensorTable& file) {
  const auto found = file.metadata.find(kRecord);
  if (found == file.metadata.end()) {
    fail(file, "it is not a training checkpoint of this version of Farstate.");
  }
  Json record = parse_json(found->second);
  if (!record.is_object() || !record.contains("recipe") || !record.contains("steps")) {
    fail(file, "its record of the run is damaged.");
  }
  return record;
}

void restore_into(const TensorTable& file, const std::string& name, const at::Tensor& target) {
  if (file.at(name).shape != target.sizes().vec()) {
    fail(file, fmt::format("the tensor \"{}\" is of another model.", name));
  }
  copy_into(file.at(name), target);
}

PolicyMemory saved_memory(const TensorTable& file) {
  PolicyMemory memory;
  const std::string prefix = "policy.";
  for (const std::string& name : file.names()) {
    if (name.starts_with(prefix)) memory[name.substr(prefix.size())] = tensor_of(file, name);
  }
  return memory;
}

// Laws of noise draw and fit on the CPU, whose numbers are the same everywhere; a state that is passed
// on stays where it is.
bool law_lives_with_model(const InterventionConfig& config) {
  return config.kind == Intervention::kZero || config.kind == Intervention::kStatePassing ||
         config.kind == Intervention::kTbtt;
}

// Of a device's windows: brought to the laws that fit on the CPU, and only to them.
BatchPass seen_by(const InterventionConfig& law, BatchPass pass) {
  const bool draws_alone = law.kind == Intervention::kRandomNoise;
  if (pass.final_state.empty() || law_lives_with_model(law) || draws_alone) return pass;
  pass.final_state = moved_to(pass.final_state, at::kCPU);
  for (at::Tensor& of_layer : pass.stats) of_layer = of_layer.defined() ? of_layer.cpu() : of_layer;
  return pass;
}

}  // namespace

Trainer::Trainer(RecurrentLM& model, const Corpus& corpus, const RunConfig& config)
    : model_(model),
      corpus_(corpus),
      config_(config),
      now_(at_step(config, 0)),
      optimizer_(model, config.train),
      law_(make_law(now_.intervention)) {}

// The memory that its steps hand on to one another is of no use to what comes next.
Trainer::~Trainer() { ops::release_tensor_memory(); }

Trainer::Law Trainer::make_law(const InterventionConfig& config) const {
  const at::Device place = law_lives_with_model(config) ? device_of(model_) : at::Device(at::kCPU);
  return {config, make_policy(config, moved_to(model_.zero_state(1), place), config_.seed)};
}

// What changed twice before a step has changed once, and what was changed back has not.
void Trainer::change(const RunConfig& next) {
  RunConfig recipe = config_;
  std::erase_if(recipe.changes, [&](const RecipeChange& c) { return c.step == steps_; });
  const std::vector<RecipeChange> made = changes_between(at_step(recipe, steps_), next, steps_);
  const auto later = std::find_if(recipe.changes.begin(), recipe.changes.end(),
                                  [&](const RecipeChange& c) { return c.step > steps_; });
  recipe.changes.insert(later, made.begin(), made.end());
  validate(recipe);
  config_ = std::move(recipe);
  now_ = at_step(config_, steps_);
}

// A constant rate does not know how long a run will be, so its length is no part of what was done.
void Trainer::set_planned_steps(int64_t steps) {
  if (steps == now_.train.steps) return;
  if (now_.train.schedule == "constant" || steps_ == 0) {
    config_.train.steps = steps;
    now_.train.steps = steps;
    return;
  }
  RunConfig next = now_;
  next.train.steps = steps;
  change(next);
}

Trainer::Law Trainer::apply_changes() {
  now_ = at_step(config_, steps_);
  if (now_.intervention == law_.config) return {};
  Law next = make_law(now_.intervention);
  // A change of a setting keeps what the law remembers; a change of the law begins anew.
  if (next.config.kind == law_.config.kind) next.policy->restore(law_.policy->memory());
  return std::exchange(law_, std::move(next));
}

void Trainer::tell_changes(bool of_law) {
  if (of_law) add_event("change", fmt::format("{} from here", law_.policy->describe()));
  for (const RecipeChange& c : config_.changes) {
    if (c.step != steps_ || c.key.starts_with("intervention.")) continue;
    add_event("change", fmt::format("{} {} from here", c.key, c.value));
  }
}

void Trainer::add_event(const std::string& kind, const std::string& text) {
  events_.push_back({steps_, kind, text});
}

bool Trainer::healthy() const {
  const double most = now_.train.divergence;
  return skips_ == 0 && (most == 0 || (watch_.rise() <= most / 2 && watch_.last_rise() <= most));
}

double Trainer::learning_rate(int64_t step) const {
  const TrainConfig& t = now_.train;
  const double rise = std::min(static_cast<double>(step + 1) / static_cast<double>(t.warmup + 1), 1.0);
  if (t.schedule == "constant" || step < t.warmup) return t.learning_rate * rise;
  const auto span = static_cast<double>(std::max<int64_t>(t.steps - t.warmup, 1));
  const double share = std::min(static_cast<double>(step - t.warmup) / span, 1.0);
  const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * share));
  return t.learning_rate * (kCosineFloor + (1.0 - kCosineFloor) * wave);
}

Batch Trainer::draw_batch(int64_t step) {
  const int64_t B = config_.train.batch;
  const int64_t T = config_.train.context;
  Batch batch{at::empty({B, T + 1}, at::kLong), {}};
  const std::span<int64_t> out(batch.tokens.data_ptr<int64_t>(),
                               static_cast<size_t>(batch.tokens.numel()));
  std::vector<uint8_t> counted(corpus_.counted.empty() ? 0 : static_cast<size_t>(B * T));
  if (continues_text(now_.intervention)) {
    std::vector<uint8_t> restarts(static_cast<size_t>(B));
    draw_lanes(corpus_, step, B, T, out, restarts, counted);
    law_.policy->restart(restarts);
  } else {
    draw_windows(corpus_, config_.seed, step, B, T, out, counted);
  }
  if (!counted.empty()) {
    batch.counted = at::from_blob(counted.data(), {B, T}, at::kByte).to(at::kBool);
  }
  return batch;
}

// A window follows from its own number, so that a set that was read in part goes on as it began.
void Trainer::read_fixed_set() {
  const int64_t T = config_.train.context;
  InitialStatePolicy& law = *law_.policy;
  for (FixedSet set = law.fixed_set(); !set.whole(); set = law.fixed_set()) {
    const int64_t rows = std::min(rows_at_once(now_.train), set.count - set.next);
    const at::Tensor tokens = at::empty({rows, T + 1}, at::kLong);
    for (int64_t row = 0; row < rows; ++row) {
      draw_windows(corpus_, config_.seed, set.next + row, 1, T,
                   {tokens.data_ptr<int64_t>() + row * (T + 1), static_cast<size_t>(T + 1)},
                   /*counted=*/{}, RngStream::kFittedSet);
    }
    const BatchPass pass = read_only(model_, tokens, now_.train, law.stat_positions(T));
    const BatchPass seen = seen_by(law_.config, pass);
    law.read({seen.final_state, seen.stats});
  }
}

TrainPoint Trainer::step() {
  const auto start = std::chrono::steady_clock::now();
  Law replaced = apply_changes();
  const TrainConfig& t = now_.train;
  TrainPoint point;
  point.step = steps_ + 1;
  point.learning_rate = learning_rate(steps_);
  BatchPass pass;
  try {
    read_fixed_set();
    pass = add_gradients(model_, draw_batch(steps_),
                         moved_to(law_.policy->initial(t.batch, steps_), device_of(model_)), t,
                         law_.policy->stat_positions(t.context));
    point.loss = pass.loss;
    if (std::isfinite(point.loss)) point.grad_norm = optimizer_.clip_gradients(t.clip);
  } catch (...) {  // a change that comes before this step is tried again is not to find another memory
    drop_gradients(model_);
    if (replaced.policy != nullptr) law_ = std::move(replaced);
    throw;
  }
  const bool finite = std::isfinite(point.loss) && std::isfinite(point.grad_norm);
  if (finite) {
    optimizer_.step(point.learning_rate);
    const BatchPass seen = seen_by(law_.config, std::move(pass));
    law_.policy->observe({seen.final_state, seen.stats});
  } else {
    drop_gradients(model_);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  point.tokens_per_second = static_cast<double>(t.batch * t.context) / seconds.count();
  if (replaced.policy != nullptr) watch_.begin_anew();
  tell_changes(replaced.policy != nullptr);
  finite ? keep(point) : pass_over(point);
  return points_.back();
}

void Trainer::keep(const TrainPoint& point) {
  ++steps_;
  skips_ = 0;
  points_.push_back(point);
  watch_.add(point.loss);
  const double most = now_.train.divergence;
  if (most == 0 || watch_.rise() <= most) return;
  throw Error(ErrorKind::kDiverged,
              fmt::format("Training diverged: by step {} the mean loss of {} steps is {:.3g} nats above "
                          "its smallest. Go on from an earlier save with a smaller learning rate, or a "
                          "smaller sigma.",
                          steps_, LossWatch::kSteps, watch_.rise()));
}

// Another batch may be fine: the step counts, so that the next one draws other windows.
void Trainer::pass_over(TrainPoint point) {
  const bool of_loss = !std::isfinite(point.loss);
  const double value = of_loss ? point.loss : point.grad_norm;
  const std::string what = fmt::format("the {} is {}", of_loss ? "loss" : "gradient norm",
                                       std::isnan(value) ? "nan" : fmt::format("{}", value));
  // Nothing comes after the last step that could show the weights to be sound.
  if (skips_ >= now_.train.most_skips || point.step >= now_.train.steps) {
    throw Error(ErrorKind::kDiverged,
                fmt::format("Training diverged at step {}: {}{}. The weights are those before this "
                            "step; try a smaller learning rate, or a smaller sigma.",
                            point.step, what,
                            skips_ > 0 ? fmt::format(", after {} steps that were passed over", skips_)
                                       : ""));
  }
  add_event("skipped", fmt::format("step {} was passed over: {}", point.step, what));
  ++steps_;
  ++skips_;
  point.loss = std::numeric_limits<double>::quiet_NaN();
  point.grad_norm = std::numeric_limits<double>::quiet_NaN();
  points_.push_back(point);
}

void Trainer::save(const std::string& path) const {
  for (const TensorEntry& entry : model_.tensors()) {
    if (entry.tensor.isfinite().all().item<bool>()) continue;
    throw Error(ErrorKind::kDiverged,
                fmt::format("Training diverged: after step {} the weight \"{}\" is not finite. It was "
                            "not saved; try a smaller learning rate.",
                            steps(), entry.name));
  }
  NamedTensors tensors;
  for (const TensorEntry& entry : model_.tensors()) {
    tensors.emplace_back("model." + entry.name, entry.tensor);
  }
  for (const auto& [name, tensor] : optimizer_.moments()) {
    tensors.emplace_back("adamw." + name, tensor);
  }
  for (const auto& [name, tensor] : law_.policy->memory()) {
    tensors.emplace_back("policy." + name, tensor);
  }
  tensors.emplace_back("curve", curve_tensor(points_));

  Json record;
  record["steps"] = steps_;
  record["updates"] = optimizer_.steps();
  record["recipe"] = Json::parse(to_json(config_));
  record["events"] = Json::array();
  for (const RunEvent& event : events_) {
    record["events"].push_back({{"step", event.step}, {"kind", event.kind}, {"text", event.text}});
  }
  write_safetensors(path, tensors, {{kRecord, record.dump()}});
}

RunConfig Trainer::saved_config(const TensorTable& file) {
  return run_config_from_json(record_of(file)["recipe"].dump());
}

int64_t Trainer::saved_steps(const TensorTable& file) {
  const Json record = record_of(file);
  if (!record["steps"].is_number_integer()) fail(file, "its record of the run is damaged.");
  return record["steps"].get<int64_t>();
}

std::optional<FittedGaussians> Trainer::saved_fit(const TensorTable& file,
                                                  const RecurrentLM& model) {
  try {
    // A change after the last step has not come into force.
    const RunConfig config = at_step(saved_config(file), saved_steps(file) - 1);
    const auto law = make_policy(config.intervention, model.zero_state(1), config.seed);
    law->restore(saved_memory(file));
    return law->fitted();
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {
    fail(file, "it is damaged, or of another version of Farstate.");
  }
}

void Trainer::restore(const TensorTable& file) {
  try {
    restore_all(file);
  } catch (const Error&) {
    throw;
  } catch (const std::exception&) {  // of the JSON library, a missing key, a tensor that won't fit
    fail(file, "it is damaged, or of another version of Farstate.");
  }
}

void Trainer::restore_all(const TensorTable& file) {
  const at::NoGradGuard no_grad;
  const Json record = record_of(file);
  for (const TensorEntry& entry : model_.tensors()) {
    restore_into(file, "model." + entry.name, entry.tensor);
  }
  for (const auto& [name, tensor] : optimizer_.moments()) restore_into(file, "adamw." + name, tensor);
  steps_ = record["steps"].get<int64_t>();
  optimizer_.set_steps(record.value("updates", steps_));
  config_ = run_config_from_json(record["recipe"].dump());
  // The memory is that of the last step's law; a change at steps_ is put into force by the next one.
  law_ = make_law(at_step(config_, steps_ - 1).intervention);
  now_ = at_step(config_, steps_);
  law_.policy->restore(saved_memory(file));
  if (file.at("curve").dtype != DType::kF64 ||
      file.at("curve").shape != std::vector<int64_t>{steps_, 5}) {
    fail(file, fmt::format("its curve does not have the {} steps that its record names.", steps_));
  }
  points_ = curve_points(tensor_of(file, "curve"));
  events_.clear();
  for (const Json& event : record.value("events", Json::array())) {
    events_.push_back({event.value("step", int64_t{0}), event.value("kind", ""),
                       event.value("text", "")});
  }
  read_back();
}

void Trainer::read_back() {
  watch_.begin_anew();
  skips_ = 0;
  int64_t law_from = 0;  // the last change of the law
  for (const RecipeChange& c : config_.changes) {
    if (c.step < steps_ && c.key.starts_with("intervention.")) law_from = c.step;
  }
  for (const TrainPoint& point : points_) {
    skips_ = std::isfinite(point.loss) ? 0 : skips_ + 1;
    if (point.step > law_from && std::isfinite(point.loss)) watch_.add(point.loss);
  }
}

void Trainer::fork_from(const Trainer& parent) {
  const at::NoGradGuard no_grad;
  const std::vector<TensorEntry> sources = parent.model_.tensors();
  const std::vector<TensorEntry> targets = model_.tensors();
  for (size_t i = 0; i < targets.size(); ++i) targets[i].tensor.copy_(sources[i].tensor);
  const auto from = parent.optimizer_.moments();
  const auto to = optimizer_.moments();
  for (size_t i = 0; i < to.size(); ++i) to[i].second.copy_(from[i].second);
  optimizer_.set_steps(parent.optimizer_.steps());
  config_ = parent.config_;
  now_ = parent.now_;
  law_ = make_law(parent.law_.config);
  law_.policy->restore(parent.law_.policy->memory());
  steps_ = parent.steps_;
  points_ = parent.points_;
  events_ = parent.events_;
  read_back();
}

}  // namespace farstate
