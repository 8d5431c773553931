// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/desktop/story/story_run.h"
#include "app/desktop/theme.h"

class QVBoxLayout;

namespace farstate::desktop {

// The questions of a card. Another answer may be tried; the first one counts.
class QuizView : public QWidget {
  Q_OBJECT
 public:
  explicit QuizView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void clear();  // another card's questions come
  void show_questions(const std::vector<Question>& questions,
                      const std::vector<StoryRun::Answer>& answers);

 Q_SIGNALS:
  void answered(size_t question, int choice);

 private:
  class QuestionView;

  const Theme* theme_;
  QVBoxLayout* column_;
  QVector<QuestionView*> views_;
};

}  // namespace farstate::desktop
