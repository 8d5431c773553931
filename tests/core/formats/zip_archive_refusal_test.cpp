// SPDX-License-Identifier: GPL-3.0-or-later
// Zip archives that are cut off, that lie, or that use what torch.save does not.
#include <gtest/gtest.h>

#include "core/formats/zip_archive.h"
#include "tests/support/refusal.h"
#include "tests/support/zip_builder.h"

namespace farstate {
namespace {

using testing::expect_refused;
using testing::le;
using testing::refusal;
using testing::zip_bytes;
using testing::zip_extra64;
using testing::ZipEnd;
using testing::ZipMember;

constexpr uint64_t kHuge = ~uint64_t{0};

void read(const std::string& bytes) { const ZipArchive archive(bytes, "x.bin"); }

std::vector<ZipMember> two_members() { return {{"r/a", "hello"}, {"r/b", "12345678"}}; }

std::string with(const std::function<void(ZipMember&)>& change, const ZipEnd& end = {}) {
  std::vector<ZipMember> members = two_members();
  change(members[1]);
  return zip_bytes(members, end);
}

TEST(ZipArchiveRefusal, ReadsWhatIsWhole) {
  ZipEnd wide, commented;
  wide.zip64 = true;
  commented.comment = "PK\5\6 is not the end record here";
  for (const ZipEnd& end : {ZipEnd{}, wide, commented}) {
    for (const bool zip64 : {false, true}) {
      const std::string bytes = with([&](ZipMember& m) { m.zip64 = zip64; }, end);
      const ZipArchive archive(bytes, "x.bin");
      EXPECT_EQ(archive.entries().at("r/a"), "hello");
      EXPECT_EQ(archive.entries().at("r/b"), "12345678");
      EXPECT_EQ(archive.entries().size(), 2U);
    }
  }
}

TEST(ZipArchiveRefusal, EveryTruncation) {
  for (const bool zip64 : {false, true}) {
    ZipEnd end;
    end.zip64 = zip64;
    const std::string whole = with([&](ZipMember& m) { m.zip64 = zip64; }, end);
    for (size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THAT(refusal([&] { read(whole.substr(0, length)); }), ::testing::HasSubstr("x.bin"))
          << length << " bytes";
      // Cut off at the other end: every offset is wrong.
      EXPECT_THAT(refusal([&] { read(whole.substr(whole.size() - length)); }),
                  ::testing::HasSubstr("x.bin"))
          << "the last " << length << " bytes";
    }
  }
}

TEST(ZipArchiveRefusal, EveryByteMayBeWrong) {
  ZipEnd end;
  end.zip64 = true;
  const std::string whole = with([](ZipMember& m) { m.zip64 = true; }, end);
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char wrong : {'\0', '\1', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = wrong;
      refusal([&] { read(bytes); });
    }
  }
}

TEST(ZipArchiveRefusal, Entries) {
  const auto wide = [](uint64_t size, uint64_t packed_size, uint64_t offset) {
    return with([&](ZipMember& m) {
      m.zip64 = true;
      m.extra = zip_extra64(size, packed_size, offset);
    });
  };
  expect_refused(
      {
          {"compressed", with([](ZipMember& m) { m.method = 8; }),
           {"\"r/b\"", "compressed", "method 8"}},
          {"encrypted", with([](ZipMember& m) { m.flags = 1; }), {"\"r/b\"", "encrypted"}},
          {"a name twice", with([](ZipMember& m) { m.name = "r/a"; }), {"\"r/a\" twice"}},
          {"over the entry before", with([](ZipMember& m) { m.offset = 0, m.name = "r/a"; }),
           {"r/a"}},
          {"another entry's data", with([](ZipMember& m) { m.offset = 0; }),
           {"\"r/b\"", "another name"}},
          {"inside another entry", with([](ZipMember& m) { m.offset = 10; }),
           {"\"r/b\"", "byte 10"}},
          {"beyond the file", with([](ZipMember& m) { m.offset = 100000; }),
           {"\"r/b\"", "byte 100000"}},
          {"a wrong local header", with([](ZipMember& m) { m.local_signature = "PK\3\5"; }),
           {"\"r/b\"", "should begin at byte 38"}},
          {"too long by one", with([](ZipMember& m) { m.size = m.packed_size = 9; }),
           {"\"r/b\"", "9 bytes", "beyond"}},
          {"too long by far", with([](ZipMember& m) { m.size = m.packed_size = 0xfffffffe; }),
           {"\"r/b\"", "beyond"}},
          {"two sizes", with([](ZipMember& m) { m.packed_size = 7; }),
           {"\"r/b\"", "7 bytes", "have 8"}},
          {"a size of 2^64 - 1", wide(kHuge, kHuge, 38), {"\"r/b\"", "beyond"}},
          {"an offset of 2^64 - 1", wide(8, 8, kHuge), {"\"r/b\"", "should begin"}},
          {"an offset that overflows", wide(8, 8, kHuge - 29), {"\"r/b\"", "should begin"}},
          {"64 bits promised, none there", with([](ZipMember& m) { m.zip64 = true, m.extra = ""; }),
           {"\"r/b\""}},
          {"64 bits promised, half there",
           with([](ZipMember& m) { m.zip64 = true, m.extra = le(2, 1) + le(2, 4) + le(4, 8); }),
           {"\"r/b\""}},
          {"an extra longer than itself",
           with([](ZipMember& m) { m.zip64 = true, m.extra = le(2, 1) + le(2, 60) + le(8, 8); }),
           {"\"r/b\"", "damaged extra"}},
      },
      "x.bin", read);
  // An entry inside the data of another one, with a local header of its own.
  const std::string inner = zip_bytes({{"r/b", "12345678"}}).substr(0, 41);
  expect_refused({{"nested entries",
                   zip_bytes({{"r/a", inner},
                              {.name = "r/b", .data = "12345678", .offset = 33}}),
                   {"overlap", "\"r/a\"", "\"r/b\""}}},
                 "x.bin", read);
}

TEST(ZipArchiveRefusal, EndRecord) {
  const auto end = [](const std::function<void(ZipEnd&)>& change) {
    ZipEnd record;
    change(record);
    return zip_bytes(two_members(), record);
  };
  const std::string whole = zip_bytes(two_members());
  expect_refused(
      {
          {"none", whole.substr(0, whole.size() - 22), {"cut off"}},
          {"more entries than there are", end([](ZipEnd& e) { e.members = 3; }), {"entry 3 of 3"}},
          {"fewer entries than there are", end([](ZipEnd& e) { e.members = 1; }), {"1", "entries"}},
          {"a table that ends early", end([](ZipEnd& e) { e.directory_size = 60; }),
           {"entry 2 of 2"}},
          {"a table that ends within an entry", end([](ZipEnd& e) { e.directory_size = 48; }),
           {"entry 1 of 2"}},
          {"a table beyond the file", end([](ZipEnd& e) { e.directory_offset = 1000; }), {"1000"}},
          {"a table longer than the file", end([](ZipEnd& e) { e.directory_size = 1000; }),
           {"1000"}},
          {"a table that begins elsewhere", end([](ZipEnd& e) { e.directory_offset = 3; }),
           {"entry 1 of 2"}},
          {"a comment that is cut off", end([](ZipEnd& e) { e.comment_length = 5; }), {"cut off"}},
          {"something after the end", whole + "more", {"cut off"}},
          {"2^64 - 1 entries", end([](ZipEnd& e) { e.zip64 = true, e.members = kHuge; }),
           {"entry 3 of"}},
          {"a table at 2^64 - 1", end([](ZipEnd& e) { e.zip64 = true, e.directory_offset = kHuge; }),
           {"table of entries"}},
          {"a table of 2^64 - 1 bytes",
           end([](ZipEnd& e) { e.zip64 = true, e.directory_size = kHuge; }),
           {"table of entries"}},
          {"a ZIP64 record elsewhere",
           end([](ZipEnd& e) { e.zip64 = true, e.zip64_record_offset = 5; }),
           {"ZIP64", "byte 5"}},
          {"a ZIP64 record beyond the file",
           end([](ZipEnd& e) { e.zip64 = true, e.zip64_record_offset = kHuge; }),
           {"ZIP64"}},
      },
      "x.bin", read);
}

}  // namespace
}  // namespace farstate
