// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/file.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/models/unroll.h"
#include "core/session/jobs.h"

namespace farstate {

ModelReport inspect(const ModelSource& source) {
  LoadedModel loaded = load_model(source.model);
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
      4 * measured_rows * segment_length(c, measured_rows) * (transient + c.vocabulary);
  const int64_t batch_tokens = defaults.train.batch * defaults.train.context;
  report.train_bytes = 4 * report.weight_bytes + 3 * defaults.train.batch * report.state_bytes +
                       4 * batch_tokens * (c.layers * c.kept_per_token + transient + c.vocabulary);
  return report;
}

TextPreview preview(const ModelSource& source, const DataConfig& data) {
  constexpr int64_t kShown = 256;
  const LoadedModel loaded = load_model(source.model);
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
