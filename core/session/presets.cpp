// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStated = "stated";
constexpr const char* kInferred = "inferred";
constexpr const char* kSecondHand = "second-hand";
constexpr const char* kUnknown = "unknown";

// A model of the paper and the peak rate of its pre-training.
struct Size {
  const char* name;
  const char* learning_rate;  // a tenth of five times GPT-3's rate
  const char* gpt3_rate;
};
constexpr Size kSizes[] = {{"130m", "0.0003", "6e-4"},
                           {"370m", "0.00015", "3e-4"},
                           {"780m", "0.000125", "2.5e-4"},
                           {"1.3b", "0.0001", "2e-4"}};

// The laws' own settings, whatever the law: an arm may choose another.
std::vector<PresetValue> laws_of_the_paper() {
  return {
      {"intervention.kind", "\"state-passing\"", kStated,
       "figure 1 of the paper (arXiv:2507.02782) shows state passing; the other laws are arms beside it"},
      {"intervention.zero_probability", "0.1", kSecondHand,
       "a public reimplementation whose author read the paper zeroes a row with 0.1; whether that is "
       "the paper's own value is not known, and the authors' blog post names none"},
      {"intervention.pass_conv_context", "false", kSecondHand,
       "readers say that the pseudocode of the appendix passes the recurrent state alone"},
      {"intervention.sigma", "1.0", kSecondHand,
       "random noise: the paper has one standard deviation for all layers and heads; a reader's notes "
       "say 1"},
      {"intervention.fitted_from", "\"final\"", kStated,
       "fitted noise: the authors' blog post (goombalab.github.io, July 2025) says the final states"},
      {"intervention.fitted_momentum", "0.99", kUnknown,
       "fitted noise: over which steps the states are gathered is not known; our choice"}};
}

std::vector<PresetValue> optimizer_of_the_paper(const Size& size, const char* warmup) {
  return {
      {"train.learning_rate", size.learning_rate, kInferred,
       fmt::format("a tenth of the pre-training peak, as readers quote the paper; that peak is five "
                   "times GPT-3's {} (arXiv:2005.14165, table 2.1), as Mamba was trained "
                   "(arXiv:2312.00752, appendix E)",
                   size.gpt3_rate)},
      {"train.warmup", warmup, kUnknown,
       "no schedule is stated; a public reimplementation rises over 50 steps and stays"},
      {"train.schedule", "\"constant\"", kUnknown, "no schedule is stated; our choice"},
      {"train.weight_decay", "0.1", kInferred,
       "not stated; Mamba's pre-training (arXiv:2312.00752, appendix E)"},
      {"train.beta1", "0.9", kInferred, "not stated; AdamW as in Mamba's pre-training"},
      {"train.beta2", "0.95", kInferred, "not stated; AdamW as in Mamba's pre-training"},
      {"train.clip", "1.0", kInferred, "not stated; Mamba's pre-training"}};
}

// What makes the recipe fit into a machine, without changing what it computes.
std::vector<PresetValue> ways_to_compute(const char* save_every) {
  return {{"train.micro_batch", "1", kUnknown,
           "our choice: the least memory; the numbers are those of the whole batch up to rounding"},
          {"train.recompute", "true", kUnknown,
           "our choice: less memory for more time; the numbers are the same"},
          {"train.compute", "\"float32\"", kUnknown,
           "the precision of the post-training is not known; our choice"},
          {"train.save_every", save_every, kUnknown, "our choice"}};
}

