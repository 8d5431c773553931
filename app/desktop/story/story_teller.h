// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "app/desktop/story/session_actions.h"
#include "app/desktop/story/session_facts.h"
#include "app/desktop/story/story_run.h"

namespace farstate::desktop {

class ShowMe;
class Spotlight;
class StoryPanel;
struct Theme;

// Leads a story through the window: watches the session for the tasks, points at controls, covers
// what is to be guessed, and does what Show me is asked for.
class StoryTeller : public QObject {
  Q_OBJECT
 public:
  explicit StoryTeller(MainWindow& window);
  void connect_to_window();  // once all parts of the window are there

  void set_theme(const Theme& theme);
  void open(const QString& folder);  // throws Error
  void close();
  void look();  // at the session; also by itself, some times a second

  StoryRun* run() { return run_; }
  const StoryRun* run() const { return run_; }
  StoryPanel* panel() const { return panel_; }
  ShowMe* show_me() const { return show_me_; }
  Spotlight* spotlight() const { return spotlight_; }
  const Facts& facts() const { return facts_; }
  bool shows_states() const;  // the open card does
  QString language() const;   // "zh_CN": that of the window
  int64_t steps_at_start() const { return steps_at_start_; }  // of the card

  void do_task();  // Show me
  void reveal();
  void answer_rightly();
  // Where the report goes without asking; empty: ask.
  void set_report_path(const QString& path) { report_path_ = path; }
  void export_report();

 Q_SIGNALS:
  void failed(const QString& sentence);

 private:
  void begin_step();
  void point(bool on);
  void begin_guess();
  void show_cover();
  void show_guess_curve();
  void show_states();
  double most_guess() const;
  QString ask_report_path();

  MainWindow& window_;
  StoryRun* run_;
  SessionFacts facts_;
  SessionActions actions_;
  StoryPanel* panel_;
  ShowMe* show_me_;
  Spotlight* spotlight_ = nullptr;
  QTimer watch_;
  int64_t steps_at_start_ = 0;
  std::shared_ptr<const StateReport> shown_states_;
  Focus::Pins shown_pins_;
  HeadIndex shown_head_;
  QString report_path_;
};

}  // namespace farstate::desktop
