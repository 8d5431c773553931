// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/file_kind.h"
#include "core/formats/safetensors.h"
#include "core/tokenizer/load_tokenizer.h"
#include "resources/embedded.h"
#include "resources/embedded_models.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigs[] = {kConfigFile, "params.json"};
// Safetensors first: where a folder holds both, that is what other programs load.
constexpr const char* kWeights[] = {kWeightsFile, "model.safetensors.index.json",
                                    "consolidated.safetensors", "pytorch_model.bin",
                                    "pytorch_model.bin.index.json"};
// What wrappers of a model put before every name, one or several of them.
constexpr const char* kPrefixes[] = {"module.", "model.", "_orig_mod."};

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorKind::kBadInput, why); }

bool is_there(const fs::path& path) {
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (error == std::errc::permission_denied) {
    fail(fmt::format("Cannot read {}: {}.", path.string(), error.message()));
  }
  return there;
}

std::string shown(const fs::path& folder) { return folder.empty() ? "." : folder.string(); }

// ----- which files

void require_there(const std::string& model) {
  if (is_there(model)) return;
  fail(fmt::format("There is no model at {}: give a folder with config.json and weights, a file in it, "
                   "or one of the models that are built in: {}.",
                   model, embedded_model_names()));
}

// Whether a file says what the model is, or otherwise holds none of its weights.
bool is_configuration(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".json") && !name.ends_with(".index.json") && name != kProvenanceFile &&
         name != kTokenizerFile;
}

fs::path find_config(const fs::path& folder, const fs::path& model) {
  for (const char* name : kConfigs) {
    if (is_there(folder / name)) return folder / name;
  }
  std::error_code ignored;
  // Where the file is no model's at all, that is the more useful complaint.
  const std::string kind =
      fs::is_regular_file(model, ignored) ? file_kind(MappedFile(model.string()).bytes()) : "";
  if (!kind.empty() && !kind.starts_with("a zip archive") && model.extension() != ".json") {
    fail(fmt::format("{} holds no weights: it is {}. Give the folder of a checkpoint, with config.json "
                     "and weights, or a file of weights in it.",
                     model.string(), kind));
  }
  fail(fmt::format("{} holds no config.json: give the folder of a checkpoint, as save_pretrained, "
                   "mamba_ssm or Farstate write it.",
                   shown(folder)));
}

// The one that is named, or the one in the model's folder.
fs::path config_of(const fs::path& model) {
  std::error_code ignored;
  const bool named = fs::is_regular_file(model, ignored) && is_configuration(model);
  return named ? model : find_config(checkpoint_folder(model.string()), model);
}

// The index that lists a shard, if one in its folder does.
std::optional<fs::path> index_of_shard(const fs::path& file) {
  for (const char* name : {kWeights[1], kWeights[4]}) {
    const fs::path path = file.parent_path() / name;
    if (!is_there(path)) continue;
    const ShardIndex index = parse_shard_index(read_file(path.string()), path.string());
    if (std::find(index.files.begin(), index.files.end(), file.filename().string()) !=
        index.files.end()) {
      return path;
    }
  }
  return std::nullopt;
}

fs::path find_weights(const fs::path& model, const fs::path& folder, std::vector<std::string>& notes) {
  std::error_code ignored;
  const bool index = model.string().ends_with(".index.json");
  if (fs::is_regular_file(model, ignored) && (model.extension() != ".json" || index)) {
    return index_of_shard(model).value_or(model);
  }
  std::vector<fs::path> found;
  for (const char* name : kWeights) {
    if (is_there(folder / name)) found.push_back(folder / name);
  }
  if (found.empty()) {
    fail(fmt::format("{} holds no weights: wanted one of {}.", shown(folder),
                     fmt::join(kWeights, ", ")));
  }
  if (found.size() > 1) {
    notes.push_back(fmt::format("{} holds weights in several forms; {} was read.", shown(folder),
                                found.front().filename().string()));
  }
  return found.front();
}

