// SPDX-License-Identifier: GPL-3.0-or-later
// The curves by position of the held-out text, taken now and then while a run goes on.
#pragma once

#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/model_files.h"
#include "core/data/corpus.h"
#include "core/probes/measure_config.h"
#include "core/results/run_record.h"

namespace farstate {

// What a snapshot measures with these settings: loss and state on the same sequences, without what
// has forward passes of its own or looks closely.
MeasureConfig snapshot_config(const MeasureConfig& measure);

// Of these, the curves of the whole model: those of every head would make a snapshot of a large model
// as large as a part of its weights.
std::vector<Series> snapshot_series(const std::vector<Series>& measured);

// `measure`: as snapshot_config gives it. What is not finite ends the curves, and a note says so. A
// stop throws.
Snapshot take_snapshot(const LoadedModel& loaded, const Corpus& corpus,
                       const MeasureConfig& measure, int64_t step, const ProgressSink& progress = {});

}  // namespace farstate
