// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pickle.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "core/base/error.h"

namespace farstate {
namespace {

using Kind = PickleValue::Kind;

enum Opcode : uint8_t {
  kMark = '(',
  kStop = '.',
  kBinFloat = 'G',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kBinPersId = 'Q',
  kReduce = 'R',
  kBinUnicode = 'X',
  kAppend = 'a',
  kBuild = 'b',
  kGlobal = 'c',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kSetItems = 'u',
  kEmptyTuple = ')',
  kEmptyList = ']',
  kEmptyDict = '}',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
};

constexpr uint8_t kProtocol = 2;  // what torch.save writes

constexpr size_t kMostDimensions = 64;

// Globals, as the pickle has them: the module, a line feed, the name.
constexpr std::string_view kOrderedDict = "collections\nOrderedDict";
constexpr std::string_view kRebuildTensor = "torch._utils\n_rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils\n_rebuild_parameter";
constexpr std::string_view kTorch = "torch\n";

bool is_storage_type(std::string_view global) {
  return global.starts_with(kTorch) && global.ends_with("Storage");
}

bool is_allowed(std::string_view global) {
  return global == kOrderedDict || global == kRebuildTensor || global == kRebuildParameter ||
         is_storage_type(global);
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kNone: return "None";
    case Kind::kBool: return "a truth value";
    case Kind::kInt: return "a whole number";
    case Kind::kFloat: return "a number";
    case Kind::kString: return "a string";
    case Kind::kTuple: return "a tuple";
    case Kind::kList: return "a list";
    case Kind::kDict: return "a dictionary";
    case Kind::kGlobal: return "a function or class";
    case Kind::kStorage: return "a storage";
    case Kind::kTensor: return "a tensor";
  }
  return "";
}

class Unpickler {
 public:
  Unpickler(Pickle& pickle, std::string_view bytes, const std::string& source)
      : pickle_(pickle), bytes_(bytes), source_(source) {}

