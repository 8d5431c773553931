// SPDX-License-Identifier: GPL-3.0-or-later
// What each word of the command line does. All return the exit code and throw Error.
#pragma once

#include "app/terminal/options.h"

namespace farstate {

int run_info(const InfoOptions& options);
int run_measure(const MeasureOptions& options);
int run_train(const TrainOptions& options);
int run_experiment(const ExperimentOptions& options);
int run_generate(const GenerateOptions& options);
int run_convert(const ConvertOptions& options);
int run_tokenize(const TokenizeOptions& options);
int run_presets(const PresetsOptions& options);
int run_plot(const PlotOptions& options);
int run_selftest();

}  // namespace farstate
