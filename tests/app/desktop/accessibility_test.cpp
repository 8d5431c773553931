// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QTabBar>
#include <set>

#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/settings.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/temp_folder.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedRunner;
using ::testing::IsEmpty;

constexpr const char* kPages[] = {"measure", "generate", "experiment", "tasks", "theory"};

class AccessibilityTest : public WindowTest {
 protected:
  void open_loaded(QSize size = {1440, 900}) {
    open_with<AnimatedRunner>(size);
    window_->load();
    for (int i = 0; i < 8; ++i) window_->pump()->drain();
  }

  void TearDown() override {
    if (window_ != nullptr) window_->set_text_size(100);
  }

  // What Tab can lead to and is seen.
  std::vector<QWidget*> reached_by_tab() const {
    std::vector<QWidget*> found;
    for (QWidget* widget : window_->findChildren<QWidget*>()) {
      const bool takes_it = (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus;
      // Inside of a field with arrows, the field has the name.
      const bool inner = qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr;
      if (takes_it && !inner && widget->isVisible() && widget->isEnabled()) found.push_back(widget);
    }
    return found;
  }
};

TEST_F(AccessibilityTest, WhateverTabLeadsToHasAName) {
  open_loaded();
  std::set<std::string> nameless;
  for (const char* page : kPages) {
    window_->show_page(QLatin1StringView(page));
    QCoreApplication::processEvents();
    for (QWidget* widget : reached_by_tab()) {
      QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
      ASSERT_NE(face, nullptr);
      if (!face->text(QAccessible::Name).isEmpty()) continue;
      nameless.insert(std::string(page) + ": " + widget->metaObject()->className() + " in " +
                      widget->parentWidget()->metaObject()->className() + " " +
                      widget->toolTip().toStdString());
    }
  }
  EXPECT_THAT(nameless, IsEmpty());
}

TEST_F(AccessibilityTest, TabGoesThroughThePageAndComesBack) {
  open_loaded();
  const std::vector<QWidget*> all = reached_by_tab();
  std::set<QWidget*> reached;
  window_->centralWidget()->setFocus();
  for (size_t i = 0; i < 2 * all.size() + 20; ++i) {
    QTest::keyClick(window_.get(), Qt::Key_Tab);
    reached.insert(QApplication::focusWidget());
  }
  EXPECT_GT(reached.size(), 20U);
}

TEST_F(AccessibilityTest, TextGrowsAndTheColumnsWithIt) {
  open_loaded();
  const double usual = window_->font().pointSizeF();
  const int column = window_->model_panel()->width();
  for (const int percent : {80, 125, 150}) {
    window_->set_text_size(percent);
    QCoreApplication::processEvents();
    EXPECT_NEAR(window_->font().pointSizeF(), usual * percent / 100, 1e-6);
    EXPECT_EQ(remembered_text_size(), percent);
    EXPECT_GE(window_->model_panel()->width(), column);
  }
}

TEST_F(AccessibilityTest, KeysMakeTextLargerAndSmaller) {
  open_loaded();
  QTest::keyClick(window_.get(), Qt::Key_Plus, Qt::ControlModifier);
  EXPECT_EQ(window_->text_size(), 110);
  QTest::keyClick(window_.get(), Qt::Key_Minus, Qt::ControlModifier);
  QTest::keyClick(window_.get(), Qt::Key_Minus, Qt::ControlModifier);
  EXPECT_EQ(window_->text_size(), 90);
}

TEST_F(AccessibilityTest, PerspectivesChangeWhatIsInFrontAndNothingElse) {
  open_loaded();
  const RunConfig recipe = window_->recipe();
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  EXPECT_FALSE(window_->inspector()->isVisible());
  EXPECT_EQ(window_->plots()->results()->tabs()->currentIndex(), 0);
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_TRUE(window_->side()->isVisible());
  EXPECT_TRUE(window_->side()->shows_story());
  QTest::keyClick(window_.get(), Qt::Key_1, Qt::ControlModifier);
  EXPECT_TRUE(window_->inspector()->isVisible());
  EXPECT_EQ(window_->recipe(), recipe);
}

TEST_F(AccessibilityTest, ResetLayoutBringsBackWhatAPersonHasMoved) {
  open_loaded();
  show_splits(*window_, {{"plots", {600, 120, 120}}});
  const auto moved = splits_of(*window_);
  window_->set_text_size(125);
  window_->actions().inspector->setChecked(false);
  window_->plots()->hold_positions(2, 8);
  QTest::keyClick(window_.get(), Qt::Key_0, Qt::ControlModifier);
  QCoreApplication::processEvents();
  EXPECT_NE(splits_of(*window_), moved);
  EXPECT_EQ(window_->text_size(), 100);
  EXPECT_TRUE(window_->inspector()->isVisible());
  EXPECT_FALSE(window_->plots()->perplexity()->held());
}

TEST_F(AccessibilityTest, GarbageForTheWindowsPlaceIsPassedOver) {
  open_loaded();
  for (const QByteArray& geometry : {QByteArray(), QByteArray("garbage"), QByteArray(70, '\xff')}) {
    open_settings()->setValue(u"window/geometry"_s, geometry);
    window_->sessions()->place_window({1100, 700});
    EXPECT_EQ(window_->size(), QSize(1100, 700));
  }
  const farstate::testing::TempFolder folder;
  window_->sessions()->begin_journal(QString::fromStdString(folder.path()));
  window_->resize(1200, 750);
  window_->sessions()->end();
  window_->resize(1300, 800);
  window_->sessions()->place_window({1100, 700});
  EXPECT_EQ(window_->size(), QSize(1200, 750));
}

TEST_F(AccessibilityTest, FiveStartsLeaveTheWindowAsItWas) {
  open_settings()->remove(u"window/geometry"_s);
  const farstate::testing::TempFolder folder;
  for (const bool maximised : {false, true}) {
    QRect first;
    for (int start = 0; start < 5; ++start) {
      open_loaded();
      window_->sessions()->begin_journal(QString::fromStdString(folder.path()));
      window_->sessions()->place_window({1180, 720});
      if (maximised && start == 0) window_->showMaximized();
      QCoreApplication::processEvents();
      EXPECT_EQ(window_->isMaximized(), maximised);
      // Qt moves a frame that would leave the screen back into it, once.
      if (start == 0 || (start == 1 && !maximised)) {
        EXPECT_TRUE(start == 0 || window_->size() == first.size());
        first = window_->geometry();
      }
      EXPECT_EQ(window_->geometry(), first) << start;
      close_and_wait();
    }
  }
  open_settings()->remove(u"window/geometry"_s);
}

}  // namespace
}  // namespace farstate::desktop
