// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/inspector_panel.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QClipboard>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <functional>
#include <limits>

#include "app/desktop/panels/law_card.h"
#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/matrix_view.h"
#include "app/desktop/widgets/number_table.h"
#include "app/desktop/widgets/sample_legend.h"
#include "app/desktop/widgets/token_view.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/state_reports.h"

namespace farstate::desktop {
namespace {

using farstate::testing::invented_report;
using farstate::testing::InventedStates;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const QLabel* label) {
  return label->isHidden() ? std::string() : label->text().toStdString();
}

Series curve(const std::string& name, HeadIndex head, std::vector<double> x,
             std::vector<double> y) {
  Series s;
  s.name = name;
  s.layer = head.layer;
  s.head = head.head;
  s.x = std::move(x);
  s.y = std::move(y);
  return s;
}

class InspectorTest : public ::testing::Test {
 protected:
  InspectorTest() : panel(&focus) {
    panel.resize(300, 900);
    focus.set_head({1, 2});
    focus.set_pin(Focus::kA, 64);
    focus.set_pin(Focus::kB, 4096);
  }

  void paint() {
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    for (LivePlot* plot : panel.plots()) plot->refresh();
    QTest::qWait(20);
    panel.grab();
  }

  std::string number(const char* row, int column) const {
    NumberTable* table = panel.numbers();
    return table->text_at(table->row_of(QLatin1String(row)), column).toStdString();
  }
  std::string tip(const char* row, int column) const {
    NumberTable* table = panel.numbers();
    const QRect place = table->place_of(table->row_of(QLatin1String(row)), column);
    return table->tip_at(place.center()).toStdString();
  }

