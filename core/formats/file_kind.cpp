// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/file_kind.h"

#include <algorithm>

namespace farstate {
namespace {

bool looks_like_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  return !start.empty() && std::all_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    // No UTF-8 text holds a byte from 0xF5.
    return (byte >= 0x20 && byte < 0xF5) || c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

std::string file_kind(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.empty()) return "an empty file";
  if (bytes.starts_with("version https://git-lfs"sv)) {
    return "a Git LFS pointer; run git lfs pull to fetch the file itself";
  }
  if (bytes.starts_with("<!DOCTYPE"sv) || bytes.starts_with("<html"sv)) {
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
