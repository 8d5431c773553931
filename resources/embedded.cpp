// SPDX-License-Identifier: GPL-3.0-or-later
#include "resources/embedded.h"

#include <fmt/format.h>

#include "core/base/error.h"

// The assembler copies the file between two symbols: no generated source, and megabytes cost
// nothing to compile. FARSTATE_RESOURCE_DIR is this folder.
#define FARSTATE_EMBED(symbol, file)                        \
  __asm__(".section .rodata\n"                              \
          ".balign 64\n"                                    \
          ".global farstate_" #symbol "_begin\n"            \
          "farstate_" #symbol "_begin:\n"                   \
          ".incbin \"" FARSTATE_RESOURCE_DIR "/" file "\"\n" \
          ".global farstate_" #symbol "_end\n"              \
          "farstate_" #symbol "_end:\n"                     \
          ".previous\n");                                   \
  extern "C" const char farstate_##symbol##_begin[];        \
  extern "C" const char farstate_##symbol##_end[]

FARSTATE_EMBED(demo_config, "demo/config.json");
FARSTATE_EMBED(demo_weights, "demo/model.safetensors");
FARSTATE_EMBED(demo_provenance, "demo/farstate.json");

namespace farstate {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string_view embedded_file(std::string_view name) {
  if (name == "demo/config.json") return between(farstate_demo_config_begin, farstate_demo_config_end);
  if (name == "demo/model.safetensors") {
    return between(farstate_demo_weights_begin, farstate_demo_weights_end);
  }
  if (name == "demo/farstate.json") {
    return between(farstate_demo_provenance_begin, farstate_demo_provenance_end);
  }
  throw Error(ErrorKind::kInternal, fmt::format("No file \"{}\" is embedded.", name));
}

}  // namespace farstate
