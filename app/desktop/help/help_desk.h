// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QMenu;

namespace farstate::desktop {

class Card;
class MainWindow;
class ReadingSheet;
struct Theme;

// What can be read over the window: the page of the part that has the keyboard, all keys, what went
// wrong so far, and what a report of a fault needs.
class HelpDesk : public QObject {
  Q_OBJECT
 public:
  explicit HelpDesk(MainWindow& window);

  void add_to(QMenu* menu);
  void mark_plots();  // a question mark in the head of each, once they are there
  void set_theme(const Theme& theme);

  void explain_focus();
  void explain(const QString& topic);
  void show_keys();
  void show_notices();
  void show_diagnostics();

  ReadingSheet* sheet() const { return sheet_; }

 private:
  void mark(Card* card, const QString& topic);

  MainWindow& window_;
  ReadingSheet* sheet_;
};

}  // namespace farstate::desktop
