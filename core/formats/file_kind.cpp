// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/file_kind.h"

#include <algorithm>
#include <cctype>

namespace farstate {
namespace {

// Printable characters of ASCII, or of UTF-8: a byte that leads and as many that follow as it says.
bool looks_like_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  int following = 0;
  for (const char c : start) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) {
      if (--following < 0) return false;
      continue;
    }
    if (following != 0 || byte >= 0xF8) return false;
    if (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') return false;
    following = byte < 0x80 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
  }
  return !start.empty();
}

bool looks_like_web_page(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  std::string start(begin == std::string_view::npos ? "" : bytes.substr(begin, 9));
  std::transform(start.begin(), start.end(), start.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return start == "<!doctype" || start.starts_with("<html");
}

}  // namespace

std::string file_kind(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.empty()) return "an empty file";
  if (bytes.starts_with("version https://git-lfs"sv)) {
    return "a Git LFS pointer; run git lfs pull to fetch the file itself";
  }
  if (looks_like_web_page(bytes)) {
    return "a web page; the download went wrong";
  }
  if (bytes.starts_with("GGUF"sv)) return "a GGUF file, which Farstate does not read";
  if (bytes.starts_with("PK\x03\x04"sv)) {
    return "a zip archive; PyTorch's own files end in .bin, .pt or .pth";
  }
  if (bytes.starts_with("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19"sv)) {
    return "a file of PyTorch before 1.6; load it there and save it again";
  }
  if (bytes.starts_with("\x93NUMPY"sv)) return "a NumPy array";
  if (looks_like_text(bytes)) return "a text";
  return {};
}

}  // namespace farstate
