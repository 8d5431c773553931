// SPDX-License-Identifier: GPL-3.0-or-later
// A close look at the states of a model that is in memory, as both front ends ask for it.
#pragma once

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/models/recurrent_lm.h"
#include "core/session/runner.h"
#include "core/tokenizer/tokenizer.h"

namespace farstate {

// Reads the sequences up to the last position asked for, and to the trained context (0: not known)
// where they are as long. Positions beyond the sequences become their end, with a note; states that
// are not finite end the look before them, with a note. The answer has neither epoch, step nor
// recipe. A stop throws. Throws Error(kBadUsage) for a question without a position or with a head
// that the model has not.
StateReport examine(const RecurrentLM& model, const Sequences& sequences, int64_t trained_context,
                    const Tokenizer* tokenizer, const StateQuestion& question,
                    const ProgressSink& progress = {});

}  // namespace farstate
