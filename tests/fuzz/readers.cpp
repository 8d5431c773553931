// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/error.h"
#include "core/checkpoint/provenance.h"
#include "core/data/npy.h"
#include "core/formats/pickle.h"
#include "core/formats/safetensors.h"
#include "core/formats/sharded.h"
#include "core/formats/torch_archive.h"
#include "core/models/model_config.h"
#include "core/models/tensor_spec.h"
#include "core/results/results.h"
#include "core/session/run_config.h"
#include "core/tasks/babilong_files.h"
#include "core/tokenizer/load_tokenizer.h"
#include "core/tokenizer/word_vocabulary.h"

namespace farstate::fuzz {
namespace {

void require(bool holds, std::string_view what) {
  if (!holds) throw std::logic_error(std::string(what));
}

template <typename Read>
void refused_or(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::kBadInput || error.kind() == ErrorKind::kBadUsage,
            error.what());
  }
}

// What readers promise of every tensor: all its elements lie within its bytes, and those within the
// file.
void check(const TensorTable& table, std::string_view file) {
  for (const auto& [name, tensor] : table.tensors()) {
    require(tensor.shape.size() == tensor.strides.size(), "as many strides as sizes");
    __int128 last = 0;
    bool empty = false;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      require(tensor.shape[i] >= 0 && tensor.strides[i] >= 0, "nothing is negative");
      empty = empty || tensor.shape[i] == 0;
      last += static_cast<__int128>(tensor.shape[i] - 1) * tensor.strides[i];
    }
    if (empty) continue;
    const auto size = static_cast<__int128>(tensor.bytes.size());
    require((last + 1) * size_of(tensor.dtype) <= size, "elements lie within the tensor's bytes");
    require(tensor.bytes.data() >= file.data() &&
                tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size(),
            "bytes lie within the file");
  }
}

void safetensors(std::string_view bytes) {
  refused_or([&] { check(parse_safetensors(bytes, "file"), bytes); });
}

void torch_archive(std::string_view bytes) {
  refused_or([&] { check(parse_torch_archive(bytes, "file"), bytes); });
}

void pickle(std::string_view bytes) {
  refused_or([&] {
    const Pickle pickle(bytes, "file");
    require(pickle.root().items.size() <= bytes.size(), "a value for every item");
  });
}

void shard_index(std::string_view bytes) {
  refused_or([&] {
    for (const std::string& file : parse_shard_index(bytes, "file").files) {
      require(file.find('/') == std::string::npos && file != "..", "shards lie in their folder");
    }
  });
}

void config(std::string_view bytes) {
  refused_or([&] {
    const std::string text(bytes);
    ConfigSpelling spelling;
    const Mamba2Config config = mamba2_config_from_json(text, "file", &spelling);
    if (config.layers <= 16) require(!mamba2_tensor_specs(config).empty(), "a model has weights");
    const std::string original = spelling == ConfigSpelling::kHuggingFace ? text : "";
    const std::string written = to_json(config, "float32", original);
    require(mamba2_config_from_json(written, "written") == config, "what we write we read");
  });
}

void provenance(std::string_view bytes) {
  refused_or([&] {
    const Provenance read = provenance_from_json(std::string(bytes), "file");
    const Provenance again = provenance_from_json(to_json(read), "written");
    require(again.steps == read.steps && again.recipe == read.recipe, "what we write we read");
  });
}

void recipe(std::string_view bytes) {
  refused_or([&] {
    const RunConfig read = run_config_from_json(std::string(bytes));
    require(run_config_from_json(to_json(read)) == read, "what we write we read");
  });
}

void results(std::string_view bytes) {
  refused_or([&] {
    const Results read = results_from_json(bytes, "file");
    for (const Series& series : read.series) {
      require(series.x.size() == series.y.size(), "a value for every position");
    }
    int64_t non_finite = 0;
    const std::string written = to_json(read, non_finite);
    require(to_json(results_from_json(written, "written"), non_finite) == written,
            "what we write we read");
  });
}

