// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/convert.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKeep = "keep";
constexpr const char* kHuggingFace = "hf";
constexpr const char* kStateSpaces = "state-spaces";

void check(const ConvertConfig& c) {
  const auto choice = [](const char* key, const std::string& found,
                         std::initializer_list<const char*> choices) {
    if (std::find(choices.begin(), choices.end(), found) != choices.end()) return;
    throw Error(ErrorKind::kBadUsage, fmt::format("{} is \"{}\", but must be one of {}.", key, found,
                                                  fmt::join(choices, ", ")));
  };
  choice("the format", c.format, {kHuggingFace, kStateSpaces});
  choice("the dtype", c.dtype, {kKeep, "float32", "float16", "bfloat16"});
  std::error_code ignored;
  // What is there is replaced by renaming, which a link or a file would not survive.
  const fs::file_status there = fs::symlink_status(c.out, ignored);
  const bool free = !fs::exists(there) || (fs::is_directory(there) && fs::is_empty(c.out, ignored));
  if (c.out.empty() || !free) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("{} is not an empty folder; name a new one for the converted model.",
                            c.out.empty() ? "\"\"" : c.out));
  }
}

DType written_dtype(const ConvertConfig& c, const StoredTensor& stored) {
  if (c.dtype == "float32") return DType::kF32;
  if (c.dtype == "float16") return DType::kF16;
  return c.dtype == "bfloat16" ? DType::kBF16 : stored.dtype;
}

std::string config_text(const ConvertConfig& c, const Checkpoint& checkpoint) {
  const bool same_spelling =
      checkpoint.spelling ==
      (c.format == kHuggingFace ? ConfigSpelling::kHuggingFace : ConfigSpelling::kStateSpaces);
  // Some programs write infinity as a word, which transformers does not read.
  const bool worded = checkpoint.config_text.find("\"inf\"") != std::string::npos;
  const bool unchanged =
      same_spelling && !worded && written_dtype(c, *checkpoint.stored.front()) == checkpoint.dtype() &&
      mamba2_config_from_json(checkpoint.config_text, checkpoint.config_source) == checkpoint.config;
  if (unchanged) return checkpoint.config_text;
  if (c.format == kStateSpaces) {
    return to_state_spaces_json(checkpoint.config, checkpoint.config_source);
  }
  return to_json(checkpoint.config, name_of(written_dtype(c, *checkpoint.stored.front())),
                 same_spelling ? checkpoint.config_text : "");
}

class Converter {
 public:
  Converter(const ConvertConfig& config, const ProgressSink& progress)
      : config_(config), progress_(progress), checkpoint_(open_checkpoint(config.model)) {
    for (const StoredTensor* stored : checkpoint_.stored) elements_ += stored->elements();
  }

  void write_into(const std::string& folder) {
    const fs::path path(folder);
    make_folder(folder);
    write_file_atomic((path / kConfigFile).string(), config_text(config_, checkpoint_));
    if (config_.format == kHuggingFace) {
      write_safetensors((path / kWeightsFile).string(), tensors(), {{"format", "pt"}});
    } else {
      std::map<std::string, std::string> aliases;
      if (checkpoint_.config.tied_head) aliases.emplace(kHeadName, name_of_weight(0));
      write_torch_archive((path / "pytorch_model.bin").string(), tensors(), aliases);
    }
    if (checkpoint_.source == kEmbeddedSource) {
      copy_embedded_tokenizer(checkpoint_.name, folder);
    } else {
      copy_tokenizer_files(checkpoint_.source, folder);
    }
    const Provenance& provenance = checkpoint_.provenance;
    if (provenance.trained_context > 0 || provenance.steps > 0 || !provenance.recipe.empty()) {
      write_file_atomic((path / kProvenanceFile).string(), to_json(provenance));
    }
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> notes = checkpoint_.notes;
    if (overflowed_ > 0) {
      notes.push_back(fmt::format("{} values are beyond the range of float16 and became infinite; "
                                  "convert to bfloat16 or float32.",
                                  overflowed_));
    }
    return notes;
  }

 private:
  std::string name_of_weight(size_t i) const {
    const TensorSpec& spec = checkpoint_.specs[i];
    return config_.format == kStateSpaces && !spec.synonyms.empty() ? spec.synonyms.front()
                                                                    : spec.name;
  }

  std::vector<TensorToWrite> tensors() {
    std::vector<TensorToWrite> tensors;
    for (size_t i = 0; i < checkpoint_.specs.size(); ++i) {
      const StoredTensor& stored = *checkpoint_.stored[i];
      const DType dtype = written_dtype(config_, stored);
      tensors.push_back({name_of_weight(i), dtype, stored.shape,
                         [this, &stored, dtype] { return make(stored, dtype); }});
    }
    return tensors;
  }

  at::Tensor make(const StoredTensor& stored, DType dtype) {
    at::Tensor tensor = at::empty(stored.shape, scalar_type(dtype));
    copy_into(stored, tensor, [&](int64_t elements) {
      done_ += elements;
      if (progress_) progress_("converting", static_cast<double>(done_) / static_cast<double>(elements_));
    });
    if (dtype == DType::kF16 && stored.dtype != DType::kF16) {
      overflowed_ += tensor.isinf().logical_and(tensor_of(stored).isfinite()).sum().item<int64_t>();
    }
    return tensor;
  }

  const ConvertConfig& config_;
  const ProgressSink& progress_;
  Checkpoint checkpoint_;
  int64_t elements_ = 0;
  int64_t done_ = 0;
  int64_t overflowed_ = 0;
};

// Folders beside `target` that programs left which were killed while they wrote it.
void remove_abandoned(const std::string& target) {
  std::error_code ignored;
  const std::string prefix = fs::path(target).filename().string() + ".";
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(target).parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".part")) continue;
    const std::string middle = name.substr(prefix.size(), name.size() - prefix.size() - 5);
    int process = 0;
    const auto [end, error] = std::from_chars(middle.data(), middle.data() + middle.size(), process);
    if (error != std::errc() || end != middle.data() + middle.size() || process <= 0) continue;
    if (::kill(process, 0) != 0 && errno == ESRCH) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Converted convert_checkpoint(const ConvertConfig& config, const ProgressSink& progress) {
  check(config);
  Converter converter(config, progress);
  const fs::path out = fs::absolute(config.out).lexically_normal();
  const std::string target = (out.has_filename() ? out : out.parent_path()).string();
  const std::string beside = fmt::format("{}.{}.part", target, ::getpid());
  remove_abandoned(target);
  std::error_code error;
  try {
    converter.write_into(beside);
    fs::rename(beside, target, error);
    if (error) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("Cannot make the folder {}: {}.", config.out, error.message()));
    }
  } catch (const Error& failure) {
    fs::remove_all(beside, error);
    // The person named the folder, and knows of no other.
    std::string sentence = failure.what();
    if (const size_t at = sentence.find(beside); at != std::string::npos) {
      sentence.replace(at, beside.size(), target);
    }
    throw Error(failure.kind(), sentence);
  } catch (...) {
    fs::remove_all(beside, error);
    throw;
  }
  Converted converted{{}, converter.notes(), 0};
  for (const fs::directory_entry& entry : fs::directory_iterator(target)) {
    converted.files.push_back(entry.path().filename().string());
    converted.bytes += static_cast<int64_t>(entry.file_size());
  }
  std::sort(converted.files.begin(), converted.files.end());
  return converted;
}

}  // namespace farstate
