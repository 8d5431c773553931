// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/language.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QPlainTextEdit>
#include <QSet>
#include <QXmlStreamReader>

#include "app/desktop/core_words.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/state_shelf.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/panels/text_card.h"
#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/rendering.h"
#include "app/desktop/settings.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/top_bar.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/prompt_edit.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/sheet.h"
#include "tests/app/desktop/window_fixture.h"
#include "tests/support/animated_generation.h"
#include "tests/support/animated_tasks.h"
#include "tests/support/clipped_text.h"
#include "tests/support/state_reports.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;
using farstate::testing::AnimatedGeneration;
using farstate::testing::AnimatedRunner;
using farstate::testing::AnimatedTasks;
using farstate::testing::clipped_texts;
using ::testing::IsEmpty;

constexpr QSize kSizes[] = {{1024, 600}, {1280, 800}};

// The pages of the window with something on each of them.
class LanguageTest : public WindowTest {
 protected:
  void TearDown() override {
    window_.reset();
    set_language(Language::kEnglish);
  }

  void take(int moments) {
    for (int i = 0; i < moments; ++i) window_->pump()->drain();
    QCoreApplication::processEvents();
  }
  void turn_to(int page) {
    window_->top_bar()->pages()->choose(page);
    Q_EMIT window_->top_bar()->pages()->changed(page);
    QCoreApplication::processEvents();
  }

  void open_measured(QSize size) {
    open_with<AnimatedRunner>(size);
    window_->load();
    take(12);
    window_->focus()->set_pin(Focus::kA, 64);
    window_->focus()->set_pin(Focus::kB, 4096);
    const auto report = farstate::testing::invented_report();
    window_->inspector()->show_report(report);
    window_->plots()->results()->show_report(report);
    window_->actions().inspector->setChecked(true);
    take(2);
  }
  void open_generating(QSize size) {
    open_with<AnimatedGeneration>(size);
    window_->load();
    take(12);
    turn_to(1);
    window_->generate(u"What it never met in training"_s);
    take(12);
    window_->generate_panel()->shelf()->keep_button()->click();
    take(2);
  }
  void open_comparing(QSize size) {
    open_with<AnimatedTasks>(size);
    window_->load();
    take(8);
    window_->start_experiment({{"zero", "state-passing", "tbtt"}, 2, "", true});
    take(6);
    window_->experiment_panel()->setup()->fold(false);
    QCoreApplication::processEvents();
  }
  void open_task(QSize size, const char* name) {
    auto* runner = open_with<AnimatedTasks>(size);
    window_->load();
    take(8);
    window_->show_task(name);
    QTest::qWait(80);  // the question that is due leaves after a moment
    take(2);
    window_->tasks_panel()->score();
    runner->per_take_trials = 100000;
    take(3);
  }
  void open_intro(QSize size) {
    open_measured(size);
    window_->open_story(embedded_story(u"intro"_s));
    QCoreApplication::processEvents();
  }
  void each_card(QSize size, const std::function<void(const char* page)>& look) {
    open_intro(size);
    StoryRun& run = *window_->story()->run();
    for (size_t i = 0; i < run.story()->steps.size(); ++i) {
      run.go_to(i);
      QTest::qWait(150);  // the story looks at the session some times a second
      take(1);
      look(qPrintable(run.current().id));
    }
    window_.reset();
  }
  void each_page(QSize size, const std::function<void(const char* page)>& look) {
    open_measured(size);
    look("measure");
    window_.reset();
    open_generating(size);
    look("generate");
    window_.reset();
    open_comparing(size);
    look("experiment");
    window_->actions().inspector->setChecked(true);
    QCoreApplication::processEvents();
    look("experiment beside the inspector");
    window_.reset();
    open_measured(size);
    window_->show_theory();
    QCoreApplication::processEvents();
    look("theory");
    window_.reset();
    each_card(size, look);
    for (const char* task : {"passkey", "babilong", "copying", "register"}) {
      open_task(size, task);
      look(task);
      window_.reset();
    }
  }

