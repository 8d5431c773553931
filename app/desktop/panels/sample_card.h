// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <memory>

#include "app/desktop/widgets/card.h"
#include "core/session/runner.h"

class QComboBox;
class QPushButton;
class QSlider;

namespace farstate::desktop {

class ProbabilityBar;
class RampLegend;
class SampleView;
struct TaskFace;
struct Theme;

// One sample of a task, chosen by length, depth and kind, and what the model on screen makes of it.
// A question that changes while an answer is on its way is sent when that has come.
class SampleCard : public Card {
  Q_OBJECT
 public:
  explicit SampleCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_task(const TaskConfig& task);
  // The lengths that are offered; `limit` is the one that was trained, 0: not known.
  void show_lengths(const std::vector<int64_t>& lengths, int64_t limit);
  // can_ask false: why it can't be, in words. step: of the weights on screen.
  void show_state(bool can_ask, const QString& hint, uint64_t epoch, int64_t step);
  void show_trial(std::shared_ptr<const TaskTrial> trial);

  TaskQuestion question() const;  // as chosen
  QComboBox* lengths() const { return lengths_; }
  QComboBox* kinds() const { return kinds_; }
  QSlider* depth() const { return depth_; }
  QPushButton* next() const { return next_; }
  SampleView* text() const { return text_; }
  ProbabilityBar* bar() const { return bar_; }
  QString verdict_text() const;
  QString output_text() const;
  QString origin_text() const;  // which weights answered, and whether it is this question's answer

 Q_SIGNALS:
  void asked(const farstate::TaskQuestion& question);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QLayout* make_choices();
  QWidget* make_answer();
  void want();
  void ask();
  void forget_answer();
  QString empty_words() const;
  void show_answer();
  void show_marks();
  void say_again();
  void show_origin();

  TaskConfig task_;
  const TaskFace* face_;
  std::vector<int64_t> known_lengths_;
  int64_t limit_ = 0;
  int64_t sample_ = 0;
  bool can_ask_ = false;
  QString hint_;
  uint64_t epoch_ = 0;
  int64_t step_ = 0;
  uint64_t questions_ = 0;  // asked so far
  uint64_t first_ = 1;      // of this task and this model
  bool due_ = true;         // what it would be has changed since the last one
  bool waits_ = false;      // an answer is on its way
  bool changed_ = true;     // the answer that is shown is to another question
  QTimer join_;             // questions of a dragged slider
  QTimer patience_;         // with an answer on its way, before a newer question overtakes it
  QTimer refresh_;          // while training: the same question to the weights as they are now
  std::shared_ptr<const TaskTrial> trial_;
  const Theme* theme_;
  QComboBox *lengths_, *kinds_;
  QSlider* depth_;
  QWidget *depth_row_, *kind_row_, *answer_, *bar_row_;
  QLabel *depth_value_, *marks_, *verdict_, *output_, *origin_;
  QPushButton* next_;
  SampleView* text_;
  ProbabilityBar* bar_;
  RampLegend* ramp_;
};

}  // namespace farstate::desktop
