// SPDX-License-Identifier: GPL-3.0-or-later
// Indices of shards that lie, and folders that are not what their index says.
#include <gtest/gtest.h>

#include "core/formats/sharded.h"
#include "tests/support/little_endian.h"
#include "tests/support/refusal.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using testing::expect_refused;
using testing::le;
using testing::refusal;
using testing::TempFolder;

std::string index_of(const std::string& weight_map) {
  return R"({"metadata":{"total_size":8},"weight_map":)" + weight_map + "}";
}

std::string shard(const std::string& tensor) {
  const std::string header =
      "{\"" + tensor + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  return le(8, header.size()) + header + "1234";
}

TEST(ShardIndexRefusal, Json) {
  const auto mapped = [](const std::string& file) { return index_of("{\"a\":" + file + "}"); };
  expect_refused(
      {
          {"nothing", "", {"weight_map"}},
          {"an array", "[]", {"weight_map"}},
          {"half an object", R"({"weight_map":{)", {"weight_map"}},
          {"no map", R"({"metadata":{}})", {"weight_map"}},
          {"a map that is an array", index_of("[]"), {"weight_map"}},
          {"a map that is null", index_of("null"), {"weight_map"}},
          {"an empty map", index_of("{}"), {"\"weight_map\" is empty"}},
          {"a number for a file", mapped("1"), {"\"a\" is mapped to 1"}},
          {"null for a file", mapped("null"), {"\"a\" is mapped to null"}},
          {"a list of files", mapped(R"(["s1"])"), {"\"a\" is mapped to an array"}},
          {"no name", mapped("\"\""), {"\"a\"", "own folder"}},
          {"this folder", mapped("\".\""), {"\"a\"", "own folder"}},
          {"the folder above", mapped("\"..\""), {"\"a\"", "own folder"}},
          {"a file above", mapped("\"../s1\""), {"\"a\"", "\"../s1\"", "own folder"}},
          {"a file of the system", mapped("\"/etc/passwd\""), {"\"a\"", "own folder"}},
          {"a file below", mapped("\"x/s1\""), {"\"a\"", "own folder"}},
          {"a file above, as Windows writes it", mapped(R"("..\\s1")"), {"\"a\"", "own folder"}},
          {"a name that ends early", mapped(R"("s1\u0000.x")"), {"\"a\"", "own folder"}},
          {"a hundred thousand arrays", std::string(100'000, '['), {"weight_map"}},
          {"a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0123\n",
           {"x.index.json"}},
      },
      "x.index.json", [](const std::string& text) { parse_shard_index(text, "x.index.json"); });
}

TEST(ShardIndexRefusal, Folders) {
  const TempFolder folder;
  folder.write("s1", shard("a"));
  folder.write("s2", shard("b"));
  folder.write("a-too", shard("a"));
  folder.write("cut", shard("c").substr(0, 40));
  std::filesystem::create_directory(folder.file("dir"));
  const std::string path = folder.file("model.safetensors.index.json");
  const auto read = [&](const std::string& weight_map) {
    folder.write("model.safetensors.index.json", index_of(weight_map));
    read_weights(path);
  };
  EXPECT_EQ(refusal([&] { read(R"({"a":"s1","b":"s2"})"); }), "accepted");
  expect_refused(
      {
          {"a missing shard", R"({"a":"s1","b":"s3"})", {"index.json", "the shard s3 is missing"}},
          {"the wrong shard", R"({"a":"s2","b":"s1"})", {"\"a\"", "should be in s2", "in s1"}},
          {"a tensor that is nowhere", R"({"a":"s1","b":"s2","c":"s2"})",
           {"\"c\"", "should be in s2", "in no shard"}},
          {"a shard that is not named", R"({"a":"s1","b":"s1"})", {"\"b\"", "in no shard"}},
          {"a tensor in two shards", R"({"a":"s1","b":"a-too"})", {"\"a\"", "s1", "a-too"}},
          {"a shard that is cut off", R"({"a":"s1","c":"cut"})", {"/cut: "}},
          {"a shard that is a folder", R"({"a":"s1","c":"dir"})", {"/dir", "a folder"}},
      },
      folder.path(), read);
}

}  // namespace
}  // namespace farstate
