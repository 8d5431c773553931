// SPDX-License-Identifier: GPL-3.0-or-later
// What of the window is seen, and how large.
#include <QActionGroup>
#include <QApplication>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QTabBar>
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/settings.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/text_room.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kTextSizes[] = {80, 90, 100, 110, 125, 150};  // percent
constexpr double kPresenterText = 1.4;

}  // namespace

void MainWindow::make_text_size_menu(QMenu* view) {
  QMenu* menu = with_title(new QMenu(this), [] { return tr("Text size"); });
  auto* sizes = new QActionGroup(this);
  for (const int percent : kTextSizes) {
    QAction* action = with_text(menu->addAction(QString()), [percent] {
      return tr("%1 %", "text size").arg(QLocale().toString(percent));
    });
    action->setCheckable(true);
    action->setData(percent);
    sizes->addAction(action);
    connect(action, &QAction::triggered, this, [this, percent] { set_text_size(percent); });
  }
  text_sizes_ = sizes;
  menu->addSeparator();
  const auto add = [this, menu](const Words& text, const QKeySequence& key, int by) {
    QAction* action = with_text(menu->addAction(QString()), text);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, [this, by] {
      const auto* at = std::find(std::begin(kTextSizes), std::end(kTextSizes), text_size_);
      const auto last = static_cast<std::ptrdiff_t>(std::size(kTextSizes)) - 1;
      set_text_size(kTextSizes[std::clamp(at - std::begin(kTextSizes) + by, std::ptrdiff_t{0}, last)]);
    });
  };
  add([] { return tr("Larger"); }, QKeySequence::ZoomIn, 1);
  add([] { return tr("Smaller"); }, QKeySequence::ZoomOut, -1);
  view->addMenu(menu);
}

void MainWindow::set_text_size(int percent) {
  const int nearest =
      *std::min_element(std::begin(kTextSizes), std::end(kTextSizes), [percent](int a, int b) {
        return std::abs(a - percent) < std::abs(b - percent);
      });
  if (nearest == text_size_) return;
  text_size_ = nearest;
  remember_text_size(text_size_);
  scale_text();
}

// The columns at the sides grow with what is written in them.
void MainWindow::scale_text() {
  set_text_scale(text_size_ / 100.0 * (presenting_ ? kPresenterText : 1));
  left_->widget()->setFixedWidth(text_room(kLeftColumn));
  left_->setFixedWidth(text_room(kLeftColumn) + Theme::kGap);
  side_->setMinimumWidth(text_room(kInspector));
  if (isVisible() && !presenting_ && width() < wide_enough()) actions_.inspector->setChecked(false);
  arrange_left_column();
  set_theme(theme_mode_);
  for (QAction* action : text_sizes_->actions()) {
    action->setChecked(action->data().toInt() == text_size_);
  }
}

void MainWindow::make_perspectives(QMenu* view) {
  const auto add = [this, view](const Words& text, const char* key, auto act) {
    QAction* action = with_text(view->addAction(QString()), text);
    action->setShortcut(QKeySequence(QLatin1StringView(key)));
    connect(action, &QAction::triggered, this, act);
  };
  add([] { return tr("Explore"); }, "Ctrl+1", [this] { take_perspective(Perspective::kExplore); });
  add([] { return tr("Train"); }, "Ctrl+2", [this] { take_perspective(Perspective::kTrain); });
  add([] { return tr("Teach"); }, "Ctrl+3", [this] { take_perspective(Perspective::kTeach); });
  add([] { return tr("Reset layout"); }, "Ctrl+0", &MainWindow::reset_layout);
  view->addSeparator();
}

// Nothing that was measured or set is touched: this is about what lies in front.
void MainWindow::take_perspective(Perspective perspective) {
  set_presenting(false);
  const bool teaches = perspective == Perspective::kTeach;
  if (teaches && !story_->run()->active()) begin_introduction();
  if (!teaches && story_->run()->active()) story_->close();
  show_page(u"measure"_s);
  actions_.inspector->setChecked(perspective == Perspective::kExplore);
  side_->show_story(teaches);
  const bool trains = perspective == Perspective::kTrain;
  plots_->results()->tabs()->setCurrentIndex(trains ? ResultsPanel::kLoss
                                                    : ResultsPanel::kComparison);
  arrange_side();
}

void MainWindow::reset_layout() {
  set_presenting(false);
  set_text_size(100);
  // Once the parts have the room that text of the usual size needs.
  QMetaObject::invokeMethod(this, [this] { show_splits(*this, first_splits_); },
                            Qt::QueuedConnection);
  actions_.inspector->setChecked(width() >= wide_enough());
  plots_->follow_all();
  arrange_side();
}

// How the window first gives out its room is known when its parts have been placed.
void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!first_splits_.empty()) return;
  QMetaObject::invokeMethod(this, [this] {
    if (first_splits_.empty()) first_splits_ = splits_of(*this);
  }, Qt::QueuedConnection);
}

}  // namespace farstate::desktop
