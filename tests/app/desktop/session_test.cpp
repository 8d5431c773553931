// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QMenu>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QUrl>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/plots/effrem_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/session/settings_history.h"
#include "app/desktop/session/view_keeper.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/offer_banner.h"
#include "app/desktop/widgets/segmented.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/temp_folder.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedRunner;
using ::testing::HasSubstr;

// Nothing in it is a default.
Session unusual_session() {
  Session s;
  s.recipe.model.model = "elsewhere";
  s.recipe.data.path = "book.txt";
  s.recipe.intervention.kind = Intervention::kRandomNoise;
  s.recipe.intervention.sigma = 0.25;
  s.recipe.train.steps = 321;
  s.recipe.train.learning_rate = 3e-4;
  s.recipe.measure.length = 2048;
  s.recipe.seed = 99;
  s.twin = "state-passing";
  s.page = "experiment";
  s.focus = SessionFocus{1, 2, 64, std::nullopt};
  s.views = {{"state-metric", 3}, {"results", 2}};
  s.splits = {{"plots", {100, 200, 300}}};
  s.position_range = {2, 512.5};
  s.inspector = false;
  s.comparison.arms = {"zero", "random-noise:sigma=0.3"};
  s.comparison.seeds = 4;
  s.comparison.out = "arms";
  s.comparison.interleaved = true;
  s.generation.prompt = "Once upon a time — 从前";
  s.generation.initial.kind = InitialState::Kind::kRandomNoise;
  s.generation.initial.sigma = 2;
  s.generation.initial.edits = {{StateEdit::Kind::kNoise, 0.5, {{0, 1}, {1, 3}}, 11}};
  s.generation.sampling = {50, 0.7, 0.9, 5, 12};
  s.story = ":/stories/intro";
  s.story_step = 3;
  return s;
}

