// SPDX-License-Identifier: GPL-3.0-or-later
// Safetensors files that are cut off, that lie, or that are something else.
#include <gtest/gtest.h>

#include "core/formats/safetensors.h"
#include "tests/support/little_endian.h"
#include "tests/support/refusal.h"

namespace farstate {
namespace {

using testing::expect_refused;
using testing::le;
using testing::refusal;

std::string file_of(const std::string& header, size_t data = 8) {
  return le(8, header.size()) + header + std::string(data, 'x');
}

std::string one(const std::string& shape, const std::string& offsets,
                const std::string& dtype = "F32") {
  return file_of(R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                 offsets + "}}");
}

std::string two(const std::string& first, const std::string& second) {
  const auto tensor = [](const std::string& offsets) {
    return R"({"dtype":"F32","shape":[1],"data_offsets":)" + offsets + "}";
  };
  return file_of(R"({"a":)" + tensor(first) + R"(,"b":)" + tensor(second) + "}");
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

void read(const std::string& bytes) { parse_safetensors(bytes, "x.safetensors"); }

TEST(SafetensorsRefusal, AcceptsTheWholeFile) {
  EXPECT_EQ(refusal([] { read(one("[2]", "[0,8]")); }), "accepted");
  EXPECT_EQ(refusal([] { read(two("[0,4]", "[4,8]")); }), "accepted");
  EXPECT_EQ(refusal([] { read(two("[4,8]", "[0,4]")); }), "accepted") << "in any order";
  EXPECT_EQ(refusal([] { read(file_of("{}", 0)); }), "accepted");
}

TEST(SafetensorsRefusal, EveryTruncation) {
  const std::string whole = two("[0,4]", "[4,8]");
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string sentence = refusal([&] { read(whole.substr(0, length)); });
    EXPECT_THAT(sentence, ::testing::HasSubstr("x.safetensors")) << length << " bytes";
  }
  EXPECT_THAT(refusal([&] { read(whole.substr(0, whole.size() - 1)); }),
              ::testing::HasSubstr("cut off"));
}

TEST(SafetensorsRefusal, EveryByteMayBeWrong) {
  // Most of these files are refused, a few are other good files; none may do anything else.
  const std::string whole = one("[2]", "[0,8]");
  for (size_t at = 0; at < whole.size() - 8; ++at) {
    for (const char wrong : {'\0', '\xff', '{', '"', '9'}) {
      std::string bytes = whole;
      bytes[at] = wrong;
      refusal([&] { read(bytes); });
    }
  }
}

TEST(SafetensorsRefusal, Lengths) {
  const std::string json = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  expect_refused(
      {
          {"no header", le(8, 0), {"not a JSON object"}},
          {"a header longer than the file", le(8, json.size() + 9) + json + "01234567", {"header"}},
          {"a header of 2^63 bytes", le(8, uint64_t{1} << 63) + json, {"header"}},
          {"a header of 2^64 - 1 bytes", le(8, ~uint64_t{0}) + json, {"header"}},
          {"a header that ends early", le(8, json.size() - 1) + json + "01234567", {"JSON"}},
          {"more data than tensors", file_of(json, 9), {"1 bytes follow the last tensor"}},
          {"less data than tensors", file_of(json, 7), {"\"a\"", "[0, 8) of 7", "cut off"}},
      },
      "x.safetensors", read);
}

TEST(SafetensorsRefusal, Tensors) {
  expect_refused(
      {
          {"overlap", two("[0,4]", "[2,6]"), {"overlap", "byte 2"}},
          {"the same bytes twice", two("[0,4]", "[0,4]"), {"overlap"}},
          {"a hole", file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})", 12),
           {"hole", "byte 4"}},
          {"a hole at the start", one("[1]", "[4,8]"), {"hole", "byte 0"}},
          {"backwards", one("[2]", "[8,0]"), {"\"a\"", "[8, 0)"}},
          {"beyond the end", one("[2]", "[4,12]"), {"\"a\"", "[4, 12) of 8"}},
          {"far beyond the end", one("[2]", "[0,18446744073709551615]"), {"\"a\"", "of 8"}},
          {"too few bytes for the shape", one("[3]", "[0,8]"), {"\"a\"", "has 8", "need 12"}},
          {"too many bytes for the shape", one("[1]", "[0,8]"), {"\"a\"", "has 8", "need 4"}},
          {"an unknown dtype", one("[2]", "[0,8]", "F8_E4M3"), {"\"a\"", "\"F8_E4M3\""}},
          {"a negative size", one("[-2]", "[0,8]"), {"\"a\"", "-2 is not a size"}},
          {"a fractional size", one("[2.0]", "[0,8]"), {"\"a\"", "2.0 is not a size"}},
          {"a size in words", one("[\"2\"]", "[0,8]"), {"\"a\"", "\"2\" is not a size"}},
          {"a size of null", one("[null]", "[0,8]"), {"\"a\"", "null is not a size"}},
          {"a size beyond 64 bits", one("[99999999999999999999]", "[0,8]"), {"\"a\"", "not a size"}},
          {"a shape that overflows", one("[4294967296,4294967296]", "[0,8]"), {"\"a\"", "overflows"}},
          {"a size of 2^63", one("[9223372036854775808]", "[0,8]"), {"\"a\"", "overflows"}},
          {"a negative offset", one("[2]", "[-8,0]"), {"\"a\"", "-8 is not a size"}},
          {"three offsets", one("[2]", "[0,4,8]"), {"\"a\"", "two data_offsets"}},
          {"a shape that is no array", one("2", "[0,8]"), {"\"a\"", "a shape as an array"}},
          {"a dtype that is no string",
           file_of(R"({"a":{"dtype":4,"shape":[2],"data_offsets":[0,8]}})"),
           {"\"a\"", "a dtype as a string"}},
          {"no dtype", file_of(R"({"a":{"shape":[2],"data_offsets":[0,8]}})"), {"\"a\"", "no dtype"}},
          {"no shape", file_of(R"({"a":{"dtype":"F32","data_offsets":[0,8]}})"), {"\"a\"", "no shape"}},
          {"no offsets", file_of(R"({"a":{"dtype":"F32","shape":[2]}})"), {"\"a\"", "no data_offsets"}},
          {"a tensor that is a number", file_of(R"({"a":1})"), {"\"a\" is not an object"}},
          {"a tensor that is an array", file_of(R"({"a":[1]})"), {"\"a\" is not an object"}},
      },
      "x.safetensors", read);
}

