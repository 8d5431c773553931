// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/watched_files.h"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <algorithm>

#include "app/desktop/widgets/offer_banner.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

class WatchedFilesTest : public WindowTest {
 protected:
  void SetUp() override {
    open();
    text_ = folder_.filePath(u"text.txt"_s);
    write(text_, "once upon a time");
  }
  static void write(const QString& path, const QByteArray& content) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(content);
  }
  void read_text() {
    RunnerUpdate u = update(RunState::kReady);
    u.model = std::make_shared<ModelInfo>();
    u.data = std::make_shared<DataInfo>();
    RunConfig recipe;
    recipe.data.path = text_.toStdString();
    u.recipe = std::make_shared<RunConfig>(recipe);
    deliver(u);
  }
  bool is_offered() {
    return QTest::qWaitFor([this] { return window_->offer()->isVisible(); }, 5000);
  }

  auto loads() const { return std::count(fake_->calls.begin(), fake_->calls.end(), "load"); }

  QTemporaryDir folder_;
  QString text_;
};

TEST_F(WatchedFilesTest, ATextThatIsWrittenAnewIsOfferedAgain) {
  read_text();
  write(text_, "once upon a longer time");
  ASSERT_TRUE(is_offered());
  EXPECT_TRUE(window_->offer()->text().contains(u"text.txt"_s));
  EXPECT_EQ(loads(), 0) << "nothing is read again by itself";
  window_->offer()->accept_button()->click();
  ASSERT_EQ(loads(), 1);
  EXPECT_EQ(fake_->loaded.data.path, text_.toStdString());
}

TEST_F(WatchedFilesTest, OneThatIsReplacedAsEditorsDoIsNoticed) {
  read_text();
  write(folder_.filePath(u"text.new"_s), "another text");
  ASSERT_TRUE(QFile::remove(text_));
  QTest::qWait(700);
  EXPECT_FALSE(window_->offer()->isVisible()) << "it may be about to come back";
  ASSERT_TRUE(QFile::rename(folder_.filePath(u"text.new"_s), text_));
  EXPECT_TRUE(is_offered());
}

TEST_F(WatchedFilesTest, WhatWasReadAgainAndWhatLiesBesideItIsNoNews) {
  read_text();
  write(text_, "once upon a longer time");
  read_text();
  write(folder_.filePath(u"other.txt"_s), "not this one");
  QTest::qWait(1000);
  EXPECT_FALSE(window_->offer()->isVisible());
}

}  // namespace
}  // namespace farstate::desktop