std::string complaint(const std::string& text) {
  try {
    session_from_json(text, "a.farstate-session");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(SessionFile, ReadsWhatItWrote) {
  const farstate::testing::TempFolder folder;
  const std::string path = folder.file("a.farstate-session");
  const Session session = unusual_session();
  write_session(session, path);
  EXPECT_EQ(read_session(path), session);
  EXPECT_EQ(session_from_json(to_json(Session()), "b"), Session());
}

TEST(SessionFile, SaysWhatIsWrong) {
  EXPECT_THAT(complaint("garbage"), HasSubstr("is no session of Farstate"));
  EXPECT_THAT(complaint(R"({"format": "farstate.session/99"})"),
              HasSubstr("\"format\" is \"farstate.session/99\""));
  std::string text = to_json(Session());
  const size_t at = text.find("\"page\": \"measure\"");
  EXPECT_THAT(complaint(text.replace(at, 17, "\"page\": 7")), HasSubstr("\"page\" is 7"));
  Session bad;
  bad.recipe.train.batch = -3;
  EXPECT_THAT(complaint(to_json(bad)), HasSubstr("batch"));
  bad = Session();
  bad.twin = "magic";
  EXPECT_THAT(complaint(to_json(bad)), HasSubstr("magic"));
}

// Says that it is in a state, whatever it does.
class StatedRunner : public AnimatedRunner {
 public:
  std::optional<RunnerUpdate> take() override {
    std::optional<RunnerUpdate> update = AnimatedRunner::take();
    if (update && stated) update->state = *stated;
    return update;
  }
  std::optional<RunState> stated;
};

class SessionTest : public WindowTest {
 protected:
  StatedRunner* open_loaded() {
    auto* runner = open_with<StatedRunner>({1440, 900});
    window_->load();
    drain();
    return runner;
  }
  void drain(int times = 8) {
    for (int i = 0; i < times; ++i) window_->pump()->drain();
  }
  QString file(const char* name) const { return QString::fromStdString(folder_.file(name)); }

  farstate::testing::TempFolder folder_;
};

class SessionStateTest : public SessionTest, public ::testing::WithParamInterface<RunState> {};

// Set everything, save in each state of the engine, open in another window: the same again.
TEST_P(SessionStateTest, EverySettingComesBack) {
  StatedRunner* runner = open_loaded();
  InterventionConfig law;
  law.kind = Intervention::kRandomNoise;
  law.sigma = 0.4;
  window_->set_intervention(law);
  window_->generate_panel()->show_request(unusual_session().generation);
  window_->experiment_panel()->setup()->set_plan(unusual_session().comparison);
  window_->focus()->set_head({1, 2});
  window_->focus()->set_pin(Focus::kA, 32);
  window_->actions().inspector->setChecked(false);
  std::vector<SessionView> views = views_of(*window_);
  EXPECT_GE(views.size(), 11U);
  for (SessionView& view : views) view.chosen = 1;
  show_views(*window_, views);
  window_->plots()->hold_positions(4, 256);
  show_splits(*window_, {{"plots", {200, 300, 200}}});
  window_->show_page(u"experiment"_s);
  QTest::qWait(80);  // the change of the law is told to the runner
  runner->stated = GetParam();
  drain(1);
  ASSERT_EQ(window_->state(), GetParam());
  const Session before = window_->session();
  window_->sessions()->save_to(file("saved"));  // the ending is added
  EXPECT_FALSE(window_->notice()->isVisible()) << qPrintable(window_->notice()->text());
  close_and_wait();

  open_loaded();
  ASSERT_NE(window_->session(), before);
  window_->sessions()->open(file("saved.farstate-session"));
  drain();
  QCoreApplication::processEvents();
  EXPECT_TRUE(window_->session() == before) << to_json(window_->session()) << to_json(before);
  EXPECT_TRUE(window_->plots()->perplexity()->held());
  EXPECT_FALSE(window_->notice()->isVisible()) << qPrintable(window_->notice()->text());
}

INSTANTIATE_TEST_SUITE_P(States, SessionStateTest,
                         ::testing::Values(RunState::kIdle, RunState::kReady, RunState::kRunning,
                                           RunState::kPaused, RunState::kEvaluating,
                                           RunState::kFailed));

// As a version left it that had neither all of these choices nor all of these parts.
TEST_F(SessionTest, WhatAnOlderSessionDoesNotNameIsAsUsual) {
  open_loaded();
  const std::vector<SessionView> usual = views_of(*window_);
  const std::vector<SessionSplit> splits = splits_of(*window_);
  Session old = window_->session();
  old.views = {{"perplexity-scale", 1}, {"state-metric", 99}, {"gone", 2}};
  old.splits = {{"plots", {300, 500}}, {"gone", {1, 2}}};
  window_->restore(old);
  drain();
  EXPECT_EQ(splits_of(*window_), splits);
  for (const SessionView& view : views_of(*window_)) {
    const auto before = std::find_if(usual.begin(), usual.end(), [&view](const SessionView& one) {
      return one.name == view.name;
    });
    ASSERT_NE(before, usual.end());
    EXPECT_EQ(view.chosen, view.name == "perplexity-scale" ? 1 : before->chosen) << view.name;
  }
  EXPECT_FALSE(window_->notice()->isVisible());
}

TEST_F(SessionTest, AMissingModelIsOneMessageAndTheWindowStaysOfUse) {
  open();
  Session session;
  session.recipe.model.model = "/gone/model";
  session.page = "tasks";
  window_->restore(session);
  EXPECT_EQ(fake_->loaded.model.model, "/gone/model");
  for (int i = 0; i < 5; ++i) {
    RunnerUpdate u = update(RunState::kFailed);
    u.error = RunError{ErrorKind::kBadInput, "/gone/model: no such folder."};
    deliver(u);
  }
  EXPECT_EQ(window_->notice()->count(), 1);
  EXPECT_EQ(window_->page(), u"tasks"_s);
  RunnerUpdate u = update(RunState::kReady, 2);
  u.model = std::make_shared<ModelInfo>();
  deliver(u);
  EXPECT_TRUE(window_->actions().run->isEnabled());
}

TEST_F(SessionTest, ABrokenFileIsANoticeAndNothingElse) {
  open_loaded();
  const RunConfig before = window_->recipe();
  folder_.write("a.farstate-session", "{");
  window_->sessions()->open(file("a.farstate-session"));
  EXPECT_THAT(window_->notice()->text().toStdString(), HasSubstr("is no session"));
  EXPECT_EQ(window_->recipe(), before);
  EXPECT_EQ(window_->page(), u"measure"_s);
}

TEST_F(SessionTest, WhereItCannotBeWrittenTheNoticeNamesThePath) {
  open_loaded();
  window_->sessions()->save_to(u"/proc/no/such/place"_s);
  EXPECT_THAT(window_->notice()->text().toStdString(), HasSubstr("/proc/no/such"));
}

TEST_F(SessionTest, ADropOpensIt) {
  open_loaded();
  Session session = window_->session();
  session.page = "theory";
  write_session(session, folder_.file("a.farstate-session"));
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file("a.farstate-session"))});
  EXPECT_EQ(Opening::drop_hint(data).first, u"Open the session"_s);
  window_->opening()->drop(data);
  EXPECT_EQ(window_->page(), u"theory"_s);
  EXPECT_EQ(window_->sessions()->recent()->paths().front(), file("a.farstate-session"));
}

