// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of tasks ask of a sample.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tasks/task.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/temp_folder.h"

namespace farstate::testing {

inline std::string text_at(const TaskSample& sample, const TextSpan& span) {
  return sample.text.substr(static_cast<size_t>(span.begin),
                            static_cast<size_t>(span.end - span.begin));
}

inline TaskSample sample_of(const Task& task, int64_t length, uint64_t seed, uint64_t number,
                            double depth = -1) {
  Rng numbers(seed, RngStream::kTaskScore, number);
  return task.sample({length, depth, ""}, numbers);
}

inline std::vector<int32_t> ids_of(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<int32_t> ids;
  tokenizer.encode(text, ids);
  return ids;
}

inline std::string bytes_of(const Tokenizer& tokenizer, const std::vector<int32_t>& ids,
                            int64_t begin, int64_t end) {
  std::string bytes;
  for (int64_t i = begin; i < end; ++i) bytes += tokenizer.bytes(ids[static_cast<size_t>(i)]);
  return bytes;
}

// Bytes, byte pairs as GPT-NeoX cuts them, with a space before a text, and as Llama 3 cuts them.
inline std::vector<std::shared_ptr<const Tokenizer>> some_tokenizers() {
  const std::string folder = FARSTATE_GOLDEN_DIR "/tokenizer/";
  std::string prefixed = read_all(folder + "neox.json");
  const std::string flag = "\"add_prefix_space\":";
  prefixed.replace(prefixed.find(flag + "false"), flag.size() + 5, flag + "true");
  return {byte_tokenizer(), load_tokenizer(folder + "neox.json"),
          parse_tokenizer(prefixed, "neox with a space before a text"),
          load_tokenizer(folder + "split.json")};
}

}  // namespace farstate::testing
