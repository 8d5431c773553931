// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/stop.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/models/unroll.h"

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

int64_t rows_at_once(const TrainConfig& train) {
  return train.micro_batch > 0 ? train.micro_batch : train.batch;
}

// Groups of rows of [L][b,…] as [L][B,…].
std::vector<at::Tensor> row_by_row(std::vector<std::vector<at::Tensor>>& groups) {
  if (groups.size() == 1) return std::move(groups.front());
  std::vector<at::Tensor> layers;
  for (size_t layer = 0; layer < groups.front().size(); ++layer) {
    std::vector<at::Tensor> rows;
    for (const std::vector<at::Tensor>& group : groups) rows.push_back(group[layer]);
    layers.push_back(at::cat(rows));
  }
  return layers;
}

void drop_gradients(const RecurrentLM& model) {
  for (const TensorEntry& entry : model.tensors()) entry.tensor.mutable_grad().reset();
}

void restore_into(const TensorTable& file, const std::string& name, const at::Tensor& target) {
  if (file.at(name).shape != target.sizes().vec()) {
    fail(file, fmt::format("the tensor \"{}\" is of another model.", name));
  }
  copy_into(file.at(name), target);
}

}  // namespace

Trainer::Trainer(RecurrentLM& model, const Corpus& corpus, const RunConfig& config)
    : model_(model), corpus_(corpus), config_(config), optimizer_(model, config.train) {
  set_intervention(config.intervention);
  events_.clear();  // the intervention that a run starts with is its recipe, not an event
}

void Trainer::set_intervention(const InterventionConfig& config) {
  auto policy = make_policy(config, model_.zero_state(1), config_.seed);
  // A change of a setting keeps what the law remembers; a change of the law begins anew.
  const bool same_law = policy_ != nullptr && config.kind == config_.intervention.kind;
  if (same_law) policy->restore(policy_->memory());
  config_.intervention = config;
  policy_ = std::move(policy);
  add_event("intervention", fmt::format("{} from here", policy_->describe()));
}

void Trainer::set_learning_rate(double rate) {
  if (rate == config_.train.learning_rate) return;
  config_.train.learning_rate = rate;
  add_event("learning rate", fmt::format("learning rate {} from here", rate));
}

void Trainer::add_event(const std::string& kind, const std::string& text) {
  events_.push_back({steps(), kind, text});
}

double Trainer::learning_rate(int64_t step) const {
  const TrainConfig& t = config_.train;
  const double rise = std::min(static_cast<double>(step + 1) / static_cast<double>(t.warmup + 1), 1.0);
  if (t.schedule == "constant" || step < t.warmup) return t.learning_rate * rise;
  const auto span = static_cast<double>(std::max<int64_t>(t.steps - t.warmup, 1));
  const double share = std::min(static_cast<double>(step - t.warmup) / span, 1.0);
  const double wave = 0.5 * (1.0 + std::cos(std::numbers::pi * share));
  return t.learning_rate * (kCosineFloor + (1.0 - kCosineFloor) * wave);
}

at::Tensor Trainer::draw_tokens(int64_t step) {
  const int64_t B = config_.train.batch;
  const int64_t T = config_.train.context;
  at::Tensor tokens = at::empty({B, T + 1}, at::kLong);
  const std::span<int64_t> out(tokens.data_ptr<int64_t>(), static_cast<size_t>(tokens.numel()));
  if (continues_text(config_.intervention)) {
    std::vector<uint8_t> restarts(static_cast<size_t>(B));
    draw_lanes(corpus_, step, B, T, out, restarts);
    policy_->restart(restarts);
  } else {
    draw_windows(corpus_, config_.seed, step, B, T, out);
  }
  return tokens;
}

// A window follows from its own number, so that a set that was read in part goes on as it began.
void Trainer::read_fixed_set() {
  const at::NoGradGuard no_grad;
  const int64_t T = config_.train.context;
  const int64_t group = rows_at_once(config_.train);
  const std::vector<int64_t> positions = policy_->stat_positions(T);
  for (FixedSet set = policy_->fixed_set(); !set.whole(); set = policy_->fixed_set()) {
    const int64_t rows = std::min(group, set.count - set.next);
    const at::Tensor tokens = at::empty({rows, T + 1}, at::kLong);
    for (int64_t row = 0; row < rows; ++row) {
      draw_windows(corpus_, config_.seed, set.next + row, 1, T,
                   {tokens.data_ptr<int64_t>() + row * (T + 1), static_cast<size_t>(T + 1)},
                   RngStream::kFittedSet);
    }
    std::vector<at::Tensor> stats;
    const ModelState state = unroll(
        model_, tokens.slice(1, 0, T), {}, {.segment = T, .stat_positions = positions},
        [&](const UnrollSegment& segment) { stats = segment.result.stats; });
    policy_->read({state, stats});
  }
}

