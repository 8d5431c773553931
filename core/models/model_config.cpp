// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_config.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& source, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
}

constexpr const char* kInfinity = R"({"__float__": "Infinity"})";

// Python writes infinity bare, which is not JSON, and other writers use 1e999, which no double
// holds. Both become the form that transformers 5 writes.
std::string with_spelled_infinity(const std::string& text) {
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
  };
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t begin = i;
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      i = std::min(i + 1, text.size());
      out.append(text, begin, i - begin);
    } else if (belongs(text[i])) {
      while (i < text.size() && belongs(text[i])) ++i;
      const std::string token = text.substr(begin, i - begin);
      char* end = nullptr;
      const double value = std::strtod(token.c_str(), &end);
      const bool number = end == token.c_str() + token.size();
      out += number && std::isinf(value) && value > 0 ? kInfinity : token;
    } else {
      out.push_back(text[i++]);
    }
  }
  return out;
}

class Reader {
 public:
  Reader(const Json& json, const std::string& source) : json_(json), source_(source) {}

  int64_t size(const char* key) const {
    const Json& value = required(key);
    if (!value.is_number_integer()) wrong(key, value, "a whole number");
    return value.get<int64_t>();
  }
  int64_t size(const char* key, int64_t absent) const { return has(key) ? size(key) : absent; }
  double number(const char* key, double absent) const {
    return has(key) ? number(key, json_.at(key)) : absent;
  }
  bool flag(const char* key, bool absent) const {
    if (!has(key)) return absent;
    const Json& value = json_.at(key);
    if (!value.is_boolean()) wrong(key, value, "true or false");
    return value.get<bool>();
  }
  void limits(const char* key, double& low, double& high) const {
    if (!has(key)) return;
    const Json& value = json_.at(key);
    if (!value.is_array() || value.size() != 2) wrong(key, value, "a pair of numbers");
    low = number(key, value[0]);
    high = number(key, value[1]);
  }
  // A setting of other variants that we run in one value only.
  template <typename T>
  void only(const char* key, const T& wanted) const {
    if (has(key) && json_.at(key) != Json(wanted)) {
      wrong(key, json_.at(key), Json(wanted).dump() + ", the only form that Farstate runs");
    }
  }

 private:
  bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }
  const Json& required(const char* key) const {
    if (!has(key)) fail(source_, fmt::format("the key \"{}\" is missing.", key));
    return json_.at(key);
  }
  double number(const char* key, const Json& value) const {
    if (value.is_object() && value.contains("__float__") && value["__float__"] == "Infinity") {
      return std::numeric_limits<double>::infinity();
    }
    if (value == Json("inf")) return std::numeric_limits<double>::infinity();
    if (!value.is_number()) wrong(key, value, "a number");
    return value.get<double>();
  }
  [[noreturn]] void wrong(const char* key, const Json& found, const std::string& wanted) const {
    fail(source_, fmt::format("\"{}\" is {}, but must be {}.", key, short_text(found), wanted));
  }

  const Json& json_;
  const std::string& source_;
};

Json spelled(double value) {
  return std::isinf(value) ? Json{{"__float__", "Infinity"}} : Json(value);
}

}  // namespace

void validate(const Mamba2Config& c, const std::string& source) {
  const auto positive = [&](const char* key, int64_t value, int64_t most) {
    if (value < 1 || value > most) {
      fail(source, fmt::format("\"{}\" is {}, but must be from 1 to {}.", key, value, most));
    }
  };
  // Bounds far above any real model, so that products of two sizes stay within 64 bits.
  constexpr int64_t kMost = int64_t{1} << 20;
  positive("hidden_size", c.model_dim, kMost);
  positive("num_hidden_layers", c.layers, 10000);
  positive("num_heads", c.heads, kMost);
  positive("head_dim", c.head_dim, kMost);
  positive("state_size", c.state_dim, kMost);
  positive("n_groups", c.groups, c.heads);
  positive("conv_kernel", c.conv_width, 64);
  positive("vocab_size", c.vocabulary, kMost * 16);
  if (c.heads % c.groups != 0) {
    fail(source, fmt::format("{} heads can't be shared evenly by {} groups (\"num_heads\", "
                             "\"n_groups\").",
                             c.heads, c.groups));
  }
  if (!(c.dt_min >= 0) || !(c.dt_max > 0) || c.dt_min > c.dt_max) {
    fail(source, fmt::format("\"time_step_limit\" is [{}, {}], but must rise from 0 or more.",
                             c.dt_min, c.dt_max));
  }
  if (!(c.norm_eps >= 0) || !std::isfinite(c.norm_eps)) {
    fail(source, fmt::format("\"layer_norm_epsilon\" is {}, but must be 0 or more.", c.norm_eps));
  }
}

