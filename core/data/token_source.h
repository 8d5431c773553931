// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of token ids that is read in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"

namespace farstate {

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  virtual int64_t size() const = 0;
  // Copies ids [begin, begin + out.size()); the range lies within the stream.
  virtual void read(int64_t begin, std::span<int64_t> out) const = 0;
};

// The bytes of a text are its tokens: nothing is copied, whatever the file's size.
class ByteTokens : public TokenSource {
 public:
  explicit ByteTokens(std::shared_ptr<const MappedFile> file);
  explicit ByteTokens(std::string text);
  int64_t size() const override { return static_cast<int64_t>(bytes().size()); }
  void read(int64_t begin, std::span<int64_t> out) const override;
  std::string_view bytes() const;

 private:
  std::shared_ptr<const MappedFile> file_;
  std::string text_;
};

// Ids of 2 or 4 bytes each, one after another, in a mapped file or in memory.
class PackedTokens : public TokenSource {
 public:
  // width: 2 or 4. Every id that is read must be below `vocabulary`, else Error(kBadInput): a file
  // that was altered since it was checked gives no nonsense.
  PackedTokens(std::shared_ptr<const MappedFile> file, int width, int64_t vocabulary);
  PackedTokens(std::string bytes, int width, int64_t vocabulary);
  static int width_for(int64_t vocabulary) { return vocabulary <= 65536 ? 2 : 4; }
  int64_t size() const override { return static_cast<int64_t>(bytes().size()) / width_; }
  void read(int64_t begin, std::span<int64_t> out) const override;

 private:
  std::string_view bytes() const;

  std::shared_ptr<const MappedFile> file_;
  std::string bytes_;
  int width_;
  int64_t vocabulary_;
};

class IdTokens : public TokenSource {
 public:
  explicit IdTokens(std::vector<int64_t> ids) : ids_(std::move(ids)) {}
  int64_t size() const override { return static_cast<int64_t>(ids_.size()); }
  void read(int64_t begin, std::span<int64_t> out) const override;

 private:
  std::vector<int64_t> ids_;
};

}  // namespace farstate
