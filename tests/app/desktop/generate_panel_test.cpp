// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/generate_panel.h"

#include <gmock/gmock.h>

#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <cmath>

#include "app/desktop/generate_buttons.h"
#include "app/desktop/models/head_list.h"
#include "app/desktop/panels/sampling_panel.h"
#include "app/desktop/panels/state_shelf.h"
#include "app/desktop/panels/text_card.h"
#include "app/desktop/plots/norm_map.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/widgets/next_token_view.h"
#include "app/desktop/widgets/prompt_edit.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/start_from.h"
#include "app/desktop/widgets/token_flow.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/animated_generation.h"

namespace farstate::desktop {
namespace {

using farstate::testing::FakeRunner;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Stage = Generation::Stage;

constexpr RunState kAllStates[] = {RunState::kIdle,      RunState::kLoading, RunState::kReady,
                                   RunState::kRunning,   RunState::kPaused,  RunState::kEvaluating,
                                   RunState::kStopping,  RunState::kFailed};

TEST(GenerateButtons, AreAFunctionOfTheStateAndTheStage) {
  for (const RunState state : kAllStates) {
    SCOPED_TRACE(static_cast<int>(state));
    const bool free = state == RunState::kReady || state == RunState::kPaused;
    const GenerateButtons none{}, start{.start = true, .shelf = true},
        runs{.stop = true, .keep = true, .shelf = true},
        all{.start = true, .go_on = true, .keep = true, .edit = true, .shelf = true};
    EXPECT_EQ(generate_buttons(state, Stage::kNone), free ? start : none);
    const bool may_run = free || state == RunState::kEvaluating;  // as the runner says of a text
    EXPECT_EQ(generate_buttons(state, Stage::kReading), may_run ? runs : none);
    EXPECT_EQ(generate_buttons(state, Stage::kGenerating), may_run ? runs : none);
    EXPECT_EQ(generate_buttons(state, Stage::kHeld), free ? all : none);
    EXPECT_EQ(generate_buttons(state, Stage::kDone), free ? all : none);
    ModelInfo model;
    model.tokenizer = "bytes";
    // Where nothing can be started a sentence says why; without a model that is another one.
    const bool busy = !free && state != RunState::kIdle && state != RunState::kFailed;
    EXPECT_EQ(generate_hint(state, &model).isEmpty(), !busy);
    EXPECT_FALSE(generate_hint(state, nullptr).isEmpty());
    model.tokenizer.clear();
    EXPECT_FALSE(generate_hint(state, &model).isEmpty());
  }
}

TEST(HeadList, ReadsWhatAPersonWrites) {
  EXPECT_THAT(read_heads(QStringLiteral("0.2, 1.*"), 2, 3).heads,
              ElementsAre(HeadIndex{0, 2}, HeadIndex{1, 0}, HeadIndex{1, 1}, HeadIndex{1, 2}));
  EXPECT_THAT(read_heads(QStringLiteral("*.1,0.1"), 2, 3).heads,
              ElementsAre(HeadIndex{0, 1}, HeadIndex{1, 1}));
  EXPECT_TRUE(read_heads(QString(), 2, 3).heads.empty());
  EXPECT_TRUE(read_heads(QStringLiteral("*.*"), 2, 3).heads.empty());  // all
  for (const char* wrong : {"2.0", "0.3", "0", "x.1", "0.1.2", "-1.0"}) {
    EXPECT_THAT(read_heads(QString::fromLatin1(wrong), 2, 3).problem.toStdString(),
                HasSubstr(wrong));
  }
  EXPECT_EQ(heads_text({{1, 1}, {0, 2}, {1, 0}, {1, 2}}, 3), QStringLiteral("0.2, 1.*"));
}

TEST(NormHistory, KeepsNewestAndEveryNthInBoundedMemory) {
  NormHistory history(64);
  for (int64_t p = 1; p <= 5000; ++p) {
    const float value = p == 137 ? 900.0F : static_cast<float>(p) / 100;
    history.add(p, std::vector<float>{value, 1}, p <= 100);
    ASSERT_LE(history.columns(), 64U);
    ASSERT_EQ(history.position(history.columns() - 1), p);
  }
  EXPECT_EQ(history.position(0), 1);
  EXPECT_GT(history.widest_gap(), 1);
  EXPECT_LE(history.widest_gap(), 5000 / 16);
  EXPECT_EQ(history.largest()[0], 900);  // also of a column that went
  EXPECT_EQ(history.reference()[0], 1);  // the last token of the prompt
  const auto column = history.column_of(2500);
  ASSERT_TRUE(column);
  EXPECT_LE(history.position(*column), 2500);
  EXPECT_FALSE(history.column_of(5001));
}

TEST(PredictionRows, ShowWhatWasLikelyBeforeAndIsNoLonger) {
  std::vector<NextToken> now, before;
  for (int64_t id = 0; id < 20; ++id) now.push_back({id, "n", 0.1 / static_cast<double>(id + 1)});
  before = {{3, "n", 0.4}, {77, "gone", 0.3}};
  const auto rows = prediction_rows(now, before);
  ASSERT_EQ(rows.size(), NextTokenView::kMostRows);
  EXPECT_EQ(rows[0].id, 0);
  EXPECT_FALSE(rows[0].before);
  EXPECT_EQ(rows[3].before, 0.4);
  const auto gone = std::find_if(rows.begin(), rows.end(), [](auto& r) { return r.id == 77; });
  ASSERT_NE(gone, rows.end());
  EXPECT_FALSE(gone->now);
  EXPECT_EQ(gone->before, 0.3);
  for (const auto& row : prediction_rows(now, {})) EXPECT_FALSE(row.before);
}

QWidget* canvas_of(LivePlot* plot) {
  for (QWidget* child : plot->findChildren<QWidget*>()) {
    if (child->inherits("QCustomPlot")) return child;
  }
  return nullptr;
}

class GeneratePanelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    panel_ = std::make_unique<GeneratePanel>(&runner_);
    panel_->set_theme(theme_for(ThemeMode::kLight));
    panel_->resize(1150, 740);
    panel_->show();
    model_ = std::make_shared<ModelInfo>();
    model_->name = "m";
    model_->tokenizer = "bytes";
    model_->layers = 2;
    model_->heads = 3;
    model_->trained_context = 64;
  }

