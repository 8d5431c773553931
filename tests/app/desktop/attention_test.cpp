// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QLabel>
#include <QTabBar>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/matrix_view.h"
#include "app/desktop/widgets/token_view.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/state_reports.h"

namespace farstate::desktop {
namespace {

using farstate::testing::invented_report;
using farstate::testing::InventedStates;
using ::testing::HasSubstr;

std::string text_of(const QLabel* label) {
  return label->isHidden() ? std::string() : label->text().toStdString();
}

void move(QWidget* widget, const QPoint& at) {
  QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                    Qt::NoModifier);
  QApplication::sendEvent(widget, &event);
}

class AttentionTest : public ::testing::Test {
 protected:
  AttentionTest() : panel(&focus) {
    panel.resize(1000, 180);
    focus.set_head({1, 2});
    focus.set_pin(Focus::kA, 64);
    focus.set_pin(Focus::kB, 4096);
  }
  void paint() {
    panel.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&panel));
    panel.grab();
  }

  Focus focus;
  AttentionPanel panel;
};

TEST_F(AttentionTest, NamesThePredictionAndTheTokensThatItLeansOnMost) {
  auto report = invented_report();
  AttentionReport& a = *report->attention;
  std::fill(a.leaning.begin(), a.leaning.end(), 0.01F);
  a.tokens[5].text = "\n";
  a.tokens[9].text = "<b>";
  a.leaning[5] = -0.7F;
  a.leaning[9] = 0.5F;
  a.leaning[20] = 0.25F;
  a.tokens[20].text = " cat";
  panel.show_report(report);
  EXPECT_EQ(text_of(panel.title()), "Layer 1, head 2 · tokens 4,033 to 4,096");
  EXPECT_THAT(text_of(panel.sentence()), HasSubstr("<b>Most likely next: “ know”, 42.0 %.</b>"));
  EXPECT_THAT(text_of(panel.sentence()),
              HasSubstr("a line feed (−0.700), “&lt;b&gt;” (+0.500), “ cat” (+0.250) nats."));
  EXPECT_EQ(text_of(panel.older()), "");
}

TEST_F(AttentionTest, WithoutGradientsItSaysWhy) {
  auto report = invented_report();
  report->attention->leaning.clear();
  panel.show_report(report);
  EXPECT_THAT(text_of(panel.sentence()), HasSubstr("bfloat16 and have no gradients"));
  paint();
}

TEST_F(AttentionTest, AnAnswerAboutAnotherHeadKeepsItsNameAndSaysThatItIsOlder) {
  panel.show_report(invented_report());
  focus.set_head({0, 3});
  EXPECT_THAT(text_of(panel.title()), HasSubstr("Layer 1, head 2"));
  EXPECT_THAT(text_of(panel.older()), HasSubstr("Older: The focus is now on layer 0, head 3."));
  focus.set_head({1, 2});
  EXPECT_EQ(text_of(panel.older()), "");
  focus.set_pin(Focus::kB, 512);
  EXPECT_THAT(text_of(panel.older()), HasSubstr("The last pin is now at 512."));
}

TEST_F(AttentionTest, TheMouseOnTheMatrixTellsWeightsAndMarksTheToken) {
  auto report = invented_report();
  report->attention->weights[40 * 64 + 7] = -0.125F;
  report->attention->from_before[40] = 0.3F;
  panel.show_report(report);
  paint();
  MatrixView* matrix = panel.matrix();
  QSignalSpy pointed(matrix, &MatrixView::pointed);
  move(matrix, matrix->middle_of({40, 7}));
  ASSERT_NE(matrix->shown_tip(), nullptr);
  EXPECT_THAT(matrix->shown_tip()->title.toStdString(), HasSubstr("4,073"));
  EXPECT_THAT(matrix->shown_tip()->rows[0].label.toStdString(), HasSubstr("4,040"));
  EXPECT_EQ(matrix->shown_tip()->rows[0].value.toStdString(), "−0.125");
  EXPECT_EQ(pointed.size(), 1);
  move(matrix, matrix->middle_of({40, -1}));
  ASSERT_NE(matrix->shown_tip(), nullptr);
  EXPECT_EQ(matrix->shown_tip()->rows[0].value.toStdString(), "30.0 %");
  move(matrix, matrix->middle_of({7, 40}));  // above the diagonal there is nothing
  EXPECT_EQ(matrix->shown_tip(), nullptr);
}

