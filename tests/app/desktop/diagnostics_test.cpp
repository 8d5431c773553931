// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/desktop/diagnostics.h"
#include "app/desktop/event_log.h"
#include "app/desktop/help/help_desk.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/reading_sheet.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/temp_folder.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using ::testing::HasSubstr;

QToolButton* button_named(QWidget* in, const QString& text) {
  for (QToolButton* button : in->findChildren<QToolButton*>()) {
    if (button->text() == text) return button;
  }
  return nullptr;
}

TEST_F(WindowTest, AThousandErrorsASecondAreOneBannerWithACountAndDetails) {
  open();
  for (int i = 0; i < 1000; ++i) {
    RunnerUpdate u = update(RunState::kReady);
    u.error = RunError{ErrorKind::kBadInput, i % 2 == 0 ? "a.json: no object" : "b.json: cut short"};
    deliver(u);
  }
  NoticeBanner* notice = window_->notice();
  bool counted = false;
  for (const QLabel* label : notice->findChildren<QLabel*>()) {
    counted |= label->text() == u"×1,000"_s;
  }
  EXPECT_TRUE(counted);
  EXPECT_TRUE(window_->findChildren<QDialog*>().isEmpty());
  notice->dismiss();
  QToolButton* details = button_named(notice, u"Details"_s);
  ASSERT_NE(details, nullptr);
  details->click();
  ReadingSheet* sheet = window_->help()->sheet();
  EXPECT_TRUE(sheet->isVisible());
  const QStringList lines = sheet->text().split(u'\n', Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(lines[0].contains(u"×500"_s) && lines[0].endsWith(u"b.json: cut short"_s))
      << qPrintable(lines[0]);
  sheet->action()->click();
  EXPECT_EQ(QApplication::clipboard()->text(), sheet->text());
  QTest::keyClick(sheet, Qt::Key_Escape);
  EXPECT_FALSE(sheet->isVisible());
}

TEST_F(WindowTest, DiagnosticsHoldWhatAReportOfAFaultNeeds) {
  open();
  open_settings()->setValue(u"recent/models"_s, QStringList{u"/secret/model"_s});
  RunnerUpdate u = update(RunState::kFailed);
  u.error = RunError{ErrorKind::kBadInput, "model.safetensors: the header is cut short."};
  deliver(u);
  window_->help()->show_diagnostics();
  const std::string text = window_->help()->sheet()->text().toStdString();
  for (const char* part : {"LibTorch", "processor", "memory", "GPU", "store of runs", "state folder",
                           "recipe", "farstate-desktop.ini", "Last lines of the log",
                           "model.safetensors: the header is cut short."}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, ::testing::Not(HasSubstr("/secret/model")));
}

class EventLogTest : public ::testing::Test {
 protected:
  void SetUp() override { open_log(QString::fromStdString(folder_.path())); }
  // The next test's lines are for memory alone.
  void TearDown() override { open_log(u"/dev/null"_s); }

  QString folder() const { return QString::fromStdString(folder_.path()); }
  farstate::testing::TempFolder folder_;
};

TEST_F(EventLogTest, LinesAreInTheFileAndInMemory) {
  log_line(LogLevel::kError, u"no {} room"_s);
  EXPECT_TRUE(last_log_lines().last().endsWith(u"error no {} room"_s));
  EXPECT_EQ(logged_lines(folder()).last(), last_log_lines().last());
  EXPECT_EQ(QDir(folder()).filePath(u"farstate-desktop.log"_s), log_path());
}

TEST_F(EventLogTest, ItIsRotatedAndNeverGrowsPastItsFiles) {
  const QString kilobyte(1024, u'x');
  for (int i = 0; i < 6 * 1024; ++i) log_line(LogLevel::kNote, QString::number(i) + kilobyte);
  qint64 bytes = 0;
  const QFileInfoList files = QDir(folder()).entryInfoList(QDir::Files);
  for (const QFileInfo& file : files) bytes += file.size();
  EXPECT_EQ(files.size(), 4);
  EXPECT_LT(bytes, (4 << 20) + 4096);
}

TEST_F(EventLogTest, ALineThatRepeatsIsWrittenOnce) {
  for (int i = 0; i < 100; ++i) log_line(LogLevel::kWarning, u"the same again"_s);
  log_line(LogLevel::kNote, u"another"_s);
  int times = 0;
  for (const QString& line : logged_lines(folder())) times += line.endsWith(u"the same again"_s);
  EXPECT_EQ(times, 1);
}

TEST_F(EventLogTest, WhereThereIsNoFileItGoesOnInMemory) {
  open_log(u"/dev/null/no/such/folder"_s);
  EXPECT_TRUE(log_path().isEmpty());
  log_line(LogLevel::kNote, u"still here"_s);
  EXPECT_TRUE(last_log_lines().last().endsWith(u"still here"_s));
}

TEST(StateFolder, FollowsTheEnvironment) {
  const QByteArray before = qgetenv("XDG_STATE_HOME");
  qputenv("XDG_STATE_HOME", "/somewhere/state");
  EXPECT_EQ(state_folder(), u"/somewhere/state/farstate"_s);
  qputenv("XDG_STATE_HOME", "relative");
  EXPECT_EQ(state_folder(), QDir::homePath() + u"/.local/state/farstate"_s);
  before.isNull() ? qunsetenv("XDG_STATE_HOME") : qputenv("XDG_STATE_HOME", before);
}

}  // namespace
}  // namespace farstate::desktop
