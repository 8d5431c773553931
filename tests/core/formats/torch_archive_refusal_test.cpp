// SPDX-License-Identifier: GPL-3.0-or-later
// Files of torch.save whose pickle wants to run something, is no state dictionary, or whose tensors
// reach out of their storages.
#include <gtest/gtest.h>

#include <limits>

#include "core/formats/pickle.h"
#include "core/formats/torch_archive.h"
#include "tests/support/pickle_builder.h"
#include "tests/support/refusal.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using testing::expect_refused;
using testing::le;
using testing::pickled;
using testing::pickled_state;
using testing::PickleBuilder;
using testing::PickledTensor;
using testing::refusal;
using testing::torch_bytes;
using testing::torch_members;
using testing::zip_bytes;
using testing::ZipMember;

void read(const std::string& bytes) { parse_torch_archive(bytes, "x.bin"); }
void read_pickle(const std::string& bytes) { const Pickle pickle(bytes, "x.bin"); }

PickleBuilder p() { return {}; }

TEST(TorchArchiveRefusal, ReadsWhatIsWhole) {
  const std::string bytes = torch_bytes(pickled_state(), "01234567");
  const TensorTable table = parse_torch_archive(bytes, "x.bin");
  EXPECT_EQ(table.at("a").bytes, "01234567");
  EXPECT_EQ(table.at("a").shape, std::vector<int64_t>{2});
}

TEST(TorchArchiveRefusal, EveryTruncationOfThePickle) {
  const std::string whole = pickled_state();
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(refusal([&] { read(torch_bytes(whole.substr(0, length))); }), HasSubstr("x.bin"))
        << length << " bytes";
  }
}

TEST(TorchArchiveRefusal, EveryByteOfThePickleMayBeWrong) {
  const std::string whole = pickled_state();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char wrong : {'\0', '\1', '\xff', '(', '.', 't', 'R', 'h'}) {
      std::string bytes = whole;
      bytes[at] = wrong;
      refusal([&] { read(torch_bytes(bytes)); });
    }
  }
}

TEST(PickleRefusal, EveryInstructionThatNoStateDictionaryNeeds) {
  // Of protocols 0 to 5, with arguments where one would be read; 'i', 'o', '\x81' and '\x92'
  // call, '\x82' to '\x84', 'P' and '\x93' find what is called.
  const std::string refused =
      "012FILSUTBCVglpidoP\x81\x82\x83\x84\x8b\x8c\x8d\x8e\x8f\x90\x91\x92\x93\x94\x95\x96\x97\x98";
  for (const char opcode : refused) {
    const std::string sentence = refusal(
        [&] { read_pickle(p().none().none().raw(std::string(1, opcode) + "\1\n").stop()); });
    EXPECT_THAT(sentence, HasSubstr("x.bin: at byte 4 of its pickle: the instruction 0x"))
        << static_cast<int>(opcode);
  }
  EXPECT_THAT(refusal([] { read_pickle(p().raw(std::string(1, '\0')).stop()); }),
              HasSubstr("the instruction 0x00"));
}

TEST(PickleRefusal, EveryGlobalButThoseOfTensors) {
  const std::pair<const char*, const char*> globals[] = {
      {"posix", "system"},
      {"os", "system"},
      {"nt", "system"},
      {"builtins", "eval"},
      {"builtins", "exec"},
      {"builtins", "getattr"},
      {"__builtin__", "eval"},
      {"subprocess", "Popen"},
      {"runpy", "_run_code"},
      {"webbrowser", "open"},
      {"numpy.core.multiarray", "_reconstruct"},
      {"argparse", "Namespace"},
      {"torch._utils", "_rebuild_tensor"},
      {"torch._utils", "_rebuild_qtensor"},
      {"torch._utils", "_rebuild_sparse_tensor"},
      {"torch._utils", "_rebuild_device_tensor_from_numpy"},
      {"torch._tensor", "_rebuild_from_type_v2"},
      {"torch", "load"},
      {"torch", "device"},
      {"torch.storage", "UntypedStorage"},
      {"torch.jit._pickle", "restore_type_tag"},
      {"collections", "defaultdict"},
      {"Collections", "OrderedDict"},
      {"collections", "OrderedDict.fromkeys"},
      {"collections.abc", "OrderedDict"},
      {"torch._utils", "_rebuild_tensor_v2 "},
      {"", ""},
  };
  for (const auto& [module, name] : globals) {
    const std::string sentence =
        refusal([&] { read_pickle(p().global(module, name).text("x").tuple().reduce().stop()); });
    EXPECT_THAT(sentence, HasSubstr("x.bin: at byte 2 of its pickle:"));
    EXPECT_THAT(sentence, HasSubstr("\"" + std::string(module) + "." + name + "\""));
    EXPECT_THAT(sentence, HasSubstr("nothing was run"));
  }
}

