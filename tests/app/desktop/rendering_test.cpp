// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of results as files.
#include "app/desktop/rendering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSvgRenderer>
#include <QXmlStreamReader>
#include <cmath>
#include <filesystem>
#include <functional>

#include "core/base/error.h"
#include "core/results/results.h"
#include "core/session/run_config.h"
#include "tests/support/state_reports.h"
#include "tests/support/temp_folder.h"

namespace farstate::desktop {
namespace {

using ::testing::HasSubstr;
using farstate::testing::read_all;
using farstate::testing::TempFolder;

Series curve(const char* name, const char* x_name, const std::function<double(double)>& y) {
  Series s;
  s.name = name;
  s.x_name = x_name;
  s.sequences = 8;
  for (double x = 1; x <= 4096; x *= 1.25) {
    s.x.push_back(std::round(x));
    s.y.push_back(y(x));
    s.lower.push_back(0.9 * s.y.back());
    s.upper.push_back(1.1 * s.y.back());
  }
  return s;
}

Results results_of(int64_t layers, int64_t heads, const std::string& trained_with = "zero") {
  Results r;
  RunConfig recipe;
  recipe.data.path = "a \"text\"  <of> b&c \u00e9";
  r.recipe = to_json(recipe);
  r.model = MeasuredModel{"a model", 64, trained_with, 100};
  const double grows = trained_with == "zero" ? 0.4 : 0.05;
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (int64_t head = 0; head < heads; ++head) {
      const double own = grows * (1 + static_cast<double>((layer * 7 + head * 3) % 11)) / 11;
      Series s = curve("state_norm", "position", [&](double x) {
        return 3 * std::pow(x / 64, x < 64 ? 0.5 : own);
      });
      s.layer = layer;
      s.head = head;
      r.series.push_back(s);
    }
  }
  r.series.push_back(curve("perplexity", "position",
                           [&](double x) { return 12 + 30 / x + (x > 64 ? grows * x / 64 : 0); }));
  r.series.push_back(curve("effrem", "dropped_tokens", [](double x) { return 1e-4 * x; }));
  return r;
}

class Rendering : public ::testing::Test {
 protected:
  QString write(const char* name, const Results& results) {
    int64_t non_finite = 0;
    return QString::fromStdString(folder_.write(name, to_json(results, non_finite)));
  }
  RenderRequest request(const QStringList& files) {
    RenderRequest out;
    out.results = files;
    out.folder = QString::fromStdString(folder_.file("out"));
    out.size = {640, 320};
    return out;
  }
  std::string out(const char* name) { return folder_.file("out") + "/" + name; }
  static QStringList render(const RenderRequest& request) {
    return render_results(*qApp, request);
  }
  static std::string refusal(const RenderRequest& request, ErrorKind kind) {
    try {
      render(request);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
    return "";
  }
  QImage png(const char* name) { return QImage(QString::fromStdString(out(name))); }

  TempFolder folder_;
};

// Colours in the middle of the picture, where a plot is.
int colors(const QImage& image) {
  QSet<QRgb> found;
  for (int y = image.height() / 4; y < image.height() * 3 / 4; ++y) {
    for (int x = image.width() / 4; x < image.width() * 3 / 4; ++x) found.insert(image.pixel(x, y));
  }
  return static_cast<int>(found.size());
}

TEST_F(Rendering, APngOfEachPlotThatThereIsSomethingOf) {
  const QString file = write("base.json", results_of(2, 4));
  const QStringList written = render(request({file}));
  EXPECT_EQ(written.size(), 4);
  for (const char* name : {"state.png", "state-lines.png", "perplexity.png", "effrem.png"}) {
    const QImage image = png(name);
    EXPECT_EQ(image.text(QStringLiteral("recipe")).toStdString(), results_of(2, 4).recipe);
    EXPECT_EQ(image.size(), QSize(1280, 640)) << name;
    EXPECT_GT(colors(image), 8) << name;
    EXPECT_EQ(image.pixelColor(image.width() / 2, image.height() - 4),
              theme_for(ThemeMode::kLight).surface)
        << name;
  }
}

TEST_F(Rendering, AnSvgIsDrawnOfCurvesAndText) {
  RenderRequest wanted = request({write("base.json", results_of(2, 4))});
  wanted.png = false;
  wanted.svg = true;
  EXPECT_EQ(render(wanted).size(), 4);
  for (const char* name : {"state.svg", "state-lines.svg", "perplexity.svg", "effrem.svg"}) {
    const QByteArray bytes = QByteArray::fromStdString(read_all(out(name)));
    QSvgRenderer renderer(bytes);
    ASSERT_TRUE(renderer.isValid()) << name;
    EXPECT_EQ(renderer.viewBox().size(), QSize(640, 320)) << name;
    QImage image(640, 320, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    EXPECT_GT(colors(image), 4) << name;
    QXmlStreamReader xml(bytes);
    QString description, text;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("desc")) description = xml.readElementText();
      if (xml.name() == QLatin1String("text")) text += xml.readElementText();
    }
    EXPECT_FALSE(xml.hasError()) << name;
    EXPECT_EQ(description.toStdString(), results_of(2, 4).recipe) << name;
    EXPECT_TRUE(text.contains(QStringLiteral("tokens"))) << name;
  }
}

TEST_F(Rendering, IsTheSameEveryTime) {
  RenderRequest wanted = request({write("base.json", results_of(2, 4))});
  wanted.svg = true;
  render(wanted);
  QList<std::string> first;
  const char* names[] = {"state.png", "perplexity.png", "state.svg", "effrem.svg"};
  for (const char* name : names) first.push_back(read_all(out(name)));
  wanted.theme = ThemeMode::kDark;
  render(wanted);
  EXPECT_NE(read_all(out("state.png")), first[0]);
  wanted.theme = ThemeMode::kLight;
  render(wanted);
  for (qsizetype i = 0; i < first.size(); ++i) EXPECT_EQ(read_all(out(names[i])), first[i]);
}

TEST_F(Rendering, FurtherFilesAreDrawnOverTheFirst) {
  const QString base = write("base.json", results_of(2, 4));
  RenderRequest wanted = request({base, write("mended.json", results_of(2, 4, "state-passing")),
                                  write("more.json", results_of(2, 4, "state-passing"))});
  wanted.svg = true;
  const QStringList written = render(wanted);
  EXPECT_EQ(written.size(), 2 * (3 + 3 + 2)) << "state and lines of each, curves of all";
  EXPECT_TRUE(std::filesystem::exists(out("state-3.png")));
  const std::string svg = read_all(out("perplexity.svg"));
  EXPECT_THAT(svg, HasSubstr(">a model<"));
  EXPECT_THAT(svg, HasSubstr("State passing (mended)"));
  EXPECT_THAT(svg, HasSubstr("State passing (more)"));
  const std::string both = read_all(out("perplexity.png"));
  wanted.plots = {QStringLiteral("state")};
  EXPECT_EQ(render(wanted).size(), 2 * 3) << "a map of each";
  render(request({base}));
  EXPECT_NE(read_all(out("perplexity.png")), both);
}

TEST_F(Rendering, OfThousandsOfHeads) {
  RenderRequest wanted = request({write("large.json", results_of(48, 64))});
  wanted.plots = {QStringLiteral("state")};
  EXPECT_EQ(render(wanted).size(), 1);
  EXPECT_GT(colors(png("state.png")), 20);
}

TEST_F(Rendering, OfACloseLookAtStates) {
  Results r;
  r.states = *farstate::testing::invented_report();
  ASSERT_TRUE(r.states->attention.has_value());
  RenderRequest wanted = request({write("states.json", r)});
  wanted.svg = true;
  EXPECT_EQ(render(wanted).size(), 2 * 4);
  for (const char* name : {"distribution", "qq", "spectrum", "attention"}) {
    EXPECT_GT(colors(png((name + std::string(".png")).c_str())), 4) << name;
  }
  EXPECT_THAT(read_all(out("distribution.svg")), HasSubstr(">training<"));
  // The head whose attention was measured.
  const HeadIndex head = r.states->attention->index;
  EXPECT_THAT(read_all(out("qq.svg")),
              HasSubstr("layer " + std::to_string(head.layer) + ", head " + std::to_string(head.head)));
}

TEST_F(Rendering, OfARunOfTraining) {
  Results r;
  Series loss;
  loss.name = "train_loss";
  loss.x = {1, 2, 3};
  loss.y = {5, 4, 3};
  r.series = {loss};
  EXPECT_EQ(render(request({write("run.json", r)})).size(), 1);
  EXPECT_FALSE(png("training-loss.png").isNull());
}

TEST_F(Rendering, WritesNothingWhereAnythingIsWrong) {
  const QString good = write("base.json", results_of(2, 4));
  RenderRequest unknown = request({good});
  unknown.plots = {QStringLiteral("state"), QStringLiteral("nonsense")};
  EXPECT_THAT(refusal(unknown, ErrorKind::kBadUsage), HasSubstr("state, state-lines, perplexity, effrem"));
  const QString bad = QString::fromStdString(folder_.write("bad.json", "{}"));
  EXPECT_THAT(refusal(request({good, bad}), ErrorKind::kBadInput), HasSubstr("bad.json"));
  EXPECT_THAT(refusal(request({write("none.json", Results())}), ErrorKind::kBadInput),
              HasSubstr("nothing that could be drawn"));
  Results strange = results_of(2, 4);
  strange.recipe = R"({"no":"recipe"})";
  EXPECT_THAT(refusal(request({write("strange.json", strange)}), ErrorKind::kBadInput),
              HasSubstr("strange.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

}  // namespace
}  // namespace farstate::desktop