// By groups of rows: the batch's loss is the mean over all of its tokens, so a group's mean counts
// by its share of the rows.
Trainer::Pass Trainer::forward_backward(const at::Tensor& tokens, const ModelState& initial) {
  const int64_t B = tokens.size(0);
  const int64_t T = tokens.size(1) - 1;
  const int64_t group = rows_at_once(config_.train);
  const std::vector<int64_t> positions = policy_->stat_positions(T);
  std::vector<std::vector<at::Tensor>> stats;  // by group
  Pass pass;
  std::vector<ModelState> final_states;
  for (int64_t first = 0; first < B; first += group) {
    const int64_t last = std::min(first + group, B);
    const at::Tensor rows = tokens.slice(0, first, last);
    const at::Tensor targets = rows.slice(1, 1, T + 1).reshape({-1});
    const double share = static_cast<double>(last - first) / static_cast<double>(B);
    at::Tensor loss;
    ModelState state = unroll(
        model_, rows.slice(1, 0, T), initial.empty() ? ModelState{} : initial.rows(first, last),
        {.segment = T, .stat_positions = positions}, [&](const UnrollSegment& segment) {
          stats.push_back(segment.result.stats);
          loss = nll(model_, segment.result.hidden.flatten(0, 1), targets).mean();
        });
    pass.loss += share * loss.item<double>();
    if (!std::isfinite(pass.loss)) return pass;
    (group < B ? loss * share : loss).backward();
    final_states.push_back(state.detach());
  }
  pass.final_state = final_states.size() == 1 ? std::move(final_states.front())
                                              : ModelState::concatenate(final_states);
  pass.stats = row_by_row(stats);
  return pass;
}

TrainPoint Trainer::step() {
  const auto start = std::chrono::steady_clock::now();
  const int64_t step = steps();
  const int64_t T = config_.train.context;
  read_fixed_set();
  const at::Tensor tokens = draw_tokens(step);
  TrainPoint point;
  point.step = step + 1;
  Pass pass;
  try {
    pass = forward_backward(tokens, policy_->initial(config_.train.batch, step));
    point.loss = pass.loss;
    if (std::isfinite(point.loss)) {
      point.grad_norm = optimizer_.clip_gradients(config_.train.clip);
    }
  } catch (...) {
    drop_gradients(model_);
    throw;
  }
  if (!std::isfinite(point.loss) || !std::isfinite(point.grad_norm)) {
    drop_gradients(model_);
    throw Error(ErrorKind::kDiverged,
                fmt::format("Training diverged at step {}: the {} is {}. The weights are those "
                            "before this step; try a smaller learning rate, or a smaller sigma.",
                            point.step, std::isfinite(point.loss) ? "gradient norm" : "loss",
                            std::isfinite(point.loss) ? point.grad_norm : point.loss));
  }
  point.learning_rate = learning_rate(step);
  optimizer_.step(point.learning_rate);
  policy_->observe({pass.final_state, pass.stats});

  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  point.tokens_per_second = static_cast<double>(config_.train.batch * T) / seconds.count();
  points_.push_back(point);
  return point;
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
  for (const auto& [name, tensor] : policy_->memory()) {
    tensors.emplace_back("policy." + name, tensor);
  }
  tensors.emplace_back("curve", curve_tensor(points_));

  Json record;
  record["steps"] = steps();
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
  optimizer_.set_steps(record["steps"].get<int64_t>());

  PolicyMemory memory;
  const std::string prefix = "policy.";
  for (const std::string& name : file.names()) {
    if (name.starts_with(prefix)) memory[name.substr(prefix.size())] = tensor_of(file, name);
  }
  policy_->restore(memory);
  const int64_t steps_done = record["steps"].get<int64_t>();
  if (file.at("curve").dtype != DType::kF64 ||
      file.at("curve").shape != std::vector<int64_t>{steps_done, 5}) {
    fail(file, fmt::format("its curve does not have the {} steps that its record names.", steps_done));
  }
  points_ = curve_points(tensor_of(file, "curve"));
  events_.clear();
  for (const Json& event : record.value("events", Json::array())) {
    events_.push_back({event.value("step", int64_t{0}), event.value("kind", ""),
                       event.value("text", "")});
  }
}

}  // namespace farstate
