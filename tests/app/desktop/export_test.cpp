// SPDX-License-Identifier: GPL-3.0-or-later
// Plots and tables of the window as files and on the clipboard.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QSpinBox>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>
#include <csignal>
#include <limits>

#include "app/desktop/comparison_cards.h"
#include "app/desktop/export/export_sheet.h"
#include "app/desktop/export/exporter.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/rendering.h"
#include "app/desktop/story/report.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/segmented.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/animated_experiment.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

using farstate::testing::AnimatedExperiment;
using farstate::testing::AnimatedRunner;
using ::testing::HasSubstr;

TEST(DataTable, HasOneRowForEachPlaceOfAnyCurve) {
  const DataTable table =
      table_of(u"position"_s, {{u"a"_s, {1000, 2000, 3000}, {1, 2, 3}}, {u"b"_s, {500, 2000}, {7, 8}}});
  EXPECT_EQ(as_csv(table), u"position,a,b\n500,,7\n1000,1,\n2000,2,8\n3000,3,\n"_s);
}

TEST(DataTable, GivesBackTheSameNumbersInAnyLanguage) {
  const QLocale before;
  QLocale::setDefault(QLocale(QLocale::German));
  const std::vector<double> values{1.0 / 3, 1e-300, 123456789.125, -0.1, 5e-324};
  const QString csv = as_csv(table_of(u"x"_s, {{u"y"_s, {1, 2, 3, 4, 5}, values}}));
  QLocale::setDefault(before);
  const QStringList lines = csv.split(u'\n', Qt::SkipEmptyParts);
  ASSERT_EQ(lines.size(), 6);
  for (size_t i = 0; i < values.size(); ++i) {
    const QStringList cells = lines[static_cast<qsizetype>(i) + 1].split(u',');
    ASSERT_EQ(cells.size(), 2);
    EXPECT_EQ(QLocale::c().toDouble(cells[1]), values[i]) << cells[1].toStdString();
  }
}

TEST(DataTable, TellsWhatIsNotANumberFromWhatWasNotMeasured) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(as_csv(table_of(u"x"_s, {{u"y"_s, {1, 2}, {nan, -INFINITY}}, {u"z"_s, {1}, {0}}})),
            u"x,y,z\n1,NaN,0\n2,-Inf,\n"_s);
}

TEST(DataTable, QuotesWhatWouldEndAField) {
  const DataTable table{{u"a, b"_s}, {{u"say \"no\"\tnow"_s}}};
  EXPECT_EQ(as_csv(table), u"\"a, b\"\n\"say \"\"no\"\"\tnow\"\n"_s);
  EXPECT_EQ(as_tsv(table), u"a, b\nsay \"no\" now\n"_s);
}

class ExportTest : public WindowTest {
 protected:
  void open_measured() {
    open_with<AnimatedRunner>();
    window_->load();
    for (int i = 0; i < 6; ++i) window_->pump()->drain();
    settle();
  }
  void settle() {
    QTest::qWait(40);
    Q_EMIT window_->pump()->ticked();
    QTest::qWait(20);
  }
  void open_compared() {
    open_with<AnimatedExperiment>({1440, 900});
    window_->load();
    for (int i = 0; i < 8; ++i) window_->pump()->drain();
    window_->show_page(u"experiment"_s);
    window_->start_experiment({{"zero", "state-passing"}, 2, "", true});
    for (int i = 0; i < 60; ++i) window_->pump()->drain();
    settle();
  }
  Exporter* exporter() const { return window_->exporter(); }
  PerplexityPlot* perplexity() const { return window_->plots()->perplexity(); }

  static QImage image(const QByteArray& bytes) { return QImage::fromData(bytes); }
  static int ink(const QImage& picture) {
    const QRgb ground = picture.pixel(picture.width() / 2, 4);
    int dark = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) dark += picture.pixel(x, y) != ground ? 1 : 0;
    }
    return dark;
  }
  static QImage drawn(const QByteArray& svg, const QSize& size) {
    QSvgRenderer renderer(svg);
    QImage picture(size, QImage::Format_RGB32);
    picture.fill(Qt::white);
    QPainter painter(&picture);
    renderer.render(&painter);
    return picture;
  }
  QByteArray read(const QString& path) const {
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    return file.readAll();
  }

  QTemporaryDir folder_;
};

