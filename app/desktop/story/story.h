// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson in cards. It lies in a folder: story.json holds the steps, <language>/<card>.md the
// words; docs/STORIES.md says how one is written.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "app/desktop/story/condition.h"

namespace farstate::desktop {

// One thing that Show me does, or waits for.
struct StoryCommand {
  QString action;                  // empty: wait until `until` holds
  std::optional<Operand> argument;
  Condition until;
};

// One card without its words.
struct StoryStep {
  QString id;
  QString card;       // file name in each language's folder
  QString highlight;  // a control's id; empty: none
  Condition done;
  std::vector<StoryCommand> show_me;  // empty: nothing to show
  bool cover = false;          // what lies past T is covered, so that it can be guessed
  std::vector<double> guess;   // multiples of T at which perplexity is guessed; empty: no guess
  bool distributions = false;  // the states at the pins are drawn on the card
  bool report = false;         // the card has the button that exports the report
};

struct Question {
  QString text;
  QStringList choices;
  int right = 0;
  QString explanation;  // shown once it is answered; may be empty
};

// The words of a step in one language. Texts are Markdown with {fact} for a fact's value.
struct StoryCard {
  QString title, text, task;
  QString done;  // shown once the task is done; may be empty
  std::vector<Question> questions;
};

struct Story {
  QString id;
  QString folder;
  QMap<QString, QString> titles;  // by language
  std::vector<StoryStep> steps;
  QMap<QString, std::vector<StoryCard>> cards;  // by language, one for each step

  // In the language nearest to the one asked for: itself, another of its kind, English.
  QString language_for(const QString& wanted) const;
  QString title(const QString& language) const;
  const StoryCard& card(size_t step, const QString& language) const;
  int64_t questions() const;
};

// Throws Error(kBadInput) naming the file, the step and the key, what was found and what was wanted.
// ":/stories/intro" is the one in the program.
Story read_story(const QString& folder);
QString embedded_story(const QString& name);  // its folder; empty: there is none

// The facts that are named in {braces}.
QStringList placeholders(const QString& text);
QString filled(const QString& text, const Facts& facts);  // "—" for what is not known

}  // namespace farstate::desktop
