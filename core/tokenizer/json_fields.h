// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a JSON file from elsewhere. What a field is not, and what this version does not do,
// is refused in a sentence that names the file and the key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace farstate {

class JsonFields {
 public:
  using Json = nlohmann::json;  // ordered_json looks a key up by going through all of them

  // `source` names the file, and must live as long.
  explicit JsonFields(const std::string& source) : source_(source) {}

 protected:
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void unsupported(const std::string& key, const std::string& found,
                                const std::string& wanted) const;

  // A key's value; null pointer: absent or null.
  static const Json* find(const Json& json, const char* key);
  void object(const Json& json, const std::string& key) const;
  std::string type_of(const Json& json, const std::string& key) const;
  std::string text(const Json& json, const char* key, const std::string& owner) const;
  bool flag(const Json& json, const char* key, bool otherwise) const;
  const Json& array(const Json& json, const char* key, const std::string& owner) const;
  // A token's id, a whole number from 0 to 2^24 - 1.
  int32_t id(const Json& json, const std::string& token) const;

 private:
  const std::string& source_;
};

}  // namespace farstate
