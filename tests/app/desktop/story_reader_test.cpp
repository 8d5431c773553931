// SPDX-License-Identifier: GPL-3.0-or-later
// Stories of teachers: what is read, and the sentence that each mistake is answered by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <functional>

#include "app/desktop/story/card_reader.h"
#include "app/desktop/story/story.h"
#include "app/desktop/story/vocabulary.h"
#include "core/base/error.h"

namespace farstate::desktop {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace Qt::StringLiterals;

constexpr auto kCard = "# A title\n\nIt has {state_numbers} numbers.\n\n## Task\n\nClick.\n";

// Of the error; empty: there was none.
std::string sentence(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return {};
}

class StoryReader : public ::testing::Test {
 protected:
  void write(const QString& name, const QByteArray& bytes) {
    QDir(folder_.path()).mkpath(QFileInfo(name).path());
    QFile file(folder_.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  // A story of one step with these further keys.
  void write_story(const QByteArray& step) {
    write(u"story.json"_s, R"({"farstate_story": 1, "id": "mine", "title": "Mine", "steps": [{"id": "one", )" +
                               step + "}]}");
    write(u"en/one.md"_s, kCard);
  }
  Story story() const { return read_story(folder_.path()); }
  std::string problem() const {
    return sentence([this] { story(); });
  }
  std::string problem_of(const QByteArray& step) {
    write_story(step);
    return problem();
  }

  QTemporaryDir folder_;
};

TEST_F(StoryReader, ReadsAStep) {
  write_story(R"("highlight": "perplexity", "cover": true, "guess": [2, 16],
    "done": {"all": [{"fact": "pin_a", "below": {"fact": "context", "times": 0.5}},
                     {"not": {"fact": "running"}}]},
    "show_me": [{"do": "pin_a", "to": 3}, {"wait": {"fact": "page", "is": "tasks"}}])");
  const Story read = story();
  ASSERT_EQ(read.steps.size(), 1U);
  const StoryStep& step = read.steps[0];
  EXPECT_EQ(step.card, u"one.md"_s);
  EXPECT_EQ(step.guess, (std::vector<double>{2, 16}));
  EXPECT_TRUE(step.cover);
  ASSERT_EQ(step.done.parts.size(), 2U);
  EXPECT_EQ(step.done.parts[0].operand.times, 0.5);
  ASSERT_EQ(step.show_me.size(), 2U);
  EXPECT_EQ(step.show_me[0].action, u"pin_a"_s);
  EXPECT_TRUE(step.show_me[1].action.isEmpty());
  EXPECT_EQ(read.card(0, u"de_DE"_s).title, u"A title"_s);
}

TEST_F(StoryReader, TakesTheNearestLanguageAndEnglishForWhatIsMissing) {
  write(u"story.json"_s, R"({"farstate_story": 1, "id": "mine", "title": {"en": "Mine", "zh_CN": "我的"},
    "steps": [{"id": "one", "done": {"fact": "loaded"}}, {"id": "two", "done": {"fact": "loaded"}}]})");
  write(u"en/one.md"_s, kCard);
  write(u"en/two.md"_s, "# Two\nText\n## Task\nDo\n");
  write(u"zh_CN/one.md"_s, "# 标题\n\n文字\n\n## Task\n\n做\n");
  const Story read = story();
  EXPECT_EQ(read.card(0, u"zh_CN"_s).title, u"标题"_s);
  EXPECT_EQ(read.card(0, u"zh_TW"_s).title, u"标题"_s);
  EXPECT_EQ(read.card(1, u"zh_CN"_s).title, u"Two"_s);
  EXPECT_EQ(read.card(0, u"en_US"_s).title, u"A title"_s);
  EXPECT_EQ(read.title(u"zh_CN"_s), u"我的"_s);
  EXPECT_EQ(read.title(u"fr_FR"_s), u"Mine"_s);
}

TEST_F(StoryReader, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(problem(), HasSubstr("story.json can't be read"));
  write(u"story.json"_s, "{,}");
  EXPECT_THAT(problem(), HasSubstr("is no JSON"));
  write(u"story.json"_s, R"({"farstate_story": 2, "id": "a", "title": "b", "steps": []})");
  EXPECT_THAT(problem(), AllOf(HasSubstr("found 2"), HasSubstr("version 1")));
  write(u"story.json"_s, R"({"farstate_story": 1, "id": "a", "title": "b", "steps": []})");
  EXPECT_THAT(problem(), HasSubstr("found 0 steps"));
  write(u"story.json"_s, R"({"farstate_story": 1, "id": "a", "title": 7, "steps": []})");
  EXPECT_THAT(problem(), AllOf(HasSubstr("\"title\""), HasSubstr("found 7")));
}

TEST_F(StoryReader, SaysWhatIsWrongWithAStep) {
  EXPECT_THAT(problem_of(R"("dne": {"fact": "loaded"})"),
              AllOf(HasSubstr("story.json, step 1"), HasSubstr("\"dne\" is unknown"), HasSubstr("done")));
  EXPECT_THAT(problem_of(R"("cover": true)"),
              AllOf(HasSubstr("step \"one\""), HasSubstr("\"done\" is missing")));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loadd"})"), HasSubstr("the fact \"loadd\" is unknown"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "pin_a"})"), HasSubstr("compare it by"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "page", "above": 3})"), HasSubstr("needs a number"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "pin_a", "above": "far"})"),
              AllOf(HasSubstr("found \"far\""), HasSubstr("wanted a number")));
  EXPECT_THAT(problem_of(R"("done": {"fact": "pin_a", "above": 1, "below": 9})"),
              HasSubstr("found 3 keys in one condition"));
  EXPECT_THAT(problem_of(R"("done": {"all": []})"), HasSubstr("\"all\" is empty"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "ratio.tbptt", "above": 1})"),
              HasSubstr("\"ratio.tbptt\" is unknown"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "highlight": "plot")"),
              AllOf(HasSubstr("the control \"plot\" is unknown"), HasSubstr("perplexity")));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "guess": [4, 2])"), HasSubstr("rising multiples"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "cover": "yes")"),
              AllOf(HasSubstr("found \"yes\""), HasSubstr("true or false")));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "card": "../x.md")"), HasSubstr("name of a file"));
}

