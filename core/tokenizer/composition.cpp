// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/composition.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/stop.h"
#include "core/base/utf8.h"

namespace farstate {
namespace {

constexpr uint32_t kCodePoints = 0x110000;
constexpr uint32_t kFirstUnsettled = 0x300;  // below it all characters stay as they are
constexpr unsigned char kFirstUnsettledLead = 0xCC;
constexpr int kMostOfOne = 32;  // code points that one decomposes into; Unicode's longest has 4
constexpr auto kCompose = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);

// Canonical decomposition of one code point.
utf8proc_ssize_t decompose(uint32_t code_point, utf8proc_int32_t* out) {
  int last_boundclass = 0;
  return utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(code_point), out, kMostOfOne,
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE), &last_boundclass);
}

int combining_class(utf8proc_int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// The characters that normal form C may change or join to the one before: those with a combining
// class, those whose own normal form is another, and the second halves of compositions.
class Unsettled {
 public:
  Unsettled() : bits_(kCodePoints / 64) {
    std::array<utf8proc_int32_t, kMostOfOne> parts;
    for (uint32_t c = kFirstUnsettled; c < kCodePoints; ++c) {
      if (c >= 0xD800 && c < 0xE000) continue;
      if (combining_class(static_cast<utf8proc_int32_t>(c)) != 0) set(c);
      const utf8proc_ssize_t count = decompose(c, parts.data());
      if (count == 1 && parts[0] == static_cast<utf8proc_int32_t>(c)) continue;
      if (count > 1) set(static_cast<uint32_t>(parts[static_cast<size_t>(count) - 1]));
      const bool same = utf8proc_normalize_utf32(parts.data(), count, kCompose) == 1 &&
                        parts[0] == static_cast<utf8proc_int32_t>(c);
      if (!same) set(c);
    }
  }
  bool contains(uint32_t c) const { return (bits_[c / 64] >> (c % 64) & 1) != 0; }

 private:
  void set(uint32_t c) { bits_[c / 64] |= uint64_t{1} << (c % 64); }
  std::vector<uint64_t> bits_;
};

const Unsettled& unsettled() {
  static const Unsettled table;
  return table;
}

// The first unsettled character at or after `at`; text.size() if there is none.
size_t find_unsettled(const Unsettled& table, std::string_view text, size_t at) {
  constexpr size_t kStopCheck = size_t{1} << 22;
  for (size_t next_check = at + kStopCheck; at < text.size();) {
    if (at >= next_check) {
      throw_if_stopped();
      next_check = at + kStopCheck;
    }
    at = skip_ascii(text.substr(0, std::min(text.size(), next_check)), at);
    if (at == text.size() || at >= next_check) continue;
    if (static_cast<unsigned char>(text[at]) < kFirstUnsettledLead) {
      at += 2;
      continue;
    }
    const Utf8Unit unit = next_utf8(text, at);
    if (table.contains(unit.code_point)) return at;
    at += unit.length;
  }
  return text.size();
}

// Appends the normal form of a character and the unsettled ones after it. utf8proc_decompose would
// sort the marks too, in time that grows with their number squared.
void append_composed(std::string_view text, std::vector<utf8proc_int32_t>& points,
                     std::string& out) {
  points.clear();
  for (size_t at = 0; at < text.size();) {
    const Utf8Unit unit = next_utf8(text, at);
    points.resize(points.size() + kMostOfOne);
    const utf8proc_ssize_t count =
        decompose(unit.code_point, points.data() + points.size() - kMostOfOne);
    points.resize(points.size() - kMostOfOne + static_cast<size_t>(count));
    at += unit.length;
  }
  for (auto begin = points.begin(); begin != points.end();) {
    const auto end = std::find_if(begin, points.end(),
                                  [](utf8proc_int32_t c) { return combining_class(c) == 0; });
    std::stable_sort(begin, end, [](utf8proc_int32_t a, utf8proc_int32_t b) {
      return combining_class(a) < combining_class(b);
    });
    begin = end == points.end() ? end : end + 1;
  }
  const utf8proc_ssize_t count = utf8proc_normalize_utf32(
      points.data(), static_cast<utf8proc_ssize_t>(points.size()), kCompose);
  std::array<utf8proc_uint8_t, 4> bytes;
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const utf8proc_ssize_t length =
        utf8proc_encode_char(points[static_cast<size_t>(i)], bytes.data());
    out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
  }
}

}  // namespace

bool stays_composed(uint32_t code_point) {
  return code_point < kFirstUnsettled || !unsettled().contains(code_point);
}

// A settled character neither changes nor joins what stands before it, so the text falls into
// parts that each begin with one, and only those parts are worked on that hold an unsettled one.
std::string_view compose(std::string_view text, std::string& buffer) {
  const Unsettled& table = unsettled();
  size_t found = find_unsettled(table, text, 0);
  if (found == text.size()) return text;
  buffer.clear();
  std::vector<utf8proc_int32_t> points;
  size_t copied = 0;
  while (found < text.size()) {
    size_t begin = found;
    while (begin > copied && (static_cast<unsigned char>(text[--begin]) & 0xC0) == 0x80) {
    }
    size_t end = found;
    while (end < text.size()) {
      const Utf8Unit unit = next_utf8(text, end);
      if (!table.contains(unit.code_point)) break;
      end += unit.length;
    }
    buffer.append(text, copied, begin - copied);
    append_composed(text.substr(begin, end - begin), points, buffer);
    copied = end;
    found = find_unsettled(table, text, end);
  }
  buffer.append(text, copied);
  return buffer;
}

}  // namespace farstate
