// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"
#include "core/session/runner.h"

class QAction;
class QLabel;
class QMenu;
class QPushButton;
class QToolButton;

namespace farstate::desktop {

class ElidedButton;
class Segmented;
class StateDot;

// The actions of the window; menus, keys and the top row share them.
struct Actions {
  QAction *open_folder, *open_file, *generated_text, *open_text, *save, *quit;
  QAction *run, *step, *stop, *reset, *measure;
  QAction *undo, *redo;
  QAction *copy_recipe, *paste_recipe, *follow, *inspector;
  QAction *introduction, *open_story, *export_view, *copy_image, *copy_numbers, *export_report, *present;
};

// What is open, what can be done, what the recipe is.
class TopBar : public QFrame {
  Q_OBJECT
 public:
  // The menus that its buttons open.
  struct Menus {
    QMenu *models, *texts, *themes;
  };

  TopBar(const Actions& actions, const Menus& menus, QWidget* parent = nullptr);

  Segmented* pages() const { return pages_; }  // measuring, generating, comparing, tasks

  QPushButton* run_button() const { return run_; }

  void set_theme(const Theme& theme, ThemeMode mode);
  void show_update(const RunnerUpdate& update);
  void show_recipe(const RunConfig& recipe);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  ElidedButton* add_chip(const Words& name, QMenu* menu);
  QPushButton* add_button(QAction* action);
  void show_primary(RunState state);
  void arrange();  // what there is room for

  const Theme* theme_;
  ElidedButton *model_, *text_, *recipe_;
  QPushButton *run_, *step_, *stop_, *reset_;
  Segmented* pages_;
  QToolButton* themes_;
  StateDot* dot_;
  QLabel* live_;
  RunState state_ = RunState::kIdle;
};

}  // namespace farstate::desktop
