// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/rng.h"
#include "core/tasks/small_world.h"

namespace farstate {
namespace {

struct Wording {
  std::string about, answer;
};

const Wording& wording(std::string_view kind) {
  static const std::string places =
      "The text says of some people where they went. Where a person went to several places, the "
      "last one counts.";
  static const std::string things =
      "The text says of some people where they went, and what they took and put down. What a "
      "person holds goes wherever that person goes; what was put down stays where it is.";
  static const std::string hands =
      "The text says of some people what they took, put down and gave to each other.";
  static const std::string room = "The answer is a single word, the name of a room.";
  static const std::string yes_no = "The answer is a single word, yes or no.";
  static const std::map<std::string, Wording, std::less<>> by_kind = {
      {"qa1", {places, room}},
      {"qa2", {things, room}},
      {"qa3", {things, room}},
      {"qa4", {"The text says of some rooms how they lie to each other.", room}},
      {"qa5", {hands, "The answer is a single word, a person or an object."}},
      {"qa6", {places, yes_no}},
      {"qa7", {hands, "The answer is a single word, a number or none."}},
      {"qa8",
       {hands, "The answer is nothing, or an object, or several objects with commas between them."}},
      {"qa9",
       {"The text says of some people where they are and where they are not. What it says last of "
        "a person counts.",
        yes_no}},
      {"qa10",
       {"The text says of some people where they are, or names two places of which they are in "
        "one. What it says last of a person counts.",
        "The answer is a single word, yes, no or maybe."}}};
  return by_kind.find(kind)->second;
}

Story short_story(std::string_view kind, Rng& numbers) {
  constexpr int64_t kMostFacts = 6;
  const FactRange range = facts_of(kind);
  const int64_t most = std::min(range.most, kMostFacts);
  return tell_story(kind, cast_of_examples(), range.least + numbers.below(most - range.least + 1),
                    numbers);
}

// The same before every question of a kind. No two in a row have the same answer: a model would
// repeat it.
std::string worked_examples(std::string_view kind, int64_t shots) {
  Rng numbers(0, RngStream::kTaskText);
  std::string text, last_answer;
  for (int64_t i = 0; i < shots; ++i) {
    Story story = short_story(kind, numbers);
    while (story.answer == last_answer) story = short_story(kind, numbers);
    last_answer = story.answer;
    text += fmt::format("<example>\n{}\n{}{}.\n</example>\n\n", fmt::join(story.facts, " "),
                        babilong_question(story.question), babilong_answer(story.answer));
  }
  return text;
}

}  // namespace

std::string babilong_opening(std::string_view kind, int64_t shots) {
  if (shots == 0) return {};
  const Wording& words = wording(kind);
  return fmt::format(
      "{} Most of the text has nothing to do with that. Answer the question with what the text "
      "says.\n\n{}{}\n\n",
      words.about, worked_examples(kind, shots), words.answer);
}

std::string babilong_question(std::string_view question) {
  return fmt::format("Question: {}\nAnswer:", question);
}

std::string babilong_answer(std::string_view answer) { return fmt::format(" {}", answer); }

}  // namespace farstate
