// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/bpe_tokenizer.h"

#include <utf8proc.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/tokenizer/added_tokens.h"
#include "core/tokenizer/byte_pair_merges.h"
#include "core/tokenizer/composition.h"
#include "core/tokenizer/split_pattern.h"
#include "core/tokenizer/tokenizer_json.h"

namespace farstate {
namespace {

// Raised when the same file would give other ids than before: what was kept is then made anew.
constexpr uint64_t kEncodingVersion = 1;

// Of which characters it is proven that no word holds one of them with white space after it.
enum class WordEnds { kUnknown, kLettersAndNumbers, kAllButWhiteSpace };

constexpr std::array<const char*, 2> kPatternsThatEndWordsAfterLetters = {
    // Llama 3
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
    // Qwen 2
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"};

WordEnds word_ends_of(const std::vector<std::string>& patterns) {
  if (patterns.size() != 1) return WordEnds::kUnknown;
  if (patterns.front() == kGpt2Pattern) return WordEnds::kAllButWhiteSpace;
  const bool known = std::find(kPatternsThatEndWordsAfterLetters.begin(),
                               kPatternsThatEndWordsAfterLetters.end(),
                               patterns.front()) != kPatternsThatEndWordsAfterLetters.end();
  return known ? WordEnds::kLettersAndNumbers : WordEnds::kUnknown;
}

bool ends_words(WordEnds ends, uint32_t c) {
  if (ends == WordEnds::kUnknown || is_white_space(c)) return false;
  if (ends == WordEnds::kAllButWhiteSpace) return true;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return stays_composed(c);  // so it is still the last one after composition
    default:
      return false;
  }
}

// The character that ends at `end` > 0; U+FFFD if none does.
uint32_t character_before(std::string_view text, size_t end) {
  for (size_t length = 1; length <= std::min<size_t>(4, end); ++length) {
    if ((static_cast<unsigned char>(text[end - length]) & 0xC0) == 0x80) continue;
    const Utf8Unit unit = next_utf8(text.substr(0, end), end - length);
    return unit.valid && unit.length == length ? unit.code_point : 0xFFFD;
  }
  return 0xFFFD;
}

class BpeTokenizer : public Tokenizer {
 public:
  BpeTokenizer(std::string path, uint64_t fingerprint, TokenizerJson json)
      : name_(std::move(path)),
        fingerprint_(fingerprint),
        compose_(json.compose),
        prefix_space_(json.prefix_space),
        word_ends_(word_ends_of(json.patterns)),
        raw_added_(added(json, false)),
        normalized_added_(added(json, true)),
        merges_(json.byte_ids, json.merges),
        bytes_(std::move(json.bytes)) {
    for (const std::string& pattern : json.patterns) patterns_.emplace_back(pattern, name_);
    if (json.ignore_merges) merges_.set_whole_words(std::move(json.words));
    find_cut_characters(json.added);
  }

  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return static_cast<int64_t>(bytes_.size()); }
  uint64_t fingerprint() const override { return fingerprint_; }
  std::string_view bytes(int64_t id) const override {
    if (id < 0 || id >= vocabulary()) return {};
    return bytes_[static_cast<size_t>(id)];
  }

  void encode(std::string_view text, std::vector<int32_t>& ids) const override {
    std::unique_ptr<Worker> worker = take_worker();
    encode_text(text, *worker, ids);
    give_back(std::move(worker));
  }

  // A cut lies before a space or a line feed that follows a character which ends words. Then
  // - no word crosses it, and a word begins there: the patterns have no word with white space after
  //   such a character, each place of a text is in some word, and nothing looks behind;
  // - the one thing that looks ahead, \s+(?!\S), stands in white space, and sees a character before
  //   the cut or nothing of it;
  // - composition does not reach over it: neither character joins another;
  // - no added token crosses it, and none beside it changes (find_cut_characters());
  // - no character is cut, since a whole one ends there;
  // - a space that would be put before a text that begins without one is not: there is one.
  size_t last_cut(std::string_view text) const override {
    for (size_t at = text.size(); at-- > 1;) {
      const char c = text[at];
      if (!((c == ' ' && cut_at_space_) || (c == '\n' && cut_at_line_feed_))) continue;
      if (ends_words(word_ends_, character_before(text, at))) return at;
    }
    return 0;
  }

 private:
  // What one thread needs to encode; reused, so that encoding allocates nothing once it is warm.
  struct Worker {
    explicit Worker(const std::vector<SplitPattern>& patterns)
        : searchers(patterns.begin(), patterns.end()) {}
    std::vector<SplitPattern::Searcher> searchers;
    BytePairMerges::Memory memory;
    std::string valid, composed, prefixed;
    std::vector<TextPart> raw_parts, parts;
    int64_t words = 0;
  };

  static std::vector<AddedToken> added(const TokenizerJson& json, bool normalized) {
    std::vector<AddedToken> chosen;
    for (AddedToken token : json.added) {
      if (token.normalized != normalized) continue;
      std::string buffer;
      if (normalized && json.compose) token.content = std::string(compose(token.content, buffer));
      chosen.push_back(std::move(token));
    }
    return chosen;
  }