void append(std::vector<PresetValue>& values, const std::vector<PresetValue>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

Preset of_the_paper(const Size& size, bool long_run) {
  Preset preset;
  preset.name = fmt::format("paper-mamba2-{}{}", size.name, long_run ? "" : "-100");
  preset.title = fmt::format("Mamba-2 {}, {}", size.name,
                             long_run ? "500 steps (figure 1)" : "100 steps (the four interventions)");
  preset.about = fmt::format(
      "Post-training of state-spaces/mamba2-{} as in Buitrago Ruiz and Gu 2025, {}; on text like that "
      "of its pre-training (the Pile; which part is not known).",
      size.name,
      long_run ? "the run behind its curves of perplexity by position"
               : "the short run behind its comparison of four laws of the initial state");
  if (long_run) {
    preset.values.push_back(
        {"train.steps", "500", kStated, "caption of figure 1 of the paper, for Mamba-2"});
  } else {
    preset.values.push_back(
        {"train.steps", "100", kInferred,
         "the blog post said 100 steps when it appeared and 500 a day later, with the same figures; "
         "these curves lie above those of 500 steps"});
  }
  append(preset.values,
         {{"train.context", "2048", kStated, "the paper; the context of the pre-training"},
          {"train.batch", "256", kInferred,
           "500 steps are said to be about 0.1 % of the pre-training's 300 billion tokens, which is "
           "2^19 tokens a step: 256 x 2048"}});
  append(preset.values, optimizer_of_the_paper(size, long_run ? "50" : "10"));
  append(preset.values, laws_of_the_paper());
  append(preset.values, ways_to_compute("10"));
  return preset;
}

Preset demo() {
  constexpr const char* kSource = "our recipe for the built-in model: docs/DEMO.md";
  Preset preset{"demo", "The built-in model, 600 steps",
                "Shows the failure past the training context and its cure in seconds.", {}};
  for (const auto& [key, value] :
       {std::pair{"train.steps", "600"}, {"train.context", "64"}, {"train.batch", "32"},
        {"train.micro_batch", "0"}, {"train.learning_rate", "0.002"}, {"train.warmup", "10"},
        {"train.schedule", "\"cosine\""}, {"train.weight_decay", "0.1"},
        {"train.beta1", "0.9"}, {"train.beta2", "0.95"}, {"train.clip", "1.0"},
        {"train.recompute", "false"}, {"train.compute", "\"float32\""},
        {"intervention.kind", "\"state-passing\""}, {"intervention.zero_probability", "0.1"},
        {"intervention.pass_conv_context", "true"}, {"intervention.sigma", "1.0"},
        {"intervention.fitted_from", "\"final\""}, {"intervention.fitted_momentum", "0.99"}}) {
    preset.values.push_back({key, value, kUnknown, kSource});
  }
  return preset;
}

Preset laptop() {
  Preset preset{"laptop", "A checkpoint of the paper on a small machine",
                "The paper's recipe cut down to what a night can do: 50 steps of 16 windows, a "
                "hundred and sixtieth of its tokens. Our own choice, not a run of the paper.",
                {}};
  preset.values = {
      {"train.steps", "50", kUnknown, "our choice: a tenth of the paper's"},
      {"train.context", "2048", kStated, "the paper; the context of the pre-training"},
      {"train.batch", "16", kUnknown, "our choice: a sixteenth of the paper's"}};
  append(preset.values, optimizer_of_the_paper(kSizes[0], "5"));
  append(preset.values, laws_of_the_paper());
  append(preset.values, ways_to_compute("5"));
  for (PresetValue& value : preset.values) {
    if (value.key == "train.learning_rate") {
      value = {value.key, "0.0001", kUnknown,
               "our choice: of the order of the paper's rates, and lower than that of its 130m, since "
               "a batch is a sixteenth; train --find-lr looks for a better one"};
    }
  }
  return preset;
}

std::vector<Preset> all() {
  std::vector<Preset> list = {demo(), laptop()};
  for (const Size& size : kSizes) list.push_back(of_the_paper(size, true));
  // The comparison of the four laws leaves out the smallest model.
  for (const Size& size : kSizes) {
    if (std::string(size.name) != "130m") list.push_back(of_the_paper(size, false));
  }
  return list;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = all();
  return list;
}

const Preset& preset(const std::string& name) {
  const std::vector<Preset>& list = presets();
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const Preset& p) { return p.name == name; });
  if (found != list.end()) return *found;
  std::string names;
  for (const Preset& p : list) names += (names.empty() ? "" : ", ") + p.name;
  throw Error(ErrorKind::kBadUsage,
              fmt::format("\"{}\" is no preset; there are {}.", name, names));
}

RunConfig with_preset(const RunConfig& config, const Preset& preset) {
  Json recipe = Json::parse(to_json(config));
  for (const PresetValue& value : preset.values) {
    const size_t dot = value.key.find('.');
    recipe[value.key.substr(0, dot)][value.key.substr(dot + 1)] = Json::parse(value.value);
  }
  return run_config_from_json(recipe.dump());
}

}  // namespace farstate
