// SPDX-License-Identifier: GPL-3.0-or-later
// Plain English from a grammar: a line is a short story of people with trades, things that change
// hands and the places where they are.
//   Once a baker named Mara lived by the mill. Mara the baker found a red kettle at the mill. …
// Why this text:
// - Who is what (Mara the baker), what is red (the kettle) and where they are hold for one story:
//   much of it can be known from the state alone, and in the next story it is wrong.
// - A story has 63 tokens of words or more, and few more: a training window of T + 1 = 65 tokens that
//   begins with the line feed before a story shows that story alone, at most up to the line feed
//   that ends it. What a stream consists of, states that are full of older stories, it never shows.
// - People, things and places come in at an even rate over the story, so that for a reader who
//   forgets nothing its end is about as surprising as its beginning.
#pragma once

#include <cstdint>
#include <string>

namespace farstate {

// Tokens of a story (words and punctuation) without its line feed.
inline constexpr int64_t kStoryTokensMin = 63;

// Whole stories, each ended by a line feed; the longest such text of this seed that is not longer
// than `bytes`. A shorter text is a prefix of a longer one of the same seed, on every machine.
std::string english_text(uint64_t seed, int64_t bytes);

}  // namespace farstate