TEST(SafetensorsRefusal, Json) {
  const std::string a = R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  expect_refused(
      {
          {"an array", file_of("[]"), {"not a JSON object"}},
          {"half an object", file_of("{\"a\":"), {"not a JSON object"}},
          {"a bare NaN", file_of("{\"a\":NaN}"), {"not a JSON object"}},
          {"text that is no UTF-8", file_of("{\"\xff\xfe\":" + a + "}"), {"not a JSON object"}},
          {"a name twice", file_of(R"({"a":)" + a + R"(,"a":)" + a + "}"), {"\"a\" twice"}},
          {"a key twice",
           file_of(R"({"a":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]}})"),
           {"\"shape\" twice"}},
          {"a hundred thousand arrays", file_of(repeated("[", 100'000)), {"x.safetensors"}},
          {"a hundred thousand objects", file_of(repeated("{\"a\":", 100'000)), {"x.safetensors"}},
          {"a shape in a shape", one("[[[[[[2]]]]]]", "[0,8]"), {"deeper"}},
          {"metadata of numbers", file_of(R"({"__metadata__":{"format":1},"a":)" + a + "}"),
           {"__metadata__", "\"format\" is 1"}},
          {"metadata that are no object", file_of(R"({"__metadata__":"pt","a":)" + a + "}"),
           {"__metadata__"}},
      },
      "x.safetensors", read);
}

TEST(SafetensorsRefusal, OtherFilesAreNamed) {
  using namespace std::string_literals;
  expect_refused(
      {
          {"nothing", "", {"x.safetensors"}},
          {"a Git LFS pointer",
           "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 5405424282\n",
           {"Git LFS pointer", "git lfs pull"}},
          {"a web page", "<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n",
           {"web page"}},
          {"a web page, otherwise spelled", "\n<!doctype HTML><html>" + std::string(99, ' '),
           {"web page"}},
          {"a GGUF file", "GGUF\3\0\0\0"s + std::string(99, '\0'), {"GGUF"}},
          {"a zip archive", "PK\3\4"s + std::string(99, '\0'), {"zip archive"}},
          {"a text", "Access to model x is restricted.\n" + std::string(99, '-'), {"a text"}},
          {"noise", std::string(99, '\xa5'), {"x.safetensors", "header"}},
      },
      "x.safetensors", read);
}

}  // namespace
}  // namespace farstate