Mamba2Config mamba2_config_from_json(const std::string& text, const std::string& source) {
  const Json json = Json::parse(with_spelled_infinity(text), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) fail(source, "it is not a JSON object; is it a model's config.json?");
  const Json type = json.value("model_type", Json(nullptr));
  if (type != "mamba2") {
    fail(source, fmt::format("its model_type is {}, but Farstate runs \"mamba2\" in Hugging Face's "
                             "form.",
                             short_text(type)));
  }
  const Reader read(json, source);
  Mamba2Config c;
  c.model_dim = read.size("hidden_size");
  c.layers = read.size("num_hidden_layers");
  c.heads = read.size("num_heads");
  c.head_dim = read.size("head_dim");
  c.state_dim = read.size("state_size");
  c.groups = read.size("n_groups");
  c.conv_width = read.size("conv_kernel");
  c.vocabulary = read.size("vocab_size");
  c.norm_eps = read.number("layer_norm_epsilon", c.norm_eps);
  c.projection_bias = read.flag("use_bias", c.projection_bias);
  c.conv_bias = read.flag("use_conv_bias", c.conv_bias);
  c.tied_head = read.flag("tie_word_embeddings", false);
  read.limits("time_step_limit", c.dt_min, c.dt_max);
  c.dt_init_min = read.number("time_step_min", c.dt_init_min);
  c.dt_init_max = read.number("time_step_max", c.dt_init_max);
  c.dt_init_floor = read.number("time_step_floor", c.dt_init_floor);
  c.chunk = read.size("chunk_size", c.chunk);
  read.only("hidden_act", "silu");
  read.only("rms_norm", true);
  read.only("norm_before_gate", false);
  validate(c, source);
  const double expand = read.number("expand", 0);
  const auto expanded = static_cast<int64_t>(expand * static_cast<double>(c.model_dim));
  if (expand != 0 && expanded != c.inner_dim()) {
    fail(source, fmt::format("\"expand\" {} x \"hidden_size\" {} is {}, but \"num_heads\" {} x "
                             "\"head_dim\" {} is {}.",
                             expand, c.model_dim, expanded, c.heads, c.head_dim, c.inner_dim()));
  }
  return c;
}

std::string to_json(const Mamba2Config& c, const std::string& dtype) {
  Json json;
  json["architectures"] = {"Mamba2ForCausalLM"};
  json["model_type"] = "mamba2";
  json["hidden_size"] = c.model_dim;
  json["num_hidden_layers"] = c.layers;
  json["num_heads"] = c.heads;
  json["head_dim"] = c.head_dim;
  json["state_size"] = c.state_dim;
  json["n_groups"] = c.groups;
  // transformers multiplies and truncates, so a whole ratio is written as a whole number.
  if (c.inner_dim() % c.model_dim == 0) {
    json["expand"] = c.inner_dim() / c.model_dim;
  } else {
    json["expand"] = static_cast<double>(c.inner_dim()) / static_cast<double>(c.model_dim);
  }
  json["conv_kernel"] = c.conv_width;
  json["vocab_size"] = c.vocabulary;
  json["layer_norm_epsilon"] = c.norm_eps;
  json["use_bias"] = c.projection_bias;
  json["use_conv_bias"] = c.conv_bias;
  json["tie_word_embeddings"] = c.tied_head;
  json["time_step_limit"] = {spelled(c.dt_min), spelled(c.dt_max)};
  json["time_step_min"] = c.dt_init_min;
  json["time_step_max"] = c.dt_init_max;
  json["time_step_floor"] = c.dt_init_floor;
  json["chunk_size"] = c.chunk;
  json["hidden_act"] = "silu";
  json["residual_in_fp32"] = true;
  json["rms_norm"] = true;
  json["bos_token_id"] = 0;
  json["eos_token_id"] = 0;
  json["pad_token_id"] = 0;
  json["dtype"] = dtype;
  return json.dump(2) + "\n";
}

}  // namespace farstate
