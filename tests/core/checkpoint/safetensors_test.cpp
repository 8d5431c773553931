// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;

std::string bytes_of(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof(length));
  return bytes + header + data;
}

std::string message(const std::string& bytes) {
  try {
    parse_safetensors(bytes, "x.safetensors");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("x.safetensors"));
    return error.what();
  }
  return "accepted";
}

const std::string kTwoFloats = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";

TEST(Safetensors, RoundTripIsBitEqualInEveryDtype) {
  const testing::TempFolder folder;
  NamedTensors tensors;
  const at::Tensor values = at::randn({3, 5});
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble, at::kHalf, at::kBFloat16}) {
    tensors.emplace_back(toString(dtype), values.to(dtype));
  }
  tensors.emplace_back("ids", at::arange(7));
  tensors.emplace_back("scalar", at::full({}, 2.5));
  tensors.emplace_back("empty", at::empty({0, 4}));
  tensors.emplace_back("strided", values.t());
  const std::string path = folder.file("a.safetensors");
  write_safetensors(path, tensors, {{"key", "value"}});
  const TensorTable file = read_safetensors(path);
  EXPECT_EQ(file.metadata.at("key"), "value");
  EXPECT_EQ(file.names().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    EXPECT_EQ(scalar_type(file.at(name).dtype), tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(tensor_of(file, name), tensor)) << name;
  }
}

TEST(Safetensors, AcceptsAGoodFile) { EXPECT_EQ(message(bytes_of(kTwoFloats, std::string(8, 'x'))), "accepted"); }

TEST(Safetensors, EveryTruncationIsRefused) {
  const std::string whole = bytes_of(kTwoFloats, std::string(8, 'x'));
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(message(whole.substr(0, length)), "accepted") << length << " bytes";
  }
}

TEST(Safetensors, RefusesHeadersThatLie) {
  const std::string data(8, 'x');
  const auto header = [&](const std::string& json) { return message(bytes_of(json, data)); };
  EXPECT_THAT(message(std::string(8, '\xff') + "{}"), HasSubstr("header should have"));
  EXPECT_THAT(header("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(header("{\"a\":"), HasSubstr("not a JSON object"));
  EXPECT_THAT(header(R"({"a":1})"), HasSubstr("\"a\" is not an object"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[2]}})"), HasSubstr("no data_offsets"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F9","shape":[2],"data_offsets":[0,8]}})"), HasSubstr("\"F9\""));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})"), HasSubstr("need 12"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})"), HasSubstr("not a size"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})"), HasSubstr("[8, 0)"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})"), HasSubstr("[4, 12)"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[281474976710656,281474976710656],"data_offsets":[0,8]}})"),
              HasSubstr("overflows"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})"), HasSubstr("follow the last"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"), HasSubstr("hole"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                     R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
              HasSubstr("overlap"));
  EXPECT_THAT(header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                     R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})"),
              HasSubstr("twice"));
}

TEST(WriteFile, LeavesLinksAndDevicesWhatTheyAre) {
  const testing::TempFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink(folder.file("real"), folder.file("link"));
  write_file_atomic(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(testing::read_all(folder.file("real")), "new");
  write_file_atomic("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Safetensors, AFailedWriteLeavesTheOldFile) {
  const testing::TempFolder folder;
  const std::string path = folder.file("a.safetensors");
  write_safetensors(path, {{"a", at::ones({2})}}, {});
  EXPECT_THROW(write_file_atomic(path,
                                 [](std::ostream& out) {
                                   out << "half";
                                   throw Error(ErrorKind::kInternal, "the writer failed");
                                 }),
               Error);
  EXPECT_THROW(write_file_atomic(path,
                                 [](std::ostream& out) {
                                   out << "half";
                                   out.setstate(std::ios::badbit);  // as a full disk does
                                 }),
               Error);
  EXPECT_TRUE(at::equal(tensor_of(read_safetensors(path), "a"), at::ones({2})));
  EXPECT_EQ(folder.entries(), 1U) << "nothing is left lying about";
  EXPECT_THROW(write_safetensors(folder.file("none/a.safetensors"), {{"a", at::ones({2})}}, {}), Error);
}

}  // namespace
}  // namespace farstate
