// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/data/tokenised_text.h"
#include "core/models/unroll.h"
#include "core/session/jobs.h"
#include "core/session/model_source.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "core/tokenizer/find_tokenizer.h"

namespace farstate {

ModelReport inspect(const ModelSource& source) {
  const LoadedModel loaded = load(source, RunConfig().seed);
  ModelReport report;
  report.asked = source.model;
  report.model = loaded.info;
  report.recipe = loaded.provenance.recipe;
  report.steps = loaded.provenance.steps;
  for (const TensorEntry& entry : loaded.model->tensors()) {
    report.tensors.push_back({entry.name, entry.shape, entry.weight_decay});
    report.weight_bytes += static_cast<int64_t>(entry.tensor.nbytes());
  }
  for (const LayerState& layer : loaded.model->zero_state(1).layers) {
    report.state_bytes += static_cast<int64_t>(layer.recurrent.nbytes() + layer.context.nbytes());
  }
  const RunConfig defaults;
  const ModelSizes& c = loaded.model->sizes();
  // Floats per token that one layer's forward holds at once.
  const int64_t transient = 4 * c.widest;
  const int64_t measured_rows = defaults.measure.sequences;
  report.measure_bytes =
      report.weight_bytes + 2 * measured_rows * report.state_bytes +
      4 * measured_rows * segment_length(*loaded.model, measured_rows) * (transient + c.vocabulary);
  const int64_t batch_tokens = defaults.train.batch * defaults.train.context;
  report.train_bytes = 4 * report.weight_bytes + 3 * defaults.train.batch * report.state_bytes +
                       4 * batch_tokens * (c.layers * c.kept_per_token + transient + c.vocabulary);
  return report;
}

namespace {

// The first tokens of a text, and how many it has by them.
void preview_text(std::string_view beginning, int64_t size, const Tokenizer& tokenizer,
                  TextPreview& preview) {
  constexpr size_t kShown = 256;
  const bool whole = size == static_cast<int64_t>(beginning.size());
  if (!whole) {  // without a cut the last token may be half of one
    const size_t cut = tokenizer.last_cut(beginning);
    if (cut > 0) beginning = beginning.substr(0, cut);
  }
  std::vector<int32_t> ids;
  tokenizer.encode(beginning, ids);
  const double per_byte = static_cast<double>(ids.size()) / static_cast<double>(beginning.size());
  preview.tokens = std::llround(per_byte * static_cast<double>(size));
  preview.estimated = !whole && tokenizer.vocabulary() != kByteVocabulary;
  for (size_t i = 0; i < std::min(kShown, ids.size()); ++i) {
    preview.first.push_back({ids[i], visible_text(tokenizer, ids[i])});
  }
}

void preview_ids(const DataConfig& data, int64_t vocabulary, const Tokenizer* tokenizer,
                 TextPreview& preview) {
  constexpr int64_t kShown = 256;
  const Corpus corpus = load_corpus(data, vocabulary, nullptr);
  preview.name = corpus.name;
  preview.tokens = corpus.tokens->size();
  std::vector<int64_t> ids(static_cast<size_t>(std::min(kShown, preview.tokens)));
  corpus.tokens->read(0, ids);
  for (const int64_t id : ids) {
    preview.first.push_back({id, tokenizer == nullptr ? "" : visible_text(*tokenizer, id)});
  }
}

}  // namespace

TextPreview preview(const ModelSource& source, const DataConfig& data) {
  constexpr size_t kRead = size_t{64} << 10;
  const int64_t vocabulary = vocabulary_of(source);
  const auto tokenizer = find_tokenizer(folder_of(source), source.tokenizer, vocabulary);
  TextPreview preview;
  preview.asked = data.path;
  if (tokenizer != nullptr) preview.tokenizer = tokenizer->name();
  if (!data.tokens.empty()) {
    preview.asked = data.tokens;
    preview_ids(data, vocabulary, tokenizer.get(), preview);
    return preview;
  }
  if (data.path.empty()) {
    const std::string text = generated_text();
    preview.name = "the generated text";
    check_tokenizer(tokenizer.get(), vocabulary, preview.name);
    preview.bytes = static_cast<int64_t>(text.size());
    preview_text(std::string_view(text).substr(0, kRead), preview.bytes, *tokenizer, preview);
    return preview;
  }
  const MappedFile file(data.path);
  check_tokenizer(tokenizer.get(), vocabulary, data.path);
  preview.name = data.path;
  preview.bytes = static_cast<int64_t>(file.bytes().size());
  check_text(file, *tokenizer);
  preview_text(file.bytes().substr(0, kRead), preview.bytes, *tokenizer, preview);
  if (const auto known = kept_token_count(data.path, *tokenizer)) {
    preview.tokens = *known;
    preview.estimated = false;
  }
  return preview;
}

}  // namespace farstate
