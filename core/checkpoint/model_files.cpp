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
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "core/tokenizer/find_tokenizer.h"
#include "resources/embedded.h"
#include "resources/embedded_models.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFloat32 = "float32";
constexpr const char* kBFloat16 = "bfloat16";

constexpr const char* kTokenizerFiles[] = {
    kTokenizerFile,        kTokenizerConfigFile,    "special_tokens_map.json", "added_tokens.json",
    "vocab.json",          "merges.txt",            "tokenizer.model",         "tokenizer.model.v3",
    "generation_config.json"};

ModelInfo describe_sizes(const Mamba2Config& c, const std::vector<TensorSpec>& specs) {
  ModelInfo info;
  info.architecture = "Mamba-2";
  for (const TensorSpec& spec : specs) info.parameters += element_count(spec.shape);
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
  loaded.model = std::move(model);
  return loaded;
}

void fill(const RecurrentLM& model, const Checkpoint& checkpoint, const ProgressSink& progress) {
  double total = 0;
  for (const StoredTensor* stored : checkpoint.stored) {
    total += static_cast<double>(stored->elements() * size_of(stored->dtype));
  }
  double done = 0;
  for (size_t i = 0; i < checkpoint.stored.size(); ++i) {
    const auto element = static_cast<double>(size_of(checkpoint.stored[i]->dtype));
    copy_into(*checkpoint.stored[i], model.tensors()[i].tensor, [&](int64_t elements) {
      done += element * static_cast<double>(elements);
      if (!progress) return;
      progress(fmt::format("reading the weights, {:.2f} of {:.2f} GB", done / 1e9, total / 1e9),
               done / total);
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

LoadedModel load_weights(const ModelSource& source, const ProgressSink& progress) {
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

LoadedModel initialise_model(const std::string& config_path, uint64_t seed) {
  LoadedModel loaded = assemble(
      Mamba2::initialise(mamba2_config_from_json(read_file(config_path), config_path), seed));
  loaded.info.name = "new model";
  loaded.info.source = config_path;
  return loaded;
}

std::string embedded_path(const std::string& model, const char* file) {
  return model + "/" + file;
}

// Null: the model reads bytes.
std::shared_ptr<const Tokenizer> embedded_tokenizer(const std::string& model) {
  const std::string path = embedded_path(model, kTokenizerFile);
  const auto content = find_embedded_file(path);
  return content ? parse_tokenizer(std::string(*content), "embedded " + path) : nullptr;
}

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

// One that was named beside the model's own, or instead of it, with what tells transformers how to
// read it.
void copy_tokenizer(const LoadedModel& loaded, const std::string& folder) {
  if (loaded.tokenizer == nullptr || loaded.tokenizer == byte_tokenizer()) return;
  const fs::path from = loaded.tokenizer->name();
  std::error_code ignored;
  if (!fs::exists(from, ignored)) return;  // an embedded one
  if (same_folder(from.parent_path(), folder) ||
      same_folder(from.parent_path(), checkpoint_folder(loaded.info.source))) {
    return;
  }
  const fs::path config = from.parent_path() / kTokenizerConfigFile;
  if (fs::is_regular_file(config, ignored)) {
    write_file_atomic((fs::path(folder) / kTokenizerConfigFile).string(),
                      MappedFile(config.string()).bytes());
  }
  write_file_atomic((fs::path(folder) / kTokenizerFile).string(), MappedFile(from.string()).bytes());
}

}  // namespace

int64_t weights_bytes(const std::string& precision, const std::vector<TensorSpec>& specs) {
  int64_t bytes = 0;
  for (const TensorSpec& spec : specs) {
    bytes += element_count(spec.shape) * (spec.matrix && precision == kBFloat16 ? 2 : 4);
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
  info.text = checkpoint.provenance.text;
  return info;
}

std::shared_ptr<const Tokenizer> tokenizer_of(const ModelSource& source, int64_t vocabulary) {
  const bool embedded = source.init.empty() && find_embedded_model(source.model) != nullptr;
  if (embedded && source.tokenizer.empty()) {
    if (auto tokenizer = embedded_tokenizer(source.model)) return tokenizer;
  }
  const std::string& model = source.init.empty() ? source.model : source.init;
  return find_tokenizer(embedded ? "" : checkpoint_folder(model), source.tokenizer, vocabulary);
}

void set_tokenizer(LoadedModel& loaded, std::shared_ptr<const Tokenizer> tokenizer) {
  loaded.tokenizer = std::move(tokenizer);
  loaded.info.tokenizer = loaded.tokenizer == nullptr ? "" : loaded.tokenizer->name();
}

int64_t vocabulary_of(const ModelSource& source) {
  if (source.init.empty()) return checkpoint_vocabulary(source.model);
  return mamba2_config_from_json(read_file(source.init), source.init).vocabulary;
}

std::string text_of(const ModelSource& source) {
  return source.init.empty() ? open_checkpoint(source.model).provenance.text : "";
}

LoadedModel load_model(const ModelSource& source, uint64_t seed, const ProgressSink& progress) {
  if (progress) progress("reading the model", -1);
  LoadedModel loaded = source.init.empty() ? load_weights(source, progress)
                                           : initialise_model(source.init, seed);
  set_tokenizer(loaded, tokenizer_of(source, loaded.info.vocabulary));
  return loaded;
}

LoadedModel load_model(const std::string& model) {
  ModelSource source;
  source.model = model;
  source.precision = kFloat32;
  return load_model(source, /*seed=*/0);
}

LoadedModel allocate_model(const std::string& folder) {
  const std::string config = (fs::path(folder) / kConfigFile).string();
  const std::string text = read_file(config);
  LoadedModel loaded = assemble(Mamba2::allocate(mamba2_config_from_json(text, config)));
  loaded.info.name = fs::path(folder).filename().string();
  loaded.info.source = folder;
  loaded.config_text = text;
  return loaded;
}

void save_config(const std::string& folder, const LoadedModel& loaded) {
  make_folder(folder);
  write_file_atomic((fs::path(folder) / kConfigFile).string(),
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
  write_safetensors((fs::path(folder) / kWeightsFile).string(), tensors, {{"format", "pt"}});
  if (loaded.info.source == kEmbeddedSource) {
    copy_embedded_tokenizer(loaded.info.name, folder);
  } else {
    copy_tokenizer_files(checkpoint_folder(loaded.info.source), folder);
  }
  copy_tokenizer(loaded, folder);
  write_file_atomic((fs::path(folder) / kProvenanceFile).string(), to_json(provenance));
}

std::vector<std::string> model_file_names() {
  std::vector<std::string> names = {kConfigFile, kWeightsFile, kProvenanceFile};
  names.insert(names.end(), std::begin(kTokenizerFiles), std::end(kTokenizerFiles));
  return names;
}

void copy_embedded_tokenizer(const std::string& model, const std::string& to_folder) {
  for (const char* name : kTokenizerFiles) {
    const auto content = find_embedded_file(embedded_path(model, name));
    if (content) write_file_atomic((fs::path(to_folder) / name).string(), *content);
  }
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
