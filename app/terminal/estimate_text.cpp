// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/estimate_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/terminal/terminal.h"

namespace farstate {
namespace {

std::string gigabytes(int64_t bytes) { return short_bytes(static_cast<double>(bytes)); }

double seconds_of_all(const TrainingEstimate& e, int64_t runs, int64_t measurements) {
  return static_cast<double>(runs) * e.seconds_total +
         static_cast<double>(measurements) * e.seconds_measuring;
}

}  // namespace

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string parts_of(const TrainingMemory& memory) {
  std::vector<std::pair<int64_t, const char*>> parts = {
      {memory.weights, "weights"},         {memory.moments, "optimizer moments"},
      {memory.gradients, "gradients"},     {memory.activations, "activations"},
      {memory.states, "initial and final states"}, {memory.process, "the program itself"}};
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [bytes, name] : parts) words.push_back(fmt::format("{} {}", name, gigabytes(bytes)));
  return fmt::format("{}", fmt::join(words, ", "));
}

nlohmann::ordered_json json_of(const TrainingMemory& memory) {
  return {{"process", memory.process},         {"weights", memory.weights},
          {"moments", memory.moments},         {"gradients", memory.gradients},
          {"activations", memory.activations}, {"states", memory.states}};
}

void print_estimate(const TrainingEstimate& e, int64_t runs, int64_t measurements) {
  if (e.measured_seconds > 0) {
    fmt::print("measured         {} of this work, {} tokens; the times are extrapolated from it\n",
               duration(e.measured_seconds), e.measured_tokens);
    fmt::print("a step           about {}\n", duration(e.seconds_per_step));
    fmt::print("{:<16} about {}\n", fmt::format("{} steps", e.steps), duration(e.seconds_total));
    if (measurements > 0) {
      fmt::print("a measurement    about {}\n", duration(e.seconds_measuring));
      fmt::print("in all           about {}: {} trainings, {} measurements\n",
                 duration(seconds_of_all(e, runs, measurements)), runs, measurements);
    }
  } else {
    fmt::print("time             not measured, since it does not fit into memory\n");
  }
  fmt::print("memory           about {} to train (predicted): {}\n", gigabytes(e.memory.total()),
             parts_of(e.memory));
  if (e.measuring_bytes > 0) {
    fmt::print("                 about {} to measure (predicted)\n", gigabytes(e.measuring_bytes));
  }
  fmt::print("available        {}\n",
             e.bytes_available > 0 ? gigabytes(e.bytes_available) : "not known");
  if (!e.fits) fmt::print("It does not fit; {}.\n", e.advice);
  for (const std::string& note : e.notes) fmt::print("Note: {}\n", note);
}

std::string short_estimate(const TrainingEstimate& e, int64_t runs, int64_t measurements) {
  constexpr double kLong = 60;
  const double seconds = seconds_of_all(e, runs, measurements);
  if (seconds <= kLong) return {};
  return fmt::format("About {} ({} a step, extrapolated from {}) and {} of memory.", duration(seconds),
                     duration(e.seconds_per_step), duration(e.measured_seconds),
                     gigabytes(e.bytes_needed));
}

std::string to_json(const TrainingEstimate& e, int64_t runs, int64_t measurements) {
  nlohmann::ordered_json json;
  json["schema"] = "farstate.estimate/1";
  json["measured_seconds"] = e.measured_seconds;
  json["measured_tokens"] = e.measured_tokens;
  json["steps"] = e.steps;
  json["seconds_per_step"] = e.seconds_per_step;
  json["seconds_total"] = e.seconds_total;
  json["seconds_measuring"] = e.seconds_measuring;
  json["runs"] = runs;
  json["measurements"] = measurements;
  json["seconds_all"] = seconds_of_all(e, runs, measurements);
  json["bytes_needed"] = e.bytes_needed;
  json["bytes_available"] = e.bytes_available;
  json["measuring_bytes"] = e.measuring_bytes;
  json["memory"] = json_of(e.memory);
  json["fits"] = e.fits;
  json["advice"] = e.advice;
  json["notes"] = e.notes;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print_finding(const LrFinding& finding) {
  fmt::print("{:>14}  {:>10}  smoothed\n", "learning rate", "loss");
  const size_t count = finding.rates.size();
  const size_t stride = std::max<size_t>(count / 25, 1);
  for (size_t i = 0; i < count; ++i) {
    if (i % stride != 0 && i + 1 != count) continue;
    fmt::print("{:>14.3g}  {:>10.4f}  {:.4f}\n", finding.rates[i], finding.losses[i],
               finding.smoothed[i]);
  }
  if (finding.diverged) fmt::print("The loss rose for good here, and the search ended.\n");
  fmt::print("{}\n", finding.sentence);
}

void print_presets() {
  for (const Preset& preset : presets()) {
    fmt::print("{:<24} {}\n", preset.name, preset.title);
  }
}

void print_preset(const Preset& preset) {
  fmt::print("{}: {}\n{}\n\n", preset.name, preset.title, preset.about);
  for (const PresetValue& value : preset.values) {
    fmt::print("{:<32} {:<16} {:<12} {}\n", value.key, value.value, value.known, value.source);
  }
}

}  // namespace farstate
