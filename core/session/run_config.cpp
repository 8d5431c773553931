// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/data/generated_text.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorKind::kBadUsage, why); }

// visit(config, field) calls field(section, key, member) for every key of the recipe: the one
// table that writing, reading and the check for unknown keys share.
template <typename Config, typename Field>
void visit(Config& c, Field&& field) {
  field("model", "model", c.model.model);
  field("model", "init", c.model.init);
  field("model", "tokenizer", c.model.tokenizer);
  field("model", "precision", c.model.precision);
  field("data", "path", c.data.path);
  field("data", "tokens", c.data.tokens);
  field("data", "generated", c.data.generated);
  field("data", "held_out", c.data.held_out);
  field("data", "windows", c.data.windows);
  field("task", "name", c.task.name);
  field("task", "source", c.task.source);
  field("task", "questions", c.task.questions);
  field("task", "shots", c.task.shots);
  field("task", "loss", c.task.loss);
  field("task", "shortest", c.task.shortest);
  field("task", "longest", c.task.longest);
  field("task", "keys", c.task.keys);
  field("task", "change_probability", c.task.change_probability);
  field("task", "tokens", c.task.tokens);
  field("intervention", "kind", c.intervention.kind);
  field("intervention", "sigma", c.intervention.sigma);
  field("intervention", "zero_probability", c.intervention.zero_probability);
  field("intervention", "pass_conv_context", c.intervention.pass_conv_context);
  field("intervention", "fitted_momentum", c.intervention.fitted_momentum);
  field("intervention", "fitted_from", c.intervention.fitted_from);
  field("intervention", "fitted_burn_in", c.intervention.fitted_burn_in);
  field("intervention", "fitted_windows", c.intervention.fitted_windows);
  field("intervention", "fitted_rank", c.intervention.fitted_rank);
  field("intervention", "mixture", c.intervention.mixture);
  field("train", "steps", c.train.steps);
  field("train", "context", c.train.context);
  field("train", "batch", c.train.batch);
  field("train", "micro_batch", c.train.micro_batch);
  field("train", "learning_rate", c.train.learning_rate);
  field("train", "warmup", c.train.warmup);
  field("train", "schedule", c.train.schedule);
  field("train", "weight_decay", c.train.weight_decay);
  field("train", "beta1", c.train.beta1);
  field("train", "beta2", c.train.beta2);
  field("train", "clip", c.train.clip);
  field("train", "save_every", c.train.save_every);
  field("train", "evaluate_every", c.train.evaluate_every);
  field("train", "most_skips", c.train.most_skips);
  field("train", "divergence", c.train.divergence);
  field("train", "compute", c.train.compute);
  field("train", "recompute", c.train.recompute);
  field("measure", "length", c.measure.length);
  field("measure", "sequences", c.measure.sequences);
  field("measure", "part", c.measure.part);
  field("measure", "probes", c.measure.probes);
  field("measure", "scored", c.measure.scored);
  field("measure", "per_position", c.measure.per_position);
  field("measure", "bins_per_octave", c.measure.bins_per_octave);
  field("measure", "effrem_length", c.measure.effrem_length);
  field("measure", "effrem_points", c.measure.effrem_points);
  field("measure", "pins", c.measure.pins);
  field("measure", "attention_layer", c.measure.attention_layer);
  field("measure", "attention_head", c.measure.attention_head);
  field("measure", "attention_window", c.measure.attention_window);
  field("score", "lengths", c.score.lengths);
  field("score", "depths", c.score.depths);
  field("score", "trials", c.score.trials);
  field("", "seed", c.seed);
  field("", "changes", c.changes);
}

struct Writer {
  Json& root;
  template <typename T>
  void operator()(const char* section, const char* key, const T& value) {
    Json& target = *section != '\0' ? root[section] : root;
    target[key] = json_of(value);
  }

