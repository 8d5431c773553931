// SPDX-License-Identifier: GPL-3.0-or-later
// What happened, for whoever looks for the reason later: lines in a file of the state folder, which
// is rotated, and the newest of them in memory. Qt's own remarks go there too.
#pragma once

#include <QStringList>

namespace farstate::desktop {

// What a desktop keeps between two starts and nobody backs up: $XDG_STATE_HOME/farstate, or
// ~/.local/state/farstate.
QString state_folder();

// Until it is called, and where the folder can't be written, lines are kept in memory alone.
void open_log(const QString& folder);
QString log_path();  // empty: there is no file

enum class LogLevel { kNote, kWarning, kError };
void log_line(LogLevel level, const QString& text);

QStringList last_log_lines();  // of this process, oldest first
QStringList logged_lines(const QString& folder);  // the newest in the folder's file, whoever wrote them

}  // namespace farstate::desktop
