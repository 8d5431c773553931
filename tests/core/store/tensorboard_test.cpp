// SPDX-License-Identifier: GPL-3.0-or-later
// The event file read back byte by byte, by a reader that shares nothing with the writer: frames by
// TensorFlow's record_writer.h, messages by protobuf's encoding, checksums bit by bit.
#include "core/store/tensorboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "tests/support/stored_runs.h"
#include "tests/support/temp_folder.h"

namespace farstate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;
using testing::points;
using testing::read_all;
using testing::snapshot;
using testing::some_run;
using testing::TempFolder;

// A division of polynomials over two elements, a bit at a time, the lowest bit first.
uint32_t plain_crc32c(std::string_view bytes) {
  uint32_t rest = 0xFFFFFFFF;
  for (const char byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = ((rest ^ (static_cast<unsigned char>(byte) >> bit)) & 1) != 0;
      rest >>= 1;
      if (one) rest ^= 0x82F63B78;
    }
  }
  return rest ^ 0xFFFFFFFF;
}

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::string_view take(size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("cut off");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  uint64_t fixed(size_t width) {
    uint64_t number = 0;
    const std::string_view taken = take(width);
    for (size_t i = width; i-- > 0;) number = number << 8 | static_cast<unsigned char>(taken[i]);
    return number;
  }
  uint64_t varint() {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      number |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return number;
    }
  }

 private:
  std::string_view bytes_;
};

// The fields of a message: numbers as their bits, everything else as bytes.
struct Field {
  uint64_t bits = 0;
  std::string_view bytes;
};
std::map<uint64_t, Field> fields_of(std::string_view message) {
  std::map<uint64_t, Field> fields;
  Bytes in(message);
  while (!in.empty()) {
    const uint64_t key = in.varint();
    Field& field = fields[key >> 3];
    switch (key & 7) {
      case 0: field.bits = in.varint(); break;
      case 1: field.bits = in.fixed(8); break;
      case 2: field.bytes = in.take(in.varint()); break;
      case 5: field.bits = in.fixed(4); break;
      default: throw std::runtime_error("no such wire type");
    }
  }
  return fields;
}

std::vector<std::string_view> records_of(std::string_view file) {
  std::vector<std::string_view> records;
  Bytes in(file);
  const auto check = [](std::string_view bytes, uint64_t found) {
    const uint32_t crc = plain_crc32c(bytes);
    EXPECT_EQ(found, static_cast<uint32_t>(std::rotr(crc, 15) + 0xA282EAD8U));
  };
  while (!in.empty()) {
    const std::string_view length = in.take(8);
    check(length, in.fixed(4));
    records.push_back(in.take(Bytes(length).fixed(8)));
    check(records.back(), in.fixed(4));
  }
  return records;
}

// By tag, the values by step.
std::map<std::string, std::map<int64_t, float>> scalars_of(const std::string& file) {
  std::map<std::string, std::map<int64_t, float>> scalars;
  const std::vector<std::string_view> records = records_of(file);
  EXPECT_EQ(fields_of(records.at(0))[3].bytes, "brain.Event:2");
  for (size_t i = 1; i < records.size(); ++i) {
    std::map<uint64_t, Field> event = fields_of(records[i]);
    EXPECT_EQ(std::bit_cast<double>(event[1].bits), 1795853565.0);
    std::map<uint64_t, Field> value = fields_of(fields_of(event[5].bytes)[1].bytes);
    scalars[std::string(value[1].bytes)][static_cast<int64_t>(event[2].bits)] =
        std::bit_cast<float>(static_cast<uint32_t>(value[2].bits));
  }
  return scalars;
}

StoredRun dated_run() {
  StoredRun run = some_run();
  run.id = 4;
  run.started = "2026-11-28T08:12:45Z";  // 1795853565 seconds after 1970, by date -d … +%s
  return run;
}

TEST(TensorBoard, ChecksumsAreThoseOfRfc3720) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62A8AB43U);
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(plain_crc32c("123456789"), 0xE3069283U);
}

TEST(TensorBoard, EveryScalarIsThereAtItsStep) {
  RunCurves curves;
  curves.points = points(1, 300);  // steps that take more than a byte
  curves.points[4].loss = std::numeric_limits<double>::quiet_NaN();
  curves.snapshots = {snapshot(100), snapshot(300)};
  const auto scalars = scalars_of(tensorboard_events(dated_run(), curves));
  ASSERT_THAT(scalars, Contains(Key("train/loss")));
  const std::map<int64_t, float>& loss = scalars.at("train/loss");
  ASSERT_EQ(loss.size(), 300U);
  EXPECT_EQ(loss.at(300), static_cast<float>(3.0 / 300));
  EXPECT_TRUE(std::isnan(loss.at(5)));
  EXPECT_EQ(scalars.at("train/grad_norm").at(200), static_cast<float>(0.1 * 200));
  EXPECT_EQ(scalars.at("train/learning_rate").at(1), 5e-4F);
  EXPECT_EQ(scalars.at("train/tokens_per_second").at(300), 10300.0F);
  // T = 64: position 32 lies in the bin [31, 33), 64 in [63, 65), and 128 in the last, [127, 129).
  EXPECT_EQ(scalars.at("perplexity/T/2").at(100), static_cast<float>(31.0 / 100));
  EXPECT_EQ(scalars.at("perplexity/T").at(100), static_cast<float>(63.0 / 100));
  EXPECT_EQ(scalars.at("perplexity/2T").at(300), static_cast<float>(127.0 / 300));
  EXPECT_THAT(scalars, Not(Contains(Key("perplexity/8T")))) << "not measured that far";
}

TEST(TensorBoard, ARunWithoutAnythingIsAFileWithoutScalars) {
  StoredRun run = dated_run();
  EXPECT_TRUE(scalars_of(tensorboard_events(run, {})).empty());
  run.recipe = "no JSON";
  RunCurves curves;
  curves.snapshots = {snapshot(1)};
  EXPECT_TRUE(scalars_of(tensorboard_events(run, curves)).empty()) << "T is not known";
}

TEST(TensorBoard, ASecondExportReplacesTheFirst) {
  const TempFolder folder;
  RunCurves curves;
  const std::string path = write_tensorboard(folder.file("log"), dated_run(), curves);
  EXPECT_EQ(std::filesystem::path(path).filename(), "events.out.tfevents.1795853565.farstate.run4");
  curves.points = points(1, 3);
  EXPECT_EQ(write_tensorboard(folder.file("log"), dated_run(), curves), path);
  EXPECT_EQ(scalars_of(read_all(path)).at("train/loss").size(), 3U);
}

}  // namespace
}  // namespace farstate
