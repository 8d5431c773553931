// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/readers.h"

#include <fmt/format.h>

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
#include "core/session/run_config.h"

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

void npy(std::string_view bytes) {
  refused_or([&] {
    const NpyTokens tokens = parse_npy_tokens(bytes, "file");
    require(tokens.ids.size() * 4 <= bytes.size(), "an id has its bytes in the file");
  });
}

constexpr Reader kReaders[] = {
    {"safetensors", safetensors}, {"torch_archive", torch_archive}, {"pickle", pickle},
    {"shard_index", shard_index}, {"config", config},               {"provenance", provenance},
    {"recipe", recipe},           {"npy", npy},
};

}  // namespace

std::span<const Reader> readers() { return kReaders; }

}  // namespace farstate::fuzz
