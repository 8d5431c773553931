// SPDX-License-Identifier: GPL-3.0-or-later
// Opening models and texts as a person does it: by menu, drop and key, through the sheets.
#include "app/desktop/opening.h"

#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QDialog>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUrl>

#include "app/desktop/models/recent_files.h"
#include "app/desktop/panels/model_sheet.h"
#include "app/desktop/panels/text_sheet.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/settings.h"
#include "app/desktop/size_text.h"
#include "app/desktop/widgets/drop_hint.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/open_menu.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/token_view.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using Stage = Sheet::Stage;
using ::testing::Contains;
using ::testing::Not;

constexpr int64_t kGiga = 1'000'000'000;

ModelReport report_of(const std::string& asked) {
  ModelReport report;
  report.asked = asked;
  report.model.name = "m2";
  report.model.architecture = "Mamba-2";
  report.model.layers = 48;
  report.model.heads = 64;
  report.model.head_dim = 64;
  report.model.state_dim = 128;
  report.model.model_dim = 2048;
  report.model.groups = 1;
  report.model.vocabulary = 50288;
  report.model.parameters = 1343000000;
  report.model.dtype = "bfloat16";
  report.model.precision = "float32";
  report.format = "safetensors";
  report.files = {asked + "/config.json", asked + "/model.safetensors"};
  report.weight_bytes = 5 * kGiga;
  report.state_bytes = 100 << 20;
  report.measure_bytes = 6 * kGiga;
  report.train_bytes = 22 * kGiga;
  report.available_bytes = 8 * kGiga;
  return report;
}

class OpeningTest : public WindowTest {
 protected:
  void SetUp() override {
    open_settings()->clear();
    ASSERT_TRUE(folder_.isValid());
    ASSERT_TRUE(QDir(folder_.path()).mkdir(QStringLiteral("m2")));
    for (const char* name : {"book.txt", "other.txt", "model.safetensors"}) {
      QFile file(path(name));
      ASSERT_TRUE(file.open(QIODevice::WriteOnly));
      file.write("text");
    }
    open();
    deliver(ready());
  }

  QString path(const char* name) const {
    return QDir(folder_.path()).filePath(QLatin1String(name));
  }
  std::string word(const char* name) const { return path(name).toStdString(); }
  Opening& opening() { return *window_->opening(); }
  ModelSheet& sheet() { return *opening().model_sheet(); }

  // The model that is open before anything is done.
  RunnerUpdate ready(uint64_t epoch = 1) {
    RunnerUpdate u = update(RunState::kReady, epoch);
    u.model = demo_;
    u.data = text_;
    u.recipe = recipe_;
    return u;
  }

  void answer(const ModelReport& report) {
    RunnerUpdate u = ready();
    u.report = std::make_shared<ModelReport>(report);
    deliver(u);
  }

  RunnerUpdate loaded(uint64_t epoch) {
    RunnerUpdate u = ready(epoch);
    u.model = std::make_shared<ModelInfo>();
    u.recipe = std::make_shared<RunConfig>(fake_->loaded);
    return u;
  }

  RunnerUpdate loading(const char* phase, double progress) {
    RunnerUpdate u = ready(2);
    u.state = RunState::kLoading;
    u.phase = phase;
    u.progress = progress;
    return u;
  }

  void press(Qt::Key key) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : window_.get(), key);
  }

  bool drop(const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& p : paths) urls << QUrl::fromLocalFile(p);
    data.setUrls(urls);
    const QPoint middle = window_->rect().center();
    QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(window_.get(), &enter);
    hinted_ = window_->drop_hint()->isVisible() ? window_->drop_hint()->title() : QString();
    if (!enter.isAccepted()) return false;
    QDropEvent event(QPointF(middle), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &event);
    return true;
  }

  QTemporaryDir folder_;
  QString hinted_;
  std::shared_ptr<ModelInfo> demo_ = std::make_shared<ModelInfo>();
  std::shared_ptr<DataInfo> text_ = std::make_shared<DataInfo>();
  std::shared_ptr<RunConfig> recipe_ = std::make_shared<RunConfig>();
};

