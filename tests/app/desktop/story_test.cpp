// SPDX-License-Identifier: GPL-3.0-or-later
// A story in the window: facts, tasks, Show me and its undoing, the guess, the spotlight, the
// presenter's view.
#include <gmock/gmock.h>

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <cmath>

#include "app/desktop/models/focus.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/plots/histogram_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/plots/state_map.h"
#include "app/desktop/story/controls.h"
#include "app/desktop/story/curve_numbers.h"
#include "app/desktop/story/guess_fields.h"
#include "app/desktop/story/show_me.h"
#include "app/desktop/story/spotlight.h"
#include "app/desktop/story/story_check.h"
#include "app/desktop/story/story_panel.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/story/vocabulary.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/state_reports.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedRunner;

constexpr int kHangMs = 30000;

// Facts that a test sets.
class SetFacts : public Facts {
 public:
  QMap<QString, FactValue> values;
  std::optional<FactValue> fact(const QString& name) const override {
    return values.contains(name) ? std::optional(values[name]) : std::nullopt;
  }
};

Condition compare(Condition::Kind kind, const QString& fact, FactValue value) {
  Condition out;
  out.kind = kind;
  out.fact = fact;
  out.operand.value = std::move(value);
  return out;
}

TEST(StoryCondition, ComparesFacts) {
  using Kind = Condition::Kind;
  SetFacts facts;
  facts.values = {{u"pin_a"_s, 32.0}, {u"context"_s, 64.0}, {u"page"_s, u"tasks"_s}, {u"loaded"_s, true}};
  EXPECT_TRUE(holds(compare(Kind::kBelow, u"pin_a"_s, 33.0), facts));
  EXPECT_FALSE(holds(compare(Kind::kBelow, u"pin_a"_s, 32.0), facts));
  EXPECT_TRUE(holds(compare(Kind::kAtMost, u"pin_a"_s, 32.0), facts));
  EXPECT_TRUE(holds(compare(Kind::kAtLeast, u"pin_a"_s, 32.0), facts));
  EXPECT_FALSE(holds(compare(Kind::kAbove, u"pin_a"_s, 32.0), facts));
  EXPECT_TRUE(holds(compare(Kind::kIs, u"page"_s, u"tasks"_s), facts));
  EXPECT_FALSE(holds(compare(Kind::kAtMost, u"pin_b"_s, 1e9), facts)) << "not known";
  EXPECT_TRUE(holds(compare(Kind::kTrue, u"loaded"_s, true), facts));

  Condition against = compare(Kind::kAtMost, u"pin_a"_s, 0.0);
  against.operand.fact = u"context"_s;
  against.operand.times = 0.5;
  EXPECT_TRUE(holds(against, facts));
  against.operand.times = 0.49;
  EXPECT_FALSE(holds(against, facts));

  Condition all, any, none;
  all.kind = Kind::kAll;
  any.kind = Kind::kAny;
  none.kind = Kind::kNot;
  for (Condition* tree : {&all, &any}) {
    tree->parts = {compare(Kind::kIs, u"page"_s, u"tasks"_s), compare(Kind::kIs, u"page"_s, u"measure"_s)};
  }
  none.parts = {any};
  EXPECT_FALSE(holds(all, facts));
  EXPECT_TRUE(holds(any, facts));
  EXPECT_FALSE(holds(none, facts));
  EXPECT_EQ(in_words(against, facts), u"pin_a (32) is at most 0.49 × context"_s);
}

TEST(StoryGuess, IsScoredByItsFactor) {
  Series perplexity;
  perplexity.x = {96, 192};
  perplexity.bin_begin = {64, 128};
  perplexity.bin_end = {128, 256};
  perplexity.y = {4, 16};
  Guess guess = new_guess({1.5, 3}, 64, 4096, 4);
  EXPECT_EQ(guess.positions, (std::vector<int64_t>{96, 192}));
  // 4 for 4 and 4 for 16: factors of 1 and 4, whose geometric mean is 2.
  EXPECT_NEAR(*guess_factor(guess, perplexity), 2, 1e-12);
  guess.values = {16, 16};
  EXPECT_NEAR(*guess_factor(guess, perplexity), 2, 1e-12) << "too high counts as too low does";
  guess.positions = {1000, 2000};
  EXPECT_FALSE(guess_factor(guess, perplexity).has_value());
  // Places past the end would never be measured.
  EXPECT_EQ(new_guess({2, 100, 200}, 64, 1000, 4).positions, (std::vector<int64_t>{128, 999}));
}

