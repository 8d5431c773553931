// SPDX-License-Identifier: GPL-3.0-or-later
// Small worlds after the bAbI tasks (Weston et al. 2015): people who go from room to room and take,
// leave and hand over objects, told in plain sentences, with a question that has one answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/rng.h"

namespace farstate {

struct Cast {
  std::vector<std::string> people, rooms, objects;
};

// The people, rooms and objects of which the benchmark's questions of a kind have theirs.
const Cast& cast_of(std::string_view kind);
// Others, so that a worked example says nothing about those.
const Cast& cast_of_examples();

struct Story {
  std::vector<std::string> facts;   // sentences, in the order in which things happen
  std::vector<int64_t> supporting;  // the facts that the answer follows from, ascending
  std::string question, answer;
};

struct FactRange {
  int64_t least = 0, most = 0;
};
FactRange facts_of(std::string_view kind);

// With so many facts, within facts_of(kind). Every answer of the kind is as likely as any other; the
// answer lists ("apple,milk") of qa8 are as likely by their number of objects, up to two, and qa7
// counts up to two.
Story tell_story(std::string_view kind, const Cast& cast, int64_t facts, Rng& numbers);

// Facts and questions in which every word of the stories of this kind stands.
std::string every_word_of_stories(std::string_view kind, const Cast& cast);

}  // namespace farstate
