// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_source.h"

#include <algorithm>

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

void IdTokens::read(int64_t begin, std::span<int64_t> out) const {
  std::copy_n(ids_.begin() + begin, out.size(), out.begin());
}

}  // namespace farstate
