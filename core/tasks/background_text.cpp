// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/background_text.h"

#include <algorithm>
#include <cctype>

#include "core/tasks/token_count.h"

namespace farstate {
namespace {

enum Slot { kPerson, kDid, kWhere, kWhen, kHow, kSound, kWent, kSaid, kAnd, kWhile, kSlots };

// By slot. Any phrase of a slot goes with any of another.
const std::vector<const char*> kPhrases[kSlots] = {
    {"the miller", "the ferryman", "an old sailor", "the captain", "the blacksmith",
     "a young painter", "the doctor", "the watchmaker", "a merchant", "the judge", "the widow",
     "the innkeeper", "a stranger", "the postman", "the lighthouse keeper", "the bookseller",
     "a wandering musician", "the mayor", "the carpenter", "the weaver", "the baker",
     "an old soldier", "the notary", "a fisherman"},
    {"mended the nets", "counted the coins", "watched the river", "read an old letter",
     "waited for the ferry", "told a long story", "wrote down the weather",
     "sold a few ripe plums", "polished the brass bell", "spoke of the war", "lit a small fire",
     "repaired the clock", "sang an old song", "drew a map of the coast", "asked for the news",
     "bought a loaf of bread", "sharpened the knives", "played the flute",
     "copied a page of the ledger", "argued about the price of corn",
     "remembered a summer long ago", "folded the sails", "painted the fence", "swept the steps",
     "closed the heavy shutters", "studied the stars", "listened to the waves",
     "laughed at an old joke"},
    {"by the harbour", "near the mill", "under the stone bridge", "in the market square",
     "beside the canal", "at the edge of the forest", "in front of the town hall",
     "on the deck of the ship", "behind the church", "at the foot of the hill",
     "along the sea wall", "in the shade of the oak", "next to the old well", "outside the inn",
     "at the corner of the street", "on the road to the coast", "below the castle",
     "in the narrow lane"},
    {"before sunrise", "after the rain", "on a cold morning", "late in the autumn",
     "at the end of the week", "some days later", "long after midnight",
     "in the first days of spring", "that same evening", "once the tide had turned",
     "for the rest of the day", "during the long winter", "as the lamps were lit",
     "when the fair was over", "year after year", "on the day of the wedding"},
    {"without a word", "with great care", "as slowly as ever", "in a low voice",
     "with a heavy heart", "for a few pennies", "as if in a dream", "to the surprise of everybody",
     "with trembling hands", "as the custom was", "in good spirits", "against all advice",
     "to pass the time", "with a smile"},
    {"the wind", "the rain", "the noise of the mill", "the sound of the bells",
     "the murmur of the river", "the music", "the storm", "the thunder", "the song of the sailors",
     "the hum of the crowd", "the rattle of the carts", "the cry of the gulls"},
    {"grew louder", "died away", "could be heard for miles", "kept the children awake",
     "rose and fell", "lasted until dusk", "drowned every other sound",
     "was carried over the roofs", "seemed to come from far away", "began again",
     "was gone at last", "filled the streets"},
    {"it was said in the town that"},
    {"and"},
    {"while"},
};

struct Piece {
  Slot slot;
  bool comma = false;  // after it
};

const std::vector<Piece> kPatterns[] = {
    {{kPerson}, {kDid}, {kWhere}},
    {{kWhen, true}, {kPerson}, {kDid}},
    {{kPerson}, {kDid}, {kHow}},
    {{kPerson}, {kDid}, {kWhere}, {kHow}},
    {{kSound}, {kWent}},
    {{kWhen, true}, {kSound}, {kWent}},
    {{kSaid}, {kPerson}, {kDid}, {kHow}},
    {{kPerson}, {kAnd}, {kPerson}, {kDid}, {kWhere}},
    {{kPerson}, {kDid, true}, {kAnd}, {kSound}, {kWent}},
    {{kWhen, true}, {kWhile}, {kSound}, {kWent, true}, {kPerson}, {kDid}},
};

}  // namespace

BackgroundText::BackgroundText(const Tokenizer* tokenizer) {
  // Behind a word: some tokenizers put a space before a text.
  const std::string word = "so";
  const auto tokens = [&](const std::string& text) -> int64_t {
    if (tokenizer == nullptr) return 0;
    return count_tokens(*tokenizer, word + text) - count_tokens(*tokenizer, word);
  };
  for (const auto& slot : kPhrases) {
    std::vector<Phrase>& phrases = phrases_.emplace_back();
    for (const char* text : slot) {
      Phrase& phrase = phrases.emplace_back();
      phrase.text = phrase.capitalised = text;
      phrase.capitalised[0] = static_cast<char>(std::toupper(phrase.text[0]));
      phrase.tokens = tokens(" " + phrase.text);
      phrase.capitalised_tokens = tokens(" " + phrase.capitalised);
    }
  }
  comma_tokens_ = tokens(",");
  full_stop_tokens_ = tokens(".");
}

template <typename Choose>
BackgroundText::Sentence BackgroundText::write(size_t pattern, const Choose& choose) const {
  Sentence sentence;
  const Phrase* last_of_slot[kSlots] = {};
  for (const Piece& piece : kPatterns[pattern]) {
    const std::vector<Phrase>& phrases = phrases_[piece.slot];
    const Phrase* phrase = &phrases[static_cast<size_t>(choose(phrases.size()))];
    // Nobody does a thing together with himself.
    if (phrase == last_of_slot[piece.slot]) {
      phrase = phrase == &phrases.back() ? &phrases.front() : phrase + 1;
    }
    last_of_slot[piece.slot] = phrase;
    const bool first = sentence.text.empty();
    if (!first) sentence.text += ' ';
    sentence.text += first ? phrase->capitalised : phrase->text;
    sentence.tokens += first ? phrase->capitalised_tokens : phrase->tokens;
    if (piece.comma) {
      sentence.text += ',';
      sentence.tokens += comma_tokens_;
    }
  }
  sentence.text += '.';
  sentence.tokens += full_stop_tokens_;
  return sentence;
}

BackgroundText::Sentence BackgroundText::draw(Rng& numbers) const {
  const auto pattern = static_cast<size_t>(numbers.below(std::ssize(kPatterns)));
  return write(pattern,
               [&](size_t choices) { return numbers.below(static_cast<int64_t>(choices)); });
}

std::string BackgroundText::every_word() const {
  size_t most = 0;
  for (const auto& phrases : phrases_) most = std::max(most, phrases.size());
  std::string text;
  for (size_t pattern = 0; pattern < std::size(kPatterns); ++pattern) {
    for (size_t i = 0; i < most; ++i) {
      const std::string sentence =
          write(pattern, [&](size_t choices) { return i % choices; }).text;
      text += sentence + ' ' + sentence + '\n';  // after a line feed and after a space
    }
  }
  return text;
}

}  // namespace farstate
