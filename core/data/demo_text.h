// SPDX-License-Identifier: GPL-3.0-or-later
// The generated text that the built-in demonstration trains and measures on. One line is one
// document, and a document is a list of facts: a name (a-z) and its value (A-Z), stated once and
// then repeated in no fixed order. What a name means holds for its line only:
//   fQfQkBfQkBkBsAfQsAkB…
//   kZkZkZcQkZmMcQmM…
// Why this text:
// - Half of the bytes can only be known from the state: a value that was stated before. In the
//   next line the old facts are wrong, so a model that never forgets is sure of wrong answers.
// - A window of T + 1 = 65 bytes that starts at a line's end (the newline before a document, which
//   serves as its opening mark) shows one document from the zero state. Lines are at least 62
//   characters long, so such a window never gets to a second document's facts: at most it sees the
//   next newline and one name. A stream of lines has a new document every 69 bytes on average.
//   Training from the zero state therefore never shows what the measurement past T consists of:
//   states that are still full of an older document.
// - New facts come at a constant rate and only the eight newest are repeated, so that the text is
//   as hard at byte 60 as at byte 4000. What rises past T is the model's failure.
// Windows that start anywhere would contain the change of document and repair the model from the
// zero state too; docs/DEMO.md has the measurements.
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
