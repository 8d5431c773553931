// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/models/mamba2.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kProvenance = "farstate.json";
constexpr const char* kFloat32 = "float32";
constexpr const char* kBFloat16 = "bfloat16";

constexpr const char* kTokenizerFiles[] = {
    "tokenizer.json",      "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json",          "merges.txt",            "tokenizer.model",         "tokenizer.model.v3",
    "generation_config.json"};

ModelInfo describe_sizes(const Mamba2Config& c, const std::vector<TensorSpec>& specs) {
  ModelInfo info;
  info.architecture = "Mamba-2";
  for (const TensorSpec& spec : specs) {
    int64_t elements = 1;
    for (const int64_t extent : spec.shape) elements *= extent;
    info.parameters += elements;
  }
  info.layers = c.layers;
  info.heads = c.heads;
  info.head_dim = c.head_dim;
  info.state_dim = c.state_dim;
  info.groups = c.groups;
  info.model_dim = c.model_dim;
  info.vocabulary = c.vocabulary;
  info.precision = kFloat32;
  return info;
}

LoadedModel assemble(std::unique_ptr<Mamba2> model) {
  LoadedModel loaded;
  loaded.info = describe_sizes(model->config(), mamba2_tensor_specs(model->config()));
  loaded.info.dtype = kFloat32;
  if (loaded.info.vocabulary == kByteVocabulary) loaded.tokenizer = byte_tokenizer();
  loaded.model = std::move(model);
  return loaded;
}

void fill(const RecurrentLM& model, const Checkpoint& checkpoint, const ProgressSink& progress) {
  const auto total = static_cast<double>(model.parameter_count());
  int64_t done = 0;
  for (size_t i = 0; i < checkpoint.stored.size(); ++i) {
    copy_into(*checkpoint.stored[i], model.tensors()[i].tensor, [&](int64_t elements) {
      done += elements;
      if (progress) progress("reading the weights", static_cast<double>(done) / total);
    });
  }
}

void refuse_too_large(const Checkpoint& checkpoint, const std::string& precision) {
  const int64_t bytes = weights_bytes(precision, checkpoint.specs);
  const int64_t available = available_memory();
  if (available == 0 || bytes <= available) return;
  throw Error(ErrorKind::kOutOfMemory,
              fmt::format("The weights of {} take {:.1f} GB in {}, and {:.1f} GB of memory are "
                          "available; {}.",
                          checkpoint.source, static_cast<double>(bytes) / 1e9, precision,
                          static_cast<double>(available) / 1e9,
                          precision == kFloat32 ? "try the precision bfloat16"
                                                : "close other programs, or choose a smaller model"));
}

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

}  // namespace

int64_t weights_bytes(const std::string& precision, const std::vector<TensorSpec>& specs) {
  int64_t bytes = 0;
  for (const TensorSpec& spec : specs) {
    int64_t size = spec.matrix && precision == kBFloat16 ? 2 : 4;
    for (const int64_t extent : spec.shape) size *= extent;
    bytes += size;
  }
  return bytes;
}

std::string weights_precision(const std::string& asked, const std::vector<TensorSpec>& specs) {
  if (asked != "auto") return asked;
  const int64_t available = available_memory();
  return available == 0 || weights_bytes(kFloat32, specs) <= available / 2 ? kFloat32 : kBFloat16;
}

ModelInfo describe(const Checkpoint& checkpoint, const std::string& precision) {
  ModelInfo info = describe_sizes(checkpoint.config, checkpoint.specs);
  info.name = checkpoint.name;
  info.source = checkpoint.source;
  info.dtype = name_of(checkpoint.dtype());
  info.precision = precision;
  info.trained_context = checkpoint.provenance.trained_context;
  info.trained_with = checkpoint.provenance.trained_with;
  return info;
}

LoadedModel load_model(const ModelSource& source, const ProgressSink& progress) {
  if (progress) progress("reading the model", -1);
  const Checkpoint checkpoint = open_checkpoint(source.model);
  const std::string precision = weights_precision(source.precision, checkpoint.specs);
  refuse_too_large(checkpoint, precision);
  LoadedModel loaded = assemble(
      Mamba2::allocate(checkpoint.config, precision == kBFloat16 ? at::kBFloat16 : at::kFloat));
  fill(*loaded.model, checkpoint, progress);
  loaded.info = describe(checkpoint, precision);
  loaded.provenance = checkpoint.provenance;
  loaded.notes = checkpoint.notes;
  if (checkpoint.spelling == ConfigSpelling::kHuggingFace) {
    loaded.config_text = checkpoint.config_text;
  }
  return loaded;
}

LoadedModel load_model(const std::string& model) {
  ModelSource source;
  source.model = model;
  source.precision = kFloat32;
  return load_model(source);
}

LoadedModel allocate_model(const std::string& folder) {
  const std::string config = (fs::path(folder) / kConfig).string();
  const std::string text = read_file(config);
  LoadedModel loaded = assemble(Mamba2::allocate(mamba2_config_from_json(text, config)));
  loaded.info.name = fs::path(folder).filename().string();
  loaded.info.source = folder;
  loaded.config_text = text;
  return loaded;
}

LoadedModel initialise_model(const std::string& config_path, uint64_t seed) {
  LoadedModel loaded = assemble(
      Mamba2::initialise(mamba2_config_from_json(read_file(config_path), config_path), seed));
  loaded.info.name = "new model";
  loaded.info.source = config_path;
  return loaded;
}

void save_config(const std::string& folder, const LoadedModel& loaded) {
  make_folder(folder);
  write_file_atomic((fs::path(folder) / kConfig).string(),
                    loaded.model->config_json(kFloat32, loaded.config_text));
}

void save_model(const std::string& folder, const LoadedModel& loaded,
                const Provenance& provenance) {
  save_config(folder, loaded);
  std::vector<TensorToWrite> tensors;
  for (const TensorEntry& entry : loaded.model->tensors()) {
    tensors.push_back({entry.name, DType::kF32, entry.shape,
                       [t = entry.tensor] { return t.detach().to(at::kFloat).contiguous(); }});
  }
  write_safetensors((fs::path(folder) / kWeights).string(), tensors, {{"format", "pt"}});
  copy_tokenizer_files(checkpoint_folder(loaded.info.source), folder);
  write_file_atomic((fs::path(folder) / kProvenance).string(), to_json(provenance));
}

void copy_tokenizer_files(const std::string& from_folder, const std::string& to_folder) {
  if (same_folder(from_folder, to_folder)) return;
  for (const char* name : kTokenizerFiles) {
    const fs::path from = fs::path(from_folder) / name;
    std::error_code ignored;
    if (!fs::is_regular_file(from, ignored)) continue;
    write_file_atomic((fs::path(to_folder) / name).string(), MappedFile(from.string()).bytes());
  }
}

}  // namespace farstate
