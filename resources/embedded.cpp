// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/embedded.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/base/error.h"

// embedded_files.inc, which CMake writes, has a FARSTATE_FILE(number, "demo/config.json") for each
// file. The assembler copies it between two symbols: no generated source, and megabytes cost
// nothing to compile. FARSTATE_RESOURCE_DIR is this folder.
#define FARSTATE_FILE(number, file)                         \
  __asm__(".section .rodata\n"                              \
          ".balign 64\n"                                    \
          ".global farstate_file_" #number "_begin\n"       \
          "farstate_file_" #number "_begin:\n"              \
          ".incbin \"" FARSTATE_RESOURCE_DIR "/" file "\"\n" \
          ".global farstate_file_" #number "_end\n"         \
          "farstate_file_" #number "_end:\n"                \
          ".previous\n");                                   \
  extern "C" const char farstate_file_##number##_begin[];   \
  extern "C" const char farstate_file_##number##_end[];
#include "embedded_files.inc"
#undef FARSTATE_FILE

namespace farstate {
namespace {

struct File {
  std::string_view name;
  const char* begin;
  const char* end;
};

#define FARSTATE_FILE(number, file) \
  {file, farstate_file_##number##_begin, farstate_file_##number##_end},
constexpr File kFiles[] = {
#include "embedded_files.inc"
};
#undef FARSTATE_FILE

}  // namespace

std::optional<std::string_view> find_embedded_file(std::string_view name) {
  const auto* file = std::ranges::find(kFiles, name, &File::name);
  if (file == std::end(kFiles)) return std::nullopt;
  return std::string_view(file->begin, static_cast<size_t>(file->end - file->begin));
}

std::string_view embedded_file(std::string_view name) {
  if (const auto bytes = find_embedded_file(name)) return *bytes;
  throw Error(ErrorKind::kInternal, fmt::format("No file \"{}\" is embedded.", name));
}

}  // namespace farstate
