// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torch_archive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/formats/pickle.h"
#include "core/formats/zip_archive.h"

namespace farstate {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kPickle = "/data.pkl";

struct StorageType {
  std::string_view name;
  DType dtype;
};

constexpr StorageType kStorageTypes[] = {
    {"FloatStorage", DType::kF32},   {"HalfStorage", DType::kF16}, {"BFloat16Storage", DType::kBF16},
    {"DoubleStorage", DType::kF64},  {"LongStorage", DType::kI64}, {"IntStorage", DType::kI32},
    {"ShortStorage", DType::kI16},   {"CharStorage", DType::kI8},  {"ByteStorage", DType::kU8},
    {"BoolStorage", DType::kBool}};

// Where training scripts put the weights when they save more than these.
constexpr std::string_view kWrappers[] = {"model", "state_dict", "model_state_dict", "module"};

class Reader {
 public:
  explicit Reader(const ZipArchive& archive) : archive_(archive), table_(archive.source()) {}

  TensorTable run() {
    find_root();
    const Pickle pickle(archive_.entries().at(root_ + std::string(kPickle)), archive_.source());
    const PickleValue* weights = &pickle.root();
    // A wrapper in a wrapper is the most that occurs.
    for (int depth = 0; depth < 2; ++depth) {
      const PickleValue* inner = wrapped(*weights);
      if (inner != nullptr) weights = inner;
    }
    if (weights->kind != Kind::kDict) {
      fail(fmt::format("it holds {}, but a dictionary of tensors is wanted; save the model's "
                       "state_dict().",
                       name_of(weights->kind)));
    }
    read_tensors(*weights);
    if (table_.tensors().empty()) fail("its dictionary holds no tensor.");
    return std::move(table_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", archive_.source(), why));
  }

  // All entries lie in one folder of any name.
  void find_root() {
    for (const auto& [name, bytes] : archive_.entries()) {
      if (name.ends_with("/constants.pkl")) {
        fail("it is a TorchScript program; save the model's state_dict() with torch.save.");
      }
    }
    for (const auto& [name, bytes] : archive_.entries()) {
      if (!name.ends_with(kPickle)) continue;
      root_ = name.substr(0, name.size() - kPickle.size());
      if (root_.find('/') == std::string::npos) {
        check_byte_order();
        return;
      }
    }
    fail("the archive holds no data.pkl: torch.save did not write it.");
  }

  void check_byte_order() const {
    const auto order = archive_.entries().find(root_ + "/byteorder");
    if (order == archive_.entries().end() || order->second == "little") return;
    fail("it was written on a machine with another byte order; load it there and save it as "
         "safetensors.");
  }

  static const PickleValue* wrapped(const PickleValue& dict) {
    if (dict.kind != Kind::kDict) return nullptr;
    for (size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const PickleValue& key = *dict.items[i];
      const PickleValue& value = *dict.items[i + 1];
      if (key.kind == Kind::kString && value.kind == Kind::kDict &&
          std::find(std::begin(kWrappers), std::end(kWrappers), key.text) != std::end(kWrappers)) {
        return &value;
      }
    }
    return nullptr;
  }

  void read_tensors(const PickleValue& dict) {
    std::vector<std::string> others;
    for (size_t i = 0; i + 1 < dict.items.size(); i += 2) {
      const PickleValue& key = *dict.items[i];
      const PickleValue& value = *dict.items[i + 1];
      if (key.kind != Kind::kString) fail(fmt::format("a key of its dictionary is {}, but must be a "
                                                      "string.",
                                                      name_of(key.kind)));
      const std::string name(key.text);
      if (value.kind == Kind::kTensor) {
        table_.add(name, tensor(name, value));
      } else {
        others.push_back(fmt::format("\"{}\" ({})", name, name_of(value.kind)));
      }
    }
    if (others.empty()) return;
    const size_t count = others.size();
    others.resize(std::min<size_t>(count, 5));
    table_.notes.push_back(fmt::format("{}: {} entries are no tensors and were left out: {}{}",
                                       archive_.source(), count, fmt::join(others, ", "),
                                       count > others.size() ? ", …" : "."));
  }

  StoredTensor tensor(const std::string& name, const PickleValue& value) const {
    const auto type = std::find_if(std::begin(kStorageTypes), std::end(kStorageTypes),
                                   [&](const StorageType& t) { return t.name == value.storage_type; });
    if (type == std::end(kStorageTypes)) {
      fail(fmt::format("tensor \"{}\" lies in a {}, which Farstate does not read.", name,
                       value.storage_type));
    }
    const auto found = archive_.entries().find(fmt::format("{}/data/{}", root_, value.text));
    if (found == archive_.entries().end()) {
      fail(fmt::format("tensor \"{}\": its storage, the entry \"{}/data/{}\", is missing.", name, root_,
                       value.text));
    }
    const std::string_view storage = found->second;
    const auto size = static_cast<uint64_t>(size_of(type->dtype));
    if (value.storage_elements < 0 ||
        static_cast<uint64_t>(value.storage_elements) != storage.size() / size ||
        storage.size() % size != 0) {
      fail(fmt::format("tensor \"{}\": its storage should hold {} elements of {}, but has {} bytes.",
                       name, value.storage_elements, name_of(type->dtype), storage.size()));
    }
    StoredTensor tensor;
    tensor.dtype = type->dtype;
    tensor.shape = value.shape;
    tensor.strides = value.strides;
    tensor.file = archive_.file();
    const uint64_t extent = checked_extent(name, value);
    tensor.bytes = storage.substr(static_cast<uint64_t>(value.offset) * size, extent * size);
    return tensor;
  }

  // Elements from the first to the last that the tensor touches, all within its storage.
  uint64_t checked_extent(const std::string& name, const PickleValue& value) const {
    if (value.shape.size() != value.strides.size()) {
      fail(fmt::format("tensor \"{}\" has {} sizes and {} strides.", name, value.shape.size(),
                       value.strides.size()));
    }
    uint64_t last = 0;
    uint64_t elements = 1;
    bool empty = false, overflow = value.offset < 0;
    for (size_t i = 0; i < value.shape.size(); ++i) {
      const int64_t extent = value.shape[i], stride = value.strides[i];
      overflow = overflow || extent < 0 || stride < 0;
      empty = empty || extent == 0;
      if (overflow || empty) continue;
      uint64_t reach = 0;
      overflow = __builtin_mul_overflow(static_cast<uint64_t>(extent - 1),
                                        static_cast<uint64_t>(stride), &reach) ||
                 __builtin_add_overflow(last, reach, &last) ||
                 // Strides of 0 would make a small file a huge tensor.
                 __builtin_mul_overflow(elements, static_cast<uint64_t>(extent), &elements);
    }
    const auto held = static_cast<uint64_t>(std::max<int64_t>(value.storage_elements, 0));
    overflow = overflow || last >= std::numeric_limits<uint64_t>::max();
    const uint64_t extent = empty ? 0 : last + 1;
    const bool beyond = overflow || static_cast<uint64_t>(value.offset) > held ||
                        extent > held - static_cast<uint64_t>(value.offset);
    if (!beyond && !empty && elements > held) {
      fail(fmt::format("tensor \"{}\" of shape [{}] is expanded from the {} elements of its storage, "
                       "which Farstate does not read; save a contiguous copy of it.",
                       name, fmt::join(value.shape, ","), value.storage_elements));
    }
    if (beyond) {
      fail(fmt::format("tensor \"{}\" of shape [{}], strides [{}] and offset {} reaches beyond its "
                       "storage of {} elements.",
                       name, fmt::join(value.shape, ","), fmt::join(value.strides, ","), value.offset,
                       value.storage_elements));
    }
    return extent;
  }

  const ZipArchive& archive_;
  std::string root_;
  TensorTable table_;
};

}  // namespace

TensorTable read_torch_archive(const std::string& path) {
  const ZipArchive archive(path);
  return Reader(archive).run();
}

TensorTable parse_torch_archive(std::string_view bytes, const std::string& source) {
  const ZipArchive archive(bytes, source);
  return Reader(archive).run();
}

}  // namespace farstate
