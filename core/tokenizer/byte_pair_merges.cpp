// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_pair_merges.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

constexpr size_t kSlots = size_t{1} << 16;
constexpr size_t kMostRemembered = 64;  // bytes; longer words hardly come twice
constexpr size_t kMostAtOnce = 64;      // bytes up to which looking at every pair beats a queue

uint64_t pair_of(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

size_t spread(uint64_t pair, size_t mask) {
  const uint64_t mixed = pair * 0x9E3779B97F4A7C15;
  return static_cast<size_t>(mixed ^ mixed >> 32) & mask;
}

}  // namespace

BytePairMerges::Memory::Memory() : slots_(kSlots) {}

void BytePairMerges::Memory::clear() {
  std::fill(slots_.begin(), slots_.end(), Slot{});
  used_ = 0;
  words_.clear();
  ids_.clear();
}

BytePairMerges::BytePairMerges(const std::array<int32_t, 256>& byte_ids,
                               const std::vector<Merge>& merges)
    : byte_ids_(byte_ids), table_(std::bit_ceil(merges.size() * 2 + 2)) {
  uint32_t rank = 0;
  for (const Merge& merge : merges) {  // of a pair that comes twice the later counts
    Entry& entry = slot_of(pair_of(merge.left, merge.right));
    entry = {pair_of(merge.left, merge.right), rank++, merge.merged};
  }
}

void BytePairMerges::set_whole_words(std::unordered_map<std::string, int32_t> words) {
  whole_words_ = std::move(words);
}

BytePairMerges::Entry& BytePairMerges::slot_of(uint64_t pair) {
  const size_t mask = table_.size() - 1;
  size_t at = spread(pair, mask);
  while (table_[at].rank != kNoRank && table_[at].pair != pair) at = (at + 1) & mask;
  return table_[at];
}

// The pair's entry, or a free one, whose rank is kNoRank.
const BytePairMerges::Entry& BytePairMerges::find(int32_t left, int32_t right) const {
  return const_cast<BytePairMerges*>(this)->slot_of(pair_of(left, right));
}

void BytePairMerges::encode(std::string_view word, Memory& memory,
                            std::vector<int32_t>& ids) const {
  if (word.size() > kMostRemembered) return merge(word, memory, ids);
  const uint64_t hash = XXH3_64bits(word.data(), word.size()) | 1;
  size_t at = (hash >> 8) & (kSlots - 1);
  for (; memory.slots_[at].hash != 0; at = (at + 1) & (kSlots - 1)) {
    const Memory::Slot& slot = memory.slots_[at];
    if (slot.hash != hash || std::string_view(memory.words_).substr(slot.word, slot.word_length) != word) {
      continue;
    }
    const auto begin = memory.ids_.begin() + slot.ids;
    ids.insert(ids.end(), begin, begin + slot.ids_count);
    return;
  }
  const size_t before = ids.size();
  merge(word, memory, ids);
  if (memory.used_ == kSlots / 2) {
    memory.clear();
    at = (hash >> 8) & (kSlots - 1);
  }
  memory.slots_[at] = {hash, static_cast<uint32_t>(memory.words_.size()),
                       static_cast<uint32_t>(memory.ids_.size()),
                       static_cast<uint16_t>(word.size()),
                       static_cast<uint16_t>(ids.size() - before)};
  ++memory.used_;
  memory.words_ += word;
  memory.ids_.insert(memory.ids_.end(), ids.begin() + static_cast<std::ptrdiff_t>(before), ids.end());
}

void BytePairMerges::merge(std::string_view word, Memory& memory, std::vector<int32_t>& ids) const {
  if (!whole_words_.empty()) {
    const auto found = whole_words_.find(std::string(word));
    if (found != whole_words_.end()) return ids.push_back(found->second);
  }
  if (word.size() <= kMostAtOnce) {
    merge_short(word, memory, ids);
  } else {
    merge_long(word, memory, ids);
  }
}

