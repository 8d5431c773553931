// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/open_menu.h"

#include <QDir>
#include <QFileInfo>

#include "app/desktop/models/recent_files.h"

namespace farstate::desktop {
namespace {

constexpr int kLongest = 380;

// The home folder as ~, and what is still too long shortened in the middle.
QString short_path(const QString& path, const QFontMetrics& metrics) {
  const QString home = QDir::homePath();
  const bool at_home = home.size() > 1 && path.startsWith(home + QLatin1Char('/'));
  const QString text = at_home ? QLatin1Char('~') + path.mid(home.size()) : path;
  return metrics.elidedText(text, Qt::ElideMiddle, kLongest);
}

// In a menu an ampersand stands for an underlined letter.
QString literal(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

}  // namespace

OpenMenu::OpenMenu(const Words& title, const QList<QAction*>& ways, RecentFiles* recent,
                   QWidget* parent)
    : QMenu(parent), ways_(ways), recent_(recent) {
  title.tell(this, [this](const QString& said) { setTitle(said); });
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &OpenMenu::fill);
  worded(this, [this] { fill(); });
}

void OpenMenu::fill() {
  clear();
  addActions(ways_);
  const QStringList paths = recent_->paths();
  if (paths.isEmpty()) {
    if (ways_.isEmpty()) addAction(tr("Nothing was opened yet"))->setEnabled(false);
    return;
  }
  if (!ways_.isEmpty()) addSeparator();
  for (const QString& path : paths) add_path(path);
  addSeparator();
  connect(addAction(tr("Clear list")), &QAction::triggered, recent_, &RecentFiles::clear);
}

void OpenMenu::add_path(const QString& path) {
  const QString shown = literal(short_path(path, fontMetrics()));
  if (QFileInfo::exists(path)) {
    QAction* action = addAction(shown);
    action->setToolTip(path);
    connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    return;
  }
  QAction* action = addAction(tr("%1 (missing: remove from list)").arg(shown));
  action->setToolTip(tr("%1 is no longer there.").arg(path));
  connect(action, &QAction::triggered, this, [this, path] { recent_->remove(path); });
}

}  // namespace farstate::desktop
