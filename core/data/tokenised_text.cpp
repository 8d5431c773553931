// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenised_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/data/piecewise_encoding.h"
#include "core/data/token_cache.h"
#include "core/tokenizer/byte_tokenizer.h"

namespace farstate {
namespace {

constexpr const char* kPhase = "tokenising the text";

int width_of(const Tokenizer& tokenizer) { return PackedTokens::width_for(tokenizer.vocabulary()); }

void tell(const ProgressSink& progress, size_t done, size_t size) {
  if (progress) progress(kPhase, static_cast<double>(done) / static_cast<double>(size));
}

TokenisedText from_entry(const std::shared_ptr<const MappedFile>& ids, const TokenRecord& record,
                         const Tokenizer& tokenizer) {
  TokenisedText text;
  text.tokens = std::make_shared<PackedTokens>(ids, record.width, tokenizer.vocabulary());
  text.replaced = record.replaced;
  return text;
}

// Counted each time: it is no part of what is kept, and only small vocabularies have an unknown token.
int64_t count_unknown(const TokenSource& tokens, int64_t unknown) {
  constexpr int64_t kAtOnce = int64_t{1} << 16;
  if (unknown < 0) return 0;
  int64_t count = 0;
  std::vector<int64_t> ids;
  for (int64_t at = 0; at < tokens.size(); at += kAtOnce) {
    throw_if_stopped();
    ids.resize(static_cast<size_t>(std::min(kAtOnce, tokens.size() - at)));
    tokens.read(at, ids);
    count += std::count(ids.begin(), ids.end(), unknown);
  }
  return count;
}

void note_unknown(const std::string& text, const Tokenizer& tokenizer, TokenisedText& result) {
  const int64_t unknown = count_unknown(*result.tokens, tokenizer.unknown());
  if (unknown == 0) return;
  const double share = static_cast<double>(unknown) / static_cast<double>(result.tokens->size());
  result.notes.push_back(fmt::format(
      "{} of the {} tokens of {} ({:.3g} %) are {}, which stands for what {} has no token for.", unknown,
      result.tokens->size(), text, 100 * share, visible_text(tokenizer, tokenizer.unknown()),
      tokenizer.name()));
}

TokenisedText encoded_in_memory(std::string_view text, const Tokenizer& tokenizer,
                                const ProgressSink& progress) {
  TokenisedText result;
  const int width = width_of(tokenizer);
  std::string ids;
  encode_pieces(text, 0, tokenizer, [&](const EncodedPiece& piece) {
    for (const int32_t id : piece.ids) {
      ids.append(reinterpret_cast<const char*>(&id), static_cast<size_t>(width));
    }
    result.replaced += piece.replaced;
    tell(progress, piece.end, text.size());
  });
  result.encoded = static_cast<int64_t>(text.size());
  result.tokens = std::make_shared<PackedTokens>(std::move(ids), width, tokenizer.vocabulary());
  return result;
}

void write_entry(TokenWriter& writer, const MappedFile& file, const Tokenizer& tokenizer,
                 const ProgressSink& progress) {
  constexpr int64_t kCommit = int64_t{64} << 20;
  const std::string_view text = file.bytes();
  int64_t committed = writer.done().text_bytes;
  encode_pieces(text, static_cast<size_t>(committed), tokenizer, [&](const EncodedPiece& piece) {
    const auto end = static_cast<int64_t>(piece.end);
    writer.append(piece.ids, end, piece.replaced);
    if (end - committed >= kCommit) {
      writer.commit();
      committed = end;
    }
    file.release(file.bytes().substr(0, piece.end));
    tell(progress, piece.end, text.size());
  });
}

TokenisedText through_cache(const MappedFile& file, const Tokenizer& tokenizer,
                            const ProgressSink& progress) {
  const TokenCache cache;
  const std::string entry =
      cache.entry(cache.content_hash(file, progress), tokenizer.fingerprint());
  TokenRecord record;
  bool kept = true;
  int64_t encoded = 0;
  while (true) {
    if (const auto ids = cache.open(entry, record)) {
      TokenisedText text = from_entry(ids, record, tokenizer);
      text.kept = kept;
      text.encoded = encoded;
      return text;
    }
    if (!kept) {
      throw Error(ErrorKind::kBadInput, fmt::format("{}.ids can't be read as it was written.", entry));
    }
    const auto writer = TokenWriter::open(entry, width_of(tokenizer),
                                          static_cast<int64_t>(file.bytes().size()));
    if (writer == nullptr) {
      throw_if_stopped();
      if (progress) progress("waiting for the program that tokenises this text", -1);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    encoded = static_cast<int64_t>(file.bytes().size()) - writer->done().text_bytes;
    try {
      write_entry(*writer, file, tokenizer, progress);
      writer->finish();
      kept = false;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) {
        writer->commit();
      } else {
        writer->discard();
      }
      throw;
    }
  }
}

}  // namespace

// A picture or an archive would give tokens too, and curves that mean nothing.
void check_text(const MappedFile& file, const Tokenizer& tokenizer) {
  constexpr size_t kLooked = size_t{64} << 10;
  constexpr int64_t kMostShare = 10;  // percent
  const std::string_view beginning = file.bytes().substr(0, kLooked);
  if (beginning.empty()) {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{} is empty; choose a text with some content.", file.path()));
  }
  if (&tokenizer == byte_tokenizer().get()) return;  // every byte is a token
  const int64_t strange = count_invalid_utf8(beginning) +
                          std::count(beginning.begin(), beginning.end(), '\0');
  if (100 * strange <= kMostShare * static_cast<int64_t>(beginning.size())) return;
  throw Error(ErrorKind::kBadInput,
              fmt::format("{} is no UTF-8 text: of its first {} bytes {} are zero or start no "
                          "character; convert it (iconv -t utf-8), or give token ids in a .npy file.",
                          file.path(), beginning.size(), strange));
}

TokenisedText tokenise_text(std::string_view text, const std::shared_ptr<const Tokenizer>& tokenizer,
                            const ProgressSink& progress) {
  TokenisedText result = encoded_in_memory(text, *tokenizer, progress);
  result.bytes = static_cast<int64_t>(text.size());
  note_unknown("the text", *tokenizer, result);
  return result;
}

TokenisedText tokenise_file(const std::string& path,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const ProgressSink& progress) {
  const auto mapped = std::make_shared<MappedFile>(path);
  const MappedFile& file = *mapped;
  check_text(file, *tokenizer);
  TokenisedText result;
  if (tokenizer == byte_tokenizer()) {
    result.bytes = static_cast<int64_t>(file.bytes().size());
    result.tokens = std::make_shared<ByteTokens>(mapped);
    return result;
  }
  try {
    result = through_cache(file, *tokenizer, progress);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted) throw;
    result = encoded_in_memory(file.bytes(), *tokenizer, progress);
    result.notes.push_back(fmt::format(
        "The tokens of {} are in memory only, and will be made again next time: {}", path,
        error.what()));
  }
  result.bytes = static_cast<int64_t>(file.bytes().size());
  if (result.replaced > 0) {
    result.notes.push_back(fmt::format("{} sequences of bytes in {} are no UTF-8; each was read as "
                                       "the character U+FFFD.",
                                       result.replaced, path));
  }
  note_unknown(path, *tokenizer, result);
  return result;
}

std::optional<int64_t> kept_token_count(const std::string& path, const Tokenizer& tokenizer) {
  try {
    const TokenCache cache;
    const auto hash = cache.remembered_hash(MappedFile(path).identity());
    if (!hash.has_value()) return std::nullopt;
    const auto record = cache.record(cache.entry(*hash, tokenizer.fingerprint()));
    return record.has_value() ? std::optional(record->tokens) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace farstate