TEST_F(OpeningTest, LooksThenChangesThePrecisionThenLoads) {
  opening().look_at(path("m2"));
  EXPECT_EQ(fake_->calls, std::vector<std::string>{"inspect " + word("m2")});
  EXPECT_EQ(sheet().stage(), Stage::kAsking);
  EXPECT_FALSE(sheet().action()->isEnabled());
  answer(report_of(word("m2")));
  EXPECT_EQ(sheet().stage(), Stage::kReady);
  EXPECT_EQ(sheet().text_of(QStringLiteral("layers × heads")), QStringLiteral("48 × 64"));
  EXPECT_EQ(sheet().text_of(QStringLiteral("parameters")), QStringLiteral("1,343,000,000"));
  EXPECT_EQ(sheet().text_of(QStringLiteral("tokenizer")), QStringLiteral("none found"));
  EXPECT_EQ(sheet().text_of(QStringLiteral("trained on")), QStringLiteral("not recorded"));
  EXPECT_THAT(sheet().memory_sentence().toStdString(), ::testing::HasSubstr("can be measured"));

  sheet().precision()->findChildren<QAbstractButton*>()[2]->click();
  EXPECT_EQ(fake_->inspected.back().precision, "bfloat16");
  EXPECT_EQ(sheet().stage(), Stage::kAsking);
  answer(report_of(word("m2")));  // the first question's answer, late
  EXPECT_EQ(sheet().stage(), Stage::kAsking);
  ModelReport half = report_of(word("m2"));
  half.model.precision = "bfloat16";
  answer(half);
  EXPECT_EQ(sheet().stage(), Stage::kReady);
  sheet().action()->click();
  EXPECT_EQ(fake_->loaded.model.model, word("m2"));
  EXPECT_EQ(fake_->loaded.model.precision, "bfloat16");
  EXPECT_EQ(sheet().stage(), Stage::kLoading);
  deliver(loading("reading the weights", 0.5));
  EXPECT_EQ(sheet().progress_text(), QStringLiteral("reading the weights"));
  deliver(loaded(2));
  EXPECT_EQ(opening().shown(), nullptr);
  EXPECT_EQ(opening().recent_models()->paths(), QStringList{path("m2")});
  EXPECT_EQ(window_->recipe().model.model, word("m2"));
}

TEST_F(OpeningTest, ATokenizerIsAskedForAgain) {
  opening().look_at(path("m2"));
  answer(report_of(word("m2")));
  sheet().choose_tokenizer(path("other.txt"));
  EXPECT_EQ(fake_->inspected.back().tokenizer, word("other.txt"));
  ModelReport found = report_of(word("m2"));
  found.model.tokenizer = word("other.txt");
  answer(found);
  EXPECT_EQ(sheet().text_of(QStringLiteral("tokenizer")), QStringLiteral("other.txt"));
}

TEST_F(OpeningTest, IgnoresTheAnswerToAnotherQuestion) {
  opening().look_at(path("m2"));
  opening().look_at(path("model.safetensors"));
  answer(report_of(word("m2")));
  EXPECT_EQ(sheet().stage(), Stage::kAsking);
  press(Qt::Key_Return);
  EXPECT_EQ(fake_->count("load"), 0);
  press(Qt::Key_Escape);
  answer(report_of(word("model.safetensors")));  // too late: nobody asks any more
  EXPECT_EQ(opening().shown(), nullptr);
}

TEST_F(OpeningTest, AProblemIsASentenceAndNothingIsLoaded) {
  opening().look_at(path("m2"));
  ModelReport report;
  report.asked = word("m2");
  report.problem = "m2/config.json is missing.";
  answer(report);
  EXPECT_EQ(sheet().problem(), QStringLiteral("m2/config.json is missing."));
  EXPECT_FALSE(sheet().action()->isEnabled());
  press(Qt::Key_Return);
  EXPECT_EQ(fake_->count("load"), 0);
  EXPECT_FALSE(window_->notice()->isVisible());
  EXPECT_TRUE(window_->findChildren<QDialog*>().isEmpty());
}

TEST_F(OpeningTest, CancellingALoadKeepsTheModelThatWasOpen) {
  RunnerUpdate measured = ready();
  measured.measurements = {measurement(0, Intervention::kZero, 2, 1)};
  deliver(measured);
  opening().look_at(path("m2"));
  answer(report_of(word("m2")));
  press(Qt::Key_Return);
  EXPECT_EQ(fake_->count("load"), 1);
  deliver(loading("reading the weights", 0.2));
  press(Qt::Key_Escape);
  EXPECT_EQ(fake_->count("stop"), 1);
  EXPECT_EQ(sheet().stage(), Stage::kCancelling);
  deliver(ready(2));
  EXPECT_EQ(opening().shown(), nullptr);
  EXPECT_NE(window_->book().base(), nullptr);
  EXPECT_EQ(window_->recipe().model.model, "demo");
  EXPECT_TRUE(opening().recent_models()->paths().isEmpty());
  press(Qt::Key_Space);  // and it can be used
  EXPECT_EQ(fake_->count("run"), 1);
}

