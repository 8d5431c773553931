// SPDX-License-Identifier: GPL-3.0-or-later
// How the parts of a window are shown, found by the names of their controls: a chooser, a row of
// tabs or a button with a menu of choices is called "view.NAME", a splitter "split.NAME".
#pragma once

#include <vector>

#include "app/desktop/session/session.h"

class QWidget;

namespace farstate::desktop {

std::string view_name(const QWidget& part);  // "NAME"; empty: it is no control that is remembered
std::vector<SessionView> views_of(const QWidget& window);
// As a person would choose them. A name that there is no more, and a choice that there is not, are
// passed over.
void show_views(const QWidget& window, const std::vector<SessionView>& views);

std::vector<SessionSplit> splits_of(const QWidget& window);
void show_splits(const QWidget& window, const std::vector<SessionSplit>& splits);

}  // namespace farstate::desktop
