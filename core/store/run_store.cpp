// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_store.h"

#include "core/base/error.h"

namespace farstate {

std::string RunStore::default_path() { return "runs.sqlite"; }

std::unique_ptr<RunStore> RunStore::open(const std::string& path) {
  throw Error(ErrorKind::kBadInput, path + ": there is no store yet.");
}

}  // namespace farstate