TEST_F(OpeningTest, AFailedLoadSaysWhyInTheSheetAndCanBeTriedAgain) {
  opening().look_at(path("m2"));
  answer(report_of(word("m2")));
  press(Qt::Key_Return);
  RunnerUpdate failed = ready(2);
  failed.error = RunError{ErrorKind::kOutOfMemory, "The weights do not fit into memory."};
  deliver(failed);
  EXPECT_EQ(sheet().problem(), QStringLiteral("The weights do not fit into memory."));
  EXPECT_FALSE(window_->notice()->isVisible());
  press(Qt::Key_Return);
  EXPECT_EQ(fake_->count("load"), 2);
  deliver(loaded(3));
  EXPECT_EQ(opening().shown(), nullptr);
}

TEST_F(OpeningTest, WhereLoadingLeavesNoModelTheSheetStillSaysWhy) {
  opening().look_at(path("m2"));
  answer(report_of(word("m2")));
  press(Qt::Key_Return);
  RunnerUpdate failed = update(RunState::kFailed, 2);
  failed.error = RunError{ErrorKind::kBadInput, "model.safetensors is cut short."};
  deliver(failed);
  EXPECT_EQ(sheet().problem(), QStringLiteral("model.safetensors is cut short."));
  press(Qt::Key_Escape);
  EXPECT_EQ(opening().shown(), nullptr);
  EXPECT_EQ(window_->state(), RunState::kFailed);
}

TEST_F(OpeningTest, TheSheetKeepsTheKeyboardToItself) {
  window_->activateWindow();
  opening().look_at(path("m2"));
  answer(report_of(word("m2")));
  for (const Qt::Key key : {Qt::Key_Space, Qt::Key_R, Qt::Key_M, Qt::Key_4, Qt::Key_Period}) {
    press(key);
  }
  EXPECT_EQ(fake_->calls.size(), 1U);  // the question
  EXPECT_TRUE(fake_->interventions.empty());
  for (int i = 0; i < 12; ++i) {
    press(Qt::Key_Tab);
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_TRUE(sheet().isAncestorOf(QApplication::focusWidget()));
  }
  sheet().cancel()->setFocus();
  press(Qt::Key_Return);  // on a button, Enter is the button's
  EXPECT_EQ(opening().shown(), nullptr);
  EXPECT_EQ(fake_->count("load"), 0);
}

TEST_F(OpeningTest, DropsOfAFolderAndOfATextLeadToTheirSheets) {
  EXPECT_TRUE(drop({path("m2")}));
  EXPECT_EQ(hinted_, QStringLiteral("Open as a model"));
  EXPECT_FALSE(window_->drop_hint()->isVisible());
  EXPECT_EQ(opening().shown(), &sheet());
  EXPECT_TRUE(drop({path("book.txt")}));
  EXPECT_EQ(hinted_, QStringLiteral("Open as a text"));
  EXPECT_EQ(opening().shown(), opening().text_sheet());
  EXPECT_EQ(fake_->calls.back(), "preview " + word("book.txt"));
  EXPECT_TRUE(drop({path("model.safetensors")}));
  EXPECT_EQ(opening().shown(), &sheet());
}

TEST_F(OpeningTest, SeveralDroppedAtOnceAreASentence) {
  EXPECT_TRUE(drop({path("book.txt"), path("other.txt")}));
  EXPECT_THAT(window_->notice()->text().toStdString(), ::testing::HasSubstr("2 files"));
  EXPECT_EQ(opening().shown(), nullptr);
  EXPECT_TRUE(fake_->calls.empty());
  EXPECT_FALSE(drop({}));  // nothing that could be opened
}

TEST_F(OpeningTest, ATextIsShownAsTokensAndLoadedWithTheModelThatIsOpen) {
  opening().look_at(path("book.txt"));
  TextPreview preview;
  preview.asked = word("book.txt");
  preview.tokenizer = "bytes";
  preview.bytes = 3000000;
  preview.tokens = 800000;
  preview.estimated = true;
  preview.first = {{17, "To"}, {3, " be"}, {198, "\n"}, {5, "or\t"}, {7, ""}};
  RunnerUpdate u = ready();
  u.preview = std::make_shared<TextPreview>(preview);
  deliver(u);
  TextSheet& text = *opening().text_sheet();
  EXPECT_EQ(text.summary(), QStringLiteral("3.0 MB; bytes; about 800,000, estimated"));
  TokenView& tokens = *text.tokens();
  EXPECT_TRUE(tokens.tip_at(tokens.place_of(2).center()).contains(QStringLiteral("id 198")));
  EXPECT_GT(tokens.place_of(3).top(), tokens.place_of(2).bottom());  // after the line feed
  EXPECT_GT(tokens.place_of(4).width(), 0);
  press(Qt::Key_Return);
  EXPECT_EQ(fake_->loaded.data.path, word("book.txt"));
  EXPECT_EQ(fake_->loaded.model.model, "demo");
  deliver(loaded(2));
  EXPECT_EQ(opening().recent_texts()->paths(), QStringList{path("book.txt")});
}