  void run() {
    while (true) {
      opcode_at_ = at_;
      const auto opcode = number<uint8_t>();
      if (opcode == kStop) break;
      execute(opcode);
    }
    if (stack_.size() != 1 || !marks_.empty()) {
      fail(fmt::format("{} values are left where one was wanted", stack_.size()));
    }
    pickle_.root_ = stack_.front();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: at byte {} of its pickle: {}; it is not a dictionary of tensors as "
                            "torch.save writes it.",
                            source_, opcode_at_, why));
  }

  void execute(uint8_t opcode) {
    switch (opcode) {
      case kProto: return protocol();
      case kMark: marks_.push_back(stack_.size()); return;
      case kNone: push(Kind::kNone); return;
      case kNewTrue: push(Kind::kBool).integer = 1; return;
      case kNewFalse: push(Kind::kBool); return;
      case kBinInt: push_int(number<int32_t>()); return;
      case kBinInt1: push_int(number<uint8_t>()); return;
      case kBinInt2: push_int(number<uint16_t>()); return;
      case kLong1: return long_int();
      case kBinFloat: return big_endian_float();
      case kBinUnicode: push(Kind::kString).text = take(number<uint32_t>()); return;
      case kEmptyTuple: push(Kind::kTuple); return;
      case kTuple1: return tuple(1);
      case kTuple2: return tuple(2);
      case kTuple3: return tuple(3);
      case kTuple: return tuple(above_mark());
      case kEmptyList: push(Kind::kList); return;
      case kAppend: return append(1);
      case kAppends: return append(above_mark());
      case kEmptyDict: push(Kind::kDict); return;
      case kSetItem: return set_items(2);
      case kSetItems: return set_items(above_mark());
      case kBinPut: return put(number<uint8_t>());
      case kLongBinPut: return put(number<uint32_t>());
      case kBinGet: return get(number<uint8_t>());
      case kLongBinGet: return get(number<uint32_t>());
      case kGlobal: return global();
      case kReduce: return reduce();
      case kBuild: return build();
      case kBinPersId: return persistent();
      default:
        fail(fmt::format("the instruction {:#04x} does not belong in a state dictionary", opcode));
    }
  }

  // ----- bytes

  std::string_view take(uint64_t size) {
    if (size > bytes_.size() - at_) {
      fail(fmt::format("{} bytes should follow, but {} are left", size, bytes_.size() - at_));
    }
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::string_view two_lines() {
    const size_t first = bytes_.find('\n', at_);
    const size_t end = first == std::string_view::npos ? first : bytes_.find('\n', first + 1);
    if (end == std::string_view::npos) fail("a name has no end");
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  // For a person, who may meet any bytes here: printable and short.
  static std::string shown(std::string_view global) {
    constexpr size_t kMost = 80;
    std::string text(global.substr(0, kMost));
    for (char& c : text) {
      if (c == '\n') c = '.';
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
    }
    return global.size() > kMost ? text + "…" : text;
  }

  // ----- stack

  PickleValue& push(Kind kind) {
    PickleValue& value = pickle_.values_.emplace_back();
    value.kind = kind;
    stack_.push_back(&value);
    return value;
  }
  void push_int(int64_t integer) { push(Kind::kInt).integer = integer; }

  // Values that lie above the innermost mark, or in the whole stack, may be taken.
  void need(size_t count) const {
    const size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() - floor < count) fail(fmt::format("{} values are wanted, and fewer are there", count));
  }

  PickleValue& pop() {
    need(1);
    PickleValue* value = stack_.back();
    stack_.pop_back();
    return *value;
  }

  size_t above_mark() {
    if (marks_.empty()) fail("a mark is wanted, and none is there");
    const size_t count = stack_.size() - marks_.back();
    marks_.pop_back();
    return count;
  }

  std::vector<const PickleValue*> pop_many(size_t count) {
    need(count);
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<const PickleValue*> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }

  PickleValue& top(Kind wanted) {
    need(1);
    if (stack_.back()->kind != wanted) {
      fail(fmt::format("{} is wanted, and {} is there", name_of(wanted), name_of(stack_.back()->kind)));
    }
    return *stack_.back();
  }

  // ----- instructions

  void protocol() {
    const auto version = number<uint8_t>();
    if (version != kProtocol) {
      fail(fmt::format("it has pickle protocol {}; save it with torch.save's own (pickle_protocol="
                       "{})",
                       version, kProtocol));
    }
  }

  void long_int() {
    const std::string_view digits = take(number<uint8_t>());
    if (digits.size() > sizeof(int64_t)) fail("a whole number has more than 64 bits");
    uint64_t value = 0;
    for (size_t i = digits.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(digits[i]);
    const size_t unused = 64 - 8 * digits.size();
    // Two's complement of as many bytes as it needs.
    push_int(digits.empty() ? 0 : static_cast<int64_t>(value << unused) >> unused);
  }

  void big_endian_float() {
    const std::string_view digits = take(sizeof(double));
    uint64_t bits = 0;
    for (const char digit : digits) bits = bits << 8 | static_cast<uint8_t>(digit);
    std::memcpy(&push(Kind::kFloat).number, &bits, sizeof(double));
  }

  void tuple(size_t count) {
    std::vector<const PickleValue*> items = pop_many(count);
    push(Kind::kTuple).items = std::move(items);
  }

  void append(size_t count) {
    const std::vector<const PickleValue*> items = pop_many(count);
    PickleValue& list = top(Kind::kList);
    list.items.insert(list.items.end(), items.begin(), items.end());
  }

  void set_items(size_t count) {
    if (count % 2 != 0) fail("a dictionary's key has no value");
    const std::vector<const PickleValue*> items = pop_many(count);
    PickleValue& dict = top(Kind::kDict);
    dict.items.insert(dict.items.end(), items.begin(), items.end());
  }

  void put(uint32_t slot) {
    need(1);
    memo_[slot] = stack_.back();
  }

  void get(uint32_t slot) {
    const auto found = memo_.find(slot);
    if (found == memo_.end()) fail(fmt::format("nothing was kept under number {}", slot));
    stack_.push_back(found->second);
  }

  void global() {
    const std::string_view name = two_lines();
    if (!is_allowed(name)) {
      fail(fmt::format("it wants to use \"{}\", which no dictionary of tensors needs; nothing was run",
                       shown(name)));
    }
    push(Kind::kGlobal).text = name;
  }

  void reduce() {
    const PickleValue& arguments = pop();
    const PickleValue& function = pop();
    if (function.kind != Kind::kGlobal || arguments.kind != Kind::kTuple) {
      fail("a call has no function or no arguments");
    }
    if (function.text == kOrderedDict) {
      if (!arguments.items.empty()) fail("an OrderedDict is made with arguments");
      push(Kind::kDict);
    } else if (function.text == kRebuildTensor) {
      rebuild_tensor(arguments.items);
    } else if (function.text == kRebuildParameter) {
      // (tensor, requires_grad, hooks): the tensor is all that a checkpoint means by it.
      if (arguments.items.size() != 3 || arguments.items[0]->kind != Kind::kTensor) {
        fail("a parameter is made of something else than a tensor");
      }
      PickleValue tensor = *arguments.items[0];
      push(Kind::kTensor) = std::move(tensor);
    } else {
      fail(fmt::format("\"{}\" can't be called", shown(function.text)));
    }
  }

  // (storage, offset, shape, strides, requires_grad, hooks[, metadata])
  void rebuild_tensor(const std::vector<const PickleValue*>& arguments) {
    if (arguments.size() < 6 || arguments.size() > 7 || arguments[0]->kind != Kind::kStorage ||
        arguments[1]->kind != Kind::kInt || arguments[2]->kind != Kind::kTuple ||
        arguments[3]->kind != Kind::kTuple) {
      fail("a tensor is made of other things than a storage, an offset, a shape and strides");
    }
    // Such as a sign that is to be flipped when the tensor is read.
    if (arguments.size() == 7 && arguments[6]->kind != Kind::kNone &&
        !(arguments[6]->kind == Kind::kDict && arguments[6]->items.empty())) {
      fail("a tensor carries metadata, which would change what it means");
    }
    PickleValue tensor = *arguments[0];
    tensor.kind = Kind::kTensor;
    tensor.offset = arguments[1]->integer;
    tensor.shape = sizes(*arguments[2]);
    tensor.strides = sizes(*arguments[3]);
    push(Kind::kTensor) = std::move(tensor);
  }

  std::vector<int64_t> sizes(const PickleValue& tuple) const {
    if (tuple.items.size() > kMostDimensions) {
      fail(fmt::format("a tensor has {} dimensions, more than {}", tuple.items.size(), kMostDimensions));
    }
    std::vector<int64_t> values;
    for (const PickleValue* item : tuple.items) {
      if (item->kind != Kind::kInt) fail("a shape holds something else than whole numbers");
      values.push_back(item->integer);
    }
    return values;
  }

  // A state dictionary carries its _metadata as an attribute; it says nothing of tensors.
  void build() {
    pop();
    top(Kind::kDict);
  }

  // ("storage", type, key, location, elements)
  void persistent() {
    const PickleValue id = pop();
    const std::vector<const PickleValue*>& items = id.items;
    if (id.kind != Kind::kTuple || items.size() != 5 || items[0]->text != "storage" ||
        items[1]->kind != Kind::kGlobal || !is_storage_type(items[1]->text) ||
        items[2]->kind != Kind::kString || items[4]->kind != Kind::kInt) {
      fail("a storage is named wrongly");
    }
    PickleValue& storage = push(Kind::kStorage);
    storage.storage_type = items[1]->text.substr(kTorch.size());
    storage.text = items[2]->text;
    storage.storage_elements = items[4]->integer;
  }

  Pickle& pickle_;
  std::string_view bytes_;
  const std::string& source_;
  size_t at_ = 0;
  size_t opcode_at_ = 0;
  std::vector<PickleValue*> stack_;
  std::vector<size_t> marks_;
  std::map<uint32_t, PickleValue*> memo_;
};

Pickle::Pickle(std::string_view bytes, const std::string& source) {
  Unpickler(*this, bytes, source).run();
}

}  // namespace farstate