TEST(CurveNumbers, AreMeansOverPositions) {
  Measurement m;
  Series s;
  s.name = "perplexity";
  s.bin_begin = {16, 32, 48, 64, 512, 768, 1024};
  s.bin_end = {32, 48, 64, 512, 768, 1024, 2048};
  s.y = {1, 2, 4, 100, 10, 20, 1000};
  s.x.assign(7, 0);
  m.series = {s};
  const CurveNumbers numbers = numbers_of(m, 64);
  EXPECT_NEAR(*numbers.within, 3, 1e-12);  // [32, 64): two bins of 16 positions
  EXPECT_NEAR(*numbers.past, 15, 1e-12);   // [512, 1024): two bins of 256
}

// Looks into the states as soon as it is asked to.
class AnsweringRunner : public AnimatedRunner {
 public:
  void examine(const StateQuestion& question) override {
    AnimatedRunner::examine(question);
    auto report = std::make_shared<StateReport>(*farstate::testing::invented_report());
    report->question = question.number;
    report->positions = question.positions;
    report->text.clear();
    for (HeadReport& head : report->heads) {
      head.at.resize(question.positions.size(), head.at.front());
      for (size_t i = 0; i < head.at.size(); ++i) head.at[i].position = question.positions[i];
    }
    report_ = report;
  }
  std::optional<RunnerUpdate> take() override {
    std::optional<RunnerUpdate> update = AnimatedRunner::take();
    if (update) update->states = report_;
    return update;
  }

 private:
  std::shared_ptr<const StateReport> report_;
};

class StoryWindow : public WindowTest {
 protected:
  void SetUp() override {
    window_.reset();
    runner_ = open_with<AnsweringRunner>();
    window_->load();
    drain_until([this] { return window_->book().base() != nullptr && window_->book().base()->complete; });
    window_->open_story(embedded_story(u"intro"_s));
    ASSERT_TRUE(run().active());
  }
  void drain_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000 && !condition(); ++i) window_->pump()->drain();
    EXPECT_TRUE(condition());
  }
  StoryRun& run() { return *window_->story()->run(); }
  StoryPanel& panel() { return *window_->story()->panel(); }
  void go_to(const QString& id) {
    for (size_t i = 0; i < run().story()->steps.size(); ++i) {
      if (run().story()->steps[i].id == id) run().go_to(i);
    }
    ASSERT_EQ(run().current().id, id);
  }
  void look() { window_->story()->look(); }
  FactValue fact(const QString& name) const {
    return window_->story()->facts().fact(name).value_or(FactValue(u"unknown"_s));
  }

  AnsweringRunner* runner_ = nullptr;
};

TEST_F(StoryWindow, FactsAreTheSessions) {
  EXPECT_EQ(fact(u"loaded"_s), FactValue(true));
  EXPECT_EQ(fact(u"context"_s), FactValue(64.0));
  EXPECT_EQ(fact(u"page"_s), FactValue(u"measure"_s));
  EXPECT_EQ(fact(u"column"_s), FactValue(u"story"_s));
  EXPECT_EQ(fact(u"state"_s), FactValue(u"ready"_s));
  EXPECT_EQ(fact(u"pins_chosen"_s), FactValue(false));
  window_->focus()->set_pin(Focus::kA, 17);
  EXPECT_EQ(fact(u"pins_chosen"_s), FactValue(true));
  EXPECT_EQ(fact(u"pin_a"_s), FactValue(17.0));
  EXPECT_EQ(fact(u"measured"_s), FactValue(true));
  EXPECT_EQ(fact(u"measured.tbtt"_s), FactValue(false));
  EXPECT_GT(std::get<double>(fact(u"ratio"_s)), 1.5);
  EXPECT_EQ(fact(u"ratio_now"_s), FactValue(u"unknown"_s)) << "nothing is trained yet";
  window_->run_main_action();
  window_->pump()->drain();
  EXPECT_EQ(fact(u"running"_s), FactValue(true));
  // Every fact that the documentation lists is one that the session knows or will know.
  for (const FactInfo& info : known_facts()) {
    const QString name = QString(info.name).replace(u"<initial state>"_s, u"zero"_s);
    EXPECT_TRUE(fact_type(name).has_value()) << name.toStdString();
    const auto value = window_->story()->facts().fact(name);
    if (value) {
      EXPECT_EQ(type_of(*value), info.type) << name.toStdString();
    }
  }
}