TEST_F(OpeningTest, ATextThatCannotBeReadSaysWhy) {
  opening().look_at(path("book.txt"));
  TextPreview preview;
  preview.asked = word("book.txt");
  preview.problem = "book.txt is no UTF-8.";
  RunnerUpdate u = ready();
  u.preview = std::make_shared<TextPreview>(preview);
  deliver(u);
  EXPECT_EQ(opening().text_sheet()->problem(), QStringLiteral("book.txt is no UTF-8."));
  EXPECT_FALSE(opening().text_sheet()->action()->isEnabled());
}

TEST_F(OpeningTest, WarnsWhereTrainingWouldBeLost) {
  opening().look_at(path("m2"));
  EXPECT_EQ(sheet().findChild<QLabel*>(QStringLiteral("warning"))->text(), QString());
  RunnerUpdate trained = ready();
  trained.step = 20;
  deliver(trained);
  opening().look_at(path("m2"));
  EXPECT_NE(sheet().findChild<QLabel*>(QStringLiteral("warning"))->text(), QString());
  trained.events = {{20, "saved", "saved in out"}};
  deliver(trained);
  opening().look_at(path("m2"));
  EXPECT_EQ(sheet().findChild<QLabel*>(QStringLiteral("warning"))->text(), QString());
}

TEST_F(OpeningTest, RecentPathsPersistNewestFirstAndMissingOnesCanBeRemoved) {
  RecentFiles recent(QStringLiteral("models"));
  for (int i = 0; i < 12; ++i) recent.add(QStringLiteral("/gone/m%1").arg(i));
  recent.add(path("m2"));
  recent.add(QStringLiteral("/gone/m9"));
  const RecentFiles again(QStringLiteral("models"));
  ASSERT_EQ(again.paths().size(), RecentFiles::kMost);
  EXPECT_EQ(again.paths()[0], QStringLiteral("/gone/m9"));
  EXPECT_EQ(again.paths()[1], path("m2"));

  OpenMenu menu({}, {}, &recent);
  QStringList chosen;
  QObject::connect(&menu, &OpenMenu::chosen, [&](const QString& p) { chosen << p; });
  EXPECT_TRUE(menu.actions()[0]->text().contains(QStringLiteral("missing")));
  EXPECT_FALSE(menu.actions()[1]->text().contains(QStringLiteral("missing")));
  menu.actions()[0]->trigger();
  EXPECT_THAT(recent.paths(), Not(Contains(QStringLiteral("/gone/m9"))));
  menu.fill();
  menu.actions()[0]->trigger();
  EXPECT_EQ(chosen, QStringList{path("m2")});
  menu.actions().back()->trigger();  // Clear list
  EXPECT_TRUE(recent.paths().isEmpty());
}

TEST_F(OpeningTest, WhatIsLoadedWithoutAQuestionShowsProgressToo) {
  window_->load();
  deliver(loading("reading the weights", 0.25));
  EXPECT_EQ(opening().shown(), nullptr);  // short loading shows no sheet
  ASSERT_TRUE(QTest::qWaitFor([&] { return opening().shown() != nullptr; }));
  deliver(loading("reading the weights", 0.5));
  EXPECT_EQ(opening().shown()->progress_text(), QStringLiteral("reading the weights"));
  press(Qt::Key_Escape);
  EXPECT_EQ(fake_->count("stop"), 1);
  deliver(ready(2));
  EXPECT_EQ(opening().shown(), nullptr);
}

TEST_F(OpeningTest, SheetsStayInsideASmallWindow) {
  window_->resize(1024, 600);
  opening().look_at(path("m2"));
  ModelReport report = report_of(word("m2"));
  for (int i = 0; i < 30; ++i) report.notes.push_back("A note about something that was settled.");
  answer(report);
  QTest::qWait(20);
  for (const QWidget* button : {sheet().action(), sheet().cancel()}) {
    const QRect place(button->mapTo(window_.get(), QPoint(0, 0)), button->size());
    EXPECT_TRUE(window_->rect().contains(place));
  }
}

TEST(SizeText, HasThreeFigures) {
  EXPECT_EQ(size_text(0), QStringLiteral("0 B"));
  EXPECT_EQ(size_text(344000), QStringLiteral("344 kB"));
  EXPECT_EQ(size_text(999900), QStringLiteral("1.0 MB"));
  EXPECT_EQ(size_text(5 * kGiga + kGiga / 2), QStringLiteral("5.5 GB"));
}

}  // namespace
}  // namespace farstate::desktop