void BytePairMerges::merge_short(std::string_view word, Memory& memory,
                                 std::vector<int32_t>& ids) const {
  // The word's tokens stand at the end of ids, and rank_of(i) belongs to tokens i and i + 1.
  const size_t first = ids.size();
  for (const char c : word) ids.push_back(byte_ids_[static_cast<unsigned char>(c)]);
  std::vector<uint64_t>& pairs = memory.pairs_;  // rank above, merged token below
  const auto look_up = [&](size_t i) {
    const Entry& entry = find(ids[first + i], ids[first + i + 1]);
    return static_cast<uint64_t>(entry.rank) << 32 | static_cast<uint32_t>(entry.merged);
  };
  pairs.clear();
  for (size_t i = 0; first + i + 1 < ids.size(); ++i) pairs.push_back(look_up(i));
  while (!pairs.empty()) {
    const auto best = std::min_element(pairs.begin(), pairs.end(), [](uint64_t a, uint64_t b) {
      return a >> 32 < b >> 32;
    });
    if (*best >> 32 == kNoRank) return;
    const auto i = static_cast<size_t>(best - pairs.begin());
    ids[first + i] = static_cast<int32_t>(*best & UINT32_MAX);
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(first + i + 1));
    pairs.erase(best);
    if (i < pairs.size()) pairs[i] = look_up(i);
    if (i > 0) pairs[i - 1] = look_up(i - 1);
  }
}

void BytePairMerges::merge_long(std::string_view word, Memory& memory,
                                std::vector<int32_t>& ids) const {
  if (word.size() > INT32_MAX) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("The text has a word of {} bytes; it is no text to tokenise.", word.size()));
  }
  std::vector<Memory::Symbol>& symbols = memory.symbols_;
  std::vector<Memory::Candidate>& queue = memory.queue_;
  symbols.clear();
  queue.clear();
  const auto later = [](const Memory::Candidate& a, const Memory::Candidate& b) {
    return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
  };
  const auto consider = [&](int32_t at) {
    const Memory::Symbol& symbol = symbols[static_cast<size_t>(at)];
    if (symbol.next < 0) return;
    const int32_t right = symbols[static_cast<size_t>(symbol.next)].id;
    const Entry& entry = find(symbol.id, right);
    if (entry.rank == kNoRank) return;
    queue.push_back({entry.rank, at, symbol.id, right, entry.merged});
    std::push_heap(queue.begin(), queue.end(), later);
  };
  const auto count = static_cast<int32_t>(word.size());
  for (int32_t i = 0; i < count; ++i) {
    const auto byte = static_cast<unsigned char>(word[static_cast<size_t>(i)]);
    symbols.push_back({byte_ids_[byte], i - 1, i + 1 < count ? i + 1 : -1});
  }
  for (int32_t i = 0; i < count; ++i) consider(i);
  for (int64_t done = 1; !queue.empty(); ++done) {
    if (done % 8192 == 0) throw_if_stopped();
    std::pop_heap(queue.begin(), queue.end(), later);
    const Memory::Candidate best = queue.back();
    queue.pop_back();
    Memory::Symbol& left = symbols[static_cast<size_t>(best.at)];
    if (left.id != best.left || left.next < 0) continue;  // merged meanwhile
    Memory::Symbol& right = symbols[static_cast<size_t>(left.next)];
    if (right.id != best.right) continue;
    left.id = best.merged;
    right.id = -1;
    left.next = right.next;
    if (left.next >= 0) symbols[static_cast<size_t>(left.next)].previous = best.at;
    if (left.previous >= 0) consider(left.previous);
    consider(best.at);
  }
  for (int32_t i = 0; i >= 0; i = symbols[static_cast<size_t>(i)].next) {
    ids.push_back(symbols[static_cast<size_t>(i)].id);
  }
}

}  // namespace farstate
