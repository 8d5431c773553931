// SPDX-License-Identifier: GPL-3.0-or-later
// A stored run for other programs: as JSON ("farstate.run/1") and as tables. docs/FORMATS.md.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "core/store/run_store.h"

namespace farstate {

// Written piece by piece, since a long run's curves are large. Numbers that are not finite become
// null; `non_finite` counts them.
void write_json(std::ostream& out, const StoredRun& run, const RunCurves& curves,
                int64_t& non_finite);

// What is known of the runs themselves, without their curves ("farstate.runs/1").
std::string to_json(const std::vector<StoredRun>& runs, const std::string& store);

// points.csv, events.csv, snapshots.csv, series.csv, cells.csv and recipe.json in the folder, which is made.
// Returns the names of the files, without those that there was nothing for.
std::vector<std::string> write_tables(const std::string& folder, const StoredRun& run,
                                      const RunCurves& curves);

}  // namespace farstate
