// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel demands of its arguments, said as "op: wanted …; got name = value, …".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

namespace farstate::kernels {

struct Named {
  const char* name;
  int64_t value;
};

inline void require(bool holds, const char* wanted, std::initializer_list<Named> got = {}) {
  if (holds) return;
  std::string message = wanted;
  const char* separator = "; got ";
  for (const Named& number : got) {
    message += separator + std::string(number.name) + " = " + std::to_string(number.value);
    separator = ", ";
  }
  throw std::invalid_argument(message);
}

}  // namespace farstate::kernels