  Focus focus;
  InspectorPanel panel;
};

TEST_F(InspectorTest, BeginsWithWordsOnHowToPin) {
  focus.set_pin(Focus::kA, std::nullopt);
  focus.set_pin(Focus::kB, std::nullopt);
  EXPECT_FALSE(panel.shows_states());
  EXPECT_THAT(text_of(panel.empty()), HasSubstr("Click the state map"));
  panel.show_report(invented_report());
  EXPECT_FALSE(panel.shows_states());
  focus.set_pin(Focus::kB, 4096);
  EXPECT_TRUE(panel.shows_states());
}

TEST_F(InspectorTest, ShowsTheNumbersOfTheHeadInFocus) {
  const auto report = invented_report();
  panel.show_report(report);
  EXPECT_EQ(text_of(panel.title()), "Layer 1, head 2");
  EXPECT_EQ(panel.legend()->labels(),
            QStringList({QStringLiteral("training"), QStringLiteral("A at 64"),
                         QStringLiteral("B at 4,096")}));
  EXPECT_THAT(text_of(panel.subtitle()), Not(HasSubstr("Older")));
  EXPECT_EQ(text_of(panel.subtitle()), "32 sequences, weights as loaded");
  EXPECT_EQ(number("std", kTraining), "0.820");
  EXPECT_EQ(number("KS distance", kAtA), "0.020");
  EXPECT_EQ(number("KS distance", kAtB), "0.310");
  EXPECT_EQ(number("mean", kAtB), value_text(report->heads[6].at[1].mean).toStdString());
  EXPECT_THAT(text_of(panel.notes()), HasSubstr("Thinned: 262,144 of 2,097,152"));
  paint();
}

TEST_F(InspectorTest, DrawsTheLawThatTheModelIsTrainedWith) {
  const auto report = invented_report();
  panel.show_report(report);
  paint();
  EXPECT_TRUE(panel.fitted_law()->isHidden());
  LivePlot* histogram = panel.plots().front();
  const int before = histogram->canvas()->graphCount();

  report->heads[6].fitted = FittedGaussian{"fitted-noise", 100, 0.2, 0.9};
  panel.show_report(report);
  paint();
  EXPECT_FALSE(panel.fitted_law()->isHidden());
  ASSERT_EQ(histogram->canvas()->graphCount(), before + 1);
  const QCPGraph* law = histogram->canvas()->graph(before);
  EXPECT_EQ(law->pen().color(), intervention_line(Intervention::kFittedNoise, false).color);
  EXPECT_NE(law->pen().style(), Qt::SolidLine);
  double peak = 0, at = 0;
  for (const QCPGraphData& point : *law->data()) {
    if (point.value > peak) std::tie(peak, at) = std::pair(point.value, point.key);
  }
  // Drawn at 161 places over 10.
  EXPECT_NEAR(at, 0.2, 10.0 / 160);
  EXPECT_NEAR(peak, 0.3989 / 0.9, 1e-3);

  focus.set_head({0, 1});
  EXPECT_TRUE(panel.fitted_law()->isHidden()) << "that head's law is not known";
  report->heads[6].fitted->law = "of a later version";
  focus.set_head({1, 2});
  EXPECT_TRUE(panel.fitted_law()->isHidden());
}

TEST_F(InspectorTest, AnotherHeadIsShownAtOnceFromTheSameAnswer) {
  const auto report = invented_report();
  panel.show_report(report);
  EXPECT_THAT(text_of(panel.law()->verdict()), HasSubstr("<b>Elements depend on each other.</b>"));
  focus.set_head({0, 1});
  EXPECT_EQ(text_of(panel.title()), "Layer 0, head 1");
  EXPECT_EQ(number("mean", kAtB), value_text(report->heads[1].at[1].mean).toStdString());
  EXPECT_THAT(text_of(panel.subtitle()), Not(HasSubstr("Older")));
  // The law is that of the other head only.
  EXPECT_THAT(text_of(panel.law()->verdict()), HasSubstr("about another head"));
  EXPECT_TRUE(panel.law()->correlation()->isHidden() ||
              panel.law()->correlation()->parentWidget()->isHidden());
  focus.set_head({7, 0});
  EXPECT_FALSE(panel.shows_states());
  EXPECT_THAT(text_of(panel.empty()), HasSubstr("no states of layer 7, head 0"));
}

TEST_F(InspectorTest, AMovedPinLeavesOldNumbersUnderTheirOwnPosition) {
  panel.show_report(invented_report());
  focus.set_pin(Focus::kB, 1024);
  EXPECT_EQ(panel.legend()->labels().back(), QStringLiteral("B at 4,096"));
  EXPECT_THAT(text_of(panel.subtitle()), HasSubstr("Older: B is now at 1,024."));
  InventedStates moved;
  moved.positions = {64, 1024};
  panel.show_report(invented_report(moved));
  EXPECT_EQ(panel.legend()->labels().back(), QStringLiteral("B at 1,024"));
  EXPECT_THAT(text_of(panel.subtitle()), Not(HasSubstr("Older")));
}

TEST_F(InspectorTest, PinsThatAreExchangedTakeTheirNumbersAlong) {
  panel.show_report(invented_report());
  focus.set_pin(Focus::kA, 4096);
  focus.set_pin(Focus::kB, 64);
  EXPECT_EQ(number("KS distance", kAtA), "0.310");
  EXPECT_EQ(number("KS distance", kAtB), "0.020");
  EXPECT_THAT(text_of(panel.subtitle()), Not(HasSubstr("Older")));
}

TEST_F(InspectorTest, ANewPinHasNoNumbersUntilTheAnswerComes) {
  focus.set_pin(Focus::kB, std::nullopt);
  InventedStates one;
  one.positions = {64};
  panel.show_report(invented_report(one));
  EXPECT_EQ(number("mean", kAtB), "–");
  EXPECT_THAT(tip("mean", kAtB), HasSubstr("B is not pinned"));
  focus.set_pin(Focus::kB, 512);
  EXPECT_EQ(number("mean", kAtB), "–");
  EXPECT_THAT(tip("mean", kAtB), HasSubstr("being read"));
  EXPECT_THAT(text_of(panel.subtitle()), HasSubstr("B has no numbers yet"));
  EXPECT_EQ(panel.legend()->labels().back(), QStringLiteral("B at 512"));
}

TEST_F(InspectorTest, WeightsThatWereTrainedSinceMakeAnAnswerOlder) {
  panel.show_report(invented_report());
  MeasurementBook book;
  Measurement measured;
  measured.epoch = 1;
  measured.step = 20;
  measured.id = 1;
  measured.complete = true;
  book.add(measured);
  panel.show_book(book, 64, 64);
  EXPECT_THAT(text_of(panel.subtitle()), HasSubstr("Weights of step 0, the newest are of step 20"));
  auto fresh = invented_report();
  fresh->step = 20;
  panel.show_report(fresh);
  EXPECT_THAT(text_of(panel.subtitle()), Not(HasSubstr("Older")));
}

TEST_F(InspectorTest, RanksHeadsByDriftUpOrDownAndReadsHalfLives) {
  MeasurementBook book;
  Measurement measured;
  measured.epoch = 1;
  measured.complete = true;
  // Heads 0 and 3 have grown, head 2 has shrunk the most, head 1 is not finite.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [head, drift] : {std::pair(0, 1.1), std::pair(1, nan), std::pair(2, 0.2),
                                    std::pair(3, 4.0)}) {
    measured.series.push_back(curve("state_drift", {1, head}, {64, 4096}, {1, drift}));
  }
  measured.series.push_back(curve("half_life", {1, 2}, {64, 4096}, {210, 40}));
  book.add(measured);
  panel.show_book(book, 64, 64);
  panel.show_report(invented_report());
  EXPECT_EQ(text_of(panel.rank()), "drift rank 1 of 3");
  EXPECT_EQ(number("half-life, tokens", kTraining), "210");
  EXPECT_EQ(number("half-life, tokens", kAtB), "40.0");
  focus.set_head({1, 0});
  EXPECT_EQ(text_of(panel.rank()), "drift rank 3 of 3");
  EXPECT_EQ(number("half-life, tokens", kAtB), "–");
  EXPECT_THAT(tip("half-life, tokens", kAtB), HasSubstr("not measured"));
  focus.set_head({1, 1});
  EXPECT_EQ(text_of(panel.rank()), "");
}

