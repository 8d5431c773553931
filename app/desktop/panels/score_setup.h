// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/desktop/task_buttons.h"

class QBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace farstate::desktop {

class ElidedLabel;
struct TaskFace;

// What is scored, the button that begins or ends it, and how far it is.
class ScoreSetup : public QWidget {
  Q_OBJECT
 public:
  explicit ScoreSetup(QWidget* parent = nullptr);

  void show_task(const TaskFace& face);
  void show_config(const ScoreConfig& config);
  // began: these weights have cells that a further scoring adds to.
  void show_state(const TaskButtons& may, const QString& hint, const TaskScores* scores, bool began);

  QSize minimumSizeHint() const override;
  ScoreConfig config() const;
  QString problem() const;  // why this can't be scored, as a sentence; empty: it can
  QLineEdit* lengths() const { return lengths_; }
  QLineEdit* depths() const { return depths_; }
  QSpinBox* trials() const { return trials_; }
  QPushButton* button() const { return button_; }
  QString words() const;  // how far it is, or why it can't be

 Q_SIGNALS:
  void score_wanted(const farstate::ScoreConfig& config);
  void stop_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int width_of(int part) const;  // of the row: lengths and depths; trials and the button
  void update_words();
  QString length_problem() const;
  QString depth_problem() const;

  TaskButtons may_;
  QString hint_, phase_;
  bool began_ = false;
  QWidget* depths_row_;
  QLabel* lengths_name_;
  QBoxLayout* fields_;
  QLineEdit *lengths_, *depths_;
  QSpinBox* trials_;
  QPushButton* button_;
  QProgressBar* progress_;
  ElidedLabel* words_;
};

}  // namespace farstate::desktop
