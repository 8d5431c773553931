// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/session/generation.h"

class QDoubleSpinBox;
class QMenu;
class QToolButton;

namespace farstate::desktop {

class ElidedButton;
struct Theme;

// The state that the next text is read from: zero, noise, one that was kept, or a file; and the
// changes that are made to it first.
class StartFrom : public QWidget {
  Q_OBJECT
 public:
  explicit StartFrom(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // A kept state that is gone is no longer started from.
  void show_kept(const std::vector<KeptState>& kept);
  const InitialState& initial() const { return initial_; }
  void choose(InitialState::Kind kind, const std::string& name = {});
  void add_edit(const StateEdit& edit);
  void drop_edits();
  void show_initial(const InitialState& initial);
  // Does it come from a text, so that no prompt is needed?
  bool carries_text() const;
  QString text() const;  // of the chip

 Q_SIGNALS:
  void changed();

 private:
  void fill_menu();
  void show_choice();
  void choose_file();

  const Theme* theme_;
  InitialState initial_;
  std::vector<std::string> kept_;
  ElidedButton* chip_;
  QMenu* menu_;
  QDoubleSpinBox* sigma_;
  QToolButton* drop_edits_;
};

}  // namespace farstate::desktop