TEST(PickleRefusal, Stack) {
  expect_refused(
      {
          {"nothing", "", {"at byte 0", "left"}},
          {"a stop at once", p().stop(), {"at byte 2"}},
          {"no stop", p().none().stop().substr(0, 3), {"at byte 3", "left"}},
          {"two values", p().none().none().stop(), {"2 values are left"}},
          {"a mark that is left", p().mark().stop(), {"x.bin"}},
          {"a mark below a value", p().mark().none().stop(), {"x.bin"}},
          {"a tuple without a mark", p().tuple().stop(), {"at byte 2", "mark"}},
          {"a pair of one", p().none().raw("\x86").stop(), {"at byte 3", "2 values are wanted"}},
          {"three of two", p().none().none().raw("\x87").stop(), {"3 values are wanted"}},
          {"items that lie below the mark", p().none().none().mark().raw("\x86").stop(),
           {"2 values are wanted"}},
          {"append to nothing", p().none().raw("a").stop(), {"wanted"}},
          {"append to a dictionary", p().empty_dict().none().raw("a").stop(),
           {"a list is wanted, and a dictionary is there"}},
          {"an item for a list", p().empty_list().none().none().set_item().stop(),
           {"a dictionary is wanted, and a list is there"}},
          {"an item for nothing", p().none().none().set_item().stop(), {"wanted"}},
          {"a key without a value", p().empty_dict().mark().text("a").set_items().stop(),
           {"no value"}},
          {"a call of nothing", p().reduce().stop(), {"at byte 2", "wanted"}},
          {"a call of a string", p().text("posix system").empty_tuple().reduce().stop(), {"call"}},
          {"arguments that are no tuple",
           p().global("collections", "OrderedDict").none().reduce().stop(), {"call"}},
          {"a storage type that is called", p().global("torch", "FloatStorage").empty_tuple().reduce().stop(),
           {"FloatStorage", "can't be called"}},
          {"an OrderedDict of something",
           p().global("collections", "OrderedDict").mark().none().tuple().reduce().stop(),
           {"OrderedDict"}},
          {"a state for no dictionary", p().none().none().build().stop(), {"a dictionary is wanted"}},
          {"a state for nothing", p().build().stop(), {"wanted"}},
          {"a storage named by nothing", p().persistent().stop(), {"wanted"}},
          {"a storage named by a string", p().text("storage").persistent().stop(),
           {"a storage is named wrongly"}},
          {"a storage named by a pair", p().text("storage").none().raw("\x86").persistent().stop(),
           {"a storage is named wrongly"}},
          {"a storage of a function",
           p().mark().text("storage").global("collections", "OrderedDict").text("0").text("cpu").integer(2).tuple().persistent().stop(),
           {"a storage is named wrongly"}},
          {"nothing kept", p().get(7).stop(), {"nothing was kept under number 7"}},
          {"a gap in what is kept", p().none().put(0).none().put(2).get(1).stop(), {"number 1"}},
          {"nothing to keep", p().put(0).stop(), {"wanted"}},
          {"a long number that is not there", p().raw("j" + le(4, 0xffffffff)).stop(),
           {"number 4294967295"}},
      },
      "x.bin", read_pickle);
}

TEST(PickleRefusal, Bytes) {
  expect_refused(
      {
          {"a string of 2 GB", p().raw("X" + le(4, 0x7fffffff) + "abc").stop(),
           {"2147483647 bytes should follow, but 4 are left"}},
          {"a string of 4 GB", p().raw("X" + le(4, 0xffffffff)).stop(), {"4294967295 bytes"}},
          {"a name without an end", p().raw("cposix").stop(), {"a name has no end"}},
          {"half a name", p().raw("cposix\nsystem").stop(), {"a name has no end"}},
          {"an integer of 72 bits", p().raw("\x8a\x09" + std::string(9, '\1')).stop(), {"64 bits"}},
          {"an integer that is cut off", p().raw("\x8a\x08\1\1").stop(), {"8 bytes should follow"}},
          {"protocol 0", PickleBuilder::without_protocol().raw("(lp0\n").stop(), {"x.bin"}},
          {"protocol 4", PickleBuilder::without_protocol().raw("\x80\x04").none().stop(),
           {"protocol 4", "pickle_protocol=2"}},
          {"protocol 255", PickleBuilder::without_protocol().raw("\x80\xff").none().stop(),
           {"protocol 255"}},
          {"text", "This is no pickle.\n", {"x.bin: at byte 0"}},
      },
      "x.bin", read_pickle);
}

