// SPDX-License-Identifier: GPL-3.0-or-later
// The centre of the window: pins, focus, cursor and range that the plots over position share.
#include <gmock/gmock.h>

#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTabBar>
#include <QToolButton>
#include <cmath>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/heads_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/state_lines.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/widgets/legend_list.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/switch.h"
#include "tests/app/desktop/plot_mouse.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using farstate::testing::AnimatedRunner;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Optional;

class StatePlotsTest : public WindowTest {
 protected:
  // Shows a model of 2 x 4 heads, or of the sizes given, whose sweep has come to its end.
  AnimatedRunner* open_measured(int64_t layers = 2, int64_t heads = 4, int parts = 6) {
    auto* runner = open_with<AnimatedRunner>();
    runner->layers = layers;
    runner->heads = heads;
    window_->load();
    for (int i = 0; i < parts; ++i) window_->pump()->drain();
    settle();
    return runner;
  }

  void settle() {
    QTest::qWait(40);
    Q_EMIT window_->pump()->ticked();
    QTest::qWait(20);
  }

  StateMap* map() const { return window_->plots()->state(); }
  StateLines* lines() const { return window_->plots()->lines(); }
  PerplexityPlot* perplexity() const { return window_->plots()->perplexity(); }
  Focus* focus() const { return window_->focus(); }

  QPointF at(HeadIndex head, double share_x) const {
    const QRect row = map()->row_rect(head);
    return {row.left() + share_x * row.width(), row.top() + row.height() / 2.0};
  }
  double pixel_of(LivePlot* plot, double position) const {
    const Extent range = plot->x_range();
    const QRect area = map()->row_rect({0, 0});
    return area.left() +
           area.width() * std::log(position / range.low) / std::log(range.high / range.low);
  }

  Segmented* chooser(const char* first_label) const {
    for (auto* one : window_->plots()->findChildren<Segmented*>()) {
      const auto* button = one->findChild<QToolButton*>();
      if (button != nullptr && button->text() == QLatin1String(first_label)) return one;
    }
    return nullptr;
  }
  void choose(const char* first_label, int index) const {
    chooser(first_label)->findChildren<QToolButton*>().at(index)->click();
  }
};

TEST_F(StatePlotsTest, AClickChoosesTheHeadAndPinsARealSample) {
  open_measured();
  click(map(), at({1, 2}, 0.8));
  EXPECT_EQ(focus()->head(), (HeadIndex{1, 2}));
  const std::optional<int64_t> a = focus()->pins()[Focus::kA];
  ASSERT_TRUE(a.has_value());
  const std::vector<double>& measured = map()->rows()[0].x;
  const auto is_sample = [&](double x) { return std::llround(x) == *a; };
  EXPECT_TRUE(std::any_of(measured.begin(), measured.end(), is_sample)) << *a;
  EXPECT_NEAR(pixel_of(map(), static_cast<double>(*a)), at({1, 2}, 0.8).x(), 20);
}

TEST_F(StatePlotsTest, AShiftClickPinsTheOther) {
  open_measured();
  click(map(), at({0, 1}, 0.3));
  const auto a = focus()->pins()[Focus::kA];
  click(map(), at({0, 1}, 0.9), Qt::ShiftModifier);
  EXPECT_EQ(focus()->pins()[Focus::kA], a);
  ASSERT_TRUE(focus()->pins()[Focus::kB].has_value());
  EXPECT_GT(*focus()->pins()[Focus::kB], *a);
}

TEST_F(StatePlotsTest, ADragMovesTheViewAndPinsNothing) {
  open_measured();
  const Focus::Pins before = focus()->pins();
  const HeadIndex head = focus()->head();
  const Extent range = map()->x_range();
  drag(map(), at({0, 3}, 0.5), at({0, 3}, 0.3));
  EXPECT_TRUE(map()->held());
  EXPECT_NE(map()->x_range(), range);
  EXPECT_EQ(focus()->pins(), before);
  EXPECT_EQ(focus()->head(), head);
}

TEST_F(StatePlotsTest, APressThatTremblesIsAClickAndMovesNothing) {
  open_measured();
  const Extent range = map()->x_range();
  drag(map(), at({0, 3}, 0.5), at({0, 3}, 0.5) + QPointF(2, 0));
  EXPECT_FALSE(map()->held());
  EXPECT_EQ(map()->x_range(), range);
  EXPECT_EQ(focus()->head(), (HeadIndex{0, 3}));
}