  template <typename T>
  static Json json_of(const T& value) {
    if constexpr (std::is_same_v<T, Intervention>) {
      return to_string(value);
    } else if constexpr (std::is_same_v<T, std::vector<RecipeChange>>) {
      Json list = Json::array();
      for (const RecipeChange& change : value) {
        list.push_back({{"step", change.step},
                        {"key", change.key},
                        {"value", Json::parse(change.value)}});
      }
      return list;
    } else {
      return value;
    }
  }
};

struct Reader {
  const Json& root;
  std::set<std::string> known;

  template <typename T>
  void operator()(const char* section, const char* key, T& value) {
    const std::string name = *section != '\0' ? fmt::format("{}.{}", section, key) : key;
    known.insert(name);
    if (*section != '\0') known.insert(section);
    const Json* from = &root;
    if (*section != '\0') {
      if (!root.contains(section)) return;
      from = &root[section];
      if (!from->is_object()) fail(fmt::format("Recipe: \"{}\" must be an object.", section));
    }
    if (from->contains(key)) read(name, (*from)[key], value);
  }

  static void read(const std::string& name, const Json& json, std::string& value) {
    if (!json.is_string()) wrong(name, json, "a string");
    value = json.get<std::string>();
  }
  static void read(const std::string& name, const Json& json, Intervention& value) {
    std::string text;
    read(name, json, text);
    value = intervention_from_string(text);
  }
  static void read(const std::string& name, const Json& json, bool& value) {
    if (!json.is_boolean()) wrong(name, json, "true or false");
    value = json.get<bool>();
  }
  static void read(const std::string& name, const Json& json, double& value) {
    if (!json.is_number()) wrong(name, json, "a number");
    value = json.get<double>();
  }
  static void read(const std::string& name, const Json& json, int64_t& value) {
    if (!json.is_number_integer()) wrong(name, json, "a whole number");
    if (json.is_number_unsigned() &&
        json.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      wrong(name, json, "a whole number of 63 bits");
    }
    value = json.get<int64_t>();
  }
  static void read(const std::string& name, const Json& json, uint64_t& value) {
    if (!json.is_number_unsigned()) wrong(name, json, "a whole number from 0");
    value = json.get<uint64_t>();
  }
  static void read(const std::string& name, const Json& json, std::vector<std::string>& value) {
    if (!json.is_array()) wrong(name, json, "a list of strings");
    value.clear();
    for (const Json& item : json) {
      if (!item.is_string()) wrong(name, json, "a list of strings");
      value.push_back(item.get<std::string>());
    }
  }
  static void read(const std::string& name, const Json& json, std::vector<int64_t>& value) {
    if (!json.is_array()) wrong(name, json, "a list of whole numbers");
    value.clear();
    for (const Json& item : json) read(name, item, value.emplace_back());
  }
  static void read(const std::string& name, const Json& json, std::vector<double>& value) {
    if (!json.is_array()) wrong(name, json, "a list of numbers");
    value.clear();
    for (const Json& item : json) read(name, item, value.emplace_back());
  }
  static void read(const std::string& name, const Json& json, std::map<std::string, double>& value) {
    if (!json.is_object()) wrong(name, json, "an object of numbers");
    value.clear();
    for (const auto& [key, number] : json.items()) {
      read(fmt::format("{}.{}", name, key), number, value[key]);
    }
  }
  static void read(const std::string& name, const Json& json, std::vector<RecipeChange>& value) {
    if (!json.is_array()) wrong(name, json, "a list of changes");
    value.clear();
    for (const Json& item : json) {
      if (!item.is_object() || item.size() != 3 || !item.contains("step") ||
          !item.contains("key") || !item.contains("value")) {
        wrong(name, item, "an object of \"step\", \"key\" and \"value\"");
      }
      RecipeChange& change = value.emplace_back();
      read(name + ".step", item["step"], change.step);
      read(name + ".key", item["key"], change.key);
      change.value = item["value"].dump();
    }
  }
  [[noreturn]] static void wrong(const std::string& name, const Json& json, const char* wanted) {
    fail(fmt::format("Recipe: \"{}\" is {}, but must be {}.", name, short_text(json), wanted));
  }
};