  RunnerUpdate update(RunState state = RunState::kReady) const {
    RunnerUpdate u;
    u.epoch = 1;
    u.state = state;
    u.model = model_;
    return u;
  }

  std::shared_ptr<Generation> generation(Stage stage, uint64_t id = 1) const {
    auto g = std::make_shared<Generation>();
    g->id = id;
    g->stage = stage;
    g->request = request_;
    g->prompt_tokens = 4;
    g->read = read_;
    g->kept = kept_;
    return g;
  }

  // Tokens of six letters, the first four of the prompt.
  std::vector<GeneratedToken> tokens(int64_t count, int64_t word = 0) {
    std::vector<GeneratedToken> list;
    for (int64_t i = 0; i < count; ++i, ++read_) {
      GeneratedToken t;
      t.index = read_;
      t.id = word + read_ % 10;
      t.text = " token";
      t.loss = read_ == 0 ? std::nan("") : 1.5;
      t.prompt = read_ < 4;
      t.norms = {1, 2, 3, 4, 5, static_cast<float>(read_)};
      list.push_back(t);
    }
    return list;
  }

  void show(int64_t count, Stage stage = Stage::kHeld, uint64_t id = 1, int64_t word = 0) {
    RunnerUpdate u = update();
    u.generated = tokens(count, word);
    u.generation = generation(stage, id);
    panel_->show_update(u);
  }

