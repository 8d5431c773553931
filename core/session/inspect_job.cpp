// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/process.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/models/unroll.h"
#include "core/session/jobs.h"

namespace farstate {

ModelReport inspect(const ModelSource& source) {
  const Checkpoint checkpoint = open_checkpoint(source.model);
  const std::string precision = weights_precision(source.precision, checkpoint.specs);
  ModelReport report;
  report.asked = source.model;
  report.model = describe(checkpoint, precision);
  report.format = checkpoint.weights.format;
  report.files = checkpoint.weights.files;
  report.notes = checkpoint.notes;
  for (const TensorSpec& spec : checkpoint.specs) {
    report.tensors.push_back({spec.name, spec.shape, spec.weight_decay});
  }
  report.recipe = checkpoint.provenance.recipe;
  report.steps = checkpoint.provenance.steps;
  report.weight_bytes = weights_bytes(precision, checkpoint.specs);
  report.available_bytes = available_memory();
  return report;
}

TextPreview preview(const ModelSource& source, const DataConfig& data) {
  constexpr int64_t kShown = 256;
  const LoadedModel loaded = load_model(source);
  const Corpus corpus = load_corpus(data, loaded.info.vocabulary);
  TextPreview preview;
  preview.asked = data.path;
  preview.name = corpus.name;
  preview.tokens = corpus.tokens->size();
  std::vector<int64_t> ids(static_cast<size_t>(std::min(kShown, preview.tokens)));
  corpus.tokens->read(0, ids);
  if (loaded.tokenizer != nullptr) {
    preview.tokenizer = loaded.tokenizer->name();
    for (const int64_t id : ids) {
      preview.first.push_back({id, std::string(loaded.tokenizer->bytes(id))});
    }
  }
  return preview;
}

}  // namespace farstate
