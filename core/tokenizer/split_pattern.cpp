// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/split_pattern.h"

#include <fmt/format.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/error.h"

namespace farstate {
namespace {

// Letters and numbers that came to Unicode after version 14, which Debian 12's PCRE2 knows, up to
// version 16, which the reference knows. With a newer PCRE2 they say what it knows already.
constexpr const char* kNewLetters =
    R"(\x{1C89}-\x{1C8A}\x{A7CB}-\x{A7CD}\x{A7DA}-\x{A7DC}\x{105C0}-\x{105F3}\x{10D4A}-\x{10D65})"
    R"(\x{10D6F}-\x{10D85}\x{10EC2}-\x{10EC4}\x{1123F}-\x{11240}\x{11380}-\x{11389}\x{1138B}\x{1138E})"
    R"(\x{11390}-\x{113B5}\x{113B7}\x{113D1}\x{113D3}\x{11BC0}-\x{11BE0}\x{11F02}\x{11F04}-\x{11F10})"
    R"(\x{11F12}-\x{11F33}\x{1342F}\x{13441}-\x{13446}\x{13460}-\x{143FA}\x{16100}-\x{1611D})"
    R"(\x{16D40}-\x{16D6C}\x{18CFF}\x{1B132}\x{1B155}\x{1DF25}-\x{1DF2A}\x{1E030}-\x{1E06D})"
    R"(\x{1E4D0}-\x{1E4EB}\x{1E5D0}-\x{1E5ED}\x{1E5F0}\x{2B739}\x{2EBF0}-\x{2EE5D}\x{31350}-\x{323AF})";
constexpr const char* kNewNumbers =
    R"(\x{10D40}-\x{10D49}\x{116D0}-\x{116E3}\x{11BF0}-\x{11BF9}\x{11F50}-\x{11F59}\x{16130}-\x{16139})"
    R"(\x{16D70}-\x{16D79}\x{1CCF0}-\x{1CCF9}\x{1D2C0}-\x{1D2D3}\x{1E4F0}-\x{1E4F9}\x{1E5F1}-\x{1E5FA})";

// Rewrites a pattern of Oniguruma's for PCRE2. The two agree on most of the syntax and on what a
// pattern matches; where they don't, the construct is spelled out or refused:
// - \s is White_Space; PCRE2's would have U+180E too. \v is U+000B; PCRE2's is a class.
// - \p{L} and \p{N} as above.
// - \w, \b, \h, [[:…:]], nested and intersected classes, {n,m}+ and {,n} mean other things.
class Translation {
 public:
  Translation(const std::string& pattern, const std::string& where)
      : in_(pattern), where_(where) {}

  std::string run() {
    while (at_ < in_.size()) {
      const char c = in_[at_];
      if (c == '\\') {
        escape();
      } else if (in_class_) {
        class_character(c);
      } else {
        character(c);
      }
    }
    return out_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: its pattern has {} at offset {}, which this version can't read "
                            "exactly as it is meant.",
                            where_, what, at_));
  }
  char next(size_t ahead = 1) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
  void take(size_t count) {
    out_.append(in_, at_, count);
    at_ += count;
  }
  void put(const std::string& text, size_t taken) {
    out_ += text;
    at_ += taken;
  }

  void character(char c) {
    if (c == '[') {
      in_class_ = true;
      take(next() == '^' ? 2 : 1);
      if (at_ < in_.size() && in_[at_] == ']') refuse("a class that begins with ]");
    } else if (c == '(' && next() == '?') {
      group();
    } else if (c == '{') {
      interval();
    } else if (c == '^' || c == '$') {
      refuse(fmt::format("the anchor {}", c));
    } else {
      take(1);
    }
  }

  void class_character(char c) {
    if (c == '[') refuse("a class within a class");
    if (c == '&' && next() == '&') refuse("an intersection of classes");
    if (c == ']') in_class_ = false;
    take(1);
  }

  void group() {
    static constexpr std::array<const char*, 7> kKnown = {"(?:", "(?=", "(?!", "(?>", "(?i:", "(?i)",
                                                          "(?-i:"};
    for (const char* known : kKnown) {
      if (in_.compare(at_, std::strlen(known), known) == 0) return take(std::strlen(known));
    }
    refuse(fmt::format("the group {}", in_.substr(at_, 4)));
  }

  void interval() {
    const size_t end = in_.find('}', at_);
    const bool counts = end != std::string::npos && end > at_ + 1 &&
                        std::all_of(in_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                    in_.begin() + static_cast<std::ptrdiff_t>(end),
                                    [](char c) { return (c >= '0' && c <= '9') || c == ','; });
    if (!counts || next() == ',') refuse("a { that begins no interval {n}, {n,} or {n,m}");
    take(end + 1 - at_);
    if (at_ < in_.size() && in_[at_] == '+') refuse("an interval with a + after it");
  }

