// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into every test program: what is trained in it, and in the programs that it starts, is
// recorded in a store of its own, not in that of the person who runs the tests.
#include "tests/support/temp_folder.h"

namespace farstate::testing {
namespace {

struct OwnStore {
  OwnStore() { setenv("FARSTATE_STORE", folder.file("runs.sqlite").c_str(), 1); }
  TempFolder folder;
};
const OwnStore own_store;

}  // namespace
}  // namespace farstate::testing
