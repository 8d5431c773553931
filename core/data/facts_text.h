// SPDX-License-Identifier: GPL-3.0-or-later
// Documents of facts in words, which the built-in demonstration reads. A line is a document, a
// room with the things in it: the word "Room", then pairs of a thing and what it is like. Of 20
// pairs 9 bring a new thing, the others repeat one that was named:
//   Room kettle teal lantern red kettle teal quilt striped lantern red …
//   Room quilt muddy kettle hidden quilt muddy stool tiny …
// Why this text:
// - What a thing is like holds for its room only. Whatever is repeated can be known from the state
//   alone; in the next room the old facts are wrong, so a model that does not forget is sure of
//   wrong answers.
// - Of two things the one is repeated that was not named for longer, so a model needs a long memory,
//   and what it keeps past the end of a room does more harm.
// - A training window of T + 1 = 65 tokens starts from the zero state and with the line feed before
//   a line. A line has 31 pairs or more, so a window shows one document, at most up to the line feed
//   that ends it. A stream has a new document every 70 tokens on average. Training from the zero
//   state never shows what a stream consists of: states that are full of older documents. Windows
//   that start anywhere would, and would mend the model from the zero state (docs/DEMO.md).
// - T inputs are a line feed, the word "Room" and 31 whole pairs. A state that is passed on was left
//   after a whole pair, where lines end in a stream; with half a pair in the convolution context the
//   model can tell the start of a window from a new line, and learns to reset at the former only.
// - Lines are hardly longer than a window, so windows that start from passed states show nearly all
//   that a stream asks for.
#pragma once

#include <cstdint>

#include "core/data/generated_text.h"

namespace farstate {

inline constexpr int64_t kFewestPairs = 31;  // of a line
inline constexpr int64_t kMostPairs = 63;

// Whole lines, with a line feed before the first and after each; the longest such text of this seed
// that is not longer than `bytes`. A shorter text is a prefix of a longer one of the same seed, on
// every machine. Known are the repeated looks, from the last pair with the same thing.
GeneratedText facts_text(uint64_t seed, int64_t bytes);

}  // namespace farstate
