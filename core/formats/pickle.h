// SPDX-License-Identifier: GPL-3.0-or-later
// A pickle of a state dictionary, read without running anything. Python's format is a program for
// a stack machine that may call any function; this reader knows the opcodes that torch.save needs
// for tensors in dictionaries, makes plain values of them, and refuses everything else by name
// (https://docs.python.org/3/library/pickletools.html names the opcodes).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace farstate {

struct PickleValue {
  enum class Kind { kNone, kBool, kInt, kFloat, kString, kTuple, kList, kDict, kGlobal, kStorage, kTensor };

  Kind kind = Kind::kNone;
  int64_t integer = 0;  // kBool, kInt
  double number = 0;    // kFloat
  // kString; kGlobal: the module, a line feed, the name; kStorage and kTensor: the storage's key.
  std::string_view text;
  std::vector<const PickleValue*> items;  // kTuple, kList; kDict: key, value, key, value, …

  // kStorage and kTensor:
  std::string_view storage_type;  // "FloatStorage", …
  int64_t storage_elements = 0;
  // kTensor:
  int64_t offset = 0;  // in elements
  std::vector<int64_t> shape, strides;
};

// Values refer to one another, in circles too if the pickle says so; they live as long as this and
// as the bytes.
class Pickle {
 public:
  // Throws Error(kBadInput) naming `source`, the byte and what was found there.
  Pickle(std::string_view bytes, const std::string& source);

  const PickleValue& root() const { return *root_; }

 private:
  friend class Unpickler;
  std::deque<PickleValue> values_;
  const PickleValue* root_ = nullptr;
};

// "a dictionary", …
const char* name_of(PickleValue::Kind kind);

}  // namespace farstate
