// SPDX-License-Identifier: GPL-3.0-or-later
// What a file is that is not what it was taken for.
#pragma once

#include <string>
#include <string_view>

namespace farstate {

// In words, with what to do: "a Git LFS pointer; run git lfs pull to fetch the file itself". Empty:
// nothing that we know.
std::string file_kind(std::string_view bytes);

}  // namespace farstate
