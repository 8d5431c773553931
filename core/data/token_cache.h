// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of tokenised texts: $XDG_CACHE_HOME/farstate/tokens, else ~/.cache/farstate/tokens. A
// text and a tokenizer name an entry by their content:
//   <hash>-<fingerprint>.ids      the ids, 2 or 4 bytes each
//   <hash>-<fingerprint>.json     how many they are, and their hash
//   <hash>-<fingerprint>.part     the ids while they are written, locked by the one who writes
//   <hash>-<fingerprint>.journal  how far the part is good
//   files/<device>-<inode>        the hash of a file as it was, so that it is not read each time
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/base/file.h"
#include "core/base/progress.h"

namespace farstate {

// What is known of a whole text, or of the first part of one.
struct TokenRecord {
  int64_t text_bytes = 0;
  int64_t tokens = 0;
  int64_t replaced = 0;
  int width = 4;
  std::string hash;  // of the ids
};

class TokenCache {
 public:
  TokenCache();  // throws Error(kBadInput) where there is no folder for it

  // Hash of a file's content; remembered by the file's identity. A stop throws.
  std::string content_hash(const MappedFile& file, const ProgressSink& progress) const;
  std::optional<std::string> remembered_hash(const FileIdentity& identity) const;

  std::string entry(const std::string& text_hash, uint64_t fingerprint) const;

  // The entry's ids if they are there and as they were written, else null.
  std::shared_ptr<const MappedFile> open(const std::string& entry, TokenRecord& record) const;
  std::optional<TokenRecord> record(const std::string& entry) const;

 private:
  std::string memory_of(const FileIdentity& identity) const;
  std::string folder_;
};

// An entry while it is written. At any moment the program may end: the next one goes on from the
// last commit. All throw Error(kBadInput) where the folder can't be written.
class TokenWriter {
 public:
  // Null: another program writes it.
  static std::unique_ptr<TokenWriter> open(const std::string& entry, int width, int64_t text_bytes);
  ~TokenWriter();
  TokenWriter(const TokenWriter&) = delete;
  TokenWriter& operator=(const TokenWriter&) = delete;

  const TokenRecord& done() const { return done_; }  // text_bytes: how far it is written
  void append(std::span<const int32_t> ids, int64_t text_end, int64_t replaced);
  void commit();
  void finish();   // makes it the entry
  void discard();  // removes what was written

 private:
  TokenWriter(const std::string& entry, int fd, int width);
  void resume(int64_t text_bytes);

  friend class TokenCache;
  struct Hash;
  std::string entry_;
  int fd_;
  TokenRecord done_;
  std::unique_ptr<Hash> hash_;
  std::string buffer_;
};

}  // namespace farstate
