// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/desktop/models/pinned_states.h"
#include "app/desktop/story/story_run.h"
#include "app/desktop/theme.h"

class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace farstate::desktop {

class GuessFields;
class HistogramPlot;
class LivePlot;
class MarkdownText;
class QuizView;
class SampleLegend;
class StepDots;

// The open card: where one is in the story, its words, its task with a check mark, and the way on.
// Without a story it says how to begin one.
class StoryPanel : public QWidget {
  Q_OBJECT
 public:
  StoryPanel(StoryRun* run, const Facts* facts, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_language(const QString& language);  // "zh_CN"
  void show_facts();                           // those that the words name may have changed
  void show_states(const PinnedStates& states);
  void show_guess_limits(double most, bool measured);
  void show_helper(bool busy, bool can_undo);  // Show me
  void show_pointing(bool pointing);           // at the card's control
  QList<LivePlot*> plots() const;              // for the paint coordinator

  QString title() const;
  QString text() const;
  QString task() const;
  bool task_done() const;
  QPushButton* show_me() const { return show_me_; }
  QPushButton* back() const { return back_; }
  QPushButton* next() const { return next_; }
  QPushButton* start() const { return start_; }
  QPushButton* export_button() const { return export_; }
  QToolButton* where() const { return where_; }
  GuessFields* guess() const { return guess_; }
  QuizView* quiz() const { return quiz_; }
  HistogramPlot* histogram() const { return histogram_; }
  QScrollArea* scroll() const { return scroll_; }

 Q_SIGNALS:
  void start_wanted();
  void open_wanted();
  void close_wanted();
  void show_me_wanted();
  void undo_wanted();
  void pointing_wanted(bool on);
  void reveal_wanted();
  void export_wanted();

 protected:
  bool event(QEvent* event) override;

 private:
  QWidget* make_invitation();
  QWidget* make_story();
  void make_head(QVBoxLayout* column);
  QWidget* make_card();
  QFrame* make_task(QWidget* parent);
  void make_foot(QVBoxLayout* column);
  void connect_parts();

  void show_story();
  void show_step();
  void show_place();
  void show_samples();
  void show_words();
  void show_task();
  void show_guess();
  void show_quiz();

  StoryRun* run_;
  const Facts* facts_;
  const Theme* theme_;
  QString language_;
  double most_ = 1000;
  bool measured_ = false, undo_ = false;
  PinnedStates states_;

  QStackedWidget* pages_;
  QLabel *invitation_, *invitation_text_;
  QPushButton *start_, *open_;
  StepDots* dots_;
  QLabel *place_, *title_;
  QToolButton *where_, *close_;
  QScrollArea* scroll_;
  MarkdownText* text_;
  SampleLegend* legend_;
  HistogramPlot* histogram_;
  GuessFields* guess_;
  QuizView* quiz_;
  QFrame* task_box_;
  QLabel* check_;
  MarkdownText *task_, *done_;
  QPushButton *export_, *show_me_, *back_, *next_;
};

}  // namespace farstate::desktop
