// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-pair encoding of one word: its bytes are tokens, and of the neighbours that may be merged the
// pair that was learned first is, the leftmost of equals, until none is left (Sennrich et al. 2016,
// arXiv:1508.07909).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace farstate {

struct Merge {
  int32_t left = 0;
  int32_t right = 0;
  int32_t merged = 0;
};

class BytePairMerges {
 public:
  // byte_ids: the token of each byte, -1 where there is none. Merges in the order they were learned.
  BytePairMerges(const std::array<int32_t, 256>& byte_ids, const std::vector<Merge>& merges);

  // Words that are taken as they are, whatever their merges.
  void set_whole_words(std::unordered_map<std::string, int32_t> words);

  // One thread's memory of words that it has seen, and room to work in.
  class Memory {
   public:
    Memory();

   private:
    friend class BytePairMerges;
    struct Slot {
      uint64_t hash = 0;  // 0: free
      uint32_t word = 0, ids = 0;
      uint16_t word_length = 0, ids_count = 0;
    };
    void clear();

    std::vector<Slot> slots_;
    size_t used_ = 0;
    std::string words_;
    std::vector<int32_t> ids_;
    // A word's tokens while it is merged. Of a long word they are chained: next and previous.
    struct Symbol {
      int32_t id = 0, previous = -1, next = -1;
    };
    struct Candidate {
      uint32_t rank = 0;
      int32_t at = 0;
      int32_t left = 0, right = 0, merged = 0;
    };
    std::vector<Symbol> symbols_;
    std::vector<uint64_t> pairs_;
    std::vector<Candidate> queue_;
  };

  // Appends the word's tokens.
  void encode(std::string_view word, Memory& memory, std::vector<int32_t>& ids) const;

 private:
  struct Entry {
    uint64_t pair = 0;
    uint32_t rank = kNoRank;
    int32_t merged = -1;
  };
  static constexpr uint32_t kNoRank = UINT32_MAX;

  void merge(std::string_view word, Memory& memory, std::vector<int32_t>& ids) const;
  void merge_short(std::string_view word, Memory& memory, std::vector<int32_t>& ids) const;
  void merge_long(std::string_view word, Memory& memory, std::vector<int32_t>& ids) const;
  const Entry& find(int32_t left, int32_t right) const;
  Entry& slot_of(uint64_t pair);

  std::array<int32_t, 256> byte_ids_;
  std::vector<Entry> table_;
  std::unordered_map<std::string, int32_t> whole_words_;
};

}  // namespace farstate