  // Everything that the window says, also where it can't be seen now. A log tells what was said
  // when it happened, and a sheet is made anew each time it opens.
  QStringList said() const {
    QStringList out;
    for (const QWidget* widget : window_->findChildren<QWidget*>()) {
      const bool qt_own = qobject_cast<const QTabBar*>(widget->parent()) != nullptr;
      if (qobject_cast<const QPlainTextEdit*>(widget) != nullptr || in_sheet(widget) || qt_own) {
        continue;
      }
      const QString name = QString::fromLatin1(widget->metaObject()->className());
      for (const char* property :
           {"text", "toolTip", "accessibleName", "accessibleDescription", "placeholderText",
            "specialValueText", "prefix", "title", "windowTitle"}) {
        const QString text = widget->property(property).toString();
        if (!text.isEmpty()) out.push_back(name + u'.' + QLatin1StringView(property) + u": "_s + text);
      }
      if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
        for (int i = 0; i < combo->count(); ++i) out.push_back(name + u": "_s + combo->itemText(i));
      } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
        for (int i = 0; i < tabs->count(); ++i) out.push_back(name + u": "_s + tabs->tabText(i));
      } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
        add_model(out, name, *view->model());
      } else if (const auto* canvas = qobject_cast<const QCustomPlot*>(widget)) {
        add_plot(out, *canvas);
      }
    }
    for (const QAction* action : window_->findChildren<QAction*>()) {
      out << u"action: "_s + action->text() << u"action.toolTip: "_s + action->toolTip();
    }
    return out;
  }

 private:
  static bool in_sheet(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
      if (qobject_cast<const Sheet*>(widget) != nullptr) return true;
    }
    return false;
  }
  static void add_model(QStringList& out, const QString& name, const QAbstractItemModel& model) {
    for (int c = 0; c < model.columnCount(); ++c) {
      out << name + u" column: "_s + model.headerData(c, Qt::Horizontal).toString();
      for (int r = 0; r < model.rowCount(); ++r) {
        out << name + u" cell: "_s + model.index(r, c).data().toString();
        out << name + u" tip: "_s + model.index(r, c).data(Qt::ToolTipRole).toString();
      }
    }
  }
  static void add_plot(QStringList& out, const QCustomPlot& canvas) {
    out << u"x axis: "_s + canvas.xAxis->label();
    for (int i = 0; i < canvas.itemCount(); ++i) {
      if (const auto* text = qobject_cast<const QCPItemText*>(canvas.item(i))) {
        out << u"in a plot: "_s + text->text();
      }
    }
  }
};

TEST_F(LanguageTest, ChangedLiveItSaysWhatAWindowOpenedInItSays) {
  const auto pages_in = [&](Language first, Language then) {
    QStringList all;
    set_language(first);
    each_page({1440, 900}, [&](const char* page) {
      set_language(then);
      take(1);
      draw_plots(*window_);  // also those that are hidden, or wait for their turn
      for (const QString& text : said()) all.push_back(QLatin1StringView(page) + u" "_s + text);
    });
    return all;
  };
  const QStringList opened = pages_in(Language::kChinese, Language::kChinese);
  const QStringList changed = pages_in(Language::kEnglish, Language::kChinese);
  ASSERT_GT(opened.size(), 2000);
  const QSet<QString> known(opened.begin(), opened.end());
  QStringList left;
  for (const QString& text : changed) {
    if (text.contains(u"Hz"_s)) continue;  // the display's rate follows the load of the machine
    if (!known.contains(text) && !left.contains(text)) left.push_back(text);
  }
  EXPECT_THAT(left.join(u'\n').toStdString(), IsEmpty()) << "still said as before the change";
}

// The sources of a catalogue that are said otherwise in it.
QSet<QString> translated_sources() {
  QFile file(QStringLiteral(FARSTATE_TRANSLATIONS "/farstate_zh_CN.ts"));
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  QXmlStreamReader xml(&file);
  QSet<QString> sources;
  QString source;
  while (!xml.atEnd()) {
    xml.readNext();
    if (!xml.isStartElement()) continue;
    if (xml.name() == u"source"_s) {
      source = xml.readElementText();
    } else if (xml.name() == u"translation"_s) {
      if (xml.readElementText(QXmlStreamReader::IncludeChildElements) != source) sources.insert(source);
    }
  }
  return sources;
}

TEST_F(LanguageTest, NothingThatIsTranslatedIsSaidInEnglish) {
  const QSet<QString> sources = translated_sources();
  ASSERT_GT(sources.size(), 800);
  set_language(Language::kChinese);
  QStringList english;
  each_page({1440, 900}, [&](const char* page) {
    for (const QString& text : said()) {
      const QString words = text.mid(text.indexOf(u": "_s) + 2);
      // As an arm's recipe is written, and as a language names itself.
      if (words == u"base"_s || words == u"zero"_s || words == u"English"_s) continue;
      if (sources.contains(words)) english.push_back(QLatin1StringView(page) + u" "_s + text);
    }
  });
  english.removeDuplicates();
  EXPECT_THAT(english.join(u'\n').toStdString(), IsEmpty());
}

TEST_F(LanguageTest, IsChosenInTheMenuAndRemembered) {
  set_language(Language::kEnglish);
  open();
  const auto choice = [this](const QString& name) {
    for (QAction* action : window_->findChildren<QAction*>()) {
      if (action->text() == name && action->isCheckable()) return action;
    }
    return static_cast<QAction*>(nullptr);
  };
  ASSERT_NE(choice(u"简体中文"_s), nullptr);
  EXPECT_TRUE(choice(u"English"_s)->isChecked());
  choice(u"简体中文"_s)->trigger();
  EXPECT_EQ(window_->actions().run->text(), u"运行"_s);
  EXPECT_FALSE(choice(u"English"_s)->isChecked());
  EXPECT_EQ(remembered_language(), Language::kChinese);
  choice(u"English"_s)->trigger();
  EXPECT_EQ(window_->actions().run->text(), u"Run"_s);
  EXPECT_EQ(remembered_language(), Language::kEnglish);
}

