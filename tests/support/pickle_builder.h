// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles opcode by opcode, and the archives that torch.save makes of them, for tests of the reader.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/little_endian.h"
#include "tests/support/zip_builder.h"

namespace farstate::testing {

// Every call appends what torch.save (pickle protocol 2) writes for it.
class PickleBuilder {
 public:
  PickleBuilder() : bytes_("\x80\x02", 2) {}
  static PickleBuilder without_protocol() {
    PickleBuilder p;
    p.bytes_.clear();
    return p;
  }

  PickleBuilder& raw(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  PickleBuilder& add(const PickleBuilder& other) { return raw(other.bytes_.substr(2)); }
  PickleBuilder& global(const std::string& module, const std::string& name) {
    return raw("c" + module + "\n" + name + "\n");
  }
  PickleBuilder& text(const std::string& value) { return raw("X" + le(4, value.size()) + value); }
  PickleBuilder& integer(int64_t value) {
    if (value >= 0 && value < 256) return raw("K" + le(1, static_cast<uint64_t>(value)));
    return raw("\x8a" + le(1, 8) + le(8, static_cast<uint64_t>(value)));
  }
  PickleBuilder& flag(bool value) { return raw(value ? "\x88" : "\x89"); }
  PickleBuilder& none() { return raw("N"); }
  PickleBuilder& mark() { return raw("("); }
  PickleBuilder& tuple() { return raw("t"); }
  PickleBuilder& empty_tuple() { return raw(")"); }
  PickleBuilder& empty_dict() { return raw("}"); }
  PickleBuilder& empty_list() { return raw("]"); }
  PickleBuilder& set_items() { return raw("u"); }
  PickleBuilder& set_item() { return raw("s"); }
  PickleBuilder& put(uint8_t slot) { return raw("q" + le(1, slot)); }
  PickleBuilder& get(uint8_t slot) { return raw("h" + le(1, slot)); }
  PickleBuilder& persistent() { return raw("Q"); }
  PickleBuilder& reduce() { return raw("R"); }
  PickleBuilder& build() { return raw("b"); }
  std::string stop() const { return bytes_ + "."; }

  PickleBuilder& ordered_dict() { return global("collections", "OrderedDict").empty_tuple().reduce(); }
  PickleBuilder& numbers(const std::vector<int64_t>& values) {
    mark();
    for (const int64_t value : values) integer(value);
    return tuple();
  }

 private:
  std::string bytes_;
};

// One tensor as torch.save writes it; every field may be a lie.
struct PickledTensor {
  std::vector<int64_t> shape{2};
  std::vector<int64_t> stride{1};
  int64_t offset = 0;
  std::string storage = "FloatStorage";
  std::string key = "0";
  int64_t storage_numel = 2;
  std::string rebuild = "_rebuild_tensor_v2";
  bool negated = false;  // by metadata, as torch marks a view of changed sign
};

inline PickleBuilder pickled(const PickledTensor& t) {
  PickleBuilder p;
  p.global("torch._utils", t.rebuild).mark();
  p.mark().text("storage").global("torch", t.storage).text(t.key).text("cpu");
  p.integer(t.storage_numel).tuple().persistent();
  p.integer(t.offset).numbers(t.shape).numbers(t.stride).flag(false).ordered_dict();
  if (t.negated) p.empty_dict().mark().text("neg").flag(true).set_items();
  return p.tuple().reduce();
}

// {"a": tensor}
inline std::string pickled_state(const PickledTensor& tensor = {}) {
  return PickleBuilder().empty_dict().mark().text("a").add(pickled(tensor)).set_items().stop();
}

// Eight bytes of storage "0", as the tensors above want by default.
inline std::vector<ZipMember> torch_members(const std::string& data_pkl,
                                            const std::string& storage = std::string(8, '\0')) {
  return {{"archive/data.pkl", data_pkl},
          {"archive/byteorder", "little"},
          {"archive/data/0", storage},
          {"archive/version", "3\n"}};
}

inline std::string torch_bytes(const std::string& data_pkl,
                               const std::string& storage = std::string(8, '\0')) {
  return zip_bytes(torch_members(data_pkl, storage));
}

}  // namespace farstate::testing
