// SPDX-License-Identifier: GPL-3.0-or-later
// Which text, and how it is cut.
#pragma once

#include <string>

namespace farstate {

struct DataConfig {
  std::string path;       // a UTF-8 text file; empty: a generated text
  std::string tokens;     // instead: a .npy file of token ids, [S,N] or flat
  std::string generated;  // which generated text, by its name; empty: that of the model
  double held_out = 0.1;  // share of the text, at its end, that training never sees
  // Where windows and sequences begin: "anywhere", "document-start" (at the line feed before a
  // line, or at a row of a [S,N] array), or "auto": document-start for a generated text and for
  // rows, anywhere for a file.
  std::string windows = "auto";
  bool operator==(const DataConfig&) const = default;
};

}  // namespace farstate