TEST_F(StoryWindow, EveryControlIsInTheWindow) {
  for (const ControlInfo& control : known_controls()) {
    EXPECT_NE(control_named(*window_, control.name), nullptr) << control.name.toStdString();
  }
}

TEST_F(StoryWindow, ATaskIsDoneByAPersonAndStaysDone) {
  EXPECT_EQ(panel().title(), u"A memory of fixed size"_s);
  EXPECT_FALSE(panel().task_done());
  window_->focus()->set_pin(Focus::kA, 20);
  look();
  EXPECT_TRUE(panel().task_done());
  window_->focus()->forget();
  look();
  EXPECT_TRUE(panel().task_done());
  panel().next()->click();
  EXPECT_EQ(run().step(), 1U);
  EXPECT_FALSE(panel().task_done());
  panel().back()->click();
  EXPECT_TRUE(panel().task_done());
}

// Next does not depend on the task.
TEST_F(StoryWindow, AllCardsCanBeReached) {
  const size_t last = run().story()->steps.size() - 1;
  for (size_t i = 0; i < last; ++i) {
    ASSERT_TRUE(panel().next()->isEnabled());
    panel().next()->click();
    EXPECT_FALSE(panel().task().isEmpty());
  }
  EXPECT_EQ(run().step(), last);
  EXPECT_FALSE(panel().next()->isEnabled());
}

TEST_F(StoryWindow, WordsTellWhatTheSessionMeasured) {
  go_to(u"within"_s);
  look();
  EXPECT_TRUE(panel().text().contains(u"T = 64"_s)) << panel().text().toStdString();
  EXPECT_FALSE(panel().text().contains(u'{'));
}

TEST_F(StoryWindow, ShowMeDoesTheTaskAndCanBeUndone) {
  const Focus::Pins before = window_->focus()->pins();
  panel().show_me()->click();
  ASSERT_TRUE(QTest::qWaitFor([&] { return panel().task_done(); }, kHangMs));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !window_->story()->show_me()->busy(); }, kHangMs));
  EXPECT_NE(window_->focus()->pins(), before);
  panel().show_me()->click();  // it says Undo now
  EXPECT_EQ(window_->focus()->pins(), before);
  EXPECT_TRUE(panel().task_done());
  EXPECT_FALSE(window_->story()->show_me()->can_undo());
}

TEST_F(StoryWindow, UndoPutsTheInitialStateBack) {
  go_to(u"repair"_s);
  EXPECT_EQ(window_->recipe().intervention.kind, Intervention::kZero);
  panel().show_me()->click();
  ASSERT_TRUE(QTest::qWaitFor(
      [&] { return window_->recipe().intervention.kind == Intervention::kStatePassing; }, kHangMs));
  panel().show_me()->click();
  EXPECT_EQ(window_->recipe().intervention.kind, Intervention::kZero);
  EXPECT_FALSE(window_->story()->show_me()->busy());
}