TEST_F(LanguageTest, PluralsHaveTheFormOfTheirNumber) {
  const auto changes = [](int n) {
    return QCoreApplication::translate("farstate::desktop::StartFrom", " + %Ln change(s)", nullptr, n);
  };
  set_language(Language::kEnglish);
  EXPECT_EQ(changes(1), u" + 1 change"_s);
  EXPECT_EQ(changes(1200), u" + 1,200 changes"_s);
  set_language(Language::kChinese);
  EXPECT_EQ(changes(1), u" + 1 处修改"_s);
}

TEST_F(LanguageTest, WordsOfTheCoreAreKnownByTheirForm) {
  set_language(Language::kEnglish);
  EXPECT_EQ(core_words("measuring: reading the text"), u"measuring: reading the text"_s);
  EXPECT_EQ(error_words(ErrorKind::kBadInput, "a.json: no object"), u"a.json: no object"_s);
  set_language(Language::kChinese);
  EXPECT_EQ(core_words("measuring: reading the text"), u"测量：正在读文本"_s);
  EXPECT_EQ(core_words("state passing, P(zero) 0.1 from here"), u"自此起：状态传递，P(零) 0.1"_s);
  EXPECT_EQ(core_words("A Gaussian per head is not enough: a single state is of low rank (effective "
                       "rank 7.8, 16.9 if independent); whole states differ in size (by 11 %, "
                       "standard deviation). Measured on 48 states."),
            u"每头一个高斯分布不够：单个状态为低秩（有效秩 7.8，独立时为 16.9）；"
            u"各状态整体大小不同（标准差 11 %）。在 48 个状态上测得。"_s);
  EXPECT_EQ(core_words("its elements are correlated (the first direction holds 45 % of the "
                       "variance, 15 % if independent; RMS correlation 0.52 in a row, 0.47 in a "
                       "column; as few as 8 independent elements out of 2048); its elements differ "
                       "(their means by 95 % of the head's standard deviation, their standard "
                       "deviations by a factor of 3.10)"),
            u"元素相关（第一个方向占方差的 45 %，独立时为 15 %；行内均方根相关 0.52，列内 0.47；"
            u"2048 个元素中仅相当于 8 个独立元素）；各元素不同（均值相差该头标准差的 95 %，"
            u"标准差相差 3.10 倍）"_s);
  EXPECT_EQ(core_words("of which nothing is known"), u"of which nothing is known"_s);
  EXPECT_TRUE(error_words(ErrorKind::kBadInput, "a.json: no object").endsWith(u"\na.json: no object"_s));
}

// Run a second time at twice the scale, which Qt takes from the environment when it starts.
class ClippedTextTest : public LanguageTest {};

// By percent of the usual size of text.
class ClippedTextSizeTest : public ClippedTextTest, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override { remember_text_size(GetParam()); }
  void TearDown() override {
    open();
    window_->set_text_size(100);
    ClippedTextTest::TearDown();
  }
};

INSTANTIATE_TEST_SUITE_P(Percent, ClippedTextSizeTest, ::testing::Values(100, 125, 150),
                         ::testing::PrintToStringParamName());

TEST_P(ClippedTextSizeTest, NoTextHasLessRoomThanItNeeds) {
  QStringList clipped;
  for (const Language language : {Language::kEnglish, Language::kChinese}) {
    set_language(language);
    for (const QSize size : kSizes) {
      // The smallest window has no room for the largest text: the way out is a larger window.
      if (GetParam() == 150 && size == kSizes[0]) continue;
      each_page(size, [&](const char* page) {
        for (const QString& text : clipped_texts(*window_)) {
          clipped.push_back(u"%1 %2x%3: %4"_s.arg(QLatin1StringView(page))
                                .arg(size.width())
                                .arg(size.height())
                                .arg(text));
        }
      });
    }
  }
  EXPECT_THAT(clipped.join(u'\n').toStdString(), IsEmpty());
}

TEST_F(ClippedTextTest, IsSeenByTheChecker) {
  set_language(Language::kEnglish);
  open();
  EXPECT_THAT(clipped_texts(*window_).join(u'\n').toStdString(), IsEmpty());
  auto* label = new QLabel(u"A text of many words"_s, window_.get());
  label->resize(20, 20);
  label->show();
  auto* button = new QPushButton(u"Another text"_s, window_.get());
  button->resize(20, 30);
  button->show();
  EXPECT_EQ(clipped_texts(*window_).size(), 2);
}

}  // namespace
}  // namespace farstate::desktop
