// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace farstate {

ByteTokens::ByteTokens(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}
ByteTokens::ByteTokens(std::string text) : text_(std::move(text)) {}

std::string_view ByteTokens::bytes() const {
  return file_ != nullptr ? file_->bytes() : std::string_view(text_);
}

void ByteTokens::read(int64_t begin, std::span<int64_t> out) const {
  const std::string_view text = bytes().substr(static_cast<size_t>(begin), out.size());
  std::transform(text.begin(), text.end(), out.begin(),
                 [](char c) { return static_cast<int64_t>(static_cast<unsigned char>(c)); });
}

PackedTokens::PackedTokens(std::shared_ptr<const MappedFile> file, int width, int64_t vocabulary)
    : file_(std::move(file)), width_(width), vocabulary_(vocabulary) {}
PackedTokens::PackedTokens(std::string bytes, int width, int64_t vocabulary)
    : bytes_(std::move(bytes)), width_(width), vocabulary_(vocabulary) {}

std::string_view PackedTokens::bytes() const {
  return file_ != nullptr ? file_->bytes() : std::string_view(bytes_);
}

void PackedTokens::read(int64_t begin, std::span<int64_t> out) const {
  const char* at = bytes().data() + begin * width_;
  for (int64_t& id : out) {
    uint32_t value = 0;  // the machines that this is built for are little-endian
    std::memcpy(&value, at, static_cast<size_t>(width_));
    at += width_;
    id = value;
  }
  const auto bad = std::find_if(out.begin(), out.end(), [&](int64_t id) { return id >= vocabulary_; });
  if (bad == out.end()) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("{} was altered while it was used: it holds the id {}, and the vocabulary "
                          "has {}; start again, and it is made anew.",
                          file_ != nullptr ? file_->path() : "A text in memory", *bad, vocabulary_));
}

void IdTokens::read(int64_t begin, std::span<int64_t> out) const {
  std::copy_n(ids_.begin() + begin, out.size(), out.begin());
}

}  // namespace farstate