void reject_unknown(const Json& root, const std::set<std::string>& known) {
  for (const auto& [key, value] : root.items()) {
    if (!known.contains(key)) fail(fmt::format("Recipe: unknown key \"{}\".", key));
    if (!value.is_object()) continue;
    for (const auto& [inner, unused] : value.items()) {
      const std::string name = fmt::format("{}.{}", key, inner);
      if (!known.contains(name)) fail(fmt::format("Recipe: unknown key \"{}\".", name));
    }
  }
}

// What may change while a run goes on: nothing that the model, the text, the shape of a batch or the
// optimizer's memory hang on.
bool may_change(const std::string& key) {
  return key.starts_with("intervention.") || key.starts_with("measure.") ||
         key.starts_with("score.") || key == "train.learning_rate" || key == "train.steps" || key == "train.evaluate_every" ||
         key == "train.save_every";
}

// Sets one key from JSON, as reading a recipe does.
struct Setter {
  const std::string& wanted;
  const Json& json;
  bool found = false;

  template <typename T>
  void operator()(const char* section, const char* key, T& value) {
    const std::string name = *section != '\0' ? fmt::format("{}.{}", section, key) : key;
    if (name != wanted) return;
    found = true;
    Reader::read(name, json, value);
  }
};

void set(RunConfig& config, const std::string& key, const Json& value) {
  Setter setter{key, value};
  visit(config, setter);
  if (!setter.found) fail(fmt::format("Recipe: unknown key \"{}\".", key));
}

// Every key with its value as JSON text.
struct Lister {
  std::vector<std::pair<std::string, std::string>> values;

  template <typename T>
  void operator()(const char* section, const char* key, const T& value) {
    if constexpr (!std::is_same_v<T, std::vector<RecipeChange>>) {
      values.emplace_back(*section != '\0' ? fmt::format("{}.{}", section, key) : key,
                          Writer::json_of(value).dump(-1, ' ', false,
                                                      Json::error_handler_t::replace));
    }
  }
};

std::vector<std::pair<std::string, std::string>> values_of(const RunConfig& config) {
  Lister lister;
  visit(config, lister);
  return std::move(lister.values);
}

void check(bool good, const char* key, const auto& found, const char* wanted) {
  if (!good) fail(fmt::format("{} is {}, but must be {}.", key, found, wanted));
}

void check_choice(const char* key, const std::string& found,
                  std::span<const char* const> choices) {
  for (const char* choice : choices) {
    if (found == choice) return;
  }
  fail(fmt::format("{} is \"{}\", but must be one of {}.", key, found, fmt::join(choices, ", ")));
}
void check_choice(const char* key, const std::string& found,
                  std::initializer_list<const char*> choices) {
  check_choice(key, found, std::span(choices.begin(), choices.size()));
}

void check_mixture(const InterventionConfig& i) {
  double sum = 0;
  for (const auto& [law, weight] : i.mixture) {
    if (intervention_from_string(law) == Intervention::kMixture) {
      fail("The mixture can't hold itself; give weights to the other laws.");
    }
    check(std::isfinite(weight) && weight >= 0, ("the mixture's weight of " + law).c_str(), weight,
          "a finite number from 0");
    sum += weight;
  }
  if (i.kind != Intervention::kMixture) return;
  if (!(sum > 0)) {
    fail("The mixture has no law; give at least one of them a weight above 0, as in "
         "zero=0.1,state-passing=0.5.");
  }
  if (draws_from(i, Intervention::kTbtt) && draws_from(i, Intervention::kStatePassing)) {
    fail("The mixture holds both state-passing and tbtt, but windows either go on where they ended "
         "or are drawn anew; leave one of them out.");
  }
}