TEST_F(StatePlotsTest, ABadgeIsDraggedInAnyPlotAndRemovedByADoubleClick) {
  open_measured();
  focus()->set_pin(Focus::kA, 64);
  settle();
  const QRect area = map()->row_rect({1, 3});
  const QPointF badge(pixel_of(map(), 64), area.bottom() - 8);
  const Extent range = map()->x_range();
  drag(map(), badge, badge + QPointF(120, 0));
  ASSERT_TRUE(focus()->pins()[Focus::kA].has_value());
  EXPECT_GT(*focus()->pins()[Focus::kA], 64);
  EXPECT_EQ(map()->x_range(), range);
  settle();
  const QPointF moved(pixel_of(map(), static_cast<double>(*focus()->pins()[Focus::kA])),
                      area.bottom() - 8);
  send_mouse(map(), QEvent::MouseButtonDblClick, moved, Qt::LeftButton, Qt::LeftButton);
  EXPECT_FALSE(focus()->pins()[Focus::kA].has_value());
}

// Its first half is a click, whose pin and head are taken back.
TEST_F(StatePlotsTest, ADoubleClickFollowsAndLeavesPinsAndHead) {
  open_measured();
  const Focus::Pins pins = focus()->pins();
  const HeadIndex head = focus()->head();
  const HeadIndex other = head == HeadIndex{0, 0} ? HeadIndex{1, 0} : HeadIndex{0, 0};
  click(map(), at(other, 0.4));
  EXPECT_NE(focus()->pins(), pins);
  send_mouse(map(), QEvent::MouseButtonDblClick, at(other, 0.4), Qt::LeftButton, Qt::LeftButton);
  send_mouse(map(), QEvent::MouseButtonRelease, at(other, 0.4), Qt::LeftButton, {});
  EXPECT_EQ(focus()->pins(), pins);
  EXPECT_EQ(focus()->head(), head);
}

