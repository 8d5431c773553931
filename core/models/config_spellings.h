// SPDX-License-Identifier: GPL-3.0-or-later
// How the projects around Mamba-2 spell its configuration. Reading one is a function of the parsed
// JSON; mamba2_config_from_json() tells them apart.
#pragma once

#include "core/models/config_reader.h"
#include "core/models/model_config.h"

namespace farstate {

// JSON with infinity in any spelling; discarded where it is no JSON.
nlohmann::ordered_json parse_config(const std::string& text);
// A number for dump_config(), which writes infinity as 1e999: a number to any JSON parser, and
// infinity to Python's, so that every version of the programs around Mamba-2 reads it.
nlohmann::ordered_json json_number(double value);
std::string dump_config(const nlohmann::ordered_json& json);

Mamba2Config read_hugging_face(const ConfigReader& read);  // transformers' Mamba2Config
Mamba2Config read_state_spaces(const ConfigReader& read);  // mamba_ssm's MambaConfig
Mamba2Config read_params(const ConfigReader& read);        // Codestral's params.json

}  // namespace farstate