void check_task(const RunConfig& c) {
  const TaskConfig& t = c.task;
  if (!t.name.empty()) check_choice("task", t.name, kTaskNames);
  check_choice("task loss", t.loss, {"answer", "all"});
  check(t.shots >= 0 && t.shots <= 64, "shots", t.shots, "from 0 to 64");
  check(t.longest >= 0 && t.longest <= kLongestSample, "longest", t.longest,
        "from 0 to 2^26");
  check(t.shortest >= 0 && (t.longest == 0 || t.shortest <= t.longest), "shortest", t.shortest,
        "from 0 to the longest");
  check(t.keys >= 1 && t.keys <= 64, "keys", t.keys, "from 1 to 64");
  check(t.change_probability >= 0 && t.change_probability < 1, "change probability",
        t.change_probability, "from 0 to less than 1");
  check(t.tokens >= 1 && t.tokens <= int64_t{1} << 30, "task tokens", t.tokens, "from 1 to 2^30");
  for (const int64_t length : c.score.lengths) {
    // 0: BABILong without a background.
    check(length >= 0 && length <= kLongestSample, "score length", length, "from 0 to 2^26");
  }
  for (const double depth : c.score.depths) {
    check(depth >= 0 && depth <= 1, "score depth", depth, "from 0 to 1");
  }
  check(c.score.trials >= 1 && c.score.trials <= 1'000'000, "trials", c.score.trials,
        "from 1 to 10^6");
}

