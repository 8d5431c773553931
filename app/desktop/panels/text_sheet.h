// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/sheet.h"
#include "core/data/data_config.h"
#include "core/results/model_report.h"

namespace farstate::desktop {

class ElidedLabel;
class TokenView;

// A text before it is loaded, as the opened model will read it.
class TextSheet : public Sheet {
  Q_OBJECT
 public:
  explicit TextSheet(QWidget* over);

  void set_theme(const Theme& theme) override;
  void ask(const DataConfig& data);
  void show_preview(const TextPreview& preview);  // ignores the answer to an earlier question
  void set_warning(const QString& warning);       // what loading costs now; empty: nothing

  const DataConfig& data() const { return data_; }
  TokenView* tokens() const { return tokens_; }
  QString summary() const;

 private:
  void say_question();

  DataConfig data_;
  std::optional<TextPreview> preview_;
  QWidget* facts_;
  ElidedLabel *size_, *count_, *tokenizer_;
  QLabel *first_, *warning_;
  TokenView* tokens_;
};

}  // namespace farstate::desktop
