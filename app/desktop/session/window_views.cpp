// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/window_views.h"

#include <QMenu>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

const QString kView = u"view."_s, kSplit = u"split."_s;

template <class Part>
std::vector<Part*> parts_named(const QWidget& window, const QString& prefix) {
  std::vector<Part*> parts;
  for (Part* part : window.findChildren<Part*>()) {
    if (part->objectName().startsWith(prefix)) parts.push_back(part);
  }
  std::sort(parts.begin(), parts.end(), [](const Part* a, const Part* b) {
    return a->objectName() < b->objectName();
  });
  return parts;
}

std::string name_of(const QWidget& part, const QString& prefix) {
  return part.objectName().mid(prefix.size()).toStdString();
}

int chosen_in(const QMenu& menu) {
  const QList<QAction*> actions = menu.actions();
  const auto checked = std::find_if(actions.begin(), actions.end(),
                                    [](const QAction* action) { return action->isChecked(); });
  return checked == actions.end() ? -1 : static_cast<int>(checked - actions.begin());
}

// Negative: it is no control that is remembered.
int chosen_in(const QWidget& part) {
  if (const auto* choice = qobject_cast<const Segmented*>(&part)) return choice->chosen();
  if (const auto* tabs = qobject_cast<const QTabBar*>(&part)) return tabs->currentIndex();
  const auto* button = qobject_cast<const QToolButton*>(&part);
  return button != nullptr && button->menu() != nullptr ? chosen_in(*button->menu()) : -1;
}

void choose_in(QWidget& part, int index) {
  if (index < 0 || chosen_in(part) == index) return;
  if (auto* choice = qobject_cast<Segmented*>(&part)) {
    choice->pick(index);
  } else if (auto* tabs = qobject_cast<QTabBar*>(&part)) {
    if (index < tabs->count()) tabs->setCurrentIndex(index);
  } else if (auto* button = qobject_cast<QToolButton*>(&part)) {
    if (index < button->menu()->actions().size()) button->menu()->actions()[index]->trigger();
  }
}

}  // namespace

std::string view_name(const QWidget& part) {
  return part.objectName().startsWith(kView) ? name_of(part, kView) : std::string();
}

std::vector<SessionView> views_of(const QWidget& window) {
  std::vector<SessionView> views;
  for (const QWidget* part : parts_named<QWidget>(window, kView)) {
    const int chosen = chosen_in(*part);
    if (chosen >= 0) views.push_back({name_of(*part, kView), chosen});
  }
  return views;
}

void show_views(const QWidget& window, const std::vector<SessionView>& views) {
  for (QWidget* part : parts_named<QWidget>(window, kView)) {
    for (const SessionView& view : views) {
      if (view.name == name_of(*part, kView)) choose_in(*part, static_cast<int>(view.chosen));
    }
  }
}

std::vector<SessionSplit> splits_of(const QWidget& window) {
  std::vector<SessionSplit> splits;
  for (const QSplitter* splitter : parts_named<QSplitter>(window, kSplit)) {
    const QList<int> sizes = splitter->sizes();
    splits.push_back({name_of(*splitter, kSplit), {sizes.begin(), sizes.end()}});
  }
  return splits;
}

void show_splits(const QWidget& window, const std::vector<SessionSplit>& splits) {
  for (QSplitter* splitter : parts_named<QSplitter>(window, kSplit)) {
    for (const SessionSplit& split : splits) {
      const bool fits = split.name == name_of(*splitter, kSplit) &&
                        static_cast<int>(split.sizes.size()) == splitter->count();
      if (fits) splitter->setSizes({split.sizes.begin(), split.sizes.end()});
    }
  }
}

}  // namespace farstate::desktop
