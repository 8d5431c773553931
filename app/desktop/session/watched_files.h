// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the open model and text were read from. Says once when another program has written
// one of them anew, so that nobody measures an older checkpoint than the one in the folder.
#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QMap>
#include <QObject>
#include <QTimer>

#include "core/session/run_config.h"

namespace farstate::desktop {

class WatchedFiles : public QObject {
  Q_OBJECT
 public:
  explicit WatchedFiles(QObject* parent = nullptr);

  void watch(const RunConfig& recipe);  // its files as they are now, and no others

 Q_SIGNALS:
  void changed(const QString& path);

 private:
  struct Stamp {
    qint64 size = 0;
    QDateTime modified;
    bool operator==(const Stamp&) const = default;
  };
  static Stamp stamp_of(const QString& path);
  void keep_watching();
  void look();

  QMap<QString, Stamp> read_;  // as they were when they were read
  QFileSystemWatcher watcher_;
  QTimer rest_;
};

}  // namespace farstate::desktop
