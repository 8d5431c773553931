// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/models/config_spellings.h"

namespace farstate {

using Json = nlohmann::ordered_json;

// Nothing is taken from the class's defaults: they describe a model of 7B parameters.
Mamba2Config read_hugging_face(const ConfigReader& read) {
  if (read.has("quantization_config")) {
    read.fail("its weights are quantised (\"quantization_config\"), which Farstate does not read.");
  }
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
  validate(c, read.source());
  const double expand = read.number("expand", 0);
  const double expanded = std::floor(expand * static_cast<double>(c.model_dim));
  if (expand != 0 && expanded != static_cast<double>(c.inner_dim())) {
    read.fail(fmt::format("\"expand\" {} x \"hidden_size\" {} is {}, but \"num_heads\" {} x "
                          "\"head_dim\" {} is {}.",
                          expand, c.model_dim, expanded, c.heads, c.head_dim, c.inner_dim()));
  }
  return c;
}

std::string to_json(const Mamba2Config& c, const std::string& dtype, const std::string& original) {
  Json json = original.empty() ? Json::object() : parse_config(original);
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
    const auto inner = static_cast<double>(c.inner_dim()), model = static_cast<double>(c.model_dim);
    const double ratio = inner / model;
    // Where the quotient was rounded down, the product would be truncated to one less.
    json["expand"] =
        ratio * model < inner ? std::nextafter(ratio, std::numeric_limits<double>::infinity()) : ratio;
  }
  json["conv_kernel"] = c.conv_width;
  json["vocab_size"] = c.vocabulary;
  json["layer_norm_epsilon"] = c.norm_eps;
  json["use_bias"] = c.projection_bias;
  json["use_conv_bias"] = c.conv_bias;
  json["tie_word_embeddings"] = c.tied_head;
  json["time_step_limit"] = {json_number(c.dt_min), json_number(c.dt_max)};
  json["time_step_min"] = c.dt_init_min;
  json["time_step_max"] = c.dt_init_max;
  json["time_step_floor"] = c.dt_init_floor;
  json["chunk_size"] = c.chunk;
  const Json defaults = {{"hidden_act", "silu"}, {"residual_in_fp32", true}, {"rms_norm", true},
                         {"bos_token_id", 0},    {"eos_token_id", 0},       {"pad_token_id", 0}};
  if (original.empty()) json.update(defaults);
  // transformers 4 and 5 call it differently.
  json[json.contains("torch_dtype") ? "torch_dtype" : "dtype"] = dtype;
  return dump_config(json);
}

}  // namespace farstate