// ----- the weights against the configuration

void strip_prefixes(TensorTable& table) {
  const auto all_begin_with = [&](const char* prefix) {
    return std::all_of(table.tensors().begin(), table.tensors().end(),
                       [&](const auto& entry) { return entry.first.starts_with(prefix); });
  };
  for (bool again = true; again;) {
    again = false;
    for (const char* prefix : kPrefixes) {
      if (table.tensors().empty() || !all_begin_with(prefix)) continue;
      table.strip(prefix);
      again = true;
    }
  }
}

const StoredTensor* find(const TensorTable& table, const TensorSpec& spec, std::string& name) {
  name = spec.name;
  if (table.has(name)) return &table.at(name);
  for (const std::string& synonym : spec.synonyms) {
    name = synonym;
    if (table.has(name)) return &table.at(name);
  }
  return nullptr;
}

// Bytes of row r of a matrix, one element after the other.
std::string row_of(const StoredTensor& matrix, int64_t r) {
  const auto size = static_cast<size_t>(size_of(matrix.dtype));
  std::string row;
  for (int64_t c = 0; c < matrix.shape[1]; ++c) {
    row += matrix.bytes.substr(
        static_cast<size_t>(r * matrix.strides[0] + c * matrix.strides[1]) * size, size);
  }
  return row;
}

// Of two matrices, to the bit; however they lie in their files.
bool same_values(const StoredTensor& a, const StoredTensor& b) {
  if (a.dtype != b.dtype || a.shape != b.shape || a.shape.size() != 2) return false;
  if (a.strides == b.strides) return a.bytes.data() == b.bytes.data() || a.bytes == b.bytes;
  for (int64_t r = 0; r < a.shape[0]; ++r) {
    if (row_of(a, r) != row_of(b, r)) return false;
  }
  return true;
}

// The configuration says whether the head is the embedding, and the weights may say otherwise. The
// weights win, since only they can be run; transformers 5 decides in the same way.
void settle_head(Checkpoint& checkpoint) {
  const TensorTable& table = checkpoint.weights.table;
  const TensorSpec embedding = mamba2_tensor_specs(checkpoint.config).front();
  std::string ignored;
  const StoredTensor* tied_to = find(table, embedding, ignored);
  if (tied_to == nullptr) return;  // the check of all weights says what is missing
  if (!table.has(kHeadName)) {
    if (checkpoint.config.tied_head) return;
    checkpoint.config.tied_head = true;
    checkpoint.notes.push_back(
        fmt::format("{} says that the head is not tied to the embedding, but {} holds no \"{}\": the "
                    "embedding is used.",
                    checkpoint.config_source, fs::path(table.source()).filename().string(), kHeadName));
  } else if (checkpoint.config.tied_head && !same_values(table.at(kHeadName), *tied_to)) {
    checkpoint.config.tied_head = false;
    checkpoint.notes.push_back(
        fmt::format("{} ties the head to the embedding, but \"{}\" in {} differs from it: it is used as "
                    "it is, untied.",
                    checkpoint.config_source, kHeadName,
                    fs::path(table.source()).filename().string()));
  }
}