void check_settings(const RunConfig& c) {
  const auto rate_like = [](double v) { return std::isfinite(v) && v >= 0; };
  check_choice("precision", c.model.precision, {"auto", "float32", "bfloat16"});
  const TrainConfig& t = c.train;
  constexpr int64_t kMostSteps = 1'000'000'000'000;
  check(t.steps >= 0 && t.steps <= kMostSteps, "steps", t.steps, "from 0 to 10^12");
  check(t.context >= 1, "context", t.context, "1 or more tokens");
  check(t.micro_batch >= 0, "micro-batch", t.micro_batch, "0 or more rows");
  check(t.batch >= 1, "batch", t.batch, "1 or more rows");
  check(t.batch <= (int64_t{1} << 31) / t.context, "batch x context",
        fmt::format("{} x {}", t.batch, t.context), "below 2^31 tokens");
  check(rate_like(t.learning_rate), "learning rate", t.learning_rate, "a finite number from 0");
  check(t.warmup >= 0 && t.warmup <= kMostSteps, "warmup", t.warmup, "from 0 to 10^12 steps");
  check_choice("schedule", t.schedule, {"constant", "cosine"});
  check(rate_like(t.weight_decay), "weight decay", t.weight_decay, "a finite number from 0");
  check(t.beta1 >= 0 && t.beta1 < 1, "beta1", t.beta1, "in [0, 1)");
  check(t.beta2 >= 0 && t.beta2 < 1, "beta2", t.beta2, "in [0, 1)");
  check(rate_like(t.clip), "clip", t.clip, "a finite number from 0");
  check(t.save_every >= 0, "save_every", t.save_every, "0 or more steps");
  check(t.evaluate_every >= 0, "evaluate_every", t.evaluate_every, "0 or more steps");
  check(t.most_skips >= 0, "most_skips", t.most_skips, "0 or more steps");
  check(rate_like(t.divergence), "divergence", t.divergence, "a finite number of nats from 0");
  check_choice("compute", t.compute, {"float32", "bfloat16"});

  const InterventionConfig& i = c.intervention;
  check(rate_like(i.sigma), "sigma", i.sigma, "a finite number from 0");
  check(i.zero_probability >= 0 && i.zero_probability <= 1, "P(zero state)", i.zero_probability,
        "from 0 to 1");
  check(i.fitted_momentum >= 0 && i.fitted_momentum < 1, "fitted momentum", i.fitted_momentum,
        "in [0, 1)");
  check_choice("fitted_from", i.fitted_from, {"final", "all"});
  check(i.fitted_burn_in >= 0, "fitted burn-in", i.fitted_burn_in, "0 or more tokens");
  check(i.fitted_windows >= 0, "fitted windows", i.fitted_windows, "0 or more");
  check(i.fitted_rank >= 0 && i.fitted_rank <= 64, "fitted rank", i.fitted_rank, "from 0 to 64");
  check(i.fitted_from == "final" || i.fitted_burn_in < t.context, "fitted burn-in",
        i.fitted_burn_in, "below the context, so that states are left to fit");
  if (i.fitted_from == "all" && draws_from(i, Intervention::kCorrelatedNoise)) {
    fail("correlated-noise is fitted to final states alone: a covariance needs whole states, and within "
         "a window only their sums are known. Leave fitted_from at \"final\" for it, or take fitted-noise.");
  }
  check_mixture(i);

  check_task(c);

  const MeasureConfig& m = c.measure;
  const bool by_file = !c.data.tokens.empty();  // 0: as the file of ids has it
  check(m.length >= 2 || (by_file && m.length == 0), "length", m.length, "2 or more tokens");
  check(m.sequences >= 1 || (by_file && m.sequences == 0), "sequences", m.sequences, "1 or more");
  check(m.length == 0 || m.sequences <= (int64_t{1} << 40) / m.length, "sequences x length",
        fmt::format("{} x {}", m.sequences, m.length), "below 2^40 tokens");
  check_choice("part", m.part, {"auto", "held-out", "train", "all"});
  check(!m.probes.empty(), "probes", "empty",
        fmt::format("one or more of {}", fmt::join(kProbeNames, ", ")).c_str());
  for (const std::string& probe : m.probes) check_choice("a probe", probe, kProbeNames);
  check_choice("scored", m.scored, {"all", "predictable"});
  check(m.bins_per_octave >= 1 && m.bins_per_octave <= 64, "bins per octave", m.bins_per_octave,
        "from 1 to 64");
  check(m.effrem_length == 0 || m.effrem_length >= 2, "EffRem length", m.effrem_length,
        "2 or more tokens, or 0 for the length of the sequences");
  check(m.length == 0 || m.effrem_length <= m.length, "EffRem length", m.effrem_length,
        "at most the length of the sequences");
  check(m.effrem_points >= 2 && m.effrem_points <= 1000, "EffRem points", m.effrem_points,
        "from 2 to 1000");
  check(static_cast<int64_t>(m.pins.size()) <= kMostPins, "the number of pins", m.pins.size(),
        fmt::format("at most {}", kMostPins).c_str());
  for (const int64_t pin : m.pins) {
    check(pin >= 1 && (m.length == 0 || pin <= m.length), "a pin", pin,
          "from 1 to the length of the sequences");
  }

  check(m.attention_layer >= 0, "attention layer", m.attention_layer, "0 or more");
  check(m.attention_head >= 0, "attention head", m.attention_head, "0 or more");
  // A window is a matrix of its tokens by its tokens.
  check(m.attention_window >= 1 && m.attention_window <= 1024, "attention window",
        m.attention_window, "from 1 to 1024 tokens");

  check(c.data.held_out >= 0 && c.data.held_out < 1, "held-out share", c.data.held_out,
        "in [0, 1)");
  check_choice("windows", c.data.windows, {"auto", "anywhere", "document-start"});
  if (!c.data.generated.empty()) check_choice("generated", c.data.generated, std::span(kGeneratedTexts));
  if ((c.data.path.empty() ? 0 : 1) + (c.data.tokens.empty() ? 0 : 1) +
          (c.data.generated.empty() ? 0 : 1) > 1) {
    fail("More than one of a text file, a file of token ids and a generated text is named; choose "
         "one of them.");
  }
}

}  // namespace

