// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/recent_files.h"

#include <QFileInfo>

#include "app/desktop/settings.h"

namespace farstate::desktop {

RecentFiles::RecentFiles(const QString& key, QObject* parent)
    : QObject(parent), key_(QStringLiteral("recent/") + key) {}

QStringList RecentFiles::paths() const { return open_settings()->value(key_).toStringList(); }

void RecentFiles::add(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList list = paths();
  list.removeAll(whole);
  list.prepend(whole);
  while (list.size() > kMost) list.removeLast();
  write(list);
}

void RecentFiles::remove(const QString& path) {
  QStringList list = paths();
  list.removeAll(path);
  write(list);
}

void RecentFiles::clear() { write({}); }

void RecentFiles::write(const QStringList& paths) { open_settings()->setValue(key_, paths); }

}  // namespace farstate::desktop
