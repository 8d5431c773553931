// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/desktop/generate_buttons.h"
#include "app/desktop/models/head_list.h"
#include "app/desktop/widgets/card.h"

class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace farstate::desktop {

class ElidedLabel;
class Segmented;
struct Theme;

// The state as a thing to hold: keep it under a name, put it away into a file, change it where it
// is or for the next start.
class StateShelf : public Card {
  Q_OBJECT
 public:
  explicit StateShelf(QWidget* parent = nullptr);

  void set_model(int64_t layers, int64_t heads);
  void show_generation(const Generation* generation);  // null: none
  void show_buttons(const GenerateButtons& allowed);
  void select_token(std::optional<int64_t> token);  // whose state Keep would take
  void toggle_head(HeadIndex head);
  const std::vector<HeadIndex>& chosen() const { return heads_.heads; }

  void edit_next_start(bool next);  // changes go to the next start, and not to the state now
  QLineEdit* name_field() const { return name_; }
  QLineEdit* heads_field() const { return heads_field_; }
  QTableWidget* table() const { return table_; }
  QPushButton* keep_button() const { return keep_; }
  QPushButton* start_from_button() const { return start_from_; }
  QPushButton* forget_button() const { return forget_; }
  QPushButton* scale_button() const { return scale_; }
  QPushButton* zero_button() const { return zero_; }
  QPushButton* noise_button() const { return noise_; }
  QDoubleSpinBox* factor_field() const { return factor_; }

 Q_SIGNALS:
  void keep_wanted(const QString& name, int64_t position);  // position < 0: the state now
  void start_from_wanted(const QString& name);
  void forget_wanted(const QString& name);
  void save_wanted(const QString& name, const QString& path);
  void load_wanted(const QString& name, const QString& path);
  void edit_wanted(const farstate::StateEdit& edit);          // of the state now
  void start_edit_wanted(const farstate::StateEdit& edit);    // of what is started from
  void heads_changed();

 private:
  void add_keeping();
  void add_table();
  void add_changing();
  void read_heads_field();
  void show_kept(const std::vector<KeptState>& kept);
  void suggest_name();
  void show_enabled();
  void keep();
  void change(StateEdit::Kind kind, double amount);
  void save();
  void load();
  QString free_name(const QString& wanted) const;
  QString chosen_name() const;  // of the table; empty: none

  ElidedLabel* where_;
  QLineEdit *name_, *heads_field_;
  QPushButton *keep_, *start_from_, *save_, *forget_, *load_, *scale_, *zero_, *noise_;
  QTableWidget* table_;
  QLabel* empty_;
  Segmented* target_;
  QDoubleSpinBox *factor_, *sigma_;
  int64_t layers_ = 0, heads_per_layer_ = 0, read_ = 0;
  HeadList heads_;
  std::vector<KeptState> kept_;
  std::optional<int64_t> token_;
  GenerateButtons allowed_;
};

}  // namespace farstate::desktop