void validate(const RunConfig& c) {
  check_settings(c);
  int64_t last = 0;
  for (const RecipeChange& change : c.changes) {
    if (!may_change(change.key)) {
      fail(fmt::format("Recipe: \"{}\" can't change while a run goes on.", change.key));
    }
    check(change.step >= last, "the step of a change", change.step,
          "0 or more, and not before the change above it");
    last = change.step;
    check_settings(at_step(c, change.step));
  }
}

std::string to_json(const RunConfig& config) {
  Json root = Json::object();
  visit(config, Writer{root});
  // A path may hold bytes that are no UTF-8.
  return root.dump(2, ' ', false, Json::error_handler_t::replace);
}

RunConfig at_step(const RunConfig& config, int64_t step) {
  RunConfig now = config;
  now.changes.clear();
  for (const RecipeChange& change : config.changes) {
    if (change.step <= step) set(now, change.key, Json::parse(change.value));
  }
  return now;
}

std::vector<RecipeChange> changes_between(const RunConfig& before, const RunConfig& after,
                                          int64_t step) {
  const auto old = values_of(before);
  const auto fresh = values_of(after);
  std::vector<RecipeChange> changes;
  for (size_t i = 0; i < fresh.size(); ++i) {
    if (fresh[i].second != old[i].second) changes.push_back({step, fresh[i].first, fresh[i].second});
  }
  return changes;
}

RunConfig with_arm(const RunConfig& shared, const std::string& arm) {
  RunConfig config = shared;
  size_t end = arm.find(':');
  try {
    config.intervention.kind = intervention_from_string(arm.substr(0, end));
    while (end != std::string::npos) {
      const size_t begin = end + 1;
      end = arm.find(':', begin);
      const std::string setting = arm.substr(begin, end - begin);
      const size_t equal = setting.find('=');
      if (equal == std::string::npos) fail(fmt::format("\"{}\" is no key=value.", setting));
      std::string key = setting.substr(0, equal);
      if (key.find('.') == std::string::npos) key = "intervention." + key;
      if (!key.starts_with("intervention.") && !key.starts_with("train.")) {
        fail(fmt::format("\"{}\" is the same for all arms.", key));
      }
      // Words need no quotes here.
      const std::string text = setting.substr(equal + 1);
      const Json value = Json::parse(text, nullptr, false);
      set(config, key, value.is_discarded() ? Json(text) : value);
    }
    validate(config);
  } catch (const Error& error) {
    fail(fmt::format("The arm \"{}\": {}", arm, error.what()));
  }
  return config;
}

RunConfig run_config_from_json(const std::string& text) {
  const Json root = parse_json(text);
  if (!root.is_object()) fail("The recipe is not a JSON object.");
  RunConfig config;
  Reader reader{root, {}};
  visit(config, reader);
  reject_unknown(root, reader.known);
  validate(config);
  return config;
}

RunConfig recipe_in(std::string_view text) {
  constexpr std::string_view kTableLine = "# recipe ";
  if (const size_t line = text.find(kTableLine);
      text.starts_with('#') && line != std::string_view::npos) {
    text.remove_prefix(line + kTableLine.size());
    text = text.substr(0, text.find('\n'));
  } else if (const size_t begin = text.find('{'); begin != std::string_view::npos) {
    text.remove_prefix(begin);
  }
  const Json root = parse_json(text);
  const bool carried = root.is_object() && root.contains("recipe") && root["recipe"].is_object();
  return run_config_from_json(carried ? root["recipe"].dump() : std::string(text));
}

std::string summary(const RunConfig& c) {
  const std::string model = !c.model.init.empty()
                                ? "new model"
                                : std::filesystem::path(c.model.model).filename().string();
  const std::string detail = c.intervention.kind == Intervention::kRandomNoise
                                 ? fmt::format(" sigma={}", c.intervention.sigma)
                                 : "";
  return fmt::format("{} T={} {}{} seed={}", model, c.train.context,
                     to_string(c.intervention.kind), detail, c.seed);
}

}  // namespace farstate
