// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/checkpoint/model_files.h"
#include "core/checkpoint/state_files.h"
#include "core/data/corpus.h"
#include "core/session/generator.h"
#include "core/session/jobs.h"
#include "core/session/state_shelf.h"

namespace farstate {
namespace {

// Between two looks at what is new.
constexpr std::chrono::milliseconds kSlice{30};

}  // namespace

GenerateOutcome generate(const GenerateJob& job,
                         const std::function<void(const GeneratedToken&)>& on_token,
                         const ProgressSink& progress) {
  const LoadedModel loaded = load_model(job.model, job.request.sampling.seed, progress);
  check_tokenizer(loaded.tokenizer.get(), loaded.info.vocabulary, "The prompt");
  Generator generator(*loaded.model, loaded.tokenizer, job.request,
                      initial_state(job.request, *loaded.model, {}));
  GenerateOutcome outcome;
  outcome.model = loaded.info;
  const auto show = [&] {
    for (const GeneratedToken& token : generator.take_tokens()) on_token(token);
    if (generator.reading() && progress) progress("reading the prompt", generator.progress());
  };
  std::string problem;
  try {
    if (progress) progress("reading the prompt", -1);
    while (generator.advance(kSlice)) show();
  } catch (const Error& error) {
    outcome.interrupted = error.kind() == ErrorKind::kInterrupted;
    outcome.finite = error.kind() != ErrorKind::kDiverged;
    if (!outcome.interrupted && outcome.finite) throw;
    if (!outcome.finite) problem = error.what();
  }
  show();
  outcome.generation = generator.picture();
  outcome.generation.problem = problem;
  outcome.unfinished = generator.unfinished_character();
  if (!job.save_state.empty()) {
    const StopScope unstopped{std::stop_token()};  // what was complete is kept
    save_state(job.save_state, generator.state_at(-1));
  }
  return outcome;
}

}  // namespace farstate