void npy(std::string_view bytes) {
  refused_or([&] {
    const NpyTokens tokens = parse_npy_tokens(bytes, "file");
    require(tokens.ids.size() * 4 <= bytes.size(), "an id has its bytes in the file");
  });
}

void tokenizer(std::string_view bytes) {
  refused_or([&] {
    const auto read = parse_tokenizer(std::string(bytes), "file");
    std::vector<int32_t> ids;
    read->encode("It's 12  caf\xC3\xA9s\r\n\tand \xF0\x9F\x99\x82 \xFF more", ids);
    for (const int32_t id : ids) {
      require(id >= 0 && id < read->vocabulary(), "ids lie within the vocabulary");
      require(!read->bytes(id).empty(), "ids have tokens");
    }
  });
}

// A tokenizer of all bytes, GPT-2's pattern, a few merges and an added token.
std::shared_ptr<const Tokenizer> small_tokenizer() {
  using Json = nlohmann::ordered_json;
  Json vocabulary = Json::object();
  int32_t id = 0;
  for (int byte = 0; byte < 256; ++byte) {
    // The characters that byte-level BPE writes bytes as: printable ones themselves.
    const bool printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte != 173);
    const int code = printable ? byte : 256 + id++;
    vocabulary[code < 128 ? std::string(1, static_cast<char>(code))
                          : std::string{static_cast<char>(0xC0 | code >> 6),
                                        static_cast<char>(0x80 | (code & 0x3F))}] = byte;
  }
  const std::string space = "\xC4\xA0";
  const std::vector<std::pair<std::string, std::string>> merges = {
      {"a", "b"}, {"ab", "a"}, {space, "a"}, {space, space}, {"1", "2"}};
  Json merge_list = Json::array();
  for (const auto& [left, right] : merges) {
    vocabulary[left + right] = vocabulary.size();
    merge_list.push_back({left, right});
  }
  const Json added = {{"id", vocabulary.size()}, {"content", "  ab"},  {"single_word", false},
                      {"lstrip", false},         {"rstrip", false},    {"normalized", true},
                      {"special", false}};
  return parse_tokenizer(
      Json{{"added_tokens", {added}},
           {"normalizer", {{"type", "NFC"}}},
           {"pre_tokenizer",
            {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
           {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merge_list}}}}
          .dump(),
      "small");
}

// Of one line; most of another text is unknown to them.
std::shared_ptr<const Tokenizer> small_words(bool characters) {
  const std::string text = "the kettle is in room 12, caf\xC3\xA9 |\n";
  return parse_tokenizer(to_tokenizer_json(vocabulary_of_text(text, characters, 0)), "small");
}

void encoding(std::string_view bytes) {
  static const std::shared_ptr<const Tokenizer> tokenizers[] = {
      small_tokenizer(), small_words(false), small_words(true)};
  for (const auto& small : tokenizers) {
    std::vector<int32_t> whole;
    small->encode(bytes, whole);
    // Of the whole, and of a beginning that goes on.
    for (const size_t end : {bytes.size(), bytes.size() / 2}) {
      const size_t cut = small->last_cut(bytes.substr(0, end));
      require(cut <= end, "a cut lies within the text");
      std::vector<int32_t> pieces;
      small->encode(bytes.substr(0, cut), pieces);
      small->encode(bytes.substr(cut), pieces);
      require(pieces == whole, "a cut changes nothing");
    }
  }
}

void babilong(std::string_view bytes) {
  refused_or([&] {
    const BabilongRows rows = babilong_rows(bytes, "file", "qa1");
    require(!rows.empty(), "a good file has rows");
    for (const BabilongRow& row : rows) {
      require(!row.question.empty() && !row.target.empty(), "a row has a question and an answer");
    }
  });
}

constexpr Reader kReaders[] = {
    {"safetensors", safetensors}, {"torch_archive", torch_archive}, {"pickle", pickle},
    {"shard_index", shard_index}, {"config", config},               {"provenance", provenance},
    {"recipe", recipe},           {"npy", npy},                     {"tokenizer", tokenizer},
    {"encoding", encoding},       {"results", results},             {"babilong", babilong},
};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

}  // namespace farstate::fuzz
