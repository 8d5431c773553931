// SPDX-License-Identifier: GPL-3.0-or-later
// The form of github.com/state-spaces/mamba: what config.json does not say is a default of
// MambaConfig (mamba_ssm/models/config_mamba.py) or of Mamba2 (mamba_ssm/modules/mamba2.py), named
// here. Codestral's params.json describes the same model by other keys.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/models/config_spellings.h"

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kDefaultHeadDim = 64;
constexpr int64_t kDefaultStateDim = 128;
constexpr int64_t kDefaultExpand = 2;
constexpr int64_t kDefaultConvWidth = 4;
constexpr int64_t kDefaultVocabularyMultiple = 8;
constexpr double kEps = 1e-5;  // of all norms; no key says so

// Arguments of Mamba2 that say nothing of the function that the model computes.
constexpr const char* kWithoutEffect[] = {"layer",     "conv_init",       "A_init_range", "dt_min",
                                          "dt_max",    "dt_init_floor",   "chunk_size",   "dt_init",
                                          "dt_scale",  "use_mem_eff_path", "device",      "dtype",
                                          "layer_idx", "process_group",   "sequence_parallel"};
constexpr const char* kRead[] = {"d_state", "d_conv",     "expand",           "headdim", "d_ssm",
                                 "ngroups", "D_has_hdim", "rmsnorm",          "bias",    "conv_bias",
                                 "dt_limit", "norm_before_gate"};

// Rows of the embedding: the vocabulary filled up to a multiple.
int64_t padded(const ConfigReader& read, int64_t vocabulary, int64_t default_multiple) {
  const int64_t multiple = read.size("pad_vocab_size_multiple", default_multiple);
  constexpr int64_t kMost = 1 << 24;
  if (multiple < 1 || multiple > kMost) {
    read.wrong("pad_vocab_size_multiple", read.json().at("pad_vocab_size_multiple"), "1 or more");
  }
  if (vocabulary < 1 || vocabulary > kMost) {
    read.wrong("vocab_size", read.json().at("vocab_size"), "1 or more");
  }
  return (vocabulary + multiple - 1) / multiple * multiple;
}

void refuse_unknown(const ConfigReader& ssm) {
  const auto holds = [](const auto& names, const std::string& key) {
    return std::find(std::begin(names), std::end(names), key) != std::end(names);
  };
  for (const auto& [key, value] : ssm.json().items()) {
    if (holds(kWithoutEffect, key) || holds(kRead, key)) continue;
    ssm.fail(fmt::format("\"ssm_cfg\" holds \"{}\" = {}, which Farstate does not know.", key,
                         short_text(value)));
  }
}

// Heads of `head_dim` in expand x D channels.
void set_heads(const ConfigReader& read, Mamba2Config& c, int64_t expand, const char* key) {
  constexpr int64_t kMost = 1 << 20;
  if (expand < 1 || expand > kMost || c.model_dim < 1 || c.model_dim > kMost || c.head_dim < 1) {
    read.fail(fmt::format("\"{}\" {}, the expansion {} and the head dimension {} must be 1 or more.",
                          key, c.model_dim, expand, c.head_dim));
  }
  if (expand * c.model_dim % c.head_dim != 0) {
    read.fail(fmt::format("the expansion {} x \"{}\" {} is {}, which can't be shared evenly by heads "
                          "of {}.",
                          expand, key, c.model_dim, expand * c.model_dim, c.head_dim));
  }
  c.heads = expand * c.model_dim / c.head_dim;
}

}  // namespace

