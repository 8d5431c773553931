// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/convert.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
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
  if (c.out.empty() || (fs::exists(c.out, ignored) && !fs::is_empty(c.out, ignored))) {
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
  const bool unchanged =
      same_spelling && written_dtype(c, *checkpoint.stored.front()) == checkpoint.dtype() &&
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
    write_file_atomic((path / "config.json").string(), config_text(config_, checkpoint_));
    if (config_.format == kHuggingFace) {
      write_safetensors((path / "model.safetensors").string(), tensors(), {{"format", "pt"}});
    } else {
      std::map<std::string, std::string> aliases;
      if (checkpoint_.config.tied_head) aliases.emplace(kHeadName, name_of_weight(0));
      write_torch_archive((path / "pytorch_model.bin").string(), tensors(), aliases);
    }
    if (checkpoint_.source != "embedded") copy_tokenizer_files(checkpoint_.source, folder);
    const Provenance& provenance = checkpoint_.provenance;
    if (provenance.trained_context > 0 || provenance.steps > 0 || !provenance.recipe.empty()) {
      write_file_atomic((path / "farstate.json").string(), to_json(provenance));
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
      overflowed_ += tensor.isinf().sum().item<int64_t>();
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

}  // namespace

Converted convert_checkpoint(const ConvertConfig& config, const ProgressSink& progress) {
  check(config);
  Converter converter(config, progress);
  const fs::path out = fs::absolute(config.out).lexically_normal();
  const std::string target = (out.has_filename() ? out : out.parent_path()).string();
  const std::string beside = fmt::format("{}.{}.part", target, ::getpid());
  std::error_code error;
  try {
    converter.write_into(beside);
    fs::rename(beside, target, error);
    if (error) {
      throw Error(ErrorKind::kBadInput,
                  fmt::format("Cannot make the folder {}: {}.", config.out, error.message()));
    }
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