void match_weights(Checkpoint& checkpoint) {
  const TensorTable& table = checkpoint.weights.table;
  const std::string config = fs::path(checkpoint.config_source).filename().string();
  checkpoint.specs = mamba2_tensor_specs(checkpoint.config);
  std::set<std::string> used;
  for (const TensorSpec& spec : checkpoint.specs) {
    std::string name;
    const StoredTensor* stored = find(table, spec, name);
    if (stored == nullptr) {
      fail(fmt::format("{}: the tensor \"{}\" of shape [{}] is missing; is {} of another model?",
                       table.source(), spec.name, fmt::join(spec.shape, ","), config));
    }
    if (stored->shape != spec.shape) {
      fail(fmt::format("{}: the tensor \"{}\" has the shape [{}], but {} asks for [{}].",
                       table.source(), name, fmt::join(stored->shape, ","), config,
                       fmt::join(spec.shape, ",")));
    }
    if (!is_floating(stored->dtype)) {
      fail(fmt::format("{}: the tensor \"{}\" holds no floating-point numbers but {}.",
                       table.source(), name, name_of(stored->dtype)));
    }
    used.insert(name);
    checkpoint.stored.push_back(stored);
  }
  for (const auto& [name, stored] : table.tensors()) {
    if (used.contains(name) || (name == kHeadName && checkpoint.config.tied_head)) continue;
    fail(fmt::format("{}: the tensor \"{}\" belongs to no weight of this model; {} may be of another "
                     "model.",
                     table.source(), name, config));
  }
}

void check_against_each_other(Checkpoint& checkpoint) {
  strip_prefixes(checkpoint.weights.table);
  settle_head(checkpoint);
  match_weights(checkpoint);
  const std::vector<std::string>& notes = checkpoint.weights.table.notes;
  checkpoint.notes.insert(checkpoint.notes.end(), notes.begin(), notes.end());
}

void read_config(Checkpoint& checkpoint) {
  checkpoint.config = mamba2_config_from_json(checkpoint.config_text, checkpoint.config_source,
                                              &checkpoint.spelling);
}

Checkpoint open_embedded(const std::string& name) {
  const std::string folder = name + "/";
  const auto text = [&](const char* file) { return std::string(embedded_file(folder + file)); };
  const auto label = [&](const char* file) { return "embedded " + folder + file; };
  Checkpoint checkpoint;
  checkpoint.name = name;
  checkpoint.source = kEmbeddedSource;
  checkpoint.config_text = text(kConfigs[0]);
  checkpoint.config_source = label(kConfigs[0]);
  checkpoint.weights.table = parse_safetensors(embedded_file(folder + kWeights[0]), label(kWeights[0]));
  checkpoint.weights.format = "safetensors";
  read_config(checkpoint);
  checkpoint.provenance = provenance_from_json(text(kProvenanceFile), label(kProvenanceFile));
  check_against_each_other(checkpoint);
  return checkpoint;
}

}  // namespace

std::string checkpoint_folder(const std::string& model) {
  std::error_code ignored;
  if (fs::is_directory(model, ignored)) return model;
  const std::string folder = fs::path(model).parent_path().string();
  return folder.empty() ? "." : folder;
}

int64_t checkpoint_vocabulary(const std::string& model) {
  if (find_embedded_model(model) != nullptr) return open_embedded(model).config.vocabulary;
  require_there(model);
  const fs::path config = config_of(model);
  return mamba2_config_from_json(read_file(config.string()), config.string()).vocabulary;
}

Checkpoint open_checkpoint(const std::string& model) {
  if (find_embedded_model(model) != nullptr) return open_embedded(model);
  require_there(model);
  const fs::path folder = checkpoint_folder(model);
  std::vector<std::string> notes;
  const fs::path config = config_of(model);
  const fs::path weights = find_weights(model, folder, notes);
  Checkpoint checkpoint;
  checkpoint.name = fs::weakly_canonical(fs::absolute(folder)).filename().string();
  checkpoint.source = folder.string();
  checkpoint.config_text = read_file(config.string());
  checkpoint.config_source = config.string();
  checkpoint.notes = std::move(notes);
  read_config(checkpoint);  // before the weights: it may say that they are of another architecture
  checkpoint.weights = read_weights(weights.string());
  const fs::path recorded = folder / kProvenanceFile;
  if (is_there(recorded)) {
    checkpoint.provenance = provenance_from_json(read_file(recorded.string()), recorded.string());
  }
  check_against_each_other(checkpoint);
  return checkpoint;
}

}  // namespace farstate
