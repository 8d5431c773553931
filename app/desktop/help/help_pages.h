// SPDX-License-Identifier: GPL-3.0-or-later
// The built-in pages of help: short Markdown in resources/help, one per part of the window.
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace farstate::desktop {

class MainWindow;

QStringList help_topics();  // "measure", "state", …, in the order of the menu
QString help_title(const QString& topic);
QString help_page(const QString& topic);  // in the window's language, else in English
QString help_gist(const QString& topic);  // its first sentences and its source, for a tip

// What the part of the window that holds `at` is about; that of the page in front for the rest.
QString help_topic(const MainWindow& window, const QWidget* at);

}  // namespace farstate::desktop