TEST_F(SessionTest, TrainedWeightsAreAskedAboutBeforeTheyAreLost) {
  auto* runner = open_loaded();
  window_->run_main_action();
  drain(3);
  const int64_t loads = runner->count("load");
  Session session = window_->session();
  write_session(session, folder_.file("a.farstate-session"));
  window_->sessions()->open(file("a.farstate-session"));
  EXPECT_EQ(runner->count("load"), loads);
  ASSERT_TRUE(window_->offer()->isVisible());
  window_->offer()->accept_button()->click();
  EXPECT_EQ(runner->count("load"), loads + 1);
}

class JournalTest : public SessionTest {
 protected:
  QString journal() const { return file("session-0.farstate-session"); }
  // As it is after a crash: the journal is there, and nobody holds its lock.
  void leave_a_journal() {
    Session session;
    session.page = "tasks";
    write_session(session, journal().toStdString());
  }
};

TEST_F(JournalTest, ACleanEndLeavesTheLastSessionAndNoJournal) {
  open_loaded();
  window_->sessions()->begin_journal(file(""));
  EXPECT_FALSE(window_->offer()->isVisible());
  window_->show_page(u"generate"_s);
  window_->sessions()->write_journal();
  EXPECT_EQ(read_session(journal().toStdString()).page, "generate");
  close_and_wait();
  EXPECT_FALSE(QFile::exists(journal()));
  EXPECT_EQ(read_session(folder_.file("last.farstate-session")).page, "generate");
}

TEST_F(JournalTest, AfterACrashItIsOfferedAndNotForced) {
  leave_a_journal();
  open_loaded();
  window_->sessions()->begin_journal(file(""));
  EXPECT_EQ(window_->page(), u"measure"_s);
  ASSERT_TRUE(window_->offer()->isVisible());
  window_->sessions()->write_journal();  // the offer outlives it
  window_->offer()->accept_button()->click();
  EXPECT_EQ(window_->page(), u"tasks"_s);
  EXPECT_FALSE(window_->offer()->isVisible());
}

TEST_F(JournalTest, ASecondProcessHasOneOfItsOwn) {
  open_loaded();
  QLockFile other(file("session-0.lock"));
  other.setStaleLockTime(0);
  ASSERT_TRUE(other.tryLock(0));
  leave_a_journal();
  window_->sessions()->begin_journal(file(""));
  EXPECT_FALSE(window_->offer()->isVisible());
  EXPECT_EQ(window_->sessions()->journal_path(), file("session-1.farstate-session"));
}

TEST_F(JournalTest, ADamagedOneIsPassedOver) {
  folder_.write("session-0.farstate-session", "half a fi");
  open_loaded();
  window_->sessions()->begin_journal(file(""));
  EXPECT_FALSE(window_->offer()->isVisible());
  EXPECT_FALSE(window_->notice()->isVisible());
}

TEST_F(SessionTest, ATurnedControlIsOneChangeAndIsTakenBack) {
  auto* runner = open_loaded();
  const RunConfig before = window_->recipe();
  InterventionConfig law = before.intervention;
  law.kind = Intervention::kRandomNoise;
  window_->set_intervention(law);
  const int changes = window_->history()->count();
  const int64_t commands = runner->count("set_intervention");
  for (int i = 1; i <= 200; ++i) {
    law.sigma = 0.01 * i;
    window_->set_intervention(law);
  }
  EXPECT_EQ(window_->history()->count(), changes + 1);
  EXPECT_EQ(runner->count("set_intervention"), commands);
  QTest::qWait(80);
  EXPECT_EQ(runner->count("set_intervention"), commands + 1);
  window_->actions().undo->trigger();
  EXPECT_EQ(window_->recipe().intervention.sigma, before.intervention.sigma);
  window_->actions().undo->trigger();
  EXPECT_EQ(window_->recipe(), before);
  EXPECT_FALSE(window_->actions().undo->isEnabled());
  window_->actions().redo->trigger();
  window_->actions().redo->trigger();
  EXPECT_EQ(window_->recipe().intervention.sigma, 2);
}

TEST_F(SessionTest, NothingIsTakenBackWhileItTrains) {
  open_loaded();
  window_->set_intervention({.kind = Intervention::kTbtt});
  EXPECT_TRUE(window_->actions().undo->isEnabled());
  window_->run_main_action();
  drain(2);
  EXPECT_FALSE(window_->actions().undo->isEnabled());
}

Segmented* choice(const QWidget& window, const char* name) {
  return window.findChild<Segmented*>(u"view."_s + QLatin1StringView(name));
}

