// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/desktop/widgets/sheet.h"
#include "app/desktop/wording.h"
#include "core/results/model_report.h"
#include "core/session/run_config.h"

class QVBoxLayout;

namespace farstate::desktop {

class ElidedLabel;
class MemoryBars;
class Segmented;

// What is known of a model before it is loaded, and how it is to be loaded.
class ModelSheet : public Sheet {
  Q_OBJECT
 public:
  explicit ModelSheet(QWidget* over);

  void set_theme(const Theme& theme) override;
  void ask(const ModelSource& source);  // shows that an answer is waited for
  // Ignores the answer to an earlier question.
  void show_report(const ModelReport& report);
  void set_warning(const QString& warning);  // what loading costs now; empty: nothing
  void choose_tokenizer(const QString& path);

  const ModelSource& source() const { return source_; }
  Segmented* precision() const { return precision_; }
  QString text_of(const QString& name) const;  // what the row of that name says
  QString memory_sentence() const;
  QString notes() const;

 Q_SIGNALS:
  void source_changed();  // how it is to be loaded: the question must be asked again

 private:
  ElidedLabel* add_row(QVBoxLayout* column, const Words& name);
  void make_model_rows(QVBoxLayout* column);
  void make_file_rows(QVBoxLayout* column);
  void make_memory();
  void browse_tokenizer();
  bool is_built_in() const;
  void say_title();
  void show_model(const ModelReport& report);
  void show_files(const ModelReport& report);
  void show_memory(const ModelReport& report);
  void show_notes(const ModelReport& report);

  ModelSource source_;
  std::optional<ModelReport> report_;  // of it
  QWidget *facts_, *memory_;
  ElidedLabel *architecture_, *heads_, *width_, *state_, *groups_, *vocabulary_, *parameters_,
      *trained_;
  ElidedLabel *format_, *files_, *dtype_, *tokenizer_;
  Segmented* precision_;
  QPushButton* browse_;
  MemoryBars* bars_;
  QLabel *available_, *fits_, *notes_, *warning_;
};

}  // namespace farstate::desktop
