// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/generated_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"
#include "core/data/english_text.h"
#include "core/data/facts_text.h"
#include "core/data/register_events.h"

namespace farstate {

GeneratedText generate_text(const std::string& name) {
  constexpr uint64_t kSeed = 1;
  constexpr int64_t kBytes = int64_t{8} << 20;
  if (name.empty() || name == "facts") return facts_text(kSeed, kBytes);
  if (name == "register") return register_text(kSeed, kBytes);
  if (name == "english") return {english_text(kSeed, kBytes), {}};
  throw Error(ErrorKind::kBadUsage, fmt::format("There is no generated text \"{}\"; choose one of {}.",
                                                name, fmt::join(kGeneratedTexts, ", ")));
}

}  // namespace farstate
