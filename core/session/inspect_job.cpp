// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/process.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/data/generated_text.h"
#include "core/data/tokenised_text.h"
#include "core/models/model_sizes.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"
#include "core/session/token_previews.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {

ModelReport inspect(const ModelSource& source, const RunConfig& settings) {
  constexpr int64_t kGeneratedText = int64_t{5} << 20;  // and where its lines begin
  const int64_t process = process_bytes() + kGeneratedText;
  const Checkpoint checkpoint = open_checkpoint(source.model);
  const std::string precision = weights_precision(source.precision, checkpoint.specs);
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(source, checkpoint.config.vocabulary);
  ModelReport report;
  report.asked = source.model;
  report.model = describe(checkpoint, precision);
  if (tokenizer != nullptr) report.model.tokenizer = tokenizer->name();
  report.format = checkpoint.weights.format;
  report.files = checkpoint.weights.files;
  report.notes = checkpoint.notes;
  for (const TensorSpec& spec : checkpoint.specs) {
    report.tensors.push_back({spec.name, spec.shape, spec.weight_decay});
  }
  report.recipe = checkpoint.provenance.recipe;
  report.steps = checkpoint.provenance.steps;
  const ModelMemory memory{mamba2_sizes(checkpoint.config), report.model.parameters,
                           weights_bytes(precision, checkpoint.specs)};
  report.weight_bytes = memory.weight_bytes;
  report.state_bytes = memory.sizes.state_bytes;
  report.measure_bytes = process + memory.weight_bytes + measuring_bytes(memory, settings.measure);
  report.train_memory = training_memory(memory, settings.train);
  report.train_memory.process += process;
  report.train_bytes = report.train_memory.total();
  report.available_bytes = available_memory();
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
  preview.estimated = !whole && &tokenizer != byte_tokenizer().get();
  ids.resize(std::min(kShown, ids.size()));
  preview.first = token_previews(std::vector<int64_t>(ids.begin(), ids.end()), &tokenizer);
}

void preview_ids(const DataConfig& data, int64_t vocabulary, const Tokenizer* tokenizer,
                 TextPreview& preview) {
  constexpr int64_t kShown = 256;
  const Corpus corpus = load_corpus(data, vocabulary, nullptr);
  preview.name = corpus.name;
  preview.tokens = corpus.tokens->size();
  std::vector<int64_t> ids(static_cast<size_t>(std::min(kShown, preview.tokens)));
  corpus.tokens->read(0, ids);
  preview.first = token_previews(ids, tokenizer);
}

}  // namespace

TextPreview preview(const ModelSource& source, const DataConfig& data) {
  constexpr size_t kRead = size_t{64} << 10;
  const int64_t vocabulary = vocabulary_of(source);
  const std::shared_ptr<const Tokenizer> tokenizer = tokenizer_of(source, vocabulary);
  TextPreview preview;
  preview.asked = data.path;
  if (tokenizer != nullptr) preview.tokenizer = tokenizer->name();
  if (!data.tokens.empty()) {
    preview.asked = data.tokens;
    preview_ids(data, vocabulary, tokenizer.get(), preview);
    return preview;
  }
  if (data.path.empty()) {
    const std::string text =
        generate_text(data.generated.empty() ? text_of(source) : data.generated).text;
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
