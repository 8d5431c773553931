// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include "app/desktop/wording.h"

class QFrame;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace farstate::desktop {

class ElidedLabel;
struct Theme;

// A question inside the window, over everything but the menus: what it is about, one action, and
// Cancel. Enter acts, Esc cancels, Tab stays inside, and the window's own keys rest.
class Sheet : public QWidget {
  Q_OBJECT
 public:
  enum class Stage {
    kAsking,      // the answer that the action depends on has not come
    kReady,       // the action may be taken
    kRefused,     // it can't be; the problem says why
    kLoading,     // it was taken and is under way
    kCancelling,  // it was taken and is being undone
    kFailed       // it was taken and failed; it may be tried again
  };

  Sheet(const Words& action, QWidget* over);

  void set_title(const QString& title, const QString& detail);
  QVBoxLayout* body() const { return body_; }
  virtual void set_theme(const Theme& theme);

  void open();     // over its parent
  void dismiss();  // gives the keyboard back
  // What the stage has to say: what is waited for, or what is wrong.
  void set_stage(Stage stage, const QString& sentence = {});
  void show_progress(const QString& phase, double share);  // negative: not known
  void fit();  // after the contents have changed

  Stage stage() const { return stage_; }
  bool answered() const { return stage_ == Stage::kReady || stage_ == Stage::kRefused; }
  QString title() const;
  QString problem() const;
  QString progress_text() const;
  QPushButton* action() const { return action_; }
  QPushButton* cancel() const { return cancel_; }

 Q_SIGNALS:
  void accepted();
  void cancelled();

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  const Theme& theme() const { return *theme_; }

 private:
  void make_head(QVBoxLayout* column);
  void make_foot(QVBoxLayout* column);
  void accept();
  void scroll_by_key(int key);

  const Theme* theme_;
  Stage stage_ = Stage::kAsking;
  QFrame* card_;
  QLabel* title_;
  ElidedLabel* detail_;
  QScrollArea* scroll_;
  QVBoxLayout* body_;
  QFrame* problem_;
  QLabel* problem_text_;
  QToolButton* copy_;
  QWidget* progress_;
  ElidedLabel* phase_;
  QLabel* percent_;
  QProgressBar* bar_;
  QPushButton *action_, *cancel_;
  QPointer<QWidget> had_focus_;
};

}  // namespace farstate::desktop
