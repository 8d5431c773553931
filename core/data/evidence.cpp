// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/evidence.h"

#include <algorithm>

namespace farstate {
namespace {

// Where each token begins in the text, and the text's end.
std::vector<int64_t> places_of(const TokenSource& tokens, const Tokenizer& tokenizer) {
  constexpr int64_t kBlock = int64_t{1} << 16;
  std::vector<int64_t> places;
  places.reserve(static_cast<size_t>(tokens.size()) + 1);
  places.push_back(0);
  std::vector<int64_t> block;
  for (int64_t begin = 0; begin < tokens.size(); begin += kBlock) {
    block.resize(static_cast<size_t>(std::min(kBlock, tokens.size() - begin)));
    tokens.read(begin, block);
    for (const int64_t id : block) {
      places.push_back(places.back() + static_cast<int64_t>(tokenizer.bytes(id).size()));
    }
  }
  return places;
}

}  // namespace

std::shared_ptr<const std::vector<int32_t>> evidence_of(const GeneratedText& text,
                                                        const TokenSource& tokens,
                                                        const Tokenizer& tokenizer) {
  if (text.known.empty()) return nullptr;
  const std::vector<int64_t> places = places_of(tokens, tokenizer);
  if (places.back() != static_cast<int64_t>(text.text.size())) return nullptr;
  auto evidence = std::make_shared<std::vector<int32_t>>(static_cast<size_t>(tokens.size()), 0);
  auto first = places.begin();
  for (const KnownWord& word : text.known) {
    first = std::lower_bound(first, places.end(), word.begin);
    const auto source = std::prev(std::upper_bound(places.begin(), first, word.evidence));
    for (auto token = first; *token < word.end; ++token) {
      (*evidence)[static_cast<size_t>(token - places.begin())] =
          static_cast<int32_t>(token - source);
    }
  }
  return evidence;
}

}  // namespace farstate