TEST_F(InspectorTest, SaysWhatIsMissingAndWhy) {
  auto report = invented_report();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report->training.clear();
  report->sequences = 2;
  report->law.clear();
  for (HeadReport& head : report->heads) {
    head.training.reset();
    head.law.reset();
    for (ElementDistribution& d : head.at) d.ks_distance = d.wasserstein = d.cosine = nan;
  }
  panel.show_report(report);
  EXPECT_EQ(number("std", kTraining), "–");
  EXPECT_THAT(tip("std", kTraining), HasSubstr("trained context is not recorded"));
  EXPECT_EQ(number("KS distance", kAtB), "–");
  EXPECT_THAT(tip("KS distance", kAtB), HasSubstr("no states of training"));
  EXPECT_EQ(number("cosine to h at T", kAtB), "–");
  EXPECT_THAT(text_of(panel.law()->verdict()), HasSubstr("at least 8 sequences, and 2"));
  EXPECT_EQ(text_of(panel.law()->model()), "");
  paint();
}

TEST_F(InspectorTest, EveryVerdictHasALeadInBold) {
  for (const auto& [law, lead] :
       {std::pair("variance-per-head", "<b>A Gaussian fitted per head suffices.</b>"),
        std::pair("gaussian-per-element", "<b>Every element needs its own Gaussian.</b>"),
        std::pair("not-gaussian", "<b>The elements are not Gaussian.</b>"),
        std::pair("dependent", "<b>Elements depend on each other.</b>")}) {
    auto report = invented_report();
    report->heads[6].law->law = law;
    report->heads[6].law->sentence = "Kurtosis < 3 & more.";
    panel.show_report(report);
    EXPECT_THAT(text_of(panel.law()->verdict()), HasSubstr(lead));
    EXPECT_THAT(text_of(panel.law()->verdict()), HasSubstr("Kurtosis &lt; 3 &amp; more."));
  }
  EXPECT_THAT(text_of(panel.law()->caption()),
              HasSubstr("The first 3 components hold 61 % of the variance; of independent elements "
                        "24 %."));
  EXPECT_THAT(text_of(panel.law()->basis()), HasSubstr("32 states after 4,096 tokens"));
  EXPECT_THAT(text_of(panel.law()->model()), HasSubstr("of 8 heads, 6"));
}

TEST_F(InspectorTest, GivesItsNumbersToASpreadsheet) {
  panel.show_report(invented_report());
  const QStringList lines = as_tsv(panel.numbers()->numbers()).split(QLatin1Char('\n'));
  EXPECT_EQ(lines[0].toStdString(), "\ttraining\tA\tB");
  EXPECT_EQ(lines[1].section(QLatin1Char('\t'), 0, 2).toStdString(), "mean\t0\t0.02");
}

TEST_F(InspectorTest, AClickInTheLegendChoosesTheGaussian) {
  panel.show_report(invented_report());
  QSignalSpy chosen(panel.legend(), &SampleLegend::chosen);
  QTest::mouseClick(panel.legend(), Qt::LeftButton, {},
                    panel.legend()->place_of(kTraining).center());
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen[0][0].toInt(), kTraining);
}

