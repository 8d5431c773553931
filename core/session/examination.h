// SPDX-License-Identifier: GPL-3.0-or-later
// A close look at the states of a model that is in memory, as both front ends ask for it.
#pragma once

#include "core/base/progress.h"
#include "core/data/corpus.h"
#include "core/interventions/initial_state_policy.h"
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

// Adds what the head attends to over the last `window` of the first `end` tokens of the first
// sequence; the question's other half, for a measurement that has no question: one more unroll.
// Throws Error(kBadUsage) for a head that the model has not.
void examine_attention(const RecurrentLM& model, const Sequences& sequences, HeadIndex head,
                       int64_t window, int64_t end, const Tokenizer* tokenizer,
                       const ProgressSink& progress, StateReport& report);

// What the law that the model is trained with has been fitted to, beside every head's elements.
void add_fitted(const std::optional<FittedGaussians>& fitted, StateReport& report);

}  // namespace farstate
