// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/byte_tokenizer.h"

#include <array>

namespace farstate {
namespace {

class ByteTokenizer : public Tokenizer {
 public:
  ByteTokenizer() {
    for (size_t i = 0; i < all_.size(); ++i) all_[i] = static_cast<char>(i);
  }
  const std::string& name() const override { return name_; }
  int64_t vocabulary() const override { return kByteVocabulary; }
  uint64_t fingerprint() const override { return kByteVocabulary; }
  void encode(std::string_view text, std::vector<int32_t>& ids) const override {
    for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
  }
  size_t last_cut(std::string_view text) const override { return text.size(); }
  std::string_view bytes(int64_t id) const override {
    if (id < 0 || id >= kByteVocabulary) return {};
    return {&all_[static_cast<size_t>(id)], 1};
  }

 private:
  std::string name_ = "bytes";
  std::array<char, kByteVocabulary> all_;
};

}  // namespace

const std::shared_ptr<const Tokenizer>& byte_tokenizer() {
  static const std::shared_ptr<const Tokenizer> tokenizer = std::make_shared<ByteTokenizer>();
  return tokenizer;
}

}  // namespace farstate
