// SPDX-License-Identifier: GPL-3.0-or-later
// The generated text that the built-in demonstration trains and measures on. One line is one
// document: the mark `>`, then facts, pairs of a name (a-z) and its value (A-Z). Names come in
// alphabetical order, each is stated once; the other pairs repeat one of the newest facts. What a
// name means holds for its line only:
//   >aFbLaFbLaFaFaFaFcMdIeJbLdIaF…
//   >aXbXbXbXaXaXbXbXbXbXaXcBaXcB…
// Why this text:
// - Most values can be known from the state alone: they were stated before. In the next line the
//   old facts are wrong, so a model that does not forget is sure of wrong answers.
// - A training window of T + 1 = 65 bytes starts from the zero state and with the newline before a
//   line. A line has at least 63 characters, so a window shows one document, at most up to the
//   newline that ends it. A stream has a new document every 70 bytes on average. Training from the
//   zero state never shows what a stream consists of: states that are full of older documents.
//   Windows that start anywhere would, and would mend the model from the zero state (docs/DEMO.md).
// - T inputs are a newline, a mark and 31 whole pairs. A state that is passed on was left after a
//   whole pair, where lines end in a stream; with half a pair in the convolution context the model
//   can tell the start of a window from a new line, and learns to reset at the former only.
// - Lines are hardly longer than a window, so windows that start from passed states show nearly all
//   that a stream asks for.
// - The text is no harder at byte 4000 than at byte 60: to a perfect reader a pair is about equally
//   surprising everywhere. What rises past T is the model's failure.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

// Characters of a line without its newline.
inline constexpr int64_t kDemoLineMin = 63;
inline constexpr int64_t kDemoLineMax = 127;

// Whole lines, the last ended by its newline; the longest such text of this seed that is not
// longer than `bytes`. Within kDemoLineMax + 1 of it, therefore, and empty if no line fits. A
// shorter text is a prefix of a longer one of the same seed, on every machine.
std::string demo_text(uint64_t seed, int64_t bytes);

}  // namespace farstate
