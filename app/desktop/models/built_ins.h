// SPDX-License-Identifier: GPL-3.0-or-later
// The models that are linked into the program, as the window offers them: the bases, the twins that
// post-training made of each, and curves of all of them that were recorded before.
#pragma once

#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/session/runner.h"
#include "resources/embedded_models.h"

namespace farstate::desktop {

// A measurement that the makers of the program took: shown before there is one of this machine.
struct Recording {
  std::shared_ptr<const Measurement> measurement;  // step: of the model's last training; 0 for a base
  ModelInfo model;  // what is known of it without loading it: name and what it was trained on
  QString made;     // the day, as 2026-01-31
};

class BuiltIns {
 public:
  using Read = std::function<std::optional<Recording>(const EmbeddedModel& model)>;

  BuiltIns();  // what is linked in
  BuiltIns(std::vector<EmbeddedModel> models, Read read);

  const std::vector<EmbeddedModel>& models() const { return models_; }
  const EmbeddedModel* find(const std::string& name) const;  // null: not built in
  std::vector<const EmbeddedModel*> bases() const;
  std::vector<const EmbeddedModel*> twins_of(const std::string& base) const;
  // What post-training with this initial state made of the base; null: there is none.
  const EmbeddedModel* twin_of(const std::string& base, Intervention law) const;
  // Null: none was made.
  const Recording* recording(const std::string& name) const;

 private:
  std::vector<EmbeddedModel> models_;
  Read read_;
  mutable std::map<std::string, std::optional<Recording>> known_;
};

// Whether measuring by this recipe would give the recorded curves.
bool measures_the_same(const RunConfig& recipe, const Measurement& recorded);

QString text_name(const std::string& generated);         // "Documents of facts"
QString text_description(const std::string& generated);  // one sentence
QString twin_name(const EmbeddedModel& twin);            // "Post-trained with state passing"

// How far two measurements of one model by one recipe agree.
struct Agreement {
  bool comparable = false;  // the same curves at the same positions
  bool same = false;        // to the bit
  // The largest, relative to the larger of the two values; of values that are less than a thousandth
  // of their curve's largest, to that.
  double difference = 0;
  std::string series;       // where that is
  double x = 0;
};
Agreement compare(const Measurement& a, const Measurement& b);

// Instruction sets add in different orders. Single precision rounds to 6e-8, and the values here are
// sums of up to a few thousand such terms that lose no leading digits: differences stay far below
// this, while another model or text differs by more than a tenth somewhere.
inline constexpr double kSameCurves = 1e-3;
QString sentence_of(const Agreement& agreement);
QString short_sentence_of(const Agreement& agreement);  // "same as recorded"

}  // namespace farstate::desktop
