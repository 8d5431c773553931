// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of a configuration in JSON, read with a sentence for each one that is wrong.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {

class ConfigReader {
 public:
  using Json = nlohmann::ordered_json;

  // `json` is an object; both outlive the reader.
  ConfigReader(const Json& json, const std::string& source) : json_(json), source_(source) {}

  const std::string& source() const { return source_; }
  const Json& json() const { return json_; }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: {}", source_, why));
  }
  [[noreturn]] void wrong(const char* key, const Json& found, const std::string& wanted) const {
    fail(fmt::format("\"{}\" is {}, but must be {}.", key, short_text(found), wanted));
  }
  // A key with the value null is as good as none.
  bool has(const char* key) const { return json_.contains(key) && !json_.at(key).is_null(); }

  int64_t size(const char* key) const {
    const Json& value = required(key);
    if (!value.is_number_integer()) wrong(key, value, "a whole number");
    return value.get<int64_t>();
  }
  int64_t size(const char* key, int64_t absent) const { return has(key) ? size(key) : absent; }
  double number(const char* key, double absent) const {
    return has(key) ? number(key, json_.at(key)) : absent;
  }
  bool flag(const char* key, bool absent) const {
    if (!has(key)) return absent;
    const Json& value = json_.at(key);
    if (!value.is_boolean()) wrong(key, value, "true or false");
    return value.get<bool>();
  }
  void limits(const char* key, double& low, double& high) const {
    if (!has(key)) return;
    const Json& value = json_.at(key);
    if (!value.is_array() || value.size() != 2) wrong(key, value, "a pair of numbers");
    low = number(key, value[0]);
    high = number(key, value[1]);
  }
  // A setting of other variants that we run in one value only.
  template <typename T>
  void only(const char* key, const T& wanted) const {
    if (has(key) && json_.at(key) != Json(wanted)) {
      wrong(key, json_.at(key), Json(wanted).dump() + ", the only form that Farstate runs");
    }
  }

 private:
  const Json& required(const char* key) const {
    if (!has(key)) fail(fmt::format("the key \"{}\" is missing.", key));
    return json_.at(key);
  }
  double number(const char* key, const Json& value) const {
    if (value.is_object() && value.contains("__float__") && value["__float__"] == "Infinity") {
      return std::numeric_limits<double>::infinity();
    }
    if (value == Json("inf")) return std::numeric_limits<double>::infinity();
    if (!value.is_number()) wrong(key, value, "a number");
    return value.get<double>();
  }

  const Json& json_;
  const std::string& source_;
};

}  // namespace farstate
