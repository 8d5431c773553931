// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are linked into the programs, so that they work with nothing at hand.
#pragma once

#include <optional>
#include <string_view>

namespace farstate {

// "demo/model.safetensors" -> its bytes, for the life of the program.
// Throws Error(kInternal) for a name that is not embedded.
std::string_view embedded_file(std::string_view name);
std::optional<std::string_view> find_embedded_file(std::string_view name);

}  // namespace farstate