  // Which of the two characters an added token leaves to be cut at: none may hold it with the end
  // of a word before it, or begin with it and ask what stands before, or take it from behind.
  void find_cut_characters(const std::vector<AddedToken>& tokens) {
    cut_at_space_ = word_ends_ != WordEnds::kUnknown;
    cut_at_line_feed_ = cut_at_space_ && !prefix_space_;
    for (const AddedToken& token : tokens) {
      std::string buffer;
      for (const std::string_view content : {std::string_view(token.content), compose(token.content, buffer)}) {
        for (size_t at = 0; at <= content.size(); ++at) {
          const bool at_end = at == content.size();
          if (at == 0 ? !token.single_word : !ends_words(word_ends_, character_before(content, at))) continue;
          if (at_end && !token.rstrip) continue;
          if (at_end || content[at] == ' ') cut_at_space_ = false;
          if (at_end || content[at] == '\n') cut_at_line_feed_ = false;
        }
      }
    }
  }

  std::unique_ptr<Worker> take_worker() const {
    const std::lock_guard lock(mutex_);
    if (workers_.empty()) return std::make_unique<Worker>(patterns_);
    std::unique_ptr<Worker> worker = std::move(workers_.back());
    workers_.pop_back();
    return worker;
  }
  void give_back(std::unique_ptr<Worker> worker) const {
    const std::lock_guard lock(mutex_);
    workers_.push_back(std::move(worker));
  }

  void encode_text(std::string_view text, Worker& worker, std::vector<int32_t>& ids) const {
    if (count_invalid_utf8(text) > 0) {
      worker.valid.clear();
      append_valid_utf8(text, worker.valid);
      text = worker.valid;
    }
    worker.raw_parts.clear();
    raw_added_.split(text, worker.raw_parts);
    for (const TextPart& part : worker.raw_parts) {
      if (part.id >= 0) {
        ids.push_back(part.id);
      } else {
        encode_normalized(text.substr(part.begin, part.end - part.begin), worker, ids);
      }
    }
  }

  void encode_normalized(std::string_view text, Worker& worker, std::vector<int32_t>& ids) const {
    if (compose_) text = compose(text, worker.composed);
    worker.parts.clear();
    normalized_added_.split(text, worker.parts);
    for (const TextPart& part : worker.parts) {
      if (part.id >= 0) {
        ids.push_back(part.id);
        continue;
      }
      std::string_view words = text.substr(part.begin, part.end - part.begin);
      if (prefix_space_ && words.front() != ' ') {
        worker.prefixed.assign(1, ' ');
        worker.prefixed += words;
        words = worker.prefixed;
      }
      encode_words(words, 0, worker, ids);
    }
  }

  // Cuts the text by the patterns from `level` on; each cuts at both ends of its matches.
  void encode_words(std::string_view text, size_t level, Worker& worker,
                    std::vector<int32_t>& ids) const {
    constexpr int64_t kStopCheck = 4096;
    if (level == worker.searchers.size()) {
      if (++worker.words % kStopCheck == 0) throw_if_stopped();
      return merges_.encode(text, worker.memory, ids);
    }
    size_t done = 0;
    const auto cut = [&](size_t end) {
      if (end > done) encode_words(text.substr(done, end - done), level + 1, worker, ids);
      done = end;
    };
    size_t begin, end;
    for (size_t at = 0; at < text.size() && worker.searchers[level].find(text, at, begin, end);) {
      cut(begin);
      cut(end);
      at = end;
      if (begin == end && end < text.size()) at += next_utf8(text, end).length;
      if (begin == end && end == text.size()) break;
    }
    cut(text.size());
  }

  const std::string name_;
  const uint64_t fingerprint_;
  const bool compose_;
  const bool prefix_space_;
  const WordEnds word_ends_;
  bool cut_at_space_ = false;
  bool cut_at_line_feed_ = false;
  const AddedTokens raw_added_;
  const AddedTokens normalized_added_;
  BytePairMerges merges_;
  std::vector<SplitPattern> patterns_;
  const std::vector<std::string> bytes_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Worker>> workers_;  // that nobody uses now
};

}  // namespace

std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path) {
  std::error_code ignored;
  std::string file = path;
  if (std::filesystem::is_directory(path, ignored)) {
    file = (std::filesystem::path(path) / kTokenizerFile).string();
    if (!std::filesystem::exists(file, ignored)) {
      throw Error(ErrorKind::kBadInput,
                  path + " holds no tokenizer.json, the only form of tokenizer that this version reads.");
    }
  }
  return parse_tokenizer(read_file(file), file);
}

std::shared_ptr<const Tokenizer> parse_tokenizer(const std::string& content,
                                                 const std::string& name) {
  const uint64_t fingerprint =
      XXH3_64bits_withSeed(content.data(), content.size(), kEncodingVersion);
  return std::make_shared<BpeTokenizer>(name, fingerprint, parse_tokenizer_json(content, name));
}

}  // namespace farstate