  void begin_again() { read_ = 0; }
  void click(QPushButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
  void click_token(int64_t token) {
    QTest::mouseClick(flow()->viewport(), Qt::LeftButton, {}, flow()->place_of(token).center());
  }
  void type(const char* text) {
    panel_->text()->prompt()->editor()->setPlainText(QString::fromUtf8(text));
  }
  TokenFlow* flow() const { return panel_->text()->flow(); }
  StateShelf* shelf() const { return panel_->shelf(); }

  FakeRunner runner_;
  std::unique_ptr<GeneratePanel> panel_;
  std::shared_ptr<ModelInfo> model_;
  GenerationRequest request_;
  std::vector<KeptState> kept_;
  int64_t read_ = 0;
};

TEST_F(GeneratePanelTest, StartsOnlyWithSomethingToReadAndSendsWhatIsShown) {
  panel_->show_update(update());
  QPushButton* start = panel_->text()->start_button();
  EXPECT_FALSE(start->isEnabled());
  EXPECT_FALSE(start->toolTip().isEmpty());
  type("Once upon a time, ünï");
  EXPECT_TRUE(start->isEnabled());
  SamplingConfig sampling{
      .tokens = 33, .temperature = 0.7, .top_p = 0.9, .seed = 12, .tokens_per_second = 5};
  panel_->sampling()->show_config(sampling);
  panel_->text()->start_from()->choose(InitialState::Kind::kRandomNoise);
  shelf()->edit_next_start(true);
  shelf()->heads_field()->setText(QStringLiteral("1.0"));
  click(shelf()->zero_button());
  click(start);
  ASSERT_EQ(runner_.requests.size(), 1U);
  const GenerationRequest& sent = runner_.requests[0];
  EXPECT_EQ(sent.prompt, "Once upon a time, ünï");
  EXPECT_TRUE(sent.prompt_file.empty());
  EXPECT_EQ(sent.sampling, sampling);
  EXPECT_EQ(sent.initial.kind, InitialState::Kind::kRandomNoise);
  ASSERT_EQ(sent.initial.edits.size(), 1U);
  EXPECT_EQ(sent.initial.edits[0].kind, StateEdit::Kind::kZero);
  EXPECT_THAT(sent.initial.edits[0].heads, ElementsAre(HeadIndex{1, 0}));
  EXPECT_TRUE(runner_.edits.empty());  // the state now stayed
}

TEST_F(GeneratePanelTest, KeepsAHugePasteAsDataAndShowsItsBeginning) {
  panel_->show_update(update());
  PromptEdit* prompt = panel_->text()->prompt();
  type("before ");
  prompt->editor()->moveCursor(QTextCursor::End);
  QMimeData data;
  const QString huge(5'000'000, QLatin1Char('x'));
  data.setText(huge);
  QMetaObject::invokeMethod(prompt->editor(), "inserting", Q_ARG(QString, data.text()));
  EXPECT_LT(prompt->editor()->document()->characterCount(), 2000);
  EXPECT_TRUE(prompt->editor()->isReadOnly());
  EXPECT_THAT(prompt->held_text().toStdString(), HasSubstr("5.0 MB"));
  EXPECT_EQ(panel_->request().prompt, "before " + huge.toStdString());
  prompt->clear();
  EXPECT_TRUE(prompt->empty());
  EXPECT_FALSE(prompt->editor()->isReadOnly());
}

TEST_F(GeneratePanelTest, OpensAFileAsAPromptWithoutCopyingIt) {
  panel_->show_update(update());
  const QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("story.txt")));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("A story.");
  file.close();
  panel_->text()->prompt()->open_file(file.fileName());
  EXPECT_EQ(panel_->request().prompt_file, file.fileName().toStdString());
  EXPECT_TRUE(panel_->request().prompt.empty());
  EXPECT_EQ(panel_->text()->prompt()->editor()->toPlainText(), QStringLiteral("A story."));
  panel_->text()->prompt()->open_file(folder.filePath(QStringLiteral("none.txt")));
  EXPECT_THAT(panel_->text()->hint().toStdString(), HasSubstr("none.txt"));
}