TEST_F(ExportTest, AddsTheEndingAndTheFileOpensAgain) {
  open_measured();
  const std::pair<ExportFormat, const char*> formats[] = {{ExportFormat::kPng, "png"},
                                                          {ExportFormat::kSvg, "svg"},
                                                          {ExportFormat::kPdf, "pdf"},
                                                          {ExportFormat::kCsv, "csv"}};
  for (const auto& [format, ending] : formats) {
    ExportChoice choice;
    choice.format = format;
    const QString bare = folder_.filePath(u"a plot v1.2"_s);
    const QString whole = bare + QLatin1Char('.') + QLatin1String(ending);
    EXPECT_EQ(exporter()->write(perplexity(), choice, bare), whole);
    EXPECT_EQ(exporter()->write(perplexity(), choice, whole), whole);
    EXPECT_GT(read(whole).size(), 200) << ending;
  }
  EXPECT_GT(ink(QImage(folder_.filePath(u"a plot v1.2.png"_s))), 3000);
  EXPECT_GT(ink(drawn(read(folder_.filePath(u"a plot v1.2.svg"_s)), {960, 420})), 3000);
  EXPECT_TRUE(read(folder_.filePath(u"a plot v1.2.pdf"_s)).startsWith("%PDF-"));
}

TEST_F(ExportTest, EveryFileHoldsTheRecipe) {
  open_measured();
  const std::string model = "\"intervention\"";
  ExportChoice choice;
  EXPECT_THAT(image(exporter()->file_of(perplexity(), choice)).text(u"recipe"_s).toStdString(),
              HasSubstr(model));
  for (const ExportFormat format : {ExportFormat::kSvg, ExportFormat::kPdf}) {
    choice.format = format;
    EXPECT_THAT(exporter()->file_of(perplexity(), choice).toStdString(),
                HasSubstr("&quot;intervention&quot;"));
  }
  choice.format = ExportFormat::kCsv;
  const QStringList lines = QString::fromUtf8(exporter()->file_of(perplexity(), choice)).split(u'\n');
  EXPECT_EQ(lines[0], u"# Perplexity by position"_s);
  EXPECT_TRUE(lines[1].startsWith(u"# recipe {"_s));
  EXPECT_THAT(lines[1].toStdString(), HasSubstr(model));
  EXPECT_TRUE(lines[2].startsWith(u"position (tokens),"_s));
}

