// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/card.h"
#include "app/desktop/wording.h"
#include "core/session/runner.h"

class QMenu;
class QSpinBox;

namespace farstate::desktop {

class ElidedButton;
class ElidedLabel;

// What the opened checkpoint is. Where it does not record the context that it was trained on, the
// person may state it.
class ModelPanel : public Card {
  Q_OBJECT
 public:
  explicit ModelPanel(QMenu* open, QWidget* parent = nullptr);

  void show_model(const ModelInfo* model, const DataInfo* text, int64_t stated_context);

 Q_SIGNALS:
  void context_stated(qint64 tokens);  // 0: taken back

 private:
  ElidedLabel* add_row(const Words& name);

  ElidedButton* open_;
  ElidedLabel *name_, *architecture_, *shape_, *parameters_, *state_, *trained_, *text_;
  QSpinBox* context_;
};

}  // namespace farstate::desktop
