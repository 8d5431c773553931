// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/help/key_table.h"

#include <QCoreApplication>
#include <QKeySequence>
#include <QMenuBar>

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString plain(QString text) { return text.remove(u'&').remove(u'…'); }

QString row(const QString& keys, const QString& does) {
  QString cell = keys;
  return u"| **%1** | %2 |\n"_s.arg(cell.replace(u'|', u"\\|"_s), does);
}

void add_menu(const QMenu& menu, QString& rows) {
  for (const QAction* action : menu.actions()) {
    if (action->menu() != nullptr) {
      add_menu(*action->menu(), rows);
    } else if (!action->shortcut().isEmpty()) {
      rows += row(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                  plain(action->text()));
    }
  }
}

QString table(const QString& title, const QString& rows) {
  return rows.isEmpty() ? QString() : u"**%1**\n\n|   |   |\n|---|---|\n%2\n\n"_s.arg(title, rows);
}

QString plot_rows() {
  const auto key = [](Qt::Key k) { return QKeySequence(k).toString(QKeySequence::NativeText); };
  return row(tr("click, Shift+click"), tr("pin position A, position B")) +
         row(tr("double click"), tr("follow the data again")) +
         row(tr("wheel, Shift+wheel"), tr("zoom the position, the value")) +
         row(tr("drag"), tr("move the view, or a pin by its badge")) +
         row(key(Qt::Key_Left) + u' ' + key(Qt::Key_Right), tr("move pin A; with Shift, pin B")) +
         row(key(Qt::Key_Up) + u' ' + key(Qt::Key_Down), tr("the next head")) +
         row(key(Qt::Key_PageUp) + u' ' + key(Qt::Key_PageDown), tr("the next layer")) +
         row(key(Qt::Key_Delete), tr("remove the pin"));
}

}  // namespace

QString key_table(const QMenuBar& menus) {
  QString text;
  for (const QAction* action : menus.actions()) {
    if (action->menu() == nullptr) continue;
    QString rows;
    add_menu(*action->menu(), rows);
    text += table(plain(action->text()), rows);
  }
  return text + table(tr("In a plot"), plot_rows());
}

}  // namespace farstate::desktop
