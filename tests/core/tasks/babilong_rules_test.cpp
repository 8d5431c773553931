// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong_rules.h"

#include <gtest/gtest.h>

namespace farstate {
namespace {

struct Case {
  const char *kind, *question, *target, *output;
  bool right;
  const char* why;
};

// What the benchmark's own scorer says of these, worked out by hand from its rules.
const Case kCases[] = {
    {"qa1", "Where is Mary?", "kitchen", " kitchen.", true, "the word alone"},
    {"qa1", "Where is Mary?", "kitchen", "The most recent location of Mary is the KITCHEN.", true,
     "a sentence, in capitals"},
    {"qa1", "Where is Mary?", "Kitchen", " kitchen", true, "a capital in the target"},
    {"qa1", "Where is Mary?", "kitchen", " office.", false, "another label"},
    {"qa1", "Where is Mary?", "kitchen", "", false, "no answer"},
    {"qa1", "Where is Mary?", "kitchen", " in the cellar.", false, "no label"},
    {"qa1", "Where is Mary?", "kitchen", " kitchen or office.", false, "two labels"},
    {"qa1", "Where is Mary?", "kitchen", " kitchen. Then the office.", true,
     "what follows the first full stop does not count"},
    {"qa1", "Where is Mary?", "kitchen", ". kitchen", false, "the full stop comes first"},
    {"qa1", "Where is Mary?", "kitchen", " kitchen\n<example>\noffice", true,
     "an example that the model makes up does not count"},
    {"qa1", "Where is Mary?", "kitchen", " kitchen <CONTEXT> office", true,
     "nor does a text, whatever its letters"},
    {"qa1", "Where is Mary?", "kitchen", " kitchen\nQuestion: Is she in the office?", false,
     "the scorer looks for \"Question\" after lower-casing, and never finds it"},
    {"qa1", "Where is Mary?", "kitchen", " kitchenette", true, "labels are letters, not words"},
    {"qa3", "Where was the apple before the kitchen?", "garden",
     " Before the kitchen the apple was in the garden.", true, "labels of the question are left out"},
    {"qa3", "Where was the apple before the kitchen?", "garden", " kitchen.", false,
     "the question's own label"},
    {"qa4", "What is north of the bedroom?", "office", " The office is north of the bedroom.", true,
     ""},
    {"qa5", "Who gave the apple to Fred?", "Bill", " Bill gave the apple to Fred.", true, ""},
    {"qa5", "Who gave the apple?", "Bill", " Bill gave the apple to Fred.", false,
     "Fred is not in this question"},
    {"qa5", "What did Fred give to Mary?", "milk", " The milk.", true, ""},
    {"qa6", "Is Mary in the office?", "yes", " Yes, she is.", true, ""},
    {"qa6", "Is Mary in the office?", "yes", " yes, not doubted.", false, "\"not\" holds \"no\""},
    {"qa6", "Is Mary in the office?", "no", " I do not know.", true, "and here it counts for no"},
    {"qa7", "How many objects is Mary carrying?", "two", " two.", true, ""},
    {"qa7", "How many objects is Mary carrying?", "none", " none.", false,
     "\"none\" holds \"one\": two labels"},
    {"qa8", "What is Mary carrying?", "apple,milk", " milk and the apple.", true,
     "all of the list, in any order"},
    {"qa8", "What is Mary carrying?", "apple,milk", " apple.", false, "half of the list"},
    {"qa8", "What is Mary carrying?", "apple,milk", " apple, milk, football.", false, "one more"},
    {"qa8", "What is Mary carrying?", "apple", " apple,milk.", false, ""},
    {"qa8", "What is Mary carrying?", "nothing", " nothing.", true, ""},
    {"qa10", "Is Bill in the park?", "maybe", " maybe.", true, ""},
    {"qa10", "Is Bill in the park?", "maybe", " maybe, or no.", false, ""},
};

TEST(BabilongRules, MarkHandMadeAnswers) {
  for (const Case& c : kCases) {
    EXPECT_EQ(babilong_right(c.kind, c.question, c.target, c.output), c.right)
        << c.kind << ", " << c.target << ", \"" << c.output << "\": " << c.why;
  }
}

// Whatever comes after an end, the marks stay.
TEST(BabilongRules, NothingAfterTheEndCounts) {
  for (const Case& c : kCases) {
    if (!babilong_ended(c.output)) continue;
    for (const char* more : {" office", " kitchen", " no", " apple, milk"}) {
      EXPECT_EQ(babilong_right(c.kind, c.question, c.target, std::string(c.output) + more), c.right)
          << c.output << more;
    }
  }
  EXPECT_TRUE(babilong_ended(" kitchen."));
  EXPECT_TRUE(babilong_ended(" kitchen\n<Example>"));
  EXPECT_FALSE(babilong_ended(" kitchen\nQuestion: <exam"));
  EXPECT_FALSE(babilong_ended(""));
}

TEST(BabilongRules, KnowTheAnswersOfAKind) {
  EXPECT_TRUE(is_babilong_target("qa5", "Mary"));
  EXPECT_TRUE(is_babilong_target("qa8", "football,apple"));
  EXPECT_FALSE(is_babilong_target("qa8", "football,lamp"));
  EXPECT_FALSE(is_babilong_target("qa1", "attic"));
  EXPECT_FALSE(is_babilong_target("qa11", "kitchen"));
  EXPECT_TRUE(babilong_labels("qa21").empty());
}

}  // namespace
}  // namespace farstate
