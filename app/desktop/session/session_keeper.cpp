// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/session_keeper.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>
#include <QStyle>
#include <algorithm>
#include <chrono>

#include "app/desktop/event_log.h"
#include "app/desktop/main_window.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/opening.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/offer_banner.h"
#include "app/desktop/widgets/open_menu.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kAutosave = 60s;
constexpr int kMostProcesses = 64;

const QString kGeometry = u"window/geometry"_s;
const QString kEnding = u'.' + QString::fromLatin1(kSessionSuffix);

QString from(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

SessionKeeper::SessionKeeper(MainWindow& window)
    : QObject(&window), window_(window), recent_(new RecentFiles(u"sessions"_s, this)) {
  autosave_.setInterval(kAutosave);
  connect(&autosave_, &QTimer::timeout, this, &SessionKeeper::write_journal);
}

void SessionKeeper::add_to(QMenu* menu) {
  const auto add = [this, menu](const Words& text, const QString& key, auto act) {
    QAction* action = with_text(menu->addAction(QString()), text);
    action->setShortcut(QKeySequence(key));
    connect(action, &QAction::triggered, this, act);
    return action;
  };
  add([] { return tr("Open session…"); }, u"Ctrl+Alt+O"_s, &SessionKeeper::choose_to_open);
  add([] { return tr("Save session…"); }, u"Ctrl+Alt+S"_s, &SessionKeeper::choose_to_save);
  auto* recent = new OpenMenu([] { return tr("Recent sessions"); }, {}, recent_, &window_);
  connect(recent, &OpenMenu::chosen, this, &SessionKeeper::open);
  menu->addMenu(recent);
  QAction* last = add([] { return tr("Reopen the last session"); }, {}, &SessionKeeper::reopen_last);
  connect(menu, &QMenu::aboutToShow, last, [this, last] {
    last->setEnabled(!folder_.isEmpty() && QFileInfo::exists(in_folder(u"last"_s)));
  });
}

void SessionKeeper::open(const QString& path) {
  if (read(path)) recent_->add(path);
}

bool SessionKeeper::read(const QString& path) {
  try {
    restore(read_session(path.toStdString()));
    return true;
  } catch (const Error& error) {
    window_.notice()->show_notice(NoticeBanner::Severity::kError, from(error.what()));
    return false;
  }
}

void SessionKeeper::restore(const Session& session) {
  const QString loss = window_.opening()->loss_warning();
  if (loss.isEmpty()) return window_.restore(session);
  window_.offer()->show_offer(loss, tr("Open the session"),
                              [this, session] { window_.restore(session); });
}

void SessionKeeper::save_to(const QString& path) {
  const QString whole = path.endsWith(kEnding) ? path : path + kEnding;
  try {
    write_session(window_.session(), whole.toStdString());
    recent_->add(whole);
    window_.say(tr("session saved"));
  } catch (const Error& error) {
    window_.notice()->show_notice(NoticeBanner::Severity::kError, from(error.what()));
  }
}

void SessionKeeper::choose_to_open() {
  const QString path = QFileDialog::getOpenFileName(&window_, tr("Open a session"), {},
                                                    tr("Sessions (*%1)").arg(kEnding));
  if (!path.isEmpty()) open(path);
}

void SessionKeeper::choose_to_save() {
  const QString path = QFileDialog::getSaveFileName(&window_, tr("Save the session"), {},
                                                    tr("Sessions (*%1)").arg(kEnding));
  if (!path.isEmpty()) save_to(path);
}

QString SessionKeeper::in_folder(const QString& name) const {
  return QDir(folder_).filePath(name + kEnding);
}

// Windows of several processes keep a journal each. A lock whose process is gone can be taken: then
// the journal beside it is of one that ended badly.
void SessionKeeper::begin_journal(const QString& folder) {
  folder_ = folder;
  if (!QDir().mkpath(folder)) {
    log_line(LogLevel::kWarning, u"no journal is kept: %1 can't be made"_s.arg(folder));
    return;
  }
  for (int i = 0; i < kMostProcesses && journal_.isEmpty(); ++i) {
    const QString name = u"session-%1"_s.arg(i);
    auto lock = std::make_unique<QLockFile>(QDir(folder).filePath(name + u".lock"_s));
    lock->setStaleLockTime(0);
    if (!lock->tryLock(0)) continue;
    lock_ = std::move(lock);
    journal_ = in_folder(name);
  }
  if (journal_.isEmpty()) return;
  offer_leftover();
  autosave_.start();
}

void SessionKeeper::offer_leftover() {
  const QFileInfo left(journal_);
  if (!left.exists()) return;
  try {
    const Session session = read_session(journal_.toStdString());
    const QString when = QLocale().toString(left.lastModified(), QLocale::ShortFormat);
    window_.offer()->show_offer(
        tr("The program ended unexpectedly last time. What was set up at %1 can be restored.")
            .arg(when),
        tr("Restore"), [this, session] { window_.restore(session); });
  } catch (const Error& error) {
    log_line(LogLevel::kWarning, from(error.what()));
  }
}

void SessionKeeper::write_journal() {
  if (journal_.isEmpty()) return;
  const Session now = window_.session();
  if (now == written_) return;
  try {
    write_session(now, journal_.toStdString());
    written_ = now;
  } catch (const Error& error) {
    log_line(LogLevel::kWarning, from(error.what()));
  }
}

void SessionKeeper::place_window(const QSize& usual, const QRect& screen) {
  const QByteArray geometry = open_settings()->value(kGeometry).toByteArray();
  if (!window_.restoreGeometry(geometry)) window_.resize(usual);
  // The bar with the title, which a desktop puts above it, is not yet there.
  const QRect room =
      screen.adjusted(0, window_.style()->pixelMetric(QStyle::PM_TitleBarHeight), 0, 0);
  QRect place = window_.geometry();
  if (window_.isMaximized() || room.contains(place)) return;
  place.setSize(place.size().boundedTo(room.size()));
  place.moveRight(std::min(place.right(), room.right()));
  place.moveBottom(std::min(place.bottom(), room.bottom()));
  place.moveLeft(std::max(place.left(), room.left()));
  place.moveTop(std::max(place.top(), room.top()));
  window_.setGeometry(place);
}

void SessionKeeper::end() {
  if (journal_.isEmpty()) return;
  autosave_.stop();
  open_settings()->setValue(kGeometry, window_.saveGeometry());
  try {
    write_session(window_.session(), in_folder(u"last"_s).toStdString());
  } catch (const Error& error) {
    log_line(LogLevel::kWarning, from(error.what()));
  }
  QFile::remove(journal_);
  journal_.clear();
  lock_.reset();
}

void SessionKeeper::reopen_last() { read(in_folder(u"last"_s)); }

}  // namespace farstate::desktop
