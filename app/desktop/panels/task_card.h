// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/card.h"
#include "core/session/runner.h"

class QPushButton;
class QSpinBox;

namespace farstate::desktop {

struct TaskButtons;

// What the task is, what it is made of, and the button that makes its text the one to train on.
class TaskCard : public Card {
  Q_OBJECT
 public:
  explicit TaskCard(QWidget* parent = nullptr);

  void show_task(const TaskConfig& task);
  // recipe: in force; null: no model was loaded.
  void show_state(const TaskButtons& may, const ModelInfo* model, const RunConfig* recipe);

  QPushButton* train() const { return train_; }
  QSpinBox* shots() const { return shots_; }
  QSpinBox* keys() const { return keys_; }
  QString readiness() const;  // what it means that this model is asked this

 Q_SIGNALS:
  void changed(const farstate::TaskConfig& task);
  void train_wanted(bool on_task);  // false: on the recipe's own text again

 private:
  void choose_source();
  void show_source();

  TaskConfig task_;
  bool trains_ = false;
  QLabel *about_, *readiness_;
  QWidget *source_row_, *shots_row_, *keys_row_;
  QLabel* source_name_;
  QPushButton* source_;
  QSpinBox *shots_, *keys_;
  QPushButton* train_;
};

}  // namespace farstate::desktop