TEST(PickleRefusal, StructuresWithoutEnd) {
  // Nesting costs no stack, and a dictionary that holds itself ends nowhere.
  PickleBuilder deep;
  for (int i = 0; i < 200'000; ++i) deep.empty_list().raw("a");
  EXPECT_THAT(refusal([&] { read_pickle(deep.stop()); }), HasSubstr("wanted"));
  std::string tuples;
  for (int i = 0; i < 200'000; ++i) tuples += "\x85";
  EXPECT_THAT(refusal([&] { read(torch_bytes(p().none().raw(tuples).stop())); }),
              HasSubstr("it holds a tuple, but a dictionary of tensors is wanted"));
  EXPECT_THAT(refusal([&] { read_pickle(p().raw(std::string(200'000, '(')).stop()); }),
              HasSubstr("x.bin"));
  for (const char* key : {"a", "model", "state_dict"}) {
    const std::string circle =
        p().empty_dict().put(0).text(key).get(0).set_item().stop();
    EXPECT_THAT(refusal([&] { read(torch_bytes(circle)); }), HasSubstr("holds no tensor")) << key;
  }
}

TEST(TorchArchiveRefusal, Tensors) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  const auto tensor = [](std::vector<int64_t> shape, std::vector<int64_t> stride, int64_t offset) {
    PickledTensor t;
    t.shape = std::move(shape);
    t.stride = std::move(stride);
    t.offset = offset;
    t.storage_numel = 8;
    return torch_bytes(pickled_state(t), std::string(32, '\0'));
  };
  const auto storage = [](const std::function<void(PickledTensor&)>& change) {
    PickledTensor t;
    change(t);
    return torch_bytes(pickled_state(t));
  };
  EXPECT_EQ(refusal([&] { read(tensor({8}, {1}, 0)); }), "accepted");
  EXPECT_EQ(refusal([&] { read(tensor({2, 4}, {1, 2}, 0)); }), "accepted");
  EXPECT_EQ(refusal([&] { read(tensor({2, 0}, {1, 9}, 8)); }), "accepted");
  EXPECT_EQ(refusal([&] { read(tensor({}, {}, 7)); }), "accepted");
  const char* beyond = "reaches beyond its storage of 8 elements";
  expect_refused(
      {
          {"one too many", tensor({9}, {1}, 0), {"\"a\"", "[9]", beyond}},
          {"an offset too far", tensor({8}, {1}, 1), {"\"a\"", "offset 1", beyond}},
          {"a scalar beyond the end", tensor({}, {}, 8), {"\"a\"", "offset 8", beyond}},
          {"nothing beyond the end", tensor({0}, {1}, 9), {"\"a\"", beyond}},
          {"a stride too long", tensor({2}, {8}, 0), {"\"a\"", "strides [8]", beyond}},
          {"strides too long together", tensor({2, 2}, {4, 4}, 0), {"\"a\"", beyond}},
          {"a negative offset", tensor({2}, {1}, -1), {"\"a\"", "offset -1", beyond}},
          {"the least offset", tensor({2}, {1}, kLeast), {"\"a\"", beyond}},
          {"the largest offset", tensor({2}, {1}, kMost), {"\"a\"", beyond}},
          {"a negative size", tensor({-2}, {1}, 0), {"\"a\"", "[-2]", beyond}},
          {"a negative stride", tensor({2}, {-1}, 1), {"\"a\"", "strides [-1]", beyond}},
          {"the largest size", tensor({kMost}, {1}, 0), {"\"a\"", beyond}},
          {"sizes that overflow", tensor({1 << 30, 1 << 30, 1 << 30}, {1, 1, 1}, 0), {"\"a\"", beyond}},
          {"strides that overflow", tensor({3, 3}, {kMost, kMost}, 0), {"\"a\"", beyond}},
          // (2^63 - 1) + (2^63 - 1) + 1 is the largest 64-bit number, and one more is none.
          {"strides that come round to zero", tensor({2, 2, 2}, {kMost, kMost, 1}, 0),
           {"\"a\"", beyond}},
          {"a sign that is to be flipped",
           [] {
             PickledTensor t;
             t.negated = true;
             return torch_bytes(pickled_state(t));
           }(),
           {"carries metadata"}},
          {"a stride of zero", tensor({1 << 30}, {0}, 0), {"\"a\"", "is expanded from the 8 elements"}},
          {"fewer strides than sizes", tensor({2, 2}, {1}, 0), {"\"a\"", "2 sizes and 1 strides"}},
          {"more strides than sizes", tensor({2}, {1, 1}, 0), {"\"a\"", "1 sizes and 2 strides"}},
          {"a thousand dimensions",
           tensor(std::vector<int64_t>(1000, 1), std::vector<int64_t>(1000, 1), 0),
           {"1000 dimensions"}},
          {"a storage that is not there", storage([](auto& t) { t.key = "7"; }),
           {"\"a\"", "\"archive/data/7\"", "missing"}},
          {"a storage in another folder", storage([](auto& t) { t.key = "../version"; }),
           {"\"a\"", "archive/data/../version", "missing"}},
          {"a storage of more than it holds", storage([](auto& t) { t.storage_numel = 3; }),
           {"\"a\"", "3 elements", "8 bytes"}},
          {"a storage of fewer", storage([](auto& t) { t.storage_numel = 1; }),
           {"\"a\"", "1 elements", "8 bytes"}},
          {"a storage of -2", storage([](auto& t) { t.storage_numel = -2; }),
           {"\"a\"", "-2 elements"}},
          {"a storage of half an element", torch_bytes(pickled_state(), std::string(9, '\0')),
           {"\"a\"", "9 bytes"}},
          {"a storage of complex numbers", storage([](auto& t) { t.storage = "ComplexFloatStorage"; }),
           {"\"a\"", "ComplexFloatStorage"}},
          {"a storage without a type", storage([](auto& t) { t.storage = "UntypedStorage"; }),
           {"\"a\"", "UntypedStorage"}},
      },
      "x.bin", read);
}

TEST(TorchArchiveRefusal, WhatIsNoStateDictionary) {
  const auto whole = [](const PickleBuilder& pickle) { return torch_bytes(pickle.stop()); };
  const PickleBuilder a = pickled({});
  expect_refused(
      {
          {"a tensor alone", whole(a), {"it holds a tensor, but a dictionary"}},
          {"a list of tensors", whole(p().empty_list().add(a).raw("a")), {"it holds a list"}},
          {"None", whole(p().none()), {"it holds None"}},
          {"an empty dictionary", whole(p().empty_dict()), {"holds no tensor"}},
          {"a dictionary of numbers", whole(p().empty_dict().text("a").integer(1).set_item()),
           {"holds no tensor"}},
          {"keys that are numbers", whole(p().empty_dict().integer(1).add(a).set_item()),
           {"a key", "a whole number"}},
          {"a name twice",
           whole(p().empty_dict().text("a").add(a).set_item().text("a").add(a).set_item()),
           {"\"a\"", "twice"}},
          {"a tensor of a number",
           whole(p().empty_dict().text("a").global("torch._utils", "_rebuild_tensor_v2").mark().integer(1).tuple().reduce().set_item()),
           {"a tensor is made of"}},
          {"a parameter of a number",
           whole(p().empty_dict().text("a").global("torch._utils", "_rebuild_parameter").mark().integer(1).flag(true).none().tuple().reduce().set_item()),
           {"a parameter is made of"}},
      },
      "x.bin", read);
}

TEST(TorchArchiveRefusal, Archives) {
  using namespace std::string_literals;
  std::vector<ZipMember> jit = torch_members(pickled_state());
  jit.push_back({"archive/constants.pkl", PickleBuilder().empty_tuple().stop()});
  std::vector<ZipMember> big = torch_members(pickled_state());
  big[1].data = "big";
  std::vector<ZipMember> without_pickle = torch_members(pickled_state());
  without_pickle.erase(without_pickle.begin());
  std::vector<ZipMember> without_storage = torch_members(pickled_state());
  without_storage.erase(without_storage.begin() + 2);
  std::vector<ZipMember> climbing = torch_members(pickled_state());
  climbing[2].name = "../../archive/data/0";
  std::vector<ZipMember> empty_pickle = torch_members("");
  expect_refused(
      {
          {"TorchScript", zip_bytes(jit), {"TorchScript", "state_dict"}},
          {"big-endian", zip_bytes(big), {"byte order"}},
          {"no pickle", zip_bytes(without_pickle), {"no data.pkl"}},
          {"an empty pickle", zip_bytes(empty_pickle), {"at byte 0 of its pickle"}},
          {"no storage", zip_bytes(without_storage), {"\"a\"", "\"archive/data/0\"", "missing"}},
          {"a storage that climbs out", zip_bytes(climbing), {"\"a\"", "missing"}},
          {"a Word file", zip_bytes({{"word/document.xml", "<x/>"}}), {"no data.pkl"}},
          {"an empty archive", zip_bytes({}), {"no data.pkl"}},
          {"PyTorch before 1.6",
           "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."s + std::string(99, '\0'),
           {"before 1.6"}},
          {"nothing", "", {"an empty file"}},
          {"a Git LFS pointer",
           "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 5405424282\n",
           {"Git LFS pointer", "git lfs pull"}},
          {"a web page", "<html><body>404</body></html>", {"web page"}},
          {"a text", "Entry not found", {"a text"}},
          {"a GGUF file", "GGUF\3\0\0\0"s, {"GGUF"}},
          {"noise", std::string(99, '\xa5'), {"damaged at its beginning"}},
      },
      "x.bin", read);
}

}  // namespace
}  // namespace farstate
