// SPDX-License-Identifier: GPL-3.0-or-later
// The generated text that the built-in demonstration trains and measures on. One line is one
// document, and a document is a list of facts, pairs of a name (a-z) and its value (A-Z). Names
// come in alphabetical order, each is stated once, and one of the newest facts is repeated
// otherwise. What a name means holds for its line only:
//   aFbLaFbLaFaFaFaFcMdIeJbLdIaF…
//   aXbXbXbXaXaXbXbXbXbXaXcBaXcB…
// Why this text:
// - Most values can be known from the state alone: they were stated before. In the next line the
//   old facts are wrong, so a model that does not forget is sure of wrong answers.
// - A training window of T + 1 = 65 bytes starts with a newline, the opening mark of the document
//   that follows, and from the zero state. A line is at least 62 characters long, so a window shows
//   one document, at most the next newline and the `a` that follows every newline. A stream has a
//   new document every 69 bytes on average. Training from the zero state never shows what a stream
//   consists of: states that are full of older documents. Windows that start anywhere would, and
//   would repair the model from the zero state too (docs/DEMO.md).
// - Lines are hardly longer than a window, so that one that starts from a passed state shows
//   nearly all that a stream asks for.
// - The text is no harder at byte 4000 than at byte 60: to a perfect reader a pair is about
//   equally surprising everywhere. What rises past T is the model's failure.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

// Characters of a line without its newline.
inline constexpr int64_t kDemoLineMin = 62;
inline constexpr int64_t kDemoLineMax = 128;

// Whole lines, the last ended by its newline; the longest such text of this seed that is not
// longer than `bytes`. Within kDemoLineMax + 1 of it, therefore, and empty if no line fits. A
// shorter text is a prefix of a longer one of the same seed, on every machine.
std::string demo_text(uint64_t seed, int64_t bytes);

}  // namespace farstate
