// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_files.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/safetensors.h"
#include "core/models/mamba2.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "resources/embedded.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kProvenance = "farstate.json";
constexpr const char* kHead = "lm_head.weight";

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorKind::kBadInput, why); }

ModelInfo describe(const RecurrentLM& model, const std::string& name, const std::string& source,
                   const std::string& dtype, const Provenance& provenance) {
  const ModelSizes& c = model.sizes();
  ModelInfo info;
  info.name = name;
  info.source = source;
  info.architecture = c.architecture;
  info.dtype = dtype;
  info.parameters = model.parameter_count();
  info.layers = c.layers;
  info.heads = c.heads;
  info.head_dim = c.head_dim;
  info.state_dim = c.state_dim;
  info.groups = c.groups;
  info.model_dim = c.model_dim;
  info.vocabulary = c.vocabulary;
  info.trained_context = provenance.trained_context;
  info.trained_with = provenance.trained_with;
  return info;
}

// The name under which the file holds this weight; empty if it does not.
std::string find(const SafetensorsFile& file, const TensorEntry& entry) {
  if (file.has(entry.name)) return entry.name;
  for (const std::string& synonym : entry.synonyms) {
    if (file.has(synonym)) return synonym;
  }
  return {};
}

void fill(const RecurrentLM& model, const SafetensorsFile& file) {
  const at::NoGradGuard no_grad;
  std::set<std::string> used;
  for (const TensorEntry& entry : model.tensors()) {
    const std::string name = find(file, entry);
    if (name.empty()) {
      fail(fmt::format("{}: the tensor \"{}\" of shape [{}] is missing; is config.json of another "
                       "model?",
                       file.source(), entry.name, fmt::join(entry.shape, ",")));
    }
    used.insert(name);
    if (file.shape(name) != entry.shape) {
      fail(fmt::format("{}: the tensor \"{}\" has the shape [{}], but config.json asks for [{}].",
                       file.source(), name, fmt::join(file.shape(name), ","),
                       fmt::join(entry.shape, ",")));
    }
    if (!at::isFloatingType(file.dtype(name))) {
      fail(fmt::format("{}: the tensor \"{}\" holds no floating-point numbers.", file.source(),
                       name));
    }
    entry.tensor.copy_(file.tensor(name));
  }
  for (const std::string& name : file.names()) {
    if (used.contains(name)) continue;
    if (name == kHead && model.sizes().tied_head) {
      if (at::equal(file.tensor(name).to(at::kFloat), model.head_weight())) continue;
      fail(fmt::format("{}: config.json ties the head to the embedding, but \"{}\" differs from it; "
                       "set \"tie_word_embeddings\" to false.",
                       file.source(), kHead));
    }
    fail(fmt::format("{}: the tensor \"{}\" belongs to no weight of this model; config.json may be "
                     "of another model.",
                     file.source(), name));
  }
}

std::string dtype_name(at::ScalarType dtype) {
  if (dtype == at::kHalf) return "float16";
  if (dtype == at::kBFloat16) return "bfloat16";
  return dtype == at::kDouble ? "float64" : "float32";
}

Provenance provenance_from_json(const std::string& text, const std::string& source) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) fail(fmt::format("{}: it is not a JSON object.", source));
  Provenance p;
  const auto number = [&](const char* key) {
    if (!json.contains(key)) return int64_t{0};
    if (!json[key].is_number_integer()) {
      fail(fmt::format("{}: \"{}\" is {}, but must be a whole number.", source, key,
                       json[key].dump()));
    }
    return json[key].get<int64_t>();
  };
  p.trained_context = number("trained_context");
  p.steps = number("steps");
  if (json.contains("trained_with") && json["trained_with"].is_string()) {
    p.trained_with = json["trained_with"].get<std::string>();
  }
  if (json.contains("recipe") && json["recipe"].is_object()) p.recipe = json["recipe"].dump();
  return p;
}

