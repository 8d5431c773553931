// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/token_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(ErrorKind::kBadInput, fmt::format("Cannot write {}: {}.", path, std::strerror(error)));
}

std::string cache_folder() {
  const auto absolute = [](const char* path) { return path != nullptr && path[0] == '/'; };
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (absolute(cache)) return std::string(cache) + "/farstate/tokens";
  const char* home = std::getenv("HOME");
  if (absolute(home)) return std::string(home) + "/.cache/farstate/tokens";
  throw Error(ErrorKind::kBadInput, "There is no cache folder: neither XDG_CACHE_HOME nor HOME is set.");
}

// Reads a JSON file of ours; what was altered or cut off is as good as absent.
std::optional<TokenRecord> read_record(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  try {
    const Json json = Json::parse(read_file(path));
    TokenRecord r{json.at("text_bytes"), json.at("tokens"), json.at("replaced"), json.at("width"),
                  json.at("hash")};
    constexpr int64_t kMost = int64_t{1} << 60;
    const bool good = (r.width == 2 || r.width == 4) && r.tokens >= 0 && r.tokens < kMost &&
                      r.text_bytes >= 0 && r.replaced >= 0;
    return good ? std::optional(r) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void write_record(const std::string& path, const TokenRecord& r) {
  const Json json = {{"text_bytes", r.text_bytes}, {"tokens", r.tokens}, {"replaced", r.replaced},
                     {"width", r.width},           {"hash", r.hash}};
  write_file_atomic(path, json.dump() + "\n");
}

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

struct TokenWriter::Hash {
  XXH3_state_t state;
  Hash() { reset(); }
  void reset() { XXH3_128bits_reset(&state); }
  void add(std::string_view bytes) { XXH3_128bits_update(&state, bytes.data(), bytes.size()); }
  // Stops and gives back memory as it goes; share is told to `progress`.
  void add_file(const MappedFile& file, size_t size, const ProgressSink& progress) {
    constexpr size_t kBlock = size_t{16} << 20;
    for (size_t at = 0; at < size; at += kBlock) {
      throw_if_stopped();
      if (progress) progress("reading the text", static_cast<double>(at) / static_cast<double>(size));
      add(file.bytes().substr(at, std::min(kBlock, size - at)));
      file.release(file.bytes().substr(0, at));
    }
  }
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }
};

TokenCache::TokenCache() : folder_(cache_folder()) { make_folder(folder_ + "/files"); }

std::string TokenCache::memory_of(const FileIdentity& identity) const {
  return fmt::format("{}/files/{:x}-{:x}", folder_, identity.device, identity.inode);
}

std::optional<std::string> TokenCache::remembered_hash(const FileIdentity& identity) const {
  const std::string path = memory_of(identity);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  try {
    const Json json = Json::parse(read_file(path));
    if (json.at("size") != identity.size || json.at("modified_ns") != identity.modified_ns ||
        json.at("changed_ns") != identity.changed_ns) {
      return std::nullopt;
    }
    return json.at("hash").get<std::string>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string TokenCache::content_hash(const MappedFile& file, const ProgressSink& progress) const {
  const FileIdentity& identity = file.identity();
  if (const auto known = remembered_hash(identity)) return *known;
  TokenWriter::Hash hash;
  hash.add_file(file, file.bytes().size(), progress);
  // A file's time of modification is coarse: what was written just now may be written again
  // without another time.
  constexpr int64_t kSettled = 2'000'000'000;
  if (now_ns() - std::max(identity.modified_ns, identity.changed_ns) > kSettled) {
    const Json json = {{"size", identity.size},
                       {"modified_ns", identity.modified_ns},
                       {"changed_ns", identity.changed_ns},
                       {"hash", hash.text()}};
    write_file_atomic(memory_of(identity), json.dump() + "\n");
  }
  return hash.text();
}

std::string TokenCache::entry(const std::string& text_hash, uint64_t fingerprint) const {
  return fmt::format("{}/{}-{:016x}", folder_, text_hash, fingerprint);
}

std::optional<TokenRecord> TokenCache::record(const std::string& entry) const {
  return read_record(entry + ".json");
}

std::shared_ptr<const MappedFile> TokenCache::open(const std::string& entry,
                                                   TokenRecord& record) const {
  const auto read = read_record(entry + ".json");
  std::error_code ignored;
  if (!read.has_value() || !fs::is_regular_file(entry + ".ids", ignored)) return nullptr;
  auto file = std::make_shared<MappedFile>(entry + ".ids");
  if (static_cast<int64_t>(file->bytes().size()) != read->tokens * read->width) return nullptr;
  if (content_hash(*file, {}) != read->hash) return nullptr;
  record = *read;
  return file;
}

TokenWriter::TokenWriter(const std::string& entry, int fd, int width)
    : entry_(entry), fd_(fd), hash_(std::make_unique<Hash>()) {
  done_.width = width;
}

TokenWriter::~TokenWriter() { ::close(fd_); }

std::unique_ptr<TokenWriter> TokenWriter::open(const std::string& entry, int width,
                                               int64_t text_bytes) {
  const std::string path = entry + ".part";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail(path, errno);
  std::unique_ptr<TokenWriter> writer(new TokenWriter(entry, fd, width));
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return nullptr;
    fail(path, errno);
  }
  // The one who held the lock may have finished meanwhile: then this is no part any more.
  struct stat mine {}, named {};
  if (::fstat(fd, &mine) != 0 || ::stat(path.c_str(), &named) != 0 || mine.st_ino != named.st_ino) {
    return nullptr;
  }
  writer->resume(text_bytes);
  return writer;
}

// Goes on from the last commit, if what it tells of is there unaltered.
void TokenWriter::resume(int64_t text_bytes) {
  const std::string path = entry_ + ".part";
  const auto journal = read_record(entry_ + ".journal");
  if (journal.has_value() && journal->width == done_.width && journal->text_bytes <= text_bytes) {
    const MappedFile part(path);
    const auto size = static_cast<size_t>(journal->tokens * journal->width);
    if (part.bytes().size() >= size) {
      hash_->add_file(part, size, {});
      if (hash_->text() == journal->hash) {
        done_ = *journal;
      } else {
        hash_->reset();
      }
    }
  }
  const auto kept = static_cast<off_t>(done_.tokens * done_.width);
  if (::ftruncate(fd_, kept) != 0 || ::lseek(fd_, kept, SEEK_SET) < 0) fail(path, errno);
}

void TokenWriter::append(std::span<const int32_t> ids, int64_t text_end, int64_t replaced) {
  const auto width = static_cast<size_t>(done_.width);
  buffer_.resize(ids.size() * width);
  for (size_t i = 0; i < ids.size(); ++i) std::memcpy(buffer_.data() + i * width, &ids[i], width);
  for (size_t at = 0; at < buffer_.size();) {
    const ssize_t written = ::write(fd_, buffer_.data() + at, buffer_.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(entry_ + ".part", written < 0 ? errno : ENOSPC);
    at += static_cast<size_t>(written);
  }
  hash_->add(buffer_);
  done_.text_bytes = text_end;
  done_.tokens += static_cast<int64_t>(ids.size());
  done_.replaced += replaced;
}

// The ids need not be on the disk: if they are lost with the machine's power, their hash tells.
void TokenWriter::commit() {
  done_.hash = hash_->text();
  write_record(entry_ + ".journal", done_);
}

void TokenWriter::finish() {
  if (::fsync(fd_) != 0) fail(entry_ + ".part", errno);
  done_.hash = hash_->text();
  write_record(entry_ + ".json", done_);
  if (std::rename((entry_ + ".part").c_str(), (entry_ + ".ids").c_str()) != 0) {
    fail(entry_ + ".ids", errno);
  }
  std::error_code ignored;
  fs::remove(entry_ + ".journal", ignored);
}

void TokenWriter::discard() {
  std::error_code ignored;
  fs::remove(entry_ + ".journal", ignored);
  fs::remove(entry_ + ".part", ignored);
}

}  // namespace farstate