TEST_F(StoryReader, SaysWhatIsWrongWithShowMe) {
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "show_me": [{"do": "dance"}])"),
              AllOf(HasSubstr("the action \"dance\" is unknown"), HasSubstr("open_model")));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "show_me": [{"do": "pin_a"}])"),
              HasSubstr("needs \"to\" with a number"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "show_me": [{"do": "run", "to": 1}])"),
              HasSubstr("takes no \"to\""));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "show_me": [{"do": "page", "to": 1}])"),
              HasSubstr("wanted a text"));
  EXPECT_THAT(problem_of(R"("done": {"fact": "loaded"}, "show_me": [{"do": "page", "to": "mesure"}])"),
              AllOf(HasSubstr("knows no \"mesure\""), HasSubstr("measure, generate")));
}

TEST_F(StoryReader, SaysWhatIsWrongWithACard) {
  write_story(R"("done": {"fact": "loaded"})");
  write(u"en/one.md"_s, "Text first\n");
  EXPECT_THAT(problem(), AllOf(HasSubstr("one.md"), HasSubstr("first line")));
  write(u"en/one.md"_s, "# Title\n\ntext\n");
  EXPECT_THAT(problem(), HasSubstr("no task"));
  write(u"en/one.md"_s, "# Title\n## Taks\n");
  EXPECT_THAT(problem(), HasSubstr("\"## Taks\" is unknown"));
  write(u"en/one.md"_s, "# Title\n{wthin}\n## Task\nx\n");
  EXPECT_THAT(problem(), HasSubstr("\"wthin\" in {braces}"));
  write(u"en/one.md"_s, "# Title\n## Task\nx\n## Question\nWhy?\n- [ ] a\n- [ ] b\n");
  EXPECT_THAT(problem(), HasSubstr("no right answer"));
  write(u"en/one.md"_s, "# Title\n## Task\nx\n## Question\nWhy?\n- [x] a\n- [x] b\n");
  EXPECT_THAT(problem(), HasSubstr("two right answers"));
  write(u"en/one.md"_s, "# Title\n## Task\n\xff\xfe\n");
  EXPECT_THAT(problem(), HasSubstr("no UTF-8"));
  QFile::remove(folder_.filePath(u"en/one.md"_s));
  EXPECT_THAT(problem(), HasSubstr("is missing"));
}