LoadedModel assemble(const std::string& config, const std::string& config_source,
                     const SafetensorsFile& weights, const std::string& name,
                     const std::string& source, Provenance provenance) {
  LoadedModel loaded;
  loaded.model = Mamba2::allocate(mamba2_config_from_json(config, config_source));
  fill(*loaded.model, weights);
  const std::string embedding = find(weights, loaded.model->tensors().front());
  loaded.info = describe(*loaded.model, name, source, dtype_name(weights.dtype(embedding)),
                         provenance);
  if (loaded.info.vocabulary == kByteVocabulary) loaded.tokenizer = byte_tokenizer();
  loaded.provenance = std::move(provenance);
  return loaded;
}

LoadedModel load_embedded(const std::string& name) {
  const std::string folder = name + "/";
  const SafetensorsFile weights(embedded_file(folder + kWeights), "embedded " + folder + kWeights);
  return assemble(std::string(embedded_file(folder + kConfig)), "embedded " + folder + kConfig,
                  weights, name, "embedded",
                  provenance_from_json(std::string(embedded_file(folder + kProvenance)),
                                       "embedded " + folder + kProvenance));
}

}  // namespace

LoadedModel load_model(const std::string& model) {
  if (model == "demo") return load_embedded(model);
  std::error_code ignored;
  if (!fs::exists(model, ignored)) {
    fail(fmt::format("There is no model at {}: give a folder with config.json and {}, or \"demo\".",
                     model, kWeights));
  }
  const fs::path folder =
      fs::is_directory(model, ignored) ? fs::path(model) : fs::path(model).parent_path();
  const fs::path config = folder / kConfig;
  const fs::path weights = folder / kWeights;
  if (!fs::exists(config, ignored)) {
    fail(fmt::format("{} holds no {}: give a folder that transformers' save_pretrained or Farstate "
                     "wrote.",
                     folder.empty() ? "." : folder.string(), kConfig));
  }
  if (!fs::exists(weights, ignored)) {
    fail(fmt::format("{} holds no {}, the only form of weights that this version reads.",
                     folder.empty() ? "." : folder.string(), kWeights));
  }
  Provenance provenance;
  const fs::path recorded = folder / kProvenance;
  if (fs::exists(recorded, ignored)) {
    provenance = provenance_from_json(read_file(recorded.string()), recorded.string());
  }
  const std::string name = fs::weakly_canonical(fs::absolute(folder)).filename().string();
  return assemble(read_file(config.string()), config.string(), SafetensorsFile(weights.string()),
                  name, folder.string(), std::move(provenance));
}

LoadedModel allocate_model(const std::string& folder) {
  const std::string config = (fs::path(folder) / kConfig).string();
  LoadedModel loaded;
  loaded.model = Mamba2::allocate(mamba2_config_from_json(read_file(config), config));
  loaded.info = describe(*loaded.model, fs::path(folder).filename().string(), folder, "float32", {});
  return loaded;
}

LoadedModel initialise_model(const std::string& config_path, uint64_t seed) {
  LoadedModel loaded;
  loaded.model = Mamba2::initialise(
      mamba2_config_from_json(read_file(config_path), config_path), seed);
  loaded.info = describe(*loaded.model, "new model", config_path, "float32", {});
  return loaded;
}

void save_config(const std::string& folder, const RecurrentLM& model) {
  make_folder(folder);
  write_file_atomic((fs::path(folder) / kConfig).string(), model.config_json("float32"));
}

void save_model(const std::string& folder, const RecurrentLM& model,
                const Provenance& provenance) {
  save_config(folder, model);
  NamedTensors tensors;
  for (const TensorEntry& entry : model.tensors()) tensors.emplace_back(entry.name, entry.tensor);
  write_safetensors((fs::path(folder) / kWeights).string(), tensors, {{"format", "pt"}});

  Json json;
  json["schema"] = "farstate.model/1";
  json["trained_context"] = provenance.trained_context;
  json["trained_with"] = provenance.trained_with;
  json["steps"] = provenance.steps;
  if (!provenance.recipe.empty()) json["recipe"] = Json::parse(provenance.recipe);
  write_file_atomic((fs::path(folder) / kProvenance).string(), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace farstate
