// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/process.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/session/jobs.h"
#include "core/session/memory_estimate.h"

namespace farstate {

ModelReport inspect(const ModelSource& source, const RunConfig& settings) {
  constexpr int64_t kGeneratedText = int64_t{5} << 20;  // and where its lines begin
  const int64_t process = process_bytes() + kGeneratedText;
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
  const ModelMemory memory{mamba2_sizes(checkpoint.config), report.model.parameters,
                           weights_bytes(precision, checkpoint.specs)};
  report.weight_bytes = memory.weight_bytes;
  report.state_bytes = memory.sizes.state_bytes;
  report.measure_bytes = process + memory.weight_bytes + measuring_bytes(memory, settings.measure);
  report.train_bytes = process + 4 * memory.parameters + training_bytes(memory, settings.train);
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
