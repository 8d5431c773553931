// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/quiz_view.h"

#include <QButtonGroup>
#include <QLabel>
#include <QMouseEvent>
#include <QRadioButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/widgets/markdown_text.h"

namespace farstate::desktop {

// One question: its words, a radio button and its words for each answer, and what to say to it.
class QuizView::QuestionView : public QWidget {
 public:
  QuestionView(const Question& question, QuizView* quiz, size_t number) : QWidget(quiz) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    words_ = new MarkdownText(this);
    set_text(words_, TextSize::kBody, QFont::DemiBold);
    column->addWidget(words_);
    auto* group = new QButtonGroup(this);
    for (int i = 0; i < question.choices.size(); ++i) add_choice(column, group, i);
    reply_ = new QLabel(this);
    reply_->setWordWrap(true);
    column->addWidget(reply_);
    QObject::connect(group, &QButtonGroup::idClicked, quiz,
                     [quiz, number](int choice) { Q_EMIT quiz->answered(number, choice); });
  }

  void show_state(const Question& question, const StoryRun::Answer& answer, const Theme& theme) {
    words_->set_theme(theme);
    words_->set_markdown(question.text);
    for (int i = 0; i < choices_.size(); ++i) {
      choices_[i]->set_theme(theme);
      choices_[i]->set_markdown(question.choices[i]);
      buttons_[i]->setAccessibleName(choices_[i]->plain_text());
      if (answer.now == i) buttons_[i]->setChecked(true);
    }
    reply_->setVisible(answer.now.has_value());
    if (!answer.now) return;
    const bool right = *answer.now == question.right;
    reply_->setText(right ? QuizView::tr("Right. %1").arg(question.explanation)
                          : QuizView::tr("Not quite. Try another one."));
    QPalette colors = reply_->palette();
    colors.setColor(QPalette::WindowText, right ? theme.good : theme.warning);
    reply_->setPalette(colors);
  }

  qsizetype choices() const { return choices_.size(); }

 private:
  void add_choice(QVBoxLayout* column, QButtonGroup* group, int id) {
    auto* button = new QRadioButton(this);
    auto* words = new MarkdownText(this);
    words->setAttribute(Qt::WA_TransparentForMouseEvents);
    group->addButton(button, id);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row->addWidget(button, 0, Qt::AlignTop);
    row->addWidget(words, 1);
    column->addLayout(row);
    buttons_.push_back(button);
    choices_.push_back(words);
  }

  // A click on the words is one on their button.
  void mouseReleaseEvent(QMouseEvent* event) override {
    for (int i = 0; i < choices_.size(); ++i) {
      if (choices_[i]->geometry().contains(event->pos())) buttons_[i]->click();
    }
  }

  MarkdownText* words_;
  QVector<QRadioButton*> buttons_;
  QVector<MarkdownText*> choices_;
  QLabel* reply_;
};

QuizView::QuizView(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  column_ = new QVBoxLayout(this);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(14);
}

void QuizView::set_theme(const Theme& theme) { theme_ = &theme; }

void QuizView::clear() {
  qDeleteAll(views_);
  views_.clear();
}

void QuizView::show_questions(const std::vector<Question>& questions,
                              const std::vector<StoryRun::Answer>& answers) {
  const bool same = std::equal(
      views_.begin(), views_.end(), questions.begin(), questions.end(),
      [](const QuestionView* view, const Question& q) { return view->choices() == q.choices.size(); });
  if (!same) {
    clear();
    for (size_t i = 0; i < questions.size(); ++i) {
      views_.push_back(new QuestionView(questions[i], this, i));
      column_->addWidget(views_.back());
    }
  }
  for (size_t i = 0; i < questions.size(); ++i) {
    views_[static_cast<qsizetype>(i)]->show_state(questions[i], answers[i], *theme_);
  }
}

}  // namespace farstate::desktop
