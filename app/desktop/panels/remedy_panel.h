// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/models/repair.h"
#include "app/desktop/widgets/card.h"
#include "resources/embedded_models.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace farstate::desktop {

// What the chosen initial state does for a built-in model: as it was done before, which is there at
// once, or live, in so many seconds.
class RemedyPanel : public Card {
  Q_OBJECT
 public:
  explicit RemedyPanel(QWidget* parent = nullptr);

  struct View {
    Intervention law = Intervention::kZero;  // of the next training
    // The twin that is shown in place of the base; empty: none is.
    std::optional<Intervention> twin;
    int64_t twin_steps = 0, twin_context = 0;  // 0: not recorded
    QString twin_recipe;                       // one line
    bool allowed = false;  // to begin a repair now
    double seconds = 0;    // that one takes
  };
  void show_view(const View& view, const Repair& repair);

  QPushButton* repair_button() const { return repair_; }
  QPushButton* base_button() const { return base_; }
  QString text() const;

 Q_SIGNALS:
  void repair_wanted();
  void base_wanted();

 private:
  void say();
  QString words() const;

  View view_;
  Repair shown_;
  QLabel* text_;
  QProgressBar* bar_;
  QPushButton *repair_, *base_;
};

}  // namespace farstate::desktop