// Answers are kept while the language changes.
TEST_F(StoryReader, QuestionsMeanTheSameInEachLanguage) {
  write_story(R"("done": {"fact": "loaded"})");
  write(u"en/one.md"_s, "# T\n## Task\nx\n## Question\nWhy?\n- [x] a\n- [ ] b\n");
  write(u"zh_CN/one.md"_s, "# T\n## Task\nx\n## Question\n为什么？\n- [ ] a\n- [x] b\n");
  EXPECT_THAT(problem(), HasSubstr("the questions differ"));
}

TEST(CardReader, CutsACardIntoItsParts) {
  const StoryCard card = read_card(
      u"# Title\n\nText **bold**.\n\n- a point\n\n## Task\n\nDo it.\n\n## Question\n\nWhy?\n\n- [ ] one\n"
      "- [x] two\n\nBecause.\n\n## Done\n\nWell done.\n"_s,
      u"card"_s);
  EXPECT_EQ(card.title, u"Title"_s);
  EXPECT_EQ(card.text, u"Text **bold**.\n\n- a point"_s);
  EXPECT_EQ(card.task, u"Do it."_s);
  EXPECT_EQ(card.done, u"Well done."_s);
  ASSERT_EQ(card.questions.size(), 1U);
  EXPECT_EQ(card.questions[0].choices, (QStringList{u"one"_s, u"two"_s}));
  EXPECT_EQ(card.questions[0].right, 1);
  EXPECT_EQ(card.questions[0].explanation, u"Because."_s);
}

QStringList measured_in(const StoryCard& card) {
  QStringList names = placeholders(card.text + card.task + card.done);
  names.sort();
  return names;
}

TEST(EmbeddedStory, IsReadInBothLanguages) {
  const QString folder = embedded_story(u"intro"_s);
  ASSERT_FALSE(folder.isEmpty());
  const Story story = read_story(folder);
  EXPECT_TRUE(story.cards.contains(u"zh_CN"_s));
  for (size_t i = 0; i < story.steps.size(); ++i) {
    EXPECT_NE(story.card(i, u"zh_CN"_s).title, story.card(i, u"en"_s).title) << i;
    // What is measured is told by both.
    EXPECT_EQ(measured_in(story.card(i, u"zh_CN"_s)), measured_in(story.card(i, u"en"_s))) << i;
  }
  EXPECT_TRUE(embedded_story(u"none"_s).isEmpty());
}

// docs/STORIES.md is what a teacher reads: it names every word of a story, and no other.
TEST(StoryDocumentation, ListsEveryFactActionAndControl) {
  QFile file(QStringLiteral(FARSTATE_SOURCE_DIR "/docs/STORIES.md"));
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(file.readAll());
  const auto listed = [&text](const QString& name, const QString& meaning) {
    return text.contains(u"| `%1` | %2"_s.arg(name, meaning));
  };
  for (const FactInfo& fact : known_facts()) {
    EXPECT_TRUE(listed(fact.name, type_name(fact.type) + u" | "_s + fact.meaning)) << fact.name.toStdString();
  }
  for (const ActionInfo& action : known_actions()) {
    const QString to = action.argument ? type_name(*action.argument) : u""_s;
    EXPECT_TRUE(listed(action.name, to + u" | "_s + action.meaning)) << action.name.toStdString();
  }
  for (const ControlInfo& control : known_controls()) {
    EXPECT_TRUE(listed(control.name, control.meaning)) << control.name.toStdString();
  }
}

}  // namespace
}  // namespace farstate::desktop