TEST_F(ExportTest, APictureIsLaidOutAnewAtItsSizeAndScale) {
  open_measured();
  ExportChoice choice;
  choice.size = {700, 450};
  choice.scale = 1;
  const QImage once = image(exporter()->file_of(perplexity(), choice)).convertToFormat(QImage::Format_RGB32);
  EXPECT_EQ(once.size(), QSize(700, 450));
  choice.scale = 3;
  const QImage thrice = image(exporter()->file_of(perplexity(), choice));
  EXPECT_EQ(thrice.size(), QSize(2100, 1350));
  const QImage small = thrice.scaled(once.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                           .convertToFormat(QImage::Format_RGB32);
  double difference = 0;
  for (int y = 0; y < 450; ++y) {
    for (int x = 0; x < 700; ++x) {
      difference += std::abs(qGray(once.pixel(x, y)) - qGray(small.pixel(x, y))) / 255.0;
    }
  }
  EXPECT_LT(difference / (700 * 450), 0.03);
}

TEST_F(ExportTest, APictureIsInTheThemeThatWasChosenAndTheWindowKeepsItsOwn) {
  open_measured();
  ExportChoice choice;
  choice.dark = true;
  const QImage dark = image(exporter()->file_of(perplexity(), choice));
  EXPECT_EQ(QColor(dark.pixel(dark.width() / 2, dark.height() - 8)).rgb(),
            theme_for(ThemeMode::kDark).surface.rgb());
  EXPECT_EQ(qApp->palette().color(QPalette::Window), theme_for(ThemeMode::kLight).window);
  choice.dark = false;
  const QImage light = image(exporter()->file_of(perplexity(), choice));
  EXPECT_EQ(QColor(light.pixel(light.width() / 2, light.height() - 8)).rgb(),
            theme_for(ThemeMode::kLight).surface.rgb());
}

TEST_F(ExportTest, ThePlotsLookAsBeforeWhenAPictureWasTaken) {
  open_measured();
  window_->pump()->stop();
  settle();
  const QImage before = window_->plots()->grab().toImage();
  for (QWidget* view : exporter()->seen()) exporter()->file_of(view, {});
  settle();
  EXPECT_TRUE(window_->plots()->grab().toImage() == before);
}

// What is there to be clicked says nothing in a picture: what it chose is in the title.
TEST_F(ExportTest, ThePictureOfAStateNamesWhatIsShown) {
  open_measured();
  EXPECT_EQ(Exporter::title_of(window_->plots()->state()),
            u"State over position: norm"_s);
}

TEST_F(ExportTest, TheNumbersAreThoseOfThePlotAndOfItsView) {
  open_measured();
  ExportChoice choice;
  choice.format = ExportFormat::kCsv;
  const Measurement* base = window_->book().base();
  const Series* series = find_series(base->series, "perplexity");
  const auto rows = [&] {
    QStringList lines = QString::fromUtf8(exporter()->file_of(perplexity(), choice))
                            .split(u'\n', Qt::SkipEmptyParts);
    return lines.filter(QRegularExpression(u"^[0-9]"_s));
  };
  ASSERT_EQ(rows().size(), static_cast<qsizetype>(series->x.size()));
  for (size_t i = 0; i < series->x.size(); ++i) {
    const QStringList cells = rows()[static_cast<qsizetype>(i)].split(u',');
    EXPECT_EQ(cells[0].toDouble(), series->x[i]);
    EXPECT_EQ(cells[1].toDouble(), series->y[i]);
  }
  perplexity()->follow_range(100, 1000);
  choice.in_view = true;
  const auto inside = std::count_if(series->x.begin(), series->x.end(),
                                    [](double x) { return x >= 100 && x <= 1000; });
  EXPECT_EQ(rows().size(), inside);
  EXPECT_LT(inside, static_cast<qsizetype>(series->x.size()));
}

TEST_F(ExportTest, EveryPlotAndTableThatIsSeenCanBeExported) {
  open_measured();
  for (const int tab : {0, 1, 2}) {
    window_->plots()->results()->tabs()->setCurrentIndex(tab);
    settle();
    const QList<QWidget*> seen = exporter()->seen();
    EXPECT_GE(seen.size(), 4);
    for (QWidget* view : seen) {
      EXPECT_FALSE(Exporter::title_of(view).isEmpty());
      ExportChoice choice;
      EXPECT_FALSE(image(exporter()->file_of(view, choice)).isNull());
      choice.format = ExportFormat::kCsv;
      EXPECT_GT(exporter()->file_of(view, choice).size(), 20);
    }
  }
}

TEST_F(ExportTest, ATableGivesItsNumbersInFull) {
  open_measured();
  window_->plots()->results()->tabs()->setCurrentIndex(1);
  settle();
  exporter()->copy_numbers(window_->plots()->results()->table());
  const QStringList lines = QApplication::clipboard()->text().split(u'\n');
  ASSERT_GE(lines.size(), 2);
  EXPECT_TRUE(lines[0].startsWith(u"perplexity at position\tstep\t"_s));
  const QString shown = window_->plots()->results()->table()->model()->index(0, 2).data().toString();
  const QString exact = lines[1].split(u'\t').value(2);
  EXPECT_GT(exact.size(), shown.size());
  EXPECT_NEAR(exact.toDouble(), shown.toDouble(), 0.5);
}

TEST_F(ExportTest, ImageAndDataAreCopied) {
  open_measured();
  exporter()->copy_image(perplexity());
  const QImage copied = QApplication::clipboard()->image();
  EXPECT_GT(ink(copied), 1000);
  exporter()->copy_numbers(perplexity());
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith(u"position (tokens)\t"_s));
}

TEST_F(ExportTest, TheSheetOffersWhatIsSeenAndWritesIt) {
  open_measured();
  exporter()->set_path(folder_.filePath(u"loss"_s));
  perplexity()->setFocus();
  QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier);
  ExportSheet* sheet = exporter()->sheet();
  ASSERT_NE(sheet, nullptr);
  ASSERT_TRUE(sheet->isVisible());
  EXPECT_EQ(sheet->views()->count(), exporter()->seen().size());
  EXPECT_EQ(sheet->view(), perplexity());
  sheet->formats()->findChildren<QToolButton*>().at(0)->click();
  sheet->scales()->findChildren<QToolButton*>().at(0)->click();
  sheet->width_field()->setValue(500);
  sheet->height_field()->setValue(300);
  QTest::keyClick(sheet, Qt::Key_Return);
  EXPECT_FALSE(sheet->isVisible());
  EXPECT_EQ(QImage(folder_.filePath(u"loss.png"_s)).size(), QSize(500, 300));
  EXPECT_EQ(window_->notice()->count(), 0);
}

TEST_F(ExportTest, WhatCannotBeWrittenIsASentenceAndLeavesNothing) {
  open_measured();
  exporter()->set_path(folder_.filePath(u"no/such/folder/plot.png"_s));
  exporter()->open_sheet(perplexity());
  QTest::keyClick(exporter()->sheet(), Qt::Key_Return);
  EXPECT_EQ(window_->notice()->count(), 1);
  EXPECT_THAT(window_->notice()->text().toStdString(), HasSubstr("no/such/folder/plot.png"));
  EXPECT_TRUE(QDir(folder_.path()).isEmpty());
}