// What is to be guessed must not be told by the curve, the tip or the axis.
TEST_F(StoryWindow, TheCurveIsCoveredUntilTheGuessIsMade) {
  go_to(u"guess"_s);
  PerplexityPlot& plot = *window_->plots()->perplexity();
  plot.refresh();
  EXPECT_GE(plot.y_range().high, 100);
  look();
  ASSERT_EQ(run().guess().positions.size(), 4U);
  EXPECT_EQ(run().guess().positions[0], 128);
  // Nothing changed means: the level before T.
  EXPECT_EQ(FactValue(run().guess().values[0]), fact(u"within"_s));
  const int covered_x = plot.canvas()->xAxis->coordToPixel(1000);
  const int seen_x = plot.canvas()->xAxis->coordToPixel(30);
  const int y = plot.height() / 3;
  const auto hover = [&](int x) {
    const QPoint at(x, y);
    QMouseEvent move(QEvent::MouseMove, at, plot.canvas()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(plot.canvas(), &move);
  };
  hover(seen_x);
  EXPECT_TRUE(plot.cursor_x().has_value());
  hover(covered_x);
  EXPECT_FALSE(plot.cursor_x().has_value());

  run().set_guess_value(0, 4);
  run().set_guess_value(3, 8);
  panel().guess()->reveal_button()->click();
  EXPECT_TRUE(run().guess().made);
  ASSERT_TRUE(run().guess_factor().has_value());
  EXPECT_FALSE(panel().guess()->verdict().isEmpty());
  hover(covered_x + 1);
  EXPECT_TRUE(plot.cursor_x().has_value());
  run().set_guess_value(0, 99);
  EXPECT_EQ(run().guess().values[0], 4) << "a guess that was made stands";
}

TEST_F(StoryWindow, AHandleIsDragged) {
  go_to(u"guess"_s);
  look();
  PerplexityPlot& plot = *window_->plots()->perplexity();
  plot.refresh();
  plot.canvas()->replot(QCustomPlot::rpImmediateRefresh);
  const auto pixel = [&](int64_t x, double y) {
    return QPointF(plot.canvas()->xAxis->coordToPixel(double(x)), plot.canvas()->yAxis->coordToPixel(y)).toPoint();
  };
  const QPoint from = pixel(run().guess().positions[1], run().guess().values[1]);
  const QPoint to = pixel(run().guess().positions[1], 20);
  QTest::mousePress(plot.canvas(), Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, plot.canvas()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(plot.canvas(), &move);
  QTest::mouseRelease(plot.canvas(), Qt::LeftButton, {}, to);
  // A pixel is a step of the log axis: its whole range over its height.
  const double pixel_step = std::log(plot.y_range().high / plot.y_range().low) / plot.canvas()->axisRect()->height();
  EXPECT_NEAR(std::log(run().guess().values[1] / 20), 0, 2 * pixel_step);
}

TEST_F(StoryWindow, TheSpotlightPointsUntilAClick) {
  go_to(u"within"_s);
  Spotlight& spotlight = *window_->story()->spotlight();
  EXPECT_TRUE(spotlight.on());
  const QWidget* card = window_->plots()->card(u"perplexity"_s);
  EXPECT_TRUE(spotlight.ring().contains(card->mapTo(window_.get(), card->rect().center()) -
                                        spotlight.mapTo(window_.get(), QPoint())));
  QTest::mouseClick(window_->model_panel(), Qt::LeftButton);
  EXPECT_FALSE(spotlight.on());
  EXPECT_FALSE(panel().where()->isChecked());
  panel().where()->click();
  EXPECT_TRUE(spotlight.on());
}

TEST_F(StoryWindow, PlotsAreNotDimmedWhereTheControlIsBesideThem) {
  const Spotlight& spotlight = *window_->story()->spotlight();
  const auto dims = [&](const QWidget* widget) {
    return spotlight.dims(widget->mapTo(window_.get(), widget->rect().center()) -
                          spotlight.mapTo(window_.get(), QPoint()));
  };
  go_to(u"within"_s);
  EXPECT_TRUE(dims(window_->plots()->card(u"state"_s)));
  EXPECT_FALSE(dims(window_->plots()->card(u"perplexity"_s)));
  go_to(u"noise"_s);
  EXPECT_FALSE(dims(window_->plots()->card(u"perplexity"_s)));
  EXPECT_TRUE(dims(window_->model_panel()));
}

TEST_F(StoryWindow, NumbersKeepTheDigitsThatTellThemApart) {
  EXPECT_EQ(fact_text(0.0213), u"0.021"_s);
  EXPECT_EQ(fact_text(0.5), u"0.50"_s);
  EXPECT_EQ(fact_text(1.714), u"1.71"_s);
  EXPECT_EQ(fact_text(17.14), u"17.1"_s);
  EXPECT_EQ(fact_text(0.0), u"0"_s);
}

TEST_F(StoryWindow, QuestionsAreAnsweredAndTheFirstAnswerCounts) {
  go_to(u"finish"_s);
  run().answer(run().step(), 0, 0);
  EXPECT_EQ(run().answered(), 1);
  EXPECT_EQ(run().right(), 0);
  run().answer(run().step(), 0, 1);
  EXPECT_EQ(run().right(), 0);
  run().answer(run().step(), 1, 2);
  EXPECT_EQ(run().right(), 1);
  EXPECT_EQ(fact(u"answered"_s), FactValue(2.0));
}

TEST_F(StoryWindow, TheColumnTurnsBetweenStoryAndInspector) {
  EXPECT_TRUE(window_->side()->shows_story());
  EXPECT_FALSE(window_->inspector()->isVisible());
  window_->actions().inspector->trigger();
  window_->side()->tabs()->setCurrentIndex(1);
  EXPECT_TRUE(window_->inspector()->isVisible());
  window_->show_page(u"tasks"_s);
  EXPECT_TRUE(window_->side()->isVisible()) << "a story goes through all pages";
  window_->story()->close();
  EXPECT_FALSE(window_->side()->isVisible());
  window_->show_page(u"measure"_s);
}

TEST_F(StoryWindow, ThePresentersViewIsLargeAndLeftByEscape) {
  const double small = panel().next()->font().pointSizeF();
  const int label = window_->plots()->perplexity()->canvas()->xAxis->tickLabelFont().pointSize();
  go_to(u"within"_s);
  QTest::keyClick(window_.get(), Qt::Key_F5);
  EXPECT_TRUE(window_->presenting());
  EXPECT_FALSE(window_->model_panel()->isVisible());
  EXPECT_TRUE(window_->plots()->perplexity()->isVisible());
  EXPECT_FALSE(window_->plots()->effrem()->isVisible());
  EXPECT_GT(panel().next()->font().pointSizeF(), 1.3 * small);
  EXPECT_GT(window_->plots()->perplexity()->canvas()->xAxis->tickLabelFont().pointSize(), label);
  go_to(u"remember"_s);
  EXPECT_TRUE(window_->plots()->effrem()->isVisible());
  QTest::keyClick(window_.get(), Qt::Key_Escape);
  EXPECT_FALSE(window_->presenting());
  EXPECT_TRUE(window_->model_panel()->isVisible());
  EXPECT_TRUE(window_->plots()->perplexity()->isVisible());
  EXPECT_NEAR(panel().next()->font().pointSizeF(), small, 1e-9);
}

TEST_F(StoryWindow, ABrokenStoryIsANoticeAndTheOldOneGoesOn) {
  const QTemporaryDir empty;
  window_->open_story(empty.path());
  EXPECT_TRUE(run().active());
  EXPECT_EQ(run().story()->id, u"intro"_s);
}

// The invented runner fails and mends as the real one does, so all of the story can be done on it.
TEST_F(StoryWindow, ACheckSaysWhichTaskCannotBeDone) {
  auto story = std::make_shared<Story>(*run().story());
  story->steps[0].done = compare(Condition::Kind::kIs, u"page"_s, u"tasks"_s);
  run().begin(story);
  StoryCheck check(*window_, [](const QString&) {}, /*seconds_per_step=*/1);
  QSignalSpy finished(&check, &StoryCheck::finished);
  check.start();
  ASSERT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
  const std::string complaint = finished[0][0].toString().toStdString();
  EXPECT_THAT(complaint, ::testing::HasSubstr("\"memory\""));
  EXPECT_THAT(complaint, ::testing::HasSubstr("page (measure) is equal to tasks"));
}

}  // namespace
}  // namespace farstate::desktop
