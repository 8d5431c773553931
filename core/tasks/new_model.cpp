// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/new_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/model_config.h"
#include "core/tasks/task.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;

WordVocabulary words_of(const TaskConfig& task, bool characters) {
  if (task.name == "babilong" && !task.source.empty()) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("The words of {} are those of books, and a new tokenizer has the words of our "
                            "own texts alone; name a model whose tokenizer reads any text.",
                            task.source));
  }
  return vocabulary_of_text(make_task(task, nullptr)->every_word(), characters, 0);
}

Mamba2Config config_of(const NewModel& shape, int64_t vocabulary) {
  for (const auto& [option, size] :
       {std::pair("--layers", shape.layers), {"--d-model", shape.model_dim},
        {"--d-state", shape.state_dim}, {"--head-dim", shape.head_dim}}) {
    if (size >= 1 && size <= 65536) continue;
    throw Error(ErrorKind::kBadUsage, fmt::format("{} must be from 1 to 65536, got {}.", option, size));
  }
  if (2 * shape.model_dim % shape.head_dim != 0) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("--head-dim {} does not divide 2 x {}, twice --d-model; choose one that does.",
                            shape.head_dim, shape.model_dim));
  }
  Mamba2Config config;
  config.layers = shape.layers;
  config.model_dim = shape.model_dim;
  config.state_dim = shape.state_dim;
  config.head_dim = shape.head_dim;
  config.heads = 2 * shape.model_dim / shape.head_dim;
  config.vocabulary = vocabulary;
  return config;
}

void refuse_other(const fs::path& file, const char* what) {
  throw Error(ErrorKind::kBadUsage,
              fmt::format("{} is that of another {}; name a new folder for --out, or repeat the settings "
                          "that it was made with.",
                          file.string(), what));
}

}  // namespace

std::shared_ptr<const Tokenizer> task_tokenizer(const TaskConfig& task, bool characters) {
  return parse_tokenizer(to_tokenizer_json(words_of(task, characters)),
                         fmt::format("{} of the task {}", characters ? "characters" : "words", task.name));
}

void write_new_model(const std::string& folder, const TaskConfig& task, const NewModel& shape) {
  const fs::path tokenizer = fs::path(folder) / kTokenizerFile;
  const fs::path config_file = fs::path(folder) / "config.json";
  const WordVocabulary words = words_of(task, shape.characters);
  const std::string words_json = to_tokenizer_json(words);
  const Mamba2Config config =
      config_of(shape, parse_tokenizer(words_json, tokenizer.string())->vocabulary());
  if (fs::exists(tokenizer)) {
    if (read_file(tokenizer.string()) != words_json) refuse_other(tokenizer, "vocabulary");
  } else {
    make_folder(folder);
    save_tokenizer(folder, words);
  }
  if (!fs::exists(config_file)) {
    write_file_atomic(config_file.string(), to_json(config, "float32"));
  } else if (mamba2_config_from_json(read_file(config_file.string()), config_file.string()) != config) {
    refuse_other(config_file, "model");
  }
}

}  // namespace farstate
