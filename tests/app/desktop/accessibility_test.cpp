// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QTabBar>
#include <cmath>
#include <map>
#include <set>

#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/settings.h"
#include "app/desktop/story/story_teller.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/temp_folder.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedRunner;
using ::testing::IsEmpty;

constexpr const char* kPages[] = {"measure", "generate", "experiment", "tasks", "theory"};

constexpr QRect kScreen(0, 0, 1920, 1080);

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

  // The size of each text that is in sight on a page: widgets', and what plots write on themselves.
  std::map<const QObject*, double> text_sizes() const {
    std::map<const QObject*, double> sizes;
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      if (widget->isVisible()) sizes[widget] = widget->font().pointSizeF();
    }
    for (const QCPAxis* axis : window_->findChildren<QCPAxis*>()) {
      const auto* canvas = axis->parentPlot();
      if (!canvas->isVisible() || !axis->realVisibility()) continue;
      if (axis->tickLabels()) sizes[axis] = axis->tickLabelFont().pointSizeF();
      if (!axis->label().isEmpty()) {
        EXPECT_EQ(axis->labelFont().pointSizeF(), axis->tickLabelFont().pointSizeF());
      }
      for (int i = 0; i < canvas->itemCount(); ++i) {
        if (const auto* text = qobject_cast<QCPItemText*>(canvas->item(i))) {
          sizes[text] = text->font().pointSizeF();
        }
      }
    }
    return sizes;
  }

  // Lines that say which texts did not follow.
  void expect_scaled(const char* page, const std::map<const QObject*, double>& usual, double factor) {
    std::set<std::string> wrong;
    for (const auto& [text, size] : text_sizes()) {
      const auto before = usual.find(text);
      if (before == usual.end() || std::abs(size - factor * before->second) < 1e-3) continue;
      wrong.insert(std::string(page) + ": " + text->metaObject()->className() + " in " +
                   text->parent()->metaObject()->className() + " has " + std::to_string(size) +
                   " and had " + std::to_string(before->second));
    }
    EXPECT_THAT(wrong, IsEmpty()) << "at " << factor;
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

TEST_F(AccessibilityTest, TextSizeReachesEveryText) {
  open_loaded();
  for (const char* page : kPages) {
    window_->show_page(QLatin1StringView(page));
    QCoreApplication::processEvents();
    const auto usual = text_sizes();
    ASSERT_GT(usual.size(), 20U);
    for (const int percent : {80, 150, 100}) {
      window_->set_text_size(percent);
      QCoreApplication::processEvents();
      expect_scaled(page, usual, percent / 100.0);
    }
    window_->set_text_size(125);
    window_->set_theme(ThemeMode::kDark);
    expect_scaled(page, usual, 1.25);
    window_->set_text_size(100);
    window_->set_theme(ThemeMode::kLight);
  }
}

TEST_F(AccessibilityTest, PresentedTextIsLargerAndItsTitlesLargerThanTheRest) {
  open_loaded();
  window_->open_story(embedded_story(u"intro"_s));
  QCoreApplication::processEvents();
  const auto usual = text_sizes();
  window_->set_presenting(true);
  QCoreApplication::processEvents();
  expect_scaled("story", usual, 1.4);
  const auto sizes = text_sizes();
  const auto title = std::max_element(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
    return a.second < b.second;
  });
  EXPECT_GT(title->second, 1.2 * window_->font().pointSizeF());
  window_->set_presenting(false);
  QCoreApplication::processEvents();
  expect_scaled("story", usual, 1);
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
    window_->sessions()->place_window({1100, 700}, kScreen);
    EXPECT_EQ(window_->size(), QSize(1100, 700));
  }
  const farstate::testing::TempFolder folder;
  window_->sessions()->begin_journal(QString::fromStdString(folder.path()));
  window_->resize(1200, 750);
  window_->sessions()->end();
  window_->resize(1300, 800);
  window_->sessions()->place_window({1100, 700}, kScreen);
  EXPECT_EQ(window_->size(), QSize(1200, 750));
}

TEST_F(AccessibilityTest, TheWindowFitsTheScreen) {
  open_loaded({1100, 700});
  const QRect screen(0, 28, 1280, 772);
  open_settings()->remove(u"window/geometry"_s);
  window_->sessions()->place_window({1440, 900}, screen);
  EXPECT_TRUE(screen.contains(window_->geometry()));
  EXPECT_EQ(window_->width(), screen.width());
  EXPECT_LT(window_->height(), screen.height());  // and the bar with the title
  window_->setGeometry(QRect(2200, 1500, 1600, 1000));  // as on a larger screen
  open_settings()->setValue(u"window/geometry"_s, window_->saveGeometry());
  window_->sessions()->place_window({1440, 900}, screen);
  EXPECT_TRUE(screen.contains(window_->geometry()));
  window_->sessions()->place_window({1440, 900}, QRect(0, 0, 640, 480));  // its least size
  EXPECT_EQ(window_->size(), window_->minimumSize());
  open_settings()->remove(u"window/geometry"_s);
}

TEST_F(AccessibilityTest, FiveStartsLeaveTheWindowAsItWas) {
  open_settings()->remove(u"window/geometry"_s);
  const farstate::testing::TempFolder folder;
  for (const bool maximised : {false, true}) {
    QRect first;
    for (int start = 0; start < 5; ++start) {
      open_loaded();
      window_->sessions()->begin_journal(QString::fromStdString(folder.path()));
      window_->sessions()->place_window({1180, 720}, QRect(0, 0, 1920, 1080));
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
