// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/facts_text.h"

#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/base/rng.h"

namespace farstate {
namespace {

constexpr std::string_view kOpening = "Room";
constexpr double kNewThing = 0.45;  // chance that a pair brings one
constexpr double kEnd = 0.25;  // chance that a line that may end does, at every pair

constexpr std::array<std::string_view, 32> kThings = {
    "anchor",  "barrel", "basket", "blanket", "bottle", "candle", "carpet",  "chair",
    "clock",   "compass", "curtain", "drawer", "fiddle", "hammer", "jacket",  "kettle",
    "ladder",  "lantern", "mirror", "oven",   "paddle", "pillow", "quilt",   "rocket",
    "saddle",  "sail",   "spoon",  "table",   "teapot", "umbrella", "wagon", "whistle"};

constexpr std::array<std::string_view, 64> kLooks = {
    "amber",   "ancient", "black",  "blue",   "borrowed", "bright",  "broken",    "bronze",
    "brown",   "carved",  "clean",  "cold",   "copper",   "cracked", "crimson",   "dark",
    "dusty",   "forgotten", "golden", "green", "grey",    "hard",    "heavy",     "hidden",
    "huge",    "indigo",  "ivory",  "light",  "lost",     "maroon",  "mended",    "modern",
    "muddy",   "narrow",  "new",    "old",    "orange",   "painted", "pale",      "pink",
    "plain",   "polished", "purple", "red",   "rough",    "round",   "scarlet",   "shiny",
    "silver",  "smooth",  "soft",   "spotted", "square",  "striped", "teal",      "tiny",
    "turquoise", "violet", "warm",  "white",  "wide",     "wooden",  "woollen",   "yellow"};

void append_word(std::string& text, std::string_view word) { text.append(1, ' ').append(word); }

void append_room(Rng& rng, GeneratedText& out) {
  std::array<size_t, kThings.size()> things;  // the first `named` of them were named
  std::iota(things.begin(), things.end(), size_t{0});
  size_t named = 0;
  std::array<size_t, kThings.size()> look;
  std::array<int64_t, kThings.size()> said_at;
  const auto place = [&out] { return static_cast<int64_t>(out.text.size()); };
  out.text.append(kOpening);
  for (int64_t pairs = 0; pairs < kMostPairs; ++pairs) {
    if (pairs >= kFewestPairs && rng.uniform() < kEnd) break;
    const bool is_new = named == 0 || (named < things.size() && rng.uniform() < kNewThing);
    size_t thing;
    if (is_new) {
      const auto left = static_cast<int64_t>(things.size() - named);
      std::swap(things[named], things[named + static_cast<size_t>(rng.below(left))]);
      thing = things[named++];
      look[thing] = static_cast<size_t>(rng.below(kLooks.size()));
    } else {
      const auto any = [&] {
        return things[static_cast<size_t>(rng.below(static_cast<int64_t>(named)))];
      };
      const size_t one = any();
      const size_t other = any();
      thing = said_at[one] < said_at[other] ? one : other;
    }
    const int64_t pair = place();
    append_word(out.text, kThings[thing]);
    const int64_t begin = place();
    append_word(out.text, kLooks[look[thing]]);
    if (!is_new) out.known.push_back({begin, place(), said_at[thing]});
    said_at[thing] = pair;
  }
  out.text.push_back('\n');
}

}  // namespace

GeneratedText facts_text(uint64_t seed, int64_t bytes) {
  Rng rng(seed, RngStream::kDemoText);
  GeneratedText out;
  if (bytes <= 0) return out;
  const auto wanted = static_cast<size_t>(bytes);
  out.text.push_back('\n');
  while (true) {
    const size_t before = out.text.size();
    const size_t known_before = out.known.size();
    append_room(rng, out);
    if (out.text.size() > wanted) {
      out.text.resize(before);
      out.known.resize(known_before);
      return out;
    }
  }
}

}  // namespace farstate
