// SPDX-License-Identifier: GPL-3.0-or-later
// How a question of BABILong is put to a model: an instruction, worked examples, the form of the
// answer, the text, the question. The order and the marks (<example>, <context>) are the
// benchmark's; the wording is ours.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace farstate {

// What stands before the text. Without worked examples there is no instruction either: a model that
// is trained on the questions needs none.
std::string babilong_opening(std::string_view kind, int64_t shots);

inline constexpr std::string_view kContextBegin = "<context>\n";
// After the text.
std::string babilong_question(std::string_view question);  // ends with "Answer:"
std::string babilong_answer(std::string_view answer);      // " kitchen"; a full stop follows

}  // namespace farstate