TEST_F(StatePlotsTest, KeysMoveHeadAndPins) {
  open_measured();
  focus()->set_head({0, 3});
  focus()->set_pin(Focus::kA, 64);
  focus()->set_pin(Focus::kB, 512);
  QTest::keyClick(map(), Qt::Key_Down);
  EXPECT_EQ(focus()->head(), (HeadIndex{1, 0}));
  QTest::keyClick(map(), Qt::Key_PageUp);
  EXPECT_EQ(focus()->head(), (HeadIndex{0, 0}));
  QTest::keyClick(map(), Qt::Key_Up);
  EXPECT_EQ(focus()->head(), (HeadIndex{0, 0}));
  QTest::keyClick(map(), Qt::Key_Right);
  EXPECT_GT(*focus()->pins()[Focus::kA], 64);
  QTest::keyClick(map(), Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_LT(*focus()->pins()[Focus::kB], 512);
  QTest::keyClick(map(), Qt::Key_Delete);
  EXPECT_FALSE(focus()->pins()[Focus::kA].has_value());
  EXPECT_TRUE(focus()->pins()[Focus::kB].has_value());
}

TEST_F(StatePlotsTest, OneCursorInAllPlotsOverPosition) {
  open_measured();
  QSignalSpy pointed(map(), &PositionPlot::pointed_at);
  hover_at(map(), at({0, 0}, 0.6));
  ASSERT_FALSE(pointed.isEmpty());
  const auto x = pointed.back().at(0).value<std::optional<double>>();
  ASSERT_TRUE(x.has_value());
  EXPECT_EQ(perplexity()->cursor_x(), x);
  EXPECT_EQ(lines()->cursor_x(), x);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(canvas_of(map()), &leave);
  EXPECT_EQ(perplexity()->cursor_x(), std::nullopt);
}

TEST_F(StatePlotsTest, OneRangeAndOneScaleForAllPlotsOverPosition) {
  open_measured();
  drag(map(), at({0, 3}, 0.5), at({0, 3}, 0.3));
  EXPECT_EQ(perplexity()->x_range(), map()->x_range());
  EXPECT_EQ(lines()->x_range(), map()->x_range());
  window_->actions().follow->trigger();
  for (PositionPlot* plot : {static_cast<PositionPlot*>(map()), static_cast<PositionPlot*>(lines()),
                             static_cast<PositionPlot*>(perplexity())}) {
    EXPECT_FALSE(plot->held());
  }
  choose("log t", 1);
  EXPECT_FALSE(map()->log_x());
  EXPECT_FALSE(lines()->log_x());
  EXPECT_FALSE(perplexity()->log_x());
  settle();
  click(map(), at({0, 2}, 0.5));  // half way along a linear axis of 4,096 positions
  EXPECT_NEAR(static_cast<double>(focus()->pins()[Focus::kA].value_or(0)), 2048, 200);
}

TEST_F(StatePlotsTest, TheScaleOfAnAxisIsOneClickAway) {
  open_measured();
  const Extent log = perplexity()->y_range();
  for (auto* one : window_->plots()->findChildren<Segmented*>()) {
    if (one->accessibleName() == QStringLiteral("Scale of perplexity")) {
      one->findChildren<QToolButton*>().at(1)->click();
    }
  }
  settle();
  // The margins of 5 % are of the span now, and no longer of its decades.
  const Extent linear = perplexity()->y_range();
  const double margin = std::pow(log.high / log.low, 0.05 / 1.1);
  const Extent data{log.low * margin, log.high / margin};
  EXPECT_NEAR(linear.high, data.high + 0.05 * (data.high - data.low), 1e-6 * data.high);
  EXPECT_NEAR(linear.low, data.low - 0.05 * (data.high - data.low), 1e-6 * data.high);
}

TEST_F(StatePlotsTest, TheMapFillsWhileItSweeps) {
  open_measured(2, 4, 1);
  const double first = map()->rows()[0].x.back();
  EXPECT_FALSE(map()->picture().complete);
  EXPECT_FALSE(map()->picture().front.has_value());  // there is no older one
  window_->pump()->drain();
  EXPECT_GT(map()->rows()[0].x.back(), first);
  for (int i = 0; i < 4; ++i) window_->pump()->drain();
  EXPECT_TRUE(map()->picture().complete);
  EXPECT_NEAR(map()->rows()[0].x.back(), 4096, 300);
}

// Until the new measurement has come as far, the older one's rest stays behind a front.
TEST(MeasurementBook, CarriesACurveOnAsTheOneBeforeItWent) {
  const auto part = [](uint64_t id, bool complete, double y, size_t count) {
    auto m = std::make_shared<Measurement>();
    m->id = id;
    m->complete = complete;
    Series s;
    s.name = "state_norm";
    s.layer = s.head = 0;
    for (size_t i = 0; i < count; ++i) {
      s.x.push_back(std::exp2(static_cast<double>(i)));
      s.y.push_back(y);
    }
    m->series.push_back(s);
    return m;
  };
  MeasurementBook book;
  book.add(part(1, false, 1, 3));
  EXPECT_EQ(book.front("state_norm"), std::nullopt);
  book.add(part(1, true, 1, 5));
  const auto before = book.shared_current();
  book.add(part(2, false, 2, 2));
  EXPECT_THAT(book.current()->series[0].y, ElementsAre(2, 2, 1, 1, 1));
  EXPECT_THAT(book.current()->series[0].x, ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(book.front("state_norm"), Optional(2.0));
  EXPECT_THAT(book.front("perplexity"), Optional(0.0));  // nothing of it has come
  book.add(part(2, false, 2, 4));
  EXPECT_THAT(book.current()->series[0].y, ElementsAre(2, 2, 2, 2, 1));
  EXPECT_THAT(before->series[0].y, ElementsAre(1, 1, 1, 1, 1));
  book.add(part(2, true, 2, 5));
  EXPECT_EQ(book.front("state_norm"), std::nullopt);
  EXPECT_THAT(book.current()->series[0].y, ElementsAre(2, 2, 2, 2, 2));
}

TEST_F(StatePlotsTest, DriftIsShownAsItIsMeasured) {
  open_measured();
  choose("norm", 3);
  ASSERT_EQ(map()->rows().size(), 8U);
  EXPECT_EQ(map()->rows()[2].ratio, map()->rows()[2].value);
}

TEST_F(StatePlotsTest, SixteenHeadsAreLinesAndMoreAreABand) {
  open_measured(2, 8);
  choose("map", 1);
  settle();
  EXPECT_TRUE(lines()->isVisible());
  EXPECT_FALSE(lines()->is_banded());
  EXPECT_EQ(lines()->line_count(), 16);
  EXPECT_EQ(lines()->key().size(), 16);
}

TEST_F(StatePlotsTest, ABoxHidesALineAndItsNameChoosesTheHead) {
  open_measured();
  choose("map", 1);
  settle();
  ASSERT_EQ(lines()->line_count(), 8);
  QListWidget* list = lines()->line_list()->list();
  EXPECT_FALSE(lines()->line_list()->filter()->isVisible());
  const auto press = [&](int row, int x) {
    const QRect place = list->visualItemRect(list->item(row));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {x, place.center().y()});
    settle();
  };
  press(2, 5);
  EXPECT_EQ(lines()->line_count(), 7);
  EXPECT_FALSE(lines()->line_list()->shows(2));
  EXPECT_EQ(lines()->numbers().columns.filter(QStringLiteral("layer 0, head 2")).size(), 0);
  EXPECT_GT(lines()->numbers().columns.filter(QStringLiteral("layer 0, head 3")).size(), 0);
  press(6, 70);
  EXPECT_EQ(focus()->head(), (HeadIndex{1, 2}));
  EXPECT_EQ(lines()->line_count(), 7);
  // Space sets the box of the line that is chosen, and does not start a training.
  list->setFocus();
  QTest::keyClick(list, Qt::Key_Space);
  settle();
  EXPECT_EQ(window_->state(), RunState::kReady);
  EXPECT_FALSE(lines()->line_list()->shows(6));
  for (const int row : {0, 1, 3, 4, 5, 7}) press(row, 5);
  EXPECT_EQ(lines()->line_count(), 0);
  EXPECT_TRUE(lines()->line_list()->isVisible());  // or none would come back
  press(2, 5);
  EXPECT_EQ(lines()->line_count(), 1);
  // In a picture are those that are shown.
  lines()->set_posing(true);
  lines()->refresh();
  EXPECT_EQ(std::count_if(lines()->line_list()->entries().begin(), lines()->line_list()->entries().end(),
                          [&, row = 0](const auto&) mutable { return !list->isRowHidden(row++); }),
            1);
  lines()->set_posing(false);
}

// tensorflow#3782: more than a dozen names are a list to search.
TEST_F(StatePlotsTest, OfManyLinesWordsFindSomeAndNoneCoversThePlot) {
  open_measured(1, 16);
  choose("map", 1);
  settle();
  ASSERT_EQ(lines()->line_count(), 16);
  LegendList* legend = lines()->line_list();
  ASSERT_TRUE(legend->filter()->isVisible());
  legend->filter()->setText(QStringLiteral("HEAD 1"));
  settle();
  EXPECT_EQ(lines()->line_count(), 7);  // 1 and 10 to 15
  legend->filter()->setText(QStringLiteral("nothing so named"));
  settle();
  EXPECT_EQ(lines()->line_count(), 0);
  legend->filter()->clear();
  settle();
  EXPECT_EQ(lines()->line_count(), 16);
  EXPECT_GE(legend->geometry().left(), lines()->canvas()->axisRect()->right());
}

TEST_F(StatePlotsTest, SeventeenHeadsAreABandWithTheHeadInFocus) {
  open_measured(1, 17);
  focus()->set_head({0, 5});
  choose("map", 1);
  settle();
  EXPECT_TRUE(lines()->is_banded());
  EXPECT_EQ(lines()->line_count(), 1);
  EXPECT_THAT(lines()->key(), ElementsAre(QStringLiteral("10–90 % of 17 heads"),
                                          QStringLiteral("median of the heads"),
                                          QStringLiteral("layer 0, head 5")));
}

TEST(StateLines, TheBandHoldsTheQuantilesOverTheHeads) {
  std::vector<StateRow> rows(11);
  for (size_t r = 0; r < rows.size(); ++r) {
    rows[r].x = {1, 2};
    rows[r].ratio = {static_cast<double>((r * 7) % 11), std::nan("")};  // 0 to 10, shuffled
  }
  rows[3].x.push_back(4);
  rows[3].ratio.push_back(5);
  const StateLines::Band band = band_of(rows);
  EXPECT_THAT(band.x, ElementsAre(1, 4));  // at 2 no head has a value
  EXPECT_THAT(band.low, ElementsAre(1, 5));
  EXPECT_THAT(band.median, ElementsAre(5, 5));
  EXPECT_THAT(band.high, ElementsAre(9, 5));
}

TEST_F(StatePlotsTest, OffersTheDistancesThatWereMeasured) {
  open();
  const auto* button = window_->plots()->findChild<QToolButton*>(QStringLiteral("view.remembrance-measure"));
  ASSERT_NE(button, nullptr);
  EXPECT_FALSE(button->isVisible());
  RunnerUpdate u = update(RunState::kReady);
  auto m = measurement(0, Intervention::kZero, 2, 1);
  for (const char* name : {"effrem", "effrem_kl"}) {
    Series s;
    s.name = name;
    s.x = {0, 10, 20};
    s.y = {0, 0.2, 0.4};
    m->series.push_back(s);
  }
  u.measurements = {m};
  deliver(u);
  EXPECT_TRUE(button->isVisible());
  QStringList offered;
  for (const QAction* action : button->menu()->actions()) {
    if (action->isVisible()) offered.push_back(action->text().section(QLatin1Char(':'), 0, 0));
  }
  EXPECT_THAT(offered, ElementsAre(QStringLiteral("TV"), QStringLiteral("KL")));
  button->menu()->actions()[2]->trigger();
  EXPECT_TRUE(button->text().startsWith(QStringLiteral("KL")));
}

TEST_F(StatePlotsTest, DragsOfAPinMakeOneQuestion) {
  open_measured();
  QTest::qWait(80);
  const auto asked = fake_->questions.size();
  for (int64_t position = 100; position < 200; ++position) {
    focus()->set_pin(Focus::kA, position);
  }
  QTest::qWait(120);
  ASSERT_EQ(fake_->questions.size(), asked + 1);
  EXPECT_EQ(fake_->questions.back().positions[0], 199);
  EXPECT_EQ(fake_->questions.back().focus, focus()->head());
}

TEST_F(StatePlotsTest, NothingIsAskedThatNobodyWouldSee) {
  open_measured();
  QTest::qWait(80);
  window_->actions().inspector->setChecked(false);
  const auto asked = fake_->questions.size();
  focus()->set_pin(Focus::kA, 33);
  QTest::qWait(120);
  EXPECT_EQ(fake_->questions.size(), asked);
  window_->plots()->results()->tabs()->setCurrentIndex(2);  // the table of heads
  ASSERT_EQ(fake_->questions.size(), asked + 1);
  EXPECT_EQ(fake_->questions.back().positions[0], 33);
  window_->actions().inspector->setChecked(true);  // the answer is on its way already
  EXPECT_EQ(fake_->questions.size(), asked + 1);
}

TEST_F(StatePlotsTest, BeginsWithTheHeadThatDriftsMost) {
  open_measured();
  const auto farthest = std::max_element(
      map()->rows().begin(), map()->rows().end(), [](const StateRow& a, const StateRow& b) {
        return std::abs(std::log(a.ratio.back())) < std::abs(std::log(b.ratio.back()));
      });
  EXPECT_EQ(focus()->head(), farthest->index());
  EXPECT_EQ(focus()->pins()[Focus::kA], 64);
  EXPECT_TRUE(focus()->pins()[Focus::kB].has_value());
}

TEST_F(StatePlotsTest, ProbesAreChosenInTheRecipe) {
  open();
  deliver(update(RunState::kReady));
  for (auto* on : window_->training()->findChildren<Switch*>()) {
    if (on->accessibleName() == QStringLiteral("distributions")) on->setChecked(true);
    if (on->accessibleName() == QStringLiteral("remembrance")) on->setChecked(false);
  }
  QTest::qWait(120);
  ASSERT_FALSE(fake_->configured.empty());
  const MeasureConfig& measure = fake_->configured.back().measure;
  EXPECT_TRUE(measure.wants("distribution"));
  EXPECT_TRUE(measure.wants("state"));
  EXPECT_FALSE(measure.wants("effrem"));
}

}  // namespace
}  // namespace farstate::desktop
