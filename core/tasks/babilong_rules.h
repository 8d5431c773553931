// SPDX-License-Identifier: GPL-3.0-or-later
// How BABILong marks an answer: the rules of its public scorer, to the letter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace farstate {

// The first ten tasks: those that the benchmark has at all of its lengths.
inline constexpr const char* kBabilongKinds[] = {"qa1", "qa2", "qa3", "qa4", "qa5",
                                                 "qa6", "qa7", "qa8", "qa9", "qa10"};

// The words that can be answers, in lower case; empty for a kind that is none of those above.
const std::vector<std::string>& babilong_labels(std::string_view kind);

// Of what a model went on with, the part before the first full stop and before the first mark of a
// new example counts. Of the labels in it, those that the question holds are left out; the answer
// is right if the target is the only one that remains. A target that lists several ("apple,milk")
// wants all of them and no other. Labels are looked for as letters, not as words: "none" holds
// "one".
bool babilong_right(std::string_view kind, std::string_view question, std::string_view target,
                    std::string_view output);

// Nothing that comes after counts.
bool babilong_ended(std::string_view output);

// Every part of a target, listed or alone, is a label.
bool is_babilong_target(std::string_view kind, std::string_view target);

}  // namespace farstate
