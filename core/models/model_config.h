// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes and constants of a Mamba-2 language model, as plain data, and their JSON in the
// spellings that checkpoints use.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace farstate {

struct Mamba2Config {
  int64_t model_dim = 0;   // D
  int64_t layers = 0;      // L
  int64_t heads = 0;       // H
  int64_t head_dim = 0;    // P
  int64_t state_dim = 0;   // N
  int64_t groups = 1;      // G
  int64_t conv_width = 4;  // W
  int64_t vocabulary = 0;  // V, padded rows included
  double norm_eps = 1e-5;
  bool projection_bias = false;
  bool conv_bias = true;
  bool tied_head = true;
  // Limits of dt after softplus, in every path; not to be confused with the range below, which
  // only initialisation uses.
  double dt_min = 0;
  double dt_max = std::numeric_limits<double>::infinity();
  double dt_init_min = 1e-3;
  double dt_init_max = 0.1;
  double dt_init_floor = 1e-4;
  int64_t chunk = 256;  // of other implementations' kernels; kept for the round trip, not used

  int64_t inner_dim() const { return heads * head_dim; }                            // H*P
  int64_t conv_channels() const { return inner_dim() + 2 * groups * state_dim; }    // C
  int64_t in_proj_rows() const { return inner_dim() + conv_channels() + heads; }    // z|xBC|dt
  bool operator==(const Mamba2Config&) const = default;
};

// Throws Error(kBadInput) naming `source`, the key, what was found and what is possible.
void validate(const Mamba2Config& config, const std::string& source);

// Reads Hugging Face's config.json of model_type "mamba2", state-spaces' config.json (told by its
// "ssm_cfg") and Codestral's params.json (by its "dim"), with infinity as `Infinity`, as
// {"__float__": "Infinity"} or as a large number. Refuses other architectures by name.
// `spelling`, if given, is told which of them it was.
enum class ConfigSpelling { kHuggingFace, kStateSpaces, kParams };
Mamba2Config mamba2_config_from_json(const std::string& text, const std::string& source,
                                     ConfigSpelling* spelling = nullptr);

// What transformers' from_pretrained reads. dtype: "float32", "bfloat16" or "float16". Keys of
// `original`, a config.json in the same spelling, that say nothing of the function stay as they
// are: token ids, the range of initialisation, …
std::string to_json(const Mamba2Config& config, const std::string& dtype,
                    const std::string& original = {});

// What mamba_ssm's MambaLMHeadModel.from_pretrained reads. Throws Error(kBadInput) naming `source`
// and what that form can't say.
std::string to_state_spaces_json(const Mamba2Config& config, const std::string& source);

}  // namespace farstate
