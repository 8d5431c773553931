// SPDX-License-Identifier: GPL-3.0-or-later
// Plain structs as JSON and back, each by one table of its fields: a function
//   visit_fields(s, field)   that calls   field("key", s.member)   for every member,
// found by the struct's namespace, and for a const s too. What is not finite is written as null
// and read as NaN.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate {

// A struct, const where it is written.
template <typename S, typename Struct>
concept FieldsOf = std::same_as<std::remove_const_t<S>, Struct>;

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

class FieldWriter {
 public:
  using Json = nlohmann::ordered_json;

  // Adds up in `non_finite` the numbers that became null.
  explicit FieldWriter(int64_t& non_finite) : non_finite_(non_finite) {}

  template <typename T>
  Json write(const T& value) {
    if constexpr (std::floating_point<T>) {
      if (std::isfinite(value)) return value;
      ++non_finite_;
      return nullptr;
    } else if constexpr (IsVector<T>::value) {
      Json array = Json::array();
      for (const auto& item : value) array.push_back(write(item));
      return array;
    } else if constexpr (IsOptional<T>::value) {
      return value.has_value() ? write(*value) : Json(nullptr);
    } else if constexpr (std::integral<T> || std::same_as<T, std::string>) {
      return value;
    } else {
      FieldWriter inner(non_finite_);
      visit_fields(value, inner);
      return std::move(inner.object_);
    }
  }

  template <typename T>
  void operator()(const char* key, const T& value) {
    object_[key] = write(value);
  }
  // A list or an optional whose key is absent where there is nothing in it.
  template <typename T>
  void maybe(const char* key, const T& value) {
    if constexpr (IsVector<T>::value) {
      if (!value.empty()) (*this)(key, value);
    } else {
      if (value != T()) (*this)(key, value);
    }
  }
  template <typename T>
  void maybe(const char* key, const std::optional<T>& value) {
    if (value.has_value()) (*this)(key, *value);
  }
  // A text that is JSON itself; empty: null.
  void json(const char* key, const std::string& text) {
    object_[key] = text.empty() ? Json(nullptr) : Json::parse(text);
  }

 private:
  int64_t& non_finite_;
  Json object_ = Json::object();
};

// In words, how the parts of a struct that was read contradict each other; empty: they don't.
template <typename T>
std::string contradiction(const T&) {
  return {};
}

class FieldReader {
 public:
  using Json = nlohmann::ordered_json;

  // `json` is read below `path` ("states"; empty: the whole) of the file `source`.
  FieldReader(const Json& json, const std::string& source, std::string path = {})
      : json_(json), source_(source), path_(std::move(path)) {}

  template <typename T>
  void read(T& value) const {
    if constexpr (std::same_as<T, bool>) {
      if (!json_.is_boolean()) wrong("true or false");
      value = json_.get<bool>();
    } else if constexpr (std::floating_point<T>) {
      read_number(value);
    } else if constexpr (std::integral<T>) {
      read_whole(value);
    } else if constexpr (std::same_as<T, std::string>) {
      if (!json_.is_string()) wrong("a string");
      value = json_.get<std::string>();
    } else if constexpr (IsOptional<T>::value) {
      if (!json_.is_null()) read(value.emplace());
    } else if constexpr (IsVector<T>::value) {
      if (!json_.is_array()) wrong("a list");
      // One by one: a long list of what is none costs no more memory than it takes to say so.
      value.clear();
      for (size_t i = 0; i < json_.size(); ++i) {
        FieldReader(json_[i], source_, i, *this).read(value.emplace_back());
      }
    } else {
      if (!json_.is_object()) wrong("an object");
      visit_fields(value, *this);
      if (const std::string why = contradiction(value); !why.empty()) fail(why);
    }
  }

  template <typename T>
  void operator()(const char* key, T& value) const {
    if (!json_.contains(key)) fail(fmt::format("the key \"{}\" is missing", key));
    FieldReader(json_.at(key), source_, key, *this).read(value);
  }
  template <typename T>
  void maybe(const char* key, T& value) const {
    if (json_.contains(key)) (*this)(key, value);
  }
  void json(const char* key, std::string& text) const {
    if (!json_.contains(key)) fail(fmt::format("the key \"{}\" is missing", key));
    const Json& value = json_.at(key);
    if (!value.is_null() && !value.is_object()) {
      FieldReader(value, source_, key, *this).wrong("an object or null");
    }
    text = value.is_null() ? "" : value.dump(2, ' ', false, Json::error_handler_t::replace);
  }

  [[noreturn]] void wrong(const char* wanted) const {
    throw Error(ErrorKind::kBadInput, fmt::format("{}: \"{}\" is {}, but must be {}.", source_,
                                                  where(), short_text(json_), wanted));
  }

 private:
  // Of a value inside: its place is put together only where a sentence needs it.
  FieldReader(const Json& json, const std::string& source, const char* key, const FieldReader& in)
      : json_(json), source_(source), in_(&in), key_(key) {}
  FieldReader(const Json& json, const std::string& source, size_t index, const FieldReader& in)
      : json_(json), source_(source), in_(&in), index_(index) {}

  std::string where() const {
    const std::string outer = in_ == nullptr ? path_ : in_->where();
    if (in_ == nullptr) return outer;
    if (key_ == nullptr) return fmt::format("{}[{}]", outer, index_);
    return outer.empty() ? key_ : fmt::format("{}.{}", outer, key_);
  }
  [[noreturn]] void fail(const std::string& why) const {
    const std::string place = where();
    throw Error(ErrorKind::kBadInput, place.empty()
                                          ? fmt::format("{}: {}.", source_, why)
                                          : fmt::format("{}: in \"{}\" {}.", source_, place, why));
  }

  template <typename Real>
  void read_number(Real& value) const {
    if (!json_.is_null() && !json_.is_number()) wrong("a number or null");
    const double number =
        json_.is_null() ? std::numeric_limits<double>::quiet_NaN() : json_.get<double>();
    if (std::abs(number) > static_cast<double>(std::numeric_limits<Real>::max())) {
      wrong("a number that fits into 32 bits");
    }
    value = static_cast<Real>(number);
  }
  template <typename Whole>
  void read_whole(Whole& value) const {
    const bool fits = json_.is_number_unsigned()  ? std::in_range<Whole>(json_.get<uint64_t>())
                      : json_.is_number_integer() ? std::in_range<Whole>(json_.get<int64_t>())
                                                  : false;
    if (!fits) {
      wrong(std::is_signed_v<Whole> ? (sizeof(Whole) == 8 ? "a whole number of 63 bits"
                                                          : "a whole number of 31 bits")
                                    : "a whole number from 0");
    }
    value = json_.get<Whole>();
  }

  const Json& json_;
  const std::string& source_;
  std::string path_;
  const FieldReader* in_ = nullptr;
  const char* key_ = nullptr;
  size_t index_ = 0;
};

}  // namespace farstate
