// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLockFile>
#include <QObject>
#include <QTimer>
#include <memory>

#include "app/desktop/session/session.h"

class QMenu;

namespace farstate::desktop {

class MainWindow;
class RecentFiles;

// Files of sessions: what a person saves and opens, and the journal that is written by itself, so
// that a crash costs a minute at most.
class SessionKeeper : public QObject {
  Q_OBJECT
 public:
  explicit SessionKeeper(MainWindow& window);

  void add_to(QMenu* menu);

  // What is wrong with a file is a notice of the window, which stays as it was. Trained weights that
  // were not saved are asked about first.
  void open(const QString& path);
  void save_to(const QString& path);  // with the ending, where it has none
  void choose_to_open();
  void choose_to_save();

  // Keeps a journal in the folder from now on. What another process of this program left there when
  // it ended badly is offered.
  void begin_journal(const QString& folder);
  void write_journal();  // also by itself, where something has changed
  // Where the last window was, else of this size; at most as large as the screen has room for, and
  // all of it there. What can't be read is passed over.
  void place_window(const QSize& usual, const QRect& screen);
  void end();  // the window closes: the journal becomes the last session

  RecentFiles* recent() const { return recent_; }
  QString journal_path() const { return journal_; }  // empty: none is kept

 private:
  bool read(const QString& path);
  void restore(const Session& session);
  void reopen_last();
  void offer_leftover();
  QString in_folder(const QString& name) const;

  MainWindow& window_;
  RecentFiles* recent_;
  QTimer autosave_;
  QString folder_, journal_;
  std::unique_ptr<QLockFile> lock_;  // held as long as the journal is ours
  Session written_;
};

}  // namespace farstate::desktop
