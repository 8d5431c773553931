// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/card_reader.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

[[noreturn]] void refuse(const QString& sentence) {
  throw Error(ErrorKind::kBadInput, sentence.toStdString());
}

// "- [x] words" and "- [ ] words".
struct Choice {
  bool right = false;
  QString words;
};
std::optional<Choice> choice_in(const QString& line) {
  static const QRegularExpression form(u"^[-*] \\[([ xX])\\] +(.+)$"_s);
  const QRegularExpressionMatch match = form.match(line);
  if (!match.hasMatch()) return std::nullopt;
  return Choice{match.captured(1) != u" ", match.captured(2).trimmed()};
}

void append(QString& text, const QString& line) {
  if (!text.isEmpty()) text += u'\n';
  text += line;
}

class CardReader {
  Q_DECLARE_TR_FUNCTIONS(farstate::desktop::CardReader)

 public:
  explicit CardReader(const QString& source) : source_(source) {}

  StoryCard read(const QString& markdown) {
    for (const QString& line : markdown.split(u'\n')) read_line(line.trimmed().isEmpty() ? QString() : line);
    finish_question();
    for (QString* text : {&card_.text, &card_.task, &card_.done}) *text = text->trimmed();
    if (card_.title.isEmpty()) {
      refuse(tr("%1: the card has no title. Its first line must be \"# \" and the title.").arg(source_));
    }
    if (card_.task.isEmpty()) {
      refuse(tr("%1: the card has no task. Put it under the heading \"## Task\".").arg(source_));
    }
    return card_;
  }

 private:
  enum class Part { kStart, kText, kTask, kDone, kQuestion };

  void read_line(const QString& line) {
    if (line.startsWith(u"# "_s)) {
      if (!card_.title.isEmpty()) {
        refuse(tr("%1: the card has a second title, \"%2\". A card has one; further headings start "
                  "with \"###\".")
                   .arg(source_, line));
      }
      card_.title = line.mid(2).trimmed();
      part_ = Part::kText;
    } else if (line.startsWith(u"## "_s)) {
      finish_question();
      part_ = part_of(line.mid(3).trimmed());
    } else {
      add(line);
    }
  }

  Part part_of(const QString& heading) const {
    if (heading == u"Task") return Part::kTask;
    if (heading == u"Done") return Part::kDone;
    if (heading == u"Question") return Part::kQuestion;
    refuse(tr("%1: the heading \"## %2\" is unknown. There are \"## Task\", \"## Done\" and \"## "
              "Question\", in every language; headings of the text start with \"###\".")
               .arg(source_, heading));
  }

  void add(const QString& line) {
    switch (part_) {
      case Part::kStart:
        if (!line.isEmpty()) {
          refuse(tr("%1: the first line is \"%2\", and must be \"# \" and the card's title.")
                     .arg(source_, line.left(60)));
        }
        break;
      case Part::kText:
        append(card_.text, line);
        break;
      case Part::kTask:
        append(card_.task, line);
        break;
      case Part::kDone:
        append(card_.done, line);
        break;
      case Part::kQuestion:
        add_to_question(line);
        break;
    }
  }

  void add_to_question(const QString& line) {
    if (const auto choice = choice_in(line)) {
      if (choice->right) {
        if (right_ >= 0) {
          refuse(tr("%1: a question has two right answers, the second one is \"%2\". Mark one of "
                    "them by \"- [x]\".")
                     .arg(source_, choice->words));
        }
        right_ = static_cast<int>(question_.choices.size());
      }
      question_.choices.push_back(choice->words);
    } else if (question_.choices.isEmpty()) {
      append(question_.text, line);
    } else {
      append(question_.explanation, line);
    }
  }

  void finish_question() {
    if (part_ != Part::kQuestion) return;
    question_.text = question_.text.trimmed();
    question_.explanation = question_.explanation.trimmed();
    if (question_.text.isEmpty()) {
      refuse(tr("%1: a question has no words. They come right below \"## Question\".").arg(source_));
    }
    if (question_.choices.size() < 2) {
      refuse(tr("%1: the question \"%2\" needs two or more answers, as lines \"- [ ] answer\".")
                 .arg(source_, question_.text.left(60)));
    }
    if (right_ < 0) {
      refuse(tr("%1: the question \"%2\" has no right answer. Mark it by \"- [x]\".")
                 .arg(source_, question_.text.left(60)));
    }
    question_.right = right_;
    card_.questions.push_back(question_);
    question_ = {};
    right_ = -1;
  }

  QString source_;
  StoryCard card_;
  Part part_ = Part::kStart;
  Question question_;
  int right_ = -1;
};

}  // namespace

StoryCard read_card(const QString& markdown, const QString& source) {
  return CardReader(source).read(markdown);
}

}  // namespace farstate::desktop
