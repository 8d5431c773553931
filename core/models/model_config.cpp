// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_config.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/formats/file_kind.h"
#include "core/models/config_spellings.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& source, const std::string& why) {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source, why));
}

constexpr const char* kBeyondDouble = "1e999";
constexpr const char* kInfinity = R"({"__float__": "Infinity"})";

// Python writes infinity bare, which is not JSON, and other writers use 1e999, which no double
// holds. Both become the form that transformers 5 writes.
std::string spell_infinity(const std::string& text) {
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

}  // namespace

Json parse_config(const std::string& text) {
  return parse_json(spell_infinity(text));
}

Json json_number(double value) { return std::isinf(value) ? Json(kBeyondDouble) : Json(value); }

std::string dump_config(const Json& json) {
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::string quoted = fmt::format("\"{}\"", kBeyondDouble);
  for (size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted, at)) {
    text.replace(at, quoted.size(), kBeyondDouble);
  }
  return text;
}

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
  if (!(c.dt_init_min > 0) || !(c.dt_init_max >= c.dt_init_min) || !std::isfinite(c.dt_init_max) ||
      !(c.dt_init_floor >= 0) || !std::isfinite(c.dt_init_floor)) {
    fail(source, fmt::format("\"time_step_min\" {}, \"time_step_max\" {} and \"time_step_floor\" {} "
                             "must be finite, positive and in order.",
                             c.dt_init_min, c.dt_init_max, c.dt_init_floor));
  }
  if (!(c.norm_eps >= 0) || !std::isfinite(c.norm_eps)) {
    fail(source, fmt::format("\"layer_norm_epsilon\" is {}, but must be 0 or more.", c.norm_eps));
  }
}

Mamba2Config mamba2_config_from_json(const std::string& text, const std::string& source,
                                     ConfigSpelling* spelling) {
  ConfigSpelling ignored;
  ConfigSpelling& found = spelling != nullptr ? *spelling : ignored;
  const Json json = parse_config(text);
  if (!json.is_object()) {
    const std::string kind = file_kind(text);
    fail(source, fmt::format("it is not a JSON object{}; is it a model's config.json?",
                             kind.empty() || kind == "a text" ? "" : " but " + kind));
  }
  const ConfigReader read(json, source);
  if (read.has("ssm_cfg")) {
    found = ConfigSpelling::kStateSpaces;
    return read_state_spaces(read);
  }
  if (read.has("dim") && read.has("n_layers")) {
    found = ConfigSpelling::kParams;
    return read_params(read);
  }
  const Json type = json.value("model_type", Json(nullptr));
  if (type == "mamba2") {
    found = ConfigSpelling::kHuggingFace;
    return read_hugging_face(read);
  }
  if (read.has("d_model") && read.has("n_layer")) {
    fail(source, "it holds no \"ssm_cfg\" that says of what kind its layers are; Farstate runs "
                 "\"Mamba2\".");
  }
  fail(source, fmt::format("its model_type is {}, but Farstate runs \"mamba2\" in Hugging Face's form, "
                           "state-spaces' form and Codestral's params.json.",
                           short_text(type)));
}

}  // namespace farstate
