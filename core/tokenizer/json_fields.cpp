// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/json_fields.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {
namespace {

constexpr int64_t kMostIds = int64_t{1} << 24;  // the largest vocabularies have 2^18

}  // namespace

void JsonFields::fail(const std::string& why) const {
  throw Error(ErrorKind::kBadInput, fmt::format("{}: {}.", source_, why));
}

void JsonFields::unsupported(const std::string& key, const std::string& found,
                             const std::string& wanted) const {
  fail(fmt::format("\"{}\" is {}; this version reads {}, so its ids would be wrong", key, found,
                   wanted));
}

const JsonFields::Json* JsonFields::find(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it == json.end() || it->is_null() ? nullptr : &*it;
}

void JsonFields::object(const Json& json, const std::string& key) const {
  if (!json.is_object()) {
    fail(fmt::format("\"{}\" is {}, but must be an object", key, short_text(json)));
  }
}

std::string JsonFields::type_of(const Json& json, const std::string& key) const {
  object(json, key);
  return text(json, "type", key);
}

std::string JsonFields::text(const Json& json, const char* key, const std::string& owner) const {
  const Json* value = find(json, key);
  if (value == nullptr || !value->is_string()) {
    fail(fmt::format("\"{}\" of \"{}\" is {}, but must be a string", key, owner,
                     value == nullptr ? "missing" : short_text(*value)));
  }
  return value->get<std::string>();
}

bool JsonFields::flag(const Json& json, const char* key, bool otherwise) const {
  const Json* value = find(json, key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) {
    fail(fmt::format("\"{}\" is {}, but must be true or false", key, short_text(*value)));
  }
  return value->get<bool>();
}

const JsonFields::Json& JsonFields::array(const Json& json, const char* key,
                                          const std::string& owner) const {
  const Json* value = find(json, key);
  if (value == nullptr || !value->is_array()) {
    fail(fmt::format("\"{}\" of \"{}\" is {}, but must be an array", key, owner,
                     value == nullptr ? "missing" : short_text(*value)));
  }
  return *value;
}

int32_t JsonFields::id(const Json& json, const std::string& token) const {
  if (!json.is_number_integer() || (json.is_number_unsigned()
                                        ? json.get<uint64_t>() >= static_cast<uint64_t>(kMostIds)
                                        : json.get<int64_t>() < 0)) {
    fail(fmt::format("the id of token {} is {}, but must be a whole number from 0 to {}",
                     short_text(Json(token)), short_text(json), kMostIds - 1));
  }
  return json.get<int32_t>();
}

}  // namespace farstate