TEST_F(SessionTest, TheScaleOfAnAxisIsTakenBackWhateverTheRunnerDoes) {
  open_loaded();
  window_->set_intervention({.kind = Intervention::kTbtt});
  Segmented* scale = choice(*window_, "perplexity-scale");
  const auto y_scale = [this] { return window_->plots()->perplexity()->canvas()->yAxis->scaleType(); };
  window_->run_main_action();
  drain(2);
  EXPECT_FALSE(window_->actions().undo->isEnabled());
  scale->pick(1);
  EXPECT_EQ(y_scale(), QCPAxis::stLinear);
  ASSERT_TRUE(window_->actions().undo->isEnabled());
  window_->actions().undo->trigger();
  EXPECT_EQ(scale->chosen(), 0);
  EXPECT_EQ(y_scale(), QCPAxis::stLogarithmic);
  EXPECT_FALSE(window_->actions().undo->isEnabled());  // the law is next, and it trains
  window_->actions().redo->trigger();
  EXPECT_EQ(y_scale(), QCPAxis::stLinear);
}

TEST_F(SessionTest, TheScaleOfAnAxisIsRememberedUntilTheNextStart) {
  open_settings()->remove(u"views"_s);
  const char* const names[] = {"perplexity-scale", "remembrance-scale", "dropped-scale",
                               "position-scale", "loss-scale"};
  open_loaded();
  window_->views()->remember();
  for (const char* name : names) choice(*window_, name)->pick(1);
  close_and_wait();
  open_loaded();
  EXPECT_EQ(choice(*window_, "dropped-scale")->chosen(), 0);
  window_->views()->remember();
  for (const char* name : names) EXPECT_EQ(choice(*window_, name)->chosen(), 1) << name;
  EXPECT_EQ(window_->plots()->effrem()->canvas()->xAxis->scaleType(), QCPAxis::stLogarithmic);
  EXPECT_EQ(window_->history()->count(), 0);  // nobody has chosen that now
  open_settings()->remove(u"views"_s);
}

TEST_F(SessionTest, TheMenuOfAPlotOffersItsScales) {
  open_loaded();
  EffremPlot* plot = window_->plots()->effrem();
  QMenu* menu = nullptr;
  QObject::connect(plot, &LivePlot::menu_opened, plot, [&menu](QMenu* m) { menu = m; });
  QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
  QApplication::sendEvent(plot, &event);
  ASSERT_NE(menu, nullptr);
  QMenu* scales = nullptr;
  for (QAction* action : menu->actions()) {
    if (action->text() == u"Scale of dropped tokens"_s) scales = action->menu();
  }
  ASSERT_NE(scales, nullptr);
  scales->actions().at(1)->trigger();
  EXPECT_EQ(plot->canvas()->xAxis->scaleType(), QCPAxis::stLogarithmic);
  EXPECT_TRUE(window_->actions().undo->isEnabled());
  menu->close();
}

TEST(SettingsHistory, SaysNothingAtItsEnd) {
  int said = 0;
  {
    SettingsHistory history([](const RunConfig&) {}, nullptr);
    QObject::connect(&history, &SettingsHistory::changed, [&said] { ++said; });
    RunConfig other;
    other.seed = 8;
    history.record(RunConfig(), other);
    EXPECT_EQ(said, 1);
  }
  EXPECT_EQ(said, 1) << "the window that listens is gone before it";
}

TEST_F(SessionTest, AnotherModelBeginsAnew) {
  open_loaded();
  window_->set_intervention({.kind = Intervention::kTbtt});
  window_->load();
  EXPECT_EQ(window_->history()->count(), 0);
}

TEST_F(SessionTest, ARecipeIsCopiedAndPasted) {
  auto* runner = open_loaded();
  window_->set_intervention({.kind = Intervention::kRandomNoise, .sigma = 0.7});
  const RunConfig wanted = window_->recipe();
  window_->actions().copy_recipe->trigger();
  EXPECT_THAT(QApplication::clipboard()->text().toStdString(), HasSubstr(summary(wanted)));
  window_->set_intervention({.kind = Intervention::kZero});
  const int64_t loads = runner->count("load");
  window_->actions().paste_recipe->trigger();
  EXPECT_EQ(window_->recipe(), wanted);
  EXPECT_EQ(runner->count("load"), loads);  // the model is open
  window_->actions().undo->trigger();
  EXPECT_EQ(window_->recipe().intervention.kind, Intervention::kZero);

  RunConfig other = wanted;
  other.model.model = "another";
  QApplication::clipboard()->setText(QString::fromStdString(to_json(other)));
  window_->actions().paste_recipe->trigger();
  EXPECT_EQ(runner->loaded.model.model, "another");
}

TEST_F(SessionTest, WhatIsNoRecipeIsANotice) {
  open_loaded();
  const RunConfig before = window_->recipe();
  for (const char* text : {"no recipe", "{\"seed\": \"x\"}", "{"}) {
    window_->notice()->dismiss();
    QApplication::clipboard()->setText(QString::fromUtf8(text));
    window_->actions().paste_recipe->trigger();
    EXPECT_TRUE(window_->notice()->isVisible()) << text;
    EXPECT_EQ(window_->recipe(), before);
  }
}

}  // namespace
}  // namespace farstate::desktop
