// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QAction>
#include <QFile>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>

#include "app/desktop/help/help_desk.h"
#include "app/desktop/help/help_pages.h"
#include "app/desktop/help/key_table.h"
#include "app/desktop/language.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/reading_sheet.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;

TEST(HelpPages, AreThereInBothLanguages) {
  for (const QString& topic : help_topics()) {
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
      set_language(language);
      EXPECT_GT(help_page(topic).size(), 80) << qPrintable(topic);
      EXPECT_FALSE(help_title(topic).isEmpty()) << qPrintable(topic);
    }
    const QString chinese = help_page(topic);
    set_language(Language::kEnglish);
    EXPECT_FALSE(help_page(topic) == chinese) << qPrintable(topic);
  }
}

class HelpTest : public WindowTest {
 protected:
  QString title() const { return window_->help()->sheet()->title(); }
};

TEST_F(HelpTest, F1ExplainsWhatHasTheFocus) {
  open();
  const std::pair<QWidget*, const char*> parts[] = {
      {window_->plots()->state(), "The state"},
      {window_->initial_state()->findChild<QDoubleSpinBox*>(), "Initial states"},
      {window_->training()->findChild<QSpinBox*>(), "Training"},
      {window_->centralWidget(), "Measuring"}};
  for (const auto& [part, wanted] : parts) {
    EXPECT_EQ(help_title(help_topic(*window_, part)), QLatin1StringView(wanted));
  }
  window_->show_page(u"tasks"_s);
  window_->centralWidget()->setFocus();
  QTest::keyClick(window_.get(), Qt::Key_F1);
  EXPECT_TRUE(window_->help()->sheet()->isVisible());
  EXPECT_EQ(title(), u"Tasks"_s);
  QTest::keyClick(window_->help()->sheet(), Qt::Key_Escape);
  EXPECT_FALSE(window_->help()->sheet()->isVisible());
}

TEST_F(HelpTest, EveryPageHasOneOfItsOwn) {
  open();
  for (const char* page : {"measure", "generate", "experiment", "tasks", "theory"}) {
    window_->show_page(QLatin1StringView(page));
    EXPECT_EQ(help_topic(*window_, nullptr), QLatin1StringView(page));
    EXPECT_TRUE(help_topics().contains(QLatin1StringView(page)));
  }
}

void collect_keys(const QMenu& menu, QStringList& keys) {
  for (const QAction* action : menu.actions()) {
    if (action->menu() != nullptr) collect_keys(*action->menu(), keys);
    if (!action->shortcut().isEmpty()) {
      keys.push_back(action->shortcut().toString(QKeySequence::NativeText));
    }
  }
}

TEST_F(HelpTest, TheSheetOfKeysHoldsAllOfThemAndNoneIsGivenTwice) {
  open();
  QStringList keys;
  for (const QAction* action : window_->menuBar()->actions()) collect_keys(*action->menu(), keys);
  EXPECT_GT(keys.size(), 20);
  QTest::keyClick(window_.get(), Qt::Key_Slash, Qt::ControlModifier);
  ASSERT_TRUE(window_->help()->sheet()->isVisible());
  const QString sheet = window_->help()->sheet()->text();
  for (const QString& key : keys) {
    EXPECT_EQ(keys.count(key), 1) << qPrintable(key);
    EXPECT_TRUE(sheet.contains(key)) << qPrintable(key);
  }
}

}  // namespace
}  // namespace farstate::desktop