  // A property, inside a class or as one of its own, with what Unicode added to it.
  void property(bool negated, const std::string& name, size_t taken) {
    const char* more = name == "L" ? kNewLetters : name == "N" ? kNewNumbers : "";
    if (!in_class_) return put(fmt::format("[{}\\p{{{}}}{}]", negated ? "^" : "", name, more), taken);
    put(fmt::format("\\{}{{{}}}{}", negated ? 'P' : 'p', name, negated ? "" : more), taken);
  }

  void escape() {
    const char c = next();
    switch (c) {
      case 's':
      case 'S':
        return property(c == 'S', "White_Space", 2);
      case 'd':
      case 'D':
        return property(c == 'D', "Nd", 2);
      case 'v':
        return put("\\x0B", 2);
      case 'p':
      case 'P': {
        const size_t end = in_.find('}', at_);
        if (next(2) != '{' || end == std::string::npos) refuse("a \\p without {…}");
        std::string name = in_.substr(at_ + 3, end - at_ - 3);
        bool negated = c == 'P';
        if (!name.empty() && name.front() == '^') {
          negated = !negated;
          name.erase(0, 1);
        }
        return property(negated, name, end + 1 - at_);
      }
      case 'u': {
        const std::string digits = in_.substr(std::min(at_ + 2, in_.size()), 4);
        if (digits.size() != 4) refuse("a \\u without four digits");
        return put(fmt::format("\\x{{{}}}", digits), 6);
      }
      case 'x':
      case 'r':
      case 'n':
      case 't':
      case 'f':
        return take(2);
      default:
        if (c == '\0' || std::isalnum(static_cast<unsigned char>(c))) {
          refuse(c == '\0' ? "a \\ at its end" : fmt::format("\\{}", c));
        }
        return take(2);
    }
  }

  const std::string& in_;
  const std::string& where_;
  std::string out_;
  size_t at_ = 0;
  bool in_class_ = false;
};

const pcre2_code* code_of(const std::shared_ptr<const void>& code) {
  return static_cast<const pcre2_code*>(code.get());
}

std::string error_text(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

SplitPattern::SplitPattern(const std::string& pattern, const std::string& where) : where_(where) {
  const std::string translated = Translation(pattern, where).run();
  const std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)> context(
      pcre2_compile_context_create(nullptr), &pcre2_compile_context_free);
  if (context == nullptr) throw std::bad_alloc();
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(),
                    PCRE2_UTF | PCRE2_UCP, &error, &offset, context.get());
  if (code == nullptr) {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: its pattern is no regular expression: {}.",
                                                  where, error_text(error)));
  }
  code_ = std::shared_ptr<const void>(
      code, [](const void* p) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(p))); });
  // Absent on a few processors, and then the interpreter matches.
  compiled_to_machine_code_ = pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0;
}

struct SplitPattern::Searcher::State {
  pcre2_match_data* match = nullptr;
  pcre2_match_context* context = nullptr;
  pcre2_jit_stack* stack = nullptr;
  ~State() {
    pcre2_match_data_free(match);
    pcre2_match_context_free(context);
    pcre2_jit_stack_free(stack);
  }
};

SplitPattern::Searcher::Searcher(const SplitPattern& pattern)
    : state_(std::make_shared<State>()), pattern_(pattern) {
  // The limits guard servers against patterns of strangers. Here they would only refuse long words.
  constexpr size_t kStackBegin = size_t{32} << 10, kStackEnd = size_t{32} << 20;
  constexpr uint32_t kNoLimit = UINT32_MAX;
  state_->match = pcre2_match_data_create(1, nullptr);
  state_->context = pcre2_match_context_create(nullptr);
  if (state_->match == nullptr || state_->context == nullptr) throw std::bad_alloc();
  pcre2_set_match_limit(state_->context, kNoLimit);
  pcre2_set_depth_limit(state_->context, kNoLimit);
  pcre2_set_heap_limit(state_->context, kNoLimit);
  if (!pattern.compiled_to_machine_code_) return;
  state_->stack = pcre2_jit_stack_create(kStackBegin, kStackEnd, nullptr);
  if (state_->stack == nullptr) throw std::bad_alloc();
  pcre2_jit_stack_assign(state_->context, nullptr, state_->stack);
}

bool SplitPattern::Searcher::find(std::string_view text, size_t at, size_t& begin, size_t& end) {
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  const pcre2_code* code = code_of(pattern_.code_);
  int result = PCRE2_ERROR_JIT_STACKLIMIT;
  if (pattern_.compiled_to_machine_code_) {
    result = pcre2_jit_match(code, subject, text.size(), at, PCRE2_NO_UTF_CHECK, state_->match,
                             state_->context);
  }
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) {  // the interpreter keeps its stack on the heap
    result = pcre2_match(code, subject, text.size(), at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                         state_->match, state_->context);
  }
  if (result == PCRE2_ERROR_NOMATCH) return false;
  if (result < 0) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: its pattern can't be matched near byte {} of a text of {}: {}.",
                            pattern_.where_, at, text.size(), error_text(result)));
  }
  const PCRE2_SIZE* range = pcre2_get_ovector_pointer(state_->match);
  begin = range[0];
  end = range[1];
  return true;
}

}  // namespace farstate
