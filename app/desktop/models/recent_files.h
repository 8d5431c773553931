// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace farstate::desktop {

// The last paths that were opened, newest first. The list is kept in the settings under its key,
// and read anew each time, so that two windows share it.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMost = 10;

  explicit RecentFiles(const QString& key, QObject* parent = nullptr);

  QStringList paths() const;
  void add(const QString& path);  // or moves it to the front
  void remove(const QString& path);
  void clear();

 private:
  void write(const QStringList& paths);

  QString key_;
};

}  // namespace farstate::desktop
