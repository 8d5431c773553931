// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/boundary.h"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <new>
#include <string>

namespace farstate {
namespace {

Error out_of_memory() {
  return {ErrorKind::kOutOfMemory,
          "Not enough memory; choose a smaller batch, context or number of sequences, or a smaller "
          "model."};
}

}  // namespace

Error current_error() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const c10::OutOfMemoryError&) {  // of a device
    return out_of_memory();
  } catch (const c10::Error& error) {
    // LibTorch has no type of its own for this.
    const std::string what = error.what_without_backtrace();
    if (what.find("DefaultCPUAllocator") != std::string::npos) return out_of_memory();
    return {ErrorKind::kInternal,
            fmt::format("Internal error in a tensor operation: {}", what.substr(0, what.find('\n')))};
  } catch (const std::exception& error) {
    return {ErrorKind::kInternal, fmt::format("Internal error: {}", error.what())};
  }
}

}  // namespace farstate
