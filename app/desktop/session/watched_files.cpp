// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/watched_files.h"

#include <QDir>
#include <QFileInfo>

namespace farstate::desktop {

namespace {

// Who writes does so in many pieces, and renames in the end.
constexpr int kRestMs = 500;
constexpr qsizetype kMostFiles = 256;  // of a folder

QStringList files_of(const std::string& path) {
  const QFileInfo info(QString::fromStdString(path));
  if (path.empty() || !info.exists()) return {};  // a built-in model's name
  if (!info.isDir()) return {info.absoluteFilePath()};
  QStringList files;
  for (const QFileInfo& file : QDir(info.absoluteFilePath()).entryInfoList(QDir::Files)) {
    files.push_back(file.absoluteFilePath());
  }
  return files.mid(0, kMostFiles);
}

}  // namespace

WatchedFiles::WatchedFiles(QObject* parent) : QObject(parent) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &WatchedFiles::look);
  for (const auto signal :
       {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged}) {
    connect(&watcher_, signal, &rest_, qOverload<>(&QTimer::start));
  }
}

WatchedFiles::Stamp WatchedFiles::stamp_of(const QString& path) {
  const QFileInfo info(path);
  return info.exists() ? Stamp{info.size(), info.lastModified()} : Stamp{};
}

void WatchedFiles::watch(const RunConfig& recipe) {
  rest_.stop();
  read_.clear();
  for (const std::string& path : {recipe.model.model, recipe.data.path, recipe.data.tokens}) {
    for (const QString& file : files_of(path)) read_[file] = stamp_of(file);
  }
  const QStringList before = watcher_.files() + watcher_.directories();
  if (!before.isEmpty()) watcher_.removePaths(before);
  keep_watching();
}

// A file that was replaced is no longer watched; its folder tells when there is a new one.
void WatchedFiles::keep_watching() {
  QStringList wanted;
  for (auto it = read_.cbegin(); it != read_.cend(); ++it) {
    const QString folder = QFileInfo(it.key()).path();
    if (!wanted.contains(folder)) wanted.push_back(folder);
    if (QFileInfo::exists(it.key())) wanted.push_back(it.key());
  }
  const QStringList now = watcher_.files() + watcher_.directories();
  wanted.removeIf([&now](const QString& path) { return now.contains(path); });
  if (!wanted.isEmpty()) watcher_.addPaths(wanted);
}

// What is gone may be about to be replaced.
void WatchedFiles::look() {
  for (auto it = read_.cbegin(); it != read_.cend(); ++it) {
    const Stamp now = stamp_of(it.key());
    if (!now.modified.isValid() || now == it.value()) continue;
    const QString path = it.key();
    read_.clear();  // said once
    watcher_.removePaths(watcher_.files() + watcher_.directories());
    Q_EMIT changed(path);
    return;
  }
  keep_watching();
}

}  // namespace farstate::desktop