Mamba2Config read_state_spaces(const ConfigReader& read) {
  const Json& ssm_json = read.json().at("ssm_cfg");
  if (!ssm_json.is_object()) read.wrong("ssm_cfg", ssm_json, "an object");
  const ConfigReader ssm(ssm_json, read.source());
  // mamba_ssm takes Mamba-1 where nothing is said.
  const Json layer = ssm.has("layer") ? ssm_json.at("layer") : Json("Mamba1");
  if (layer != "Mamba2") {
    read.fail(fmt::format("its layers are {}, but Farstate runs \"Mamba2\" (\"ssm_cfg\": \"layer\").",
                          short_text(layer)));
  }
  refuse_unknown(ssm);
  if (read.has("attn_layer_idx") && !read.json().at("attn_layer_idx").empty()) {
    read.fail("it is a hybrid with attention layers (\"attn_layer_idx\"), which Farstate does not "
              "run yet.");
  }
  if (read.size("d_intermediate", 0) != 0) {
    read.fail("its blocks hold gated MLPs (\"d_intermediate\"), which Farstate does not run yet.");
  }
  read.only("rms_norm", true);
  ssm.only("rmsnorm", true);
  ssm.only("norm_before_gate", false);
  ssm.only("D_has_hdim", false);

  Mamba2Config c;
  c.model_dim = read.size("d_model");
  c.layers = read.size("n_layer");
  c.head_dim = ssm.size("headdim", kDefaultHeadDim);
  set_heads(read, c, ssm.size("expand", kDefaultExpand), "d_model");
  if (ssm.has("d_ssm") && ssm.size("d_ssm") != c.inner_dim()) {
    ssm.wrong("d_ssm", ssm_json.at("d_ssm"),
              fmt::format("{}, all channels: other forms do not run yet", c.inner_dim()));
  }
  c.state_dim = ssm.size("d_state", kDefaultStateDim);
  c.groups = ssm.size("ngroups", 1);
  c.conv_width = ssm.size("d_conv", kDefaultConvWidth);
  c.vocabulary = padded(read, read.size("vocab_size"), kDefaultVocabularyMultiple);
  c.norm_eps = kEps;
  c.projection_bias = ssm.flag("bias", false);
  c.conv_bias = ssm.flag("conv_bias", true);
  c.tied_head = read.flag("tie_embeddings", true);
  ssm.limits("dt_limit", c.dt_min, c.dt_max);
  c.dt_init_min = ssm.number("dt_min", c.dt_init_min);
  c.dt_init_max = ssm.number("dt_max", c.dt_init_max);
  c.dt_init_floor = ssm.number("dt_init_floor", c.dt_init_floor);
  c.chunk = ssm.size("chunk_size", c.chunk);
  validate(c, read.source());
  return c;
}

Mamba2Config read_params(const ConfigReader& read) {
  read.only("model_type", "mamba");
  read.only("rms_norm", true);
  Mamba2Config c;
  c.model_dim = read.size("dim");
  c.layers = read.size("n_layers");
  c.head_dim = kDefaultHeadDim;
  set_heads(read, c, kDefaultExpand, "dim");
  c.state_dim = kDefaultStateDim;
  c.groups = read.size("n_groups", 1);
  c.conv_width = kDefaultConvWidth;
  c.vocabulary = padded(read, read.size("vocab_size"), 1);
  c.norm_eps = kEps;
  c.tied_head = read.flag("tie_embeddings", false);
  validate(c, read.source());
  return c;
}

std::string to_state_spaces_json(const Mamba2Config& c, const std::string& source) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: state-spaces' config.json can't say {}; convert it to --format hf.",
                            source, what));
  };
  if (c.norm_eps != kEps) refuse(fmt::format("a norm's epsilon of {} ({} is fixed)", c.norm_eps, kEps));
  if (c.inner_dim() % c.model_dim != 0) {
    refuse(fmt::format("that {} heads of {} make no multiple of the model dimension {}", c.heads,
                       c.head_dim, c.model_dim));
  }
  Json json;
  json["d_model"] = c.model_dim;
  json["d_intermediate"] = 0;
  json["n_layer"] = c.layers;
  json["vocab_size"] = c.vocabulary;
  Json& ssm = json["ssm_cfg"];
  ssm["layer"] = "Mamba2";
  ssm["d_state"] = c.state_dim;
  ssm["d_conv"] = c.conv_width;
  ssm["expand"] = c.inner_dim() / c.model_dim;
  ssm["headdim"] = c.head_dim;
  ssm["ngroups"] = c.groups;
  ssm["bias"] = c.projection_bias;
  ssm["conv_bias"] = c.conv_bias;
  ssm["chunk_size"] = c.chunk;
  if (c.dt_min > 0 || std::isfinite(c.dt_max)) {
    ssm["dt_limit"] = {json_number(c.dt_min), json_number(c.dt_max)};
  }
  json["attn_layer_idx"] = Json::array();
  json["attn_cfg"] = Json::object();
  json["rms_norm"] = true;
  json["residual_in_fp32"] = true;
  json["fused_add_norm"] = true;
  json["pad_vocab_size_multiple"] = 1;  // the rows are counted as they are
  json["tie_embeddings"] = c.tied_head;
  return dump_config(json);
}

}  // namespace farstate
