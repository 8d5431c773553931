// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/report.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>

#include "core/base/error.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;

Report example() {
  Report report;
  report.story = u"A story"_s;
  report.when = QDateTime(QDate(2026, 5, 4), QTime(12, 0));
  report.model = u"demo"_s;
  report.text = u"generated text"_s;
  ResultsFile file;
  file.name = u"demo"_s;
  file.model.trained_context = 64;
  Series s;
  s.name = "perplexity";
  s.x_name = "position";
  for (int64_t begin = 1; begin < 4096; begin *= 2) {
    s.bin_begin.push_back(begin);
    s.bin_end.push_back(2 * begin);
    s.x.push_back(1.5 * static_cast<double>(begin));
    s.y.push_back(3 + std::sqrt(static_cast<double>(begin)));
  }
  file.measurement.series = {s};
  report.results = {file};
  report.recipes = {{u"demo"_s, u"demo T=64 zero seed=7"_s}};
  report.numbers = {{u"perplexity"_s, u"3.2"_s}};
  report.guess.positions = {128};
  report.guess.values = {5};
  report.guess_verdict = u"Off by a factor of 2"_s;
  report.answers = {{u"Why so?"_s, u"Because"_s, u"Because"_s, true}};
  return report;
}

qsizetype pages_of(const QByteArray& pdf) {
  static const QRegularExpression page(u"/Type\\s*/Page[^s]"_s);
  return QString::fromLatin1(pdf).count(page);
}

TEST(Report, IsAPdfWithPlotsAsCurves) {
  const QByteArray pdf = pdf_of(example());
  EXPECT_TRUE(pdf.startsWith("%PDF-"));
  EXPECT_TRUE(pdf.trimmed().endsWith("%%EOF"));
  EXPECT_GE(pages_of(pdf), 1);
  // Curves are drawn, not photographed: a picture of the card would be an image object.
  EXPECT_FALSE(pdf.contains("/Subtype /Image"));
}

TEST(Report, DrawsTheLossOfTheTraining) {
  Report trained = example();
  trained.losses.history.begin_segment(Intervention::kStatePassing);
  std::vector<TrainPoint> points;
  for (int64_t step = 1; step <= 400; ++step) {
    points.push_back({step, 3 + std::sin(static_cast<double>(step)), 0, 0, 0});
  }
  trained.losses.history.add(points);
  const QByteArray with = pdf_of(trained), without = pdf_of(example());
  EXPECT_GT(with.size(), without.size() + 2000);
  EXPECT_FALSE(with.contains("/Subtype /Image"));
}

TEST(Report, GoesOnOverPages) {
  Report long_one = example();
  for (int i = 0; i < 200; ++i) long_one.answers.push_back(long_one.answers.front());
  EXPECT_GT(pages_of(pdf_of(long_one)), pages_of(pdf_of(example())) + 2);
}

TEST(Report, HoldsItsWords) {
  if (QStandardPaths::findExecutable(u"pdftotext"_s).isEmpty()) GTEST_SKIP() << "no pdftotext here";
  const QTemporaryDir folder;
  const QString path = folder.filePath(u"report.pdf"_s);
  write_report(path, example());
  QProcess reader;
  reader.start(u"pdftotext"_s, {path, u"-"_s});
  ASSERT_TRUE(reader.waitForFinished());
  const QString text = QString::fromUtf8(reader.readAllStandardOutput());
  for (const auto* words : {"A story", "demo T=64 zero seed=7", "Off by a factor of 2", "Why so?", "Because"}) {
    EXPECT_TRUE(text.contains(QString::fromLatin1(words))) << words;
  }
}

TEST(Report, LeavesNothingHalfWritten) {
  const QTemporaryDir folder;
  EXPECT_THROW(write_report(folder.filePath(u"none/report.pdf"_s), example()), Error);
  EXPECT_FALSE(QFile::exists(folder.filePath(u"none"_s)));
}

}  // namespace
}  // namespace farstate::desktop
