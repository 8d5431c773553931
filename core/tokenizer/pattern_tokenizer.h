// SPDX-License-Identifier: GPL-3.0-or-later
// What the tokenizers of a tokenizer.json have in common: how a text becomes pieces. In order: added
// tokens are found in the text, what lies between them is composed (normal form C), further added
// tokens are found in that, and the rest is cut into pieces by patterns. Which tokens a piece
// becomes is the model's own matter.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/tokenizer/added_tokens.h"
#include "core/tokenizer/split_pattern.h"
#include "core/tokenizer/tokenizer.h"
#include "core/tokenizer/tokenizer_json.h"

namespace farstate {

class PatternTokenizer : public Tokenizer {
 public:
  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return static_cast<int64_t>(bytes_.size()); }
  uint64_t fingerprint() const override { return fingerprint_; }
  std::string_view bytes(int64_t id) const override;
  void encode(std::string_view text, std::vector<int32_t>& ids) const override;
  // A place before a space or a line feed that follows the end of a piece.
  size_t last_cut(std::string_view text) const override;

 protected:
  // What one thread needs to encode pieces; reused, so that encoding allocates nothing once it is
  // warm.
  struct Memory {
    virtual ~Memory() = default;
  };

  PatternTokenizer(std::string path, uint64_t fingerprint, const TokenizerJson& json);

  // Whether the text is cut as it stands: nothing is composed, and no tokens are added to it.
  bool cuts_only() const { return !compose_ && raw_added_.empty() && normalized_added_.empty(); }

 private:
  // Of which characters it is proven that no piece holds one of them with white space after it.
  enum class PieceEnds { kUnknown, kLettersAndNumbers, kAllButWhiteSpace };

  struct Worker {
    Worker(const std::vector<SplitPattern>& patterns, std::unique_ptr<Memory> memory);
    std::vector<SplitPattern::Searcher> searchers;
    std::unique_ptr<Memory> memory;
    std::string valid, composed, prefixed;
    std::vector<TextPart> raw_parts, parts;
    int64_t pieces = 0;
  };

  virtual std::unique_ptr<Memory> new_memory() const { return std::make_unique<Memory>(); }
  // Appends the piece's tokens.
  virtual void encode_piece(std::string_view piece, Memory& memory,
                            std::vector<int32_t>& ids) const = 0;

  static PieceEnds piece_ends_of(const std::vector<std::string>& patterns);
  static std::vector<AddedToken> added(const TokenizerJson& json, bool normalized);
  bool ends_piece(uint32_t character) const;
  void find_cut_characters(const std::vector<AddedToken>& tokens);
  std::unique_ptr<Worker> take_worker() const;
  void give_back(std::unique_ptr<Worker> worker) const;
  void encode_text(std::string_view text, Worker& worker, std::vector<int32_t>& ids) const;
  void encode_normalized(std::string_view text, Worker& worker, std::vector<int32_t>& ids) const;
  void encode_pieces(std::string_view text, size_t level, Worker& worker,
                     std::vector<int32_t>& ids) const;

  const std::string name_;
  const uint64_t fingerprint_;
  const bool compose_;
  const bool prefix_space_;
  const PieceEnds piece_ends_;
  bool cut_at_space_ = false;
  bool cut_at_line_feed_ = false;
  const AddedTokens raw_added_;
  const AddedTokens normalized_added_;
  std::vector<SplitPattern> patterns_;
  const std::vector<std::string> bytes_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> workers_;  // that nobody uses now
};

}  // namespace farstate