TEST_F(GeneratePanelTest, PlacesEachTokenOnceHoweverLongTheText) {
  show(1000, Stage::kGenerating);
  const int64_t first = flow()->placements();
  for (int i = 0; i < 99; ++i) show(1000, Stage::kGenerating);
  ASSERT_EQ(flow()->tokens().size(), 100'000U);
  // A token is placed when it comes, and again if its word moves to the next line.
  EXPECT_LE(flow()->placements() - first, 2 * 99'000);
  EXPECT_LE(panel_->norms().columns(), 4096U);
  const int64_t before = flow()->placements();
  panel_->grab();
  EXPECT_EQ(flow()->placements(), before);
}

TEST_F(GeneratePanelTest, FollowsTheNewestUntilAPersonScrollsUp) {
  show(3000, Stage::kGenerating);
  QScrollBar* bar = flow()->verticalScrollBar();
  ASSERT_GT(bar->maximum(), 0);
  EXPECT_EQ(bar->value(), bar->maximum());
  show(500, Stage::kGenerating);
  EXPECT_EQ(bar->value(), bar->maximum());
  bar->setValue(bar->maximum() / 2);
  const int there = bar->value();
  show(500, Stage::kGenerating);
  EXPECT_FALSE(flow()->following());
  EXPECT_EQ(bar->value(), there);
  flow()->follow();
  show(500, Stage::kGenerating);
  EXPECT_EQ(bar->value(), bar->maximum());
}

TEST_F(GeneratePanelTest, WordsStayInOnePieceAndLinesBreakWhereTheTextDoes) {
  std::vector<GeneratedToken> letters;
  for (const char c : std::string("one two\nthree ")) {
    GeneratedToken t;
    t.index = static_cast<int64_t>(letters.size());
    t.text = c;
    letters.push_back(t);
  }
  flow()->append(letters);
  EXPECT_EQ(flow()->place_of(7).y(), flow()->place_of(0).y());  // the line feed ends its own line
  EXPECT_GT(flow()->place_of(8).y(), flow()->place_of(0).y());
  GeneratedToken letter;
  letter.text = "m";
  std::vector<GeneratedToken> word(40, letter);
  for (int i = 0; i < 3; ++i) {
    word.front().text = " m";
    flow()->append(word);
  }
  for (const int64_t start : {14, 54, 94}) {
    EXPECT_EQ(flow()->place_of(start).y(), flow()->place_of(start + 39).y());
    EXPECT_LT(flow()->place_of(start + 39).right(), flow()->viewport()->width());
  }
}

TEST_F(GeneratePanelTest, ATokenSaysItsLossAndOffersItsState) {
  show(20);
  const QPoint at = flow()->place_of(9).center();
  EXPECT_THAT(flow()->tip_at(at).toStdString(), HasSubstr("token 10"));
  EXPECT_THAT(flow()->tip_at(at).toStdString(), HasSubstr("1.50 nats"));
  EXPECT_THAT(flow()->tip_at(flow()->place_of(0).center()).toStdString(), HasSubstr("no loss"));
  click(shelf()->keep_button());
  click_token(9);
  click(shelf()->keep_button());
  EXPECT_THAT(runner_.calls, ElementsAre("keep_state after 20 -1", "keep_state after 10 10"));
}

TEST_F(GeneratePanelTest, EditsSendTheChosenHeads) {
  show(20);
  click(shelf()->scale_button());
  shelf()->heads_field()->setText(QStringLiteral("0.2, 1.*"));
  shelf()->factor_field()->setValue(3);
  click(shelf()->scale_button());
  click(shelf()->noise_button());
  ASSERT_EQ(runner_.edits.size(), 3U);
  EXPECT_TRUE(runner_.edits[0][0].heads.empty());
  EXPECT_EQ(runner_.edits[1][0].amount, 3);
  EXPECT_EQ(runner_.edits[1][0].heads.size(), 4U);
  EXPECT_EQ(runner_.edits[2][0].kind, StateEdit::Kind::kNoise);
  EXPECT_EQ(runner_.edits[2][0].seed, panel_->sampling()->config().seed);
  shelf()->heads_field()->setText(QStringLiteral("7.7"));
  EXPECT_FALSE(shelf()->scale_button()->isEnabled());
}

TEST_F(GeneratePanelTest, HeadsAreChosenByClickingRowsOfTheMap) {
  show(20);
  panel_->map()->refresh();
  QTest::qWait(20);
  QWidget* canvas = canvas_of(panel_->map());
  int y = 0;
  while (panel_->map()->head_at(y) != HeadIndex{1, 0}) ASSERT_LT(++y, canvas->height());
  const QPoint at(canvas->width() / 2, y + 2);
  QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
  EXPECT_EQ(shelf()->heads_field()->text(), QStringLiteral("1.0"));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
  EXPECT_TRUE(shelf()->heads_field()->text().isEmpty());
}

TEST_F(GeneratePanelTest, AfterAnEditShowsThePredictionBeforeIt) {
  show(20);
  RunnerUpdate u = update();
  auto g = generation(Stage::kHeld);
  g->next = {{1, " a", 0.6}, {2, " b", 0.3}};
  g->before_edit = {{2, " b", 0.8}, {1, " a", 0.1}};
  g->entropy = 0.9;
  g->edit_divergence = 0.42;
  u.generation = g;
  panel_->show_update(u);
  EXPECT_TRUE(panel_->next_token()->compares());
  ASSERT_EQ(panel_->next_token()->rows().size(), 2U);
  EXPECT_EQ(panel_->next_token()->rows()[0].before, 0.1);
  EXPECT_THAT(panel_->divergence_text().toStdString(), HasSubstr("KL 0.42 nats"));
  EXPECT_THAT(panel_->entropy_text().toStdString(), HasSubstr("0.90 nats"));
  show(1);
  EXPECT_FALSE(panel_->next_token()->compares());
  EXPECT_TRUE(panel_->divergence_text().isEmpty());
}

TEST_F(GeneratePanelTest, AnotherRequestClearsAndADifferentPromptIsNotCompared) {
  request_.prompt = "one";
  show(20);
  begin_again();
  request_.prompt = "two";
  show(5, Stage::kGenerating, 2);
  EXPECT_EQ(flow()->tokens().size(), 5U);
  EXPECT_EQ(panel_->norms().columns(), 5U);
  EXPECT_TRUE(panel_->text()->comparison().isEmpty());
}

TEST_F(GeneratePanelTest, TheRunBeforeStaysAtHandAndTheFirstDifferenceIsNamed) {
  show(20);
  begin_again();
  request_.initial.kind = InitialState::Kind::kRandomNoise;
  show(9, Stage::kGenerating, 2);
  EXPECT_THAT(panel_->text()->comparison().toStdString(), HasSubstr("same as the run before"));
  show(5, Stage::kGenerating, 2, 100);
  EXPECT_THAT(panel_->text()->comparison().toStdString(), HasSubstr("from token 10 on"));
  EXPECT_EQ(flow()->tokens().size(), 14U);
  panel_->text()->show_before(true);
  EXPECT_TRUE(panel_->text()->flow_before()->isVisible());
  EXPECT_EQ(panel_->text()->flow_before()->tokens().size(), 20U);
}

TEST_F(GeneratePanelTest, AnotherEpochClearsEverything) {
  kept_ = {{"k", "after 3 tokens", 3, 1.5}};
  show(20);
  panel_->text()->start_from()->choose(InitialState::Kind::kKept, "k");
  EXPECT_EQ(shelf()->table()->rowCount(), 1);
  RunnerUpdate u = update();
  u.epoch = 2;
  panel_->show_update(u);
  EXPECT_TRUE(flow()->tokens().empty());
  EXPECT_EQ(panel_->norms().columns(), 0U);
  EXPECT_EQ(shelf()->table()->rowCount(), 0);
  EXPECT_EQ(panel_->request().initial.kind, InitialState::Kind::kZero);
  EXPECT_TRUE(panel_->next_token()->rows().empty());
}

TEST_F(GeneratePanelTest, TheSameNumberInAnotherEpochIsAnotherText) {
  show(20);
  begin_again();
  RunnerUpdate u = update();
  u.epoch = 2;
  u.generated = tokens(3);
  u.generation = generation(Stage::kGenerating);
  panel_->show_update(u);
  EXPECT_EQ(flow()->tokens().size(), 3U);
  EXPECT_TRUE(panel_->text()->comparison().isEmpty());
}

TEST_F(GeneratePanelTest, KeptStatesAreStartedFromWithoutAPromptAndForgotten) {
  kept_ = {{"first", "after 3 tokens", 3, 1.5}, {"second", "file x", 0, 2.5}};
  show(20);
  EXPECT_FALSE(shelf()->start_from_button()->isEnabled());
  shelf()->table()->selectRow(1);
  click(shelf()->start_from_button());
  EXPECT_EQ(panel_->request().initial.name, "second");
  EXPECT_TRUE(panel_->text()->start_button()->isEnabled());
  click(shelf()->forget_button());
  EXPECT_THAT(runner_.calls, ElementsAre("drop_state second"));
  kept_.pop_back();
  show(1);
  EXPECT_EQ(panel_->request().initial.kind, InitialState::Kind::kZero);
  EXPECT_FALSE(panel_->text()->start_button()->isEnabled());
}

TEST_F(GeneratePanelTest, StepsGoesOnAndStops) {
  show(20);
  panel_->sampling()->show_config({.tokens = 50});
  click(panel_->text()->one_button());
  click(panel_->text()->go_on_button());
  ASSERT_EQ(runner_.samplings.size(), 2U);
  EXPECT_EQ(runner_.samplings[0].tokens, 1);
  EXPECT_EQ(runner_.samplings[1].tokens, 50);
  EXPECT_FALSE(panel_->text()->stop_button()->isEnabled());
  show(1, Stage::kGenerating);
  EXPECT_FALSE(panel_->text()->go_on_button()->isEnabled());
  click(panel_->text()->stop_button());
  EXPECT_EQ(runner_.count("stop"), 1);
}

TEST_F(GeneratePanelTest, SaysWhatWentWrongAndWhyItWaits) {
  RunnerUpdate u = update();
  auto g = generation(Stage::kDone);
  g->problem = "layer 3, head 1: the state is not finite after token 812.";
  u.generation = g;
  panel_->show_update(u);
  EXPECT_EQ(panel_->text()->hint().toStdString(), g->problem);
  begin_again();
  show(20, Stage::kHeld, 2);
  RunnerUpdate training = update(RunState::kRunning);
  training.generation = generation(Stage::kHeld, 2);
  type("a prompt");
  panel_->show_update(training);
  for (const QPushButton* button : panel_->findChildren<QPushButton*>()) {
    EXPECT_FALSE(button->isEnabled()) << qPrintable(button->text());
  }
  EXPECT_THAT(panel_->text()->hint().toStdString(), HasSubstr("training"));
  model_ = std::make_shared<ModelInfo>(*model_);
  model_->tokenizer.clear();
  panel_->show_update(update());
  EXPECT_THAT(panel_->text()->hint().toStdString(), HasSubstr("tokenizer"));
}

TEST_F(GeneratePanelTest, PointingIsSharedByTextAndMap) {
  show(20);
  panel_->map()->refresh();
  QTest::qWait(20);
  QWidget* canvas = canvas_of(panel_->map());
  const QPointF at(panel_->map()->canvas_x(10.5), canvas->height() / 2.0);
  QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                   Qt::NoModifier);
  QApplication::sendEvent(canvas, &move);
  EXPECT_EQ(flow()->pointed_token(), 10);
  ASSERT_NE(panel_->map()->shown_tip(), nullptr);
  EXPECT_THAT(panel_->map()->shown_tip()->title.toStdString(), HasSubstr("after token 11"));
}

class GeneratePageTest : public WindowTest {};

TEST_F(GeneratePageTest, AStateIsKeptChangedAndStartedFrom) {
  using farstate::testing::AnimatedGeneration;
  auto* runner = open_with<AnimatedGeneration>({1024, 600});
  window_->load();
  const auto drain = [this] {
    for (int i = 0; i < 12; ++i) window_->pump()->drain();
  };
  drain();
  Q_EMIT window_->top_bar()->pages()->changed(1);
  GeneratePanel* page = window_->generate_panel();
  EXPECT_TRUE(page->isVisible());
  page->text()->prompt()->editor()->setPlainText(QStringLiteral("What it never met in training"));
  page->sampling()->show_config({.tokens = 50});
  page->text()->start_button()->click();
  drain();
  ASSERT_EQ(page->text()->flow()->tokens().size(), 56U);
  EXPECT_EQ(page->norms().columns(), 56U);
  page->shelf()->keep_button()->click();
  page->shelf()->zero_button()->click();
  drain();
  EXPECT_EQ(page->shelf()->table()->rowCount(), 1);
  EXPECT_TRUE(page->next_token()->compares());
  page->shelf()->table()->selectRow(0);
  page->shelf()->start_from_button()->click();
  page->text()->start_button()->click();
  drain();
  EXPECT_EQ(runner->requests.back().initial.name, "after 56");
  EXPECT_FALSE(page->text()->comparison().isEmpty());
}

}  // namespace
}  // namespace farstate::desktop