TEST_F(InspectorTest, MarksThePinnedTokenInItsText) {
  panel.show_report(invented_report());
  EXPECT_FALSE(panel.text(kAtA)->isHidden());
  // After 64 tokens: the one read last has index 63, and is called the 64th.
  const QRect place = panel.text(kAtA)->place_of(11);
  EXPECT_THAT(panel.text(kAtA)->tip_at(place.center()).toStdString(), HasSubstr("token 64 of"));
}

TEST_F(InspectorTest, ScrollsWhenLowAndLeavesTheWheelToScrolling) {
  panel.resize(300, 500);
  panel.show_report(invented_report());
  paint();
  auto* bar = panel.findChild<QScrollArea*>()->verticalScrollBar();
  ASSERT_GT(bar->maximum(), 0);
  QWidget* canvas = nullptr;
  for (QWidget* child : panel.plots()[0]->findChildren<QWidget*>()) {
    if (child->inherits("QCustomPlot")) canvas = child;
  }
  ASSERT_NE(canvas, nullptr);
  const QPointF at(20, 20);
  QWheelEvent event(at, canvas->mapToGlobal(at), QPoint(), QPoint(0, -240), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(canvas, &event);
  EXPECT_GT(bar->value(), 0);
}

// Whatever is empty, or of another length than it says: no crash, and nothing invented.
TEST_F(InspectorTest, BearsAnswersWithHoles) {
  const auto whole = invented_report();
  std::vector<std::shared_ptr<StateReport>> broken;
  const auto add = [&](auto change) {
    broken.push_back(std::make_shared<StateReport>(*whole));
    change(*broken.back());
  };
  add([](StateReport& r) { r = StateReport(); });
  add([](StateReport& r) { r.heads.clear(); });
  add([](StateReport& r) { r.positions.clear(); });
  add([](StateReport& r) { r.positions = {64, 4096, 9999}; });
  add([](StateReport& r) { r.normal_quantiles.clear(); });
  add([](StateReport& r) { r.text.clear(); });
  add([](StateReport& r) { r.text[0].tokens.clear(); });
  add([](StateReport& r) { r.text[1].position = 100000; });
  for (const auto& change : std::vector<std::function<void(HeadReport&)>>{
           [](HeadReport& h) { h.edges.clear(); },
           [](HeadReport& h) { h.edges.assign(h.edges.size(), 1.0); },
           [](HeadReport& h) { h.at.clear(); },
           [](HeadReport& h) { h.at.resize(1); },
           [](HeadReport& h) { h.at[1] = ElementDistribution(); },
           [](HeadReport& h) { h.at[1].counts.clear(); },
           [](HeadReport& h) { h.at[1].quantiles.clear(); },
           [](HeadReport& h) { h.at[1].quantiles.push_back(1); },
           [](HeadReport& h) { h.at[1].counted = 0; },
           [](HeadReport& h) { h.at[1].mean = h.at[1].std = std::nan(""); },
           [](HeadReport& h) { h.training->std = 0; },
           [](HeadReport& h) { if (h.law) h.law = HeadLawReport(); },
           [](HeadReport& h) { if (h.law) h.law->correlation.resize(7); },
           [](HeadReport& h) { if (h.law) h.law->side = -3; },
           [](HeadReport& h) { if (h.law) h.law->shuffled_spectrum.clear(); },
           [](HeadReport& h) { if (h.law) h.law->spectrum.assign(4, std::nan("")); }}) {
    add([&](StateReport& r) { for (HeadReport& head : r.heads) change(head); });
  }
  for (const auto& report : broken) {
    panel.show_report(report);
    paint();
    panel.set_theme(theme_for(ThemeMode::kDark));
  }
  panel.show_report(nullptr);
  EXPECT_FALSE(panel.shows_states());
}

TEST_F(InspectorTest, AModelOfThousandsOfHeadsIsNoMore) {
  InventedStates of;
  of.layers = 48;
  of.heads = 64;
  of.focus = {47, 63};
  panel.show_report(invented_report(of));
  focus.set_head({47, 63});
  EXPECT_EQ(text_of(panel.title()), "Layer 47, head 63");
  EXPECT_EQ(number("KS distance", kAtB), "0.310");
  paint();
}

}  // namespace
}  // namespace farstate::desktop