// Not as JPEG, which mixes the colours of neighbours: they are the numbers.
TEST_F(ExportTest, AMapInAPdfKeepsItsColours) {
  open_measured();
  ExportChoice choice;
  choice.format = ExportFormat::kPdf;
  const QByteArray pdf = exporter()->file_of(window_->plots()->state(), choice);
  EXPECT_TRUE(pdf.contains("/Subtype /Image"));
  EXPECT_FALSE(pdf.contains("DCTDecode"));
}

// A limit on the size of files stands for a disk that is full.
TEST_F(ExportTest, ADiskThatFillsLeavesTheOldFileAndNothingElse) {
  open_measured();
  const QString path = folder_.filePath(u"plot.png"_s);
  exporter()->write(perplexity(), {}, path);
  const std::string before = read_file(path.toStdString());
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto handled = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit full{1000, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
  std::string sentence;
  try {
    exporter()->write(perplexity(), {}, path);
  } catch (const Error& error) {
    sentence = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, handled);
  EXPECT_THAT(sentence, HasSubstr("plot.png"));
  EXPECT_EQ(read_file(path.toStdString()), before);
  EXPECT_EQ(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
}

TEST_F(ExportTest, AnArmOfAComparisonIsNamedAndHasItsRecipe) {
  open_compared();
  const QList<QWidget*> seen = exporter()->seen();
  ASSERT_GE(seen.size(), 3);  // two arms and the table
  const QString title = Exporter::title_of(seen[0]);
  EXPECT_TRUE(title.endsWith(u": perplexity"_s)) << title.toStdString();
  const QImage picture = image(exporter()->file_of(seen[0], {}));
  EXPECT_EQ(picture.text(u"recipe"_s), window_->experiment_panel()->recipe());
  EXPECT_GT(ink(picture), 3000);
}

TEST_F(ExportTest, AReportOfAComparisonShowsAllArmsTheirTableAndWhatIsOpen) {
  open_compared();
  const Report report = report_of(*window_);
  ASSERT_NE(report.experiment, nullptr);
  EXPECT_EQ(report.recipes.size(), 3u);  // what they share, and the arms
  const QByteArray pdf = pdf_of(report);
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_FALSE(pdf.contains("/Subtype /Image"));
  const auto cards = comparison_cards(*report.experiment, theme_for(ThemeMode::kLight));
  ASSERT_GE(cards.size(), 2);
  for (const auto& card : cards) {
    lay_out(*card, {640, 290});
    EXPECT_GT(ink(image_of(drawing_of(*card), 1)), 2000);
    EXPECT_THAT(card->findChild<CurveLegend*>()->accessibleDescription().toStdString(),
                HasSubstr("State passing"));
  }
  EXPECT_THAT(comparison_html(*report.experiment).toStdString(), HasSubstr("State passing"));
  window_->show_page(u"measure"_s);
  EXPECT_EQ(report_of(*window_).experiment, nullptr);
}

TEST_F(ExportTest, AReportOfARunHasItsPlotsNumbersAndRecipe) {
  open_measured();
  const Report report = report_of(*window_);
  EXPECT_TRUE(report.story.isEmpty());
  EXPECT_EQ(report.experiment, nullptr);
  ASSERT_FALSE(report.results.empty());
  ASSERT_FALSE(report.recipes.empty());
  EXPECT_EQ(report.recipes[0].second.toStdString(),
            report.results[0].measurement.recipe.model.model + " as loaded");
  EXPECT_FALSE(report.numbers.empty());
  const QByteArray pdf = pdf_of(report);
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  Report bare = report;
  bare.results.clear();
  EXPECT_GT(pdf.size(), pdf_of(bare).size() + 4000) << "the plots";
  EXPECT_EQ(window_->actions().export_report->shortcut(), QKeySequence(u"Ctrl+Shift+R"_s));
}

// By the keyboard, and by the mouse, which is over the canvas that fills the plot.
TEST_F(ExportTest, TheMenuOfEveryPlotLeadsThere) {
  open_measured();
  for (LivePlot* plot : window_->plots()->plots()) {
    if (!plot->isVisible()) continue;
    const QPoint middle = plot->canvas()->rect().center();
    QContextMenuEvent by_key(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QContextMenuEvent by_mouse(QContextMenuEvent::Mouse, middle, plot->mapToGlobal(middle));
    QApplication::sendEvent(plot, &by_key);
    QApplication::sendEvent(plot->canvas(), &by_mouse);
    const QList<QMenu*> menus = plot->findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
    ASSERT_EQ(menus.size(), 2);
    for (QMenu* menu : menus) {
      QStringList names;
      for (const QAction* action : menu->actions()) names.push_back(action->text());
      for (const char* name : {"Show all data", "Copy image", "Copy data", "Export…"}) {
        EXPECT_TRUE(names.contains(QString::fromUtf8(name))) << name;
      }
      delete menu;
    }
  }
}

}  // namespace
}  // namespace farstate::desktop
