// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <regex>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

struct Header {
  std::string dtype;
  bool fortran = false;
  std::vector<int64_t> shape;
  size_t data_offset = 0;
};

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::kBadInput,
              fmt::format("{} is not a .npy file of token ids: {}; wanted int32 or int64 in C "
                          "order with one or two dimensions (numpy.save writes it).",
                          path, why));
}

Header read_header(const std::string& path, std::string_view bytes) {
  if (bytes.size() < 12 || bytes.substr(0, 6) != "\x93NUMPY") fail(path, "the magic is missing");
  const bool long_length = static_cast<uint8_t>(bytes[6]) >= 2;
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
  const size_t length = long_length
                            ? byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24
                            : byte(8) | byte(9) << 8;
  Header header;
  const size_t begin = long_length ? 12 : 10;
  header.data_offset = begin + length;
  if (header.data_offset > bytes.size()) fail(path, "the header is cut off");
  // NumPy's are a few hundred bytes, and a regular expression recurses as deep as its text is long.
  if (length > 4096) fail(path, "the header is too long");
  const std::string text(bytes.substr(begin, length));

  std::smatch match;
  if (!std::regex_search(text, match, std::regex("'descr'\\s*:\\s*'([^']*)'"))) {
    fail(path, "the header names no dtype");
  }
  header.dtype = match[1];
  header.fortran = std::regex_search(text, std::regex("'fortran_order'\\s*:\\s*True"));
  if (!std::regex_search(text, match, std::regex("'shape'\\s*:\\s*\\(([0-9, ]*)\\)"))) {
    fail(path, "the header names no shape");
  }
  const std::string dims = match[1];
  const std::regex number("[0-9]+");
  for (std::sregex_iterator it(dims.begin(), dims.end(), number), end; it != end; ++it) {
    if (it->length() > 15) fail(path, "a dimension is too large");
    header.shape.push_back(std::stoll(it->str()));
  }
  return header;
}

template <typename Id>
void copy_ids(std::string_view bytes, std::vector<int64_t>& ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    Id id;
    std::memcpy(&id, bytes.data() + i * sizeof(Id), sizeof(Id));
    ids[i] = id;
  }
}

// Format 1.0, padded so that the numbers begin at a multiple of 64 bytes.
std::string header_of(const char* dtype, const std::vector<int64_t>& shape) {
  constexpr size_t kPrefix = 10, kAlignment = 64;
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", dtype,
                                   fmt::join(shape, ", "));
  if (shape.size() > 1) header.erase(header.rfind(",)"), 1);
  const size_t unpadded = kPrefix + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string prefix("\x93NUMPY\x01\x00", 8);
  prefix += static_cast<char>(header.size() & 0xFF);
  prefix += static_cast<char>(header.size() >> 8);
  return prefix + header;
}

}  // namespace

NpyTokens read_npy_tokens(const std::string& path) {
  return parse_npy_tokens(MappedFile(path).bytes(), path);
}

NpyTokens parse_npy_tokens(std::string_view bytes, const std::string& path) {
  const Header header = read_header(path, bytes);
  const bool wide = header.dtype == "<i8";
  if (!wide && header.dtype != "<i4") fail(path, fmt::format("its dtype is {}", header.dtype));
  if (header.shape.empty() || header.shape.size() > 2) {
    fail(path, fmt::format("it has {} dimensions", header.shape.size()));
  }
  if (header.fortran && header.shape.size() == 2) fail(path, "it is in Fortran order");

  NpyTokens tokens;
  tokens.columns = header.shape.back();
  tokens.rows = header.shape.size() == 2 ? header.shape.front() : 0;
  const int64_t rows = header.shape.size() == 2 ? tokens.rows : 1;
  const std::string_view data = bytes.substr(header.data_offset);
  const auto item = static_cast<int64_t>(wide ? sizeof(int64_t) : sizeof(int32_t));
  const auto available = static_cast<int64_t>(data.size()) / item;
  if (tokens.columns == 0 || rows == 0) fail(path, "it is empty");
  if (rows > available / tokens.columns) {
    fail(path, fmt::format("its shape names {} x {} ids, its data holds {}", rows, tokens.columns,
                           available));
  }
  tokens.ids.resize(static_cast<size_t>(rows * tokens.columns));
  if (wide) {
    copy_ids<int64_t>(data, tokens.ids);
  } else {
    copy_ids<int32_t>(data, tokens.ids);
  }
  return tokens;
}

void write_npy(const std::string& path, std::span<const float> values,
               const std::vector<int64_t>& shape) {
  write_file_atomic(path, [&](std::ostream& out) {
    out << header_of("<f4", shape);
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
  });
}

void write_npy_tokens(const std::string& path, const TokenSource& tokens) {
  constexpr int64_t kBlock = int64_t{1} << 16;
  write_file_atomic(path, [&](std::ostream& out) {
    out << header_of("<i4", {tokens.size()});
    std::vector<int64_t> ids;
    std::vector<int32_t> narrow;
    for (int64_t begin = 0; begin < tokens.size(); begin += kBlock) {
      throw_if_stopped();
      ids.resize(static_cast<size_t>(std::min(kBlock, tokens.size() - begin)));
      tokens.read(begin, ids);
      narrow.assign(ids.begin(), ids.end());
      out.write(reinterpret_cast<const char*>(narrow.data()),
                static_cast<std::streamsize>(narrow.size() * sizeof(int32_t)));
    }
  });
}

}  // namespace farstate
