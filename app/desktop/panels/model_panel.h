// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/card.h"
#include "core/session/runner.h"

namespace farstate::desktop {

// What the opened checkpoint is.
class ModelPanel : public Card {
  Q_OBJECT
 public:
  explicit ModelPanel(QWidget* parent = nullptr);

  void show_model(const ModelInfo* model, const DataInfo* text);

 private:
  QLabel* add_row(const QString& name);

  QLabel *architecture_, *shape_, *parameters_, *state_, *trained_, *text_;
};

}  // namespace farstate::desktop