TEST_F(AttentionTest, ATokenOfTheTextMarksItsRowAndColumn) {
  panel.show_report(invented_report());
  paint();
  const QImage before = panel.matrix()->grab().toImage();
  QSignalSpy pointed(panel.tokens(), &TokenView::pointed);
  move(panel.tokens(), panel.tokens()->place_of(30).center());
  EXPECT_EQ(pointed.size(), 1);
  EXPECT_NE(panel.matrix()->grab().toImage(), before);
}

TEST_F(AttentionTest, ColoursSayForAndAgainst) {
  const Theme& theme = theme_for(ThemeMode::kLight);
  EXPECT_EQ(signed_color(0, theme), theme.surface);
  EXPECT_EQ(signed_color(1, theme), theme.positive);
  EXPECT_EQ(signed_color(-1, theme), theme.negative);
  EXPECT_DOUBLE_EQ((SignedScale{2, false}).strength(-1), -0.5);
  EXPECT_DOUBLE_EQ((SignedScale{4, true}).strength(1), 0.5);
  EXPECT_DOUBLE_EQ((SignedScale{1, false}).strength(7), 1);
  EXPECT_DOUBLE_EQ((SignedScale{0, false}).strength(7), 0);
}

TEST_F(AttentionTest, BearsAnswersWithHoles) {
  EXPECT_FALSE(panel.shows_attention());
  const auto whole = invented_report();
  for (const auto& change : std::vector<std::function<void(StateReport&)>>{
           [](StateReport& r) { r.attention.reset(); },
           [](StateReport& r) { r.attention = AttentionReport(); },
           [](StateReport& r) { r.attention->weights.resize(5); },
           [](StateReport& r) { r.attention->from_before.resize(5); },
           [](StateReport& r) { r.attention->leaning.resize(5); },
           [](StateReport& r) { r.attention->tokens.resize(1); },
           [](StateReport& r) { std::fill(r.attention->weights.begin(),
                                          r.attention->weights.end(), 0.0F); },
           [](StateReport& r) { r.attention->weights[3] = std::nanf(""); },
           [](StateReport& r) { r.attention->leaning[3] = std::nanf(""); }}) {
    auto report = std::make_shared<StateReport>(*whole);
    change(*report);
    panel.show_report(report);
    paint();
    move(panel.matrix(), {20, 60});
  }
  panel.show_report(nullptr);
  EXPECT_FALSE(panel.shows_attention());
}

TEST_F(AttentionTest, ALongWindowIsOneImage) {
  InventedStates of;
  of.window = 256;
  panel.show_report(invented_report(of));
  EXPECT_EQ(panel.matrix()->side(), 256);
  paint();
}

TEST_F(WindowTest, TheAttentionAsksForItselfWhereTheInspectorIsAway) {
  auto* runner = open_with<farstate::testing::FakeRunner>({1024, 600});
  RunnerUpdate loaded = update(RunState::kReady);
  loaded.model = std::make_shared<ModelInfo>();
  deliver(loaded);
  ASSERT_FALSE(window_->inspector()->isVisible());
  window_->focus()->set_pin(Focus::kA, 64);
  QTest::qWait(120);
  EXPECT_EQ(runner->count("examine"), 0);
  ResultsPanel* results = window_->plots()->results();
  results->tabs()->setCurrentIndex(3);
  ASSERT_TRUE(results->attention()->isVisible());
  EXPECT_TRUE(QTest::qWaitFor([&] { return runner->count("examine") == 1; }, 2000));
}

}  // namespace
}  // namespace farstate::desktop
