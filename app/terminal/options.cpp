// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/data/generated_text.h"
#include "core/session/presets.h"
#include "resources/embedded_models.h"

namespace farstate {
namespace {

std::string model_help() {
  return fmt::format("a built-in model ({}), a checkpoint's folder, or a file in it",
                     embedded_model_names());
}

std::string probe_names() { return fmt::format("{}", fmt::join(kProbeNames, ",")); }

void add_model(CLI::App& command, ModelSource& source) {
  command.add_option("MODEL", source.model, model_help())->capture_default_str();
  command.add_option("--tokenizer", source.tokenizer,
                     "tokenizer.json or its folder (default: beside the model)")->option_text("PATH");
  command.add_option("--precision", source.precision,
                     "of the weights in memory: auto, float32, bfloat16")->capture_default_str();
}

void add_data(CLI::App& command, DataConfig& data) {
  command.add_option("--data", data.path, "UTF-8 text file (default: a generated text)")
      ->option_text("FILE");
  command.add_option("--generated", data.generated,
                     fmt::format("which generated text: {} (default: the model's)",
                                 fmt::join(kGeneratedTexts, ", ")))
      ->option_text("NAME");
  command.add_option("--tokens", data.tokens, "instead: token ids, int32 or int64, [S,N] or flat")
      ->option_text("FILE.npy");
  command.add_option("--held-out", data.held_out, "share of the text, at its end, never trained on")
      ->capture_default_str();
  command.add_option("--windows", data.windows,
                     "where windows and sequences begin: auto, anywhere, document-start")
      ->capture_default_str();
}

// `option` brings a whole recipe: a setting beside it would silently lose, so it is refused.
void allow_only(const CLI::App& command, const char* option, std::set<std::string> allowed) {
  allowed.insert(option);
  for (const CLI::Option* given : command.get_options()) {
    if (given->count() > 0 && !allowed.contains(given->get_name())) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("{} brings its own recipe; {} can't be given beside it.", option,
                              given->get_name()));
    }
  }
}

// A new model has no weights to load.
void refuse_two_models(const CLI::App& command) {
  if (command.count("MODEL") == 0 || command.count("--init") == 0) return;
  throw Error(ErrorKind::kBadUsage, "Both MODEL and --init are given; choose one of them.");
}

// "layer.head" each; "all" alone is the empty list, which means that.
std::vector<HeadIndex> heads(const std::vector<std::string>& words) {
  std::vector<HeadIndex> indices;
  if (words == std::vector<std::string>{"all"}) return indices;
  for (const std::string& word : words) {
    const char* const end = word.data() + word.size();
    HeadIndex index;
    auto parsed = std::from_chars(word.data(), end, index.layer);
    const bool dot = parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '.';
    if (dot) parsed = std::from_chars(parsed.ptr + 1, end, index.head);
    if (!dot || parsed.ec != std::errc() || parsed.ptr != end) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("\"{}\" is no head; write the layer and the head, counted from 0: 0.1",
                              word));
    }
    indices.push_back(index);
  }
  return indices;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const Intervention law : kInterventions) names.push_back(to_string(law));
  return names;
}

std::map<std::string, double> weights(const std::vector<std::string>& words) {
  std::map<std::string, double> weights;
  for (const std::string& word : words) {
    const size_t equal = std::min(word.find('='), word.size());
    const std::string number = word.substr(std::min(equal + 1, word.size()));
    const char* const end = number.data() + number.size();
    double weight = 0;
    const auto parsed = std::from_chars(number.data(), end, weight);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("\"{}\" is no weight of a law; write zero=0.1,state-passing=0.5.", word));
    }
    if (!weights.emplace(word.substr(0, equal), weight).second) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("--mixture names {} twice.", word.substr(0, equal)));
    }
  }
  return weights;
}

}  // namespace

void add_seed(CLI::App& command, uint64_t& seed) {
  // Without the check a sign or a 65th bit would silently become another seed.
  command.add_option("--seed", seed, "seed of all random numbers")
      ->check(CLI::Range(0.0, 18446744073709551615.0))
      ->capture_default_str();
}

void add_intervention_settings(CLI::App& command, InterventionConfig& intervention) {
  command.add_option("--sigma", intervention.sigma, "standard deviation of random-noise")
      ->capture_default_str();
  command.add_option("--zero-probability", intervention.zero_probability,
                     "probability that a row starts from the zero state all the same")
      ->capture_default_str();
  command.add_option("--pass-conv-context", intervention.pass_conv_context,
                     "state-passing, tbtt: pass the last convolution inputs too")
      ->capture_default_str();
  command.add_option("--fitted-from", intervention.fitted_from,
                     "fitted-noise: final (states of the windows), or all of them")
      ->capture_default_str();
  command.add_option("--fitted-burn-in", intervention.fitted_burn_in,
                     "tokens of a window whose states --fitted-from all leaves out")
      ->capture_default_str();
  command.add_option("--fitted-windows", intervention.fitted_windows,
                     "fit to so many windows before the first step; 0: as training goes")
      ->capture_default_str();
  command.add_option("--fitted-momentum", intervention.fitted_momentum,
                     "fitted-noise, correlated-noise: of the running moments")->capture_default_str();
  command.add_option("--fitted-rank", intervention.fitted_rank,
                     "correlated-noise: of the covariance beside its diagonal")
      ->capture_default_str();
  command.add_option_function<std::vector<std::string>>(
             "--mixture",
             [&intervention](const std::vector<std::string>& words) {
               intervention.mixture = weights(words);
             },
             "weights of a mixture's laws: zero=0.1,state-passing=0.5")
      ->delimiter(',')->option_text("LAW=WEIGHT,...");
}

void add_train_settings(CLI::App& command, TrainConfig& train) {
  command.add_option("--context", train.context, "T, tokens per window")->capture_default_str();
  command.add_option("--batch", train.batch, "windows per step")->capture_default_str();
  command.add_option("--micro-batch", train.micro_batch,
                     "windows computed at once, to save memory; 0: all of a step")
      ->capture_default_str();
  command.add_option("--lr", train.learning_rate, "peak learning rate")->capture_default_str();
  command.add_option("--warmup", train.warmup, "steps of linear rise")->capture_default_str();
  command.add_option("--schedule", train.schedule, "constant or cosine")->capture_default_str();
  command.add_option("--weight-decay", train.weight_decay,
                     "not on A_log, dt_bias, D, norms and biases")->capture_default_str();
  command.add_option("--beta1", train.beta1, "AdamW")->capture_default_str();
  command.add_option("--beta2", train.beta2, "AdamW")->capture_default_str();
  command.add_option("--clip", train.clip, "largest gradient norm; 0: none")->capture_default_str();
  command.add_option("--save-every", train.save_every, "steps between saves; 0: at the end only")
      ->capture_default_str();
  command.add_option("--evaluate-every", train.evaluate_every,
                     "steps between curves by position of the held-out text; 0: none")
      ->capture_default_str();
  command.add_option("--most-skips", train.most_skips,
                     "steps in a row that are passed over where the loss is not finite")
      ->capture_default_str();
  command.add_option("--divergence", train.divergence,
                     "nats by which the loss may rise above its best before the run ends; 0: any")
      ->capture_default_str();
  command.add_flag("--recompute,!--no-recompute", train.recompute,
                   "keep each layer's input alone and compute the layer again: less memory, more time");
  command.add_option("--compute", train.compute,
                     "of projections and head: float32, or bfloat16 with sums in float32")
      ->capture_default_str();
}

namespace {

// Takes effect while the command line is read; the other options are set after that, so what is given
// beside a preset wins wherever it stands.
void add_preset(CLI::App& command, RunConfig& config, const std::function<void()>& then = {}) {
  command
      .add_option_function<std::string>(
          "--preset",
          [&config, then](const std::string& name) {
            config = with_preset(config, preset(name));
            if (then) then();
          },
          "settings by name (farstate presets); options beside it win")
      ->trigger_on_parse()
      ->option_text("NAME");
}

void add_measure_settings(CLI::App& command, MeasureConfig& measure) {
  command.add_option("--part", measure.part,
                     "part of the text: auto, held-out, train, all")->capture_default_str();
  command.add_option("--probes", measure.probes, "of " + probe_names())
      ->delimiter(',')->capture_default_str();
  command.add_option("--scored", measure.scored,
                     "tokens that the tables of perplexity are about: all, or predictable")
      ->capture_default_str();
  command.add_option("--bins-per-octave", measure.bins_per_octave, "of the position axis")
      ->capture_default_str();
  command.add_option("--effrem-length", measure.effrem_length,
                     "T of EffRem (default: 4 x the trained context, else 8192; at most the length)");
  command.add_option("--effrem-points", measure.effrem_points, "values of t")->capture_default_str();
}

}  // namespace

void add_convert(CLI::App& command, ConvertOptions& options) {
  ConvertConfig& c = options.config;
  command.add_option("MODEL", c.model, model_help())->required();
  command.add_option("OUT", c.out, "a new folder for the converted model")->required();
  command.add_option("--format", c.format,
                     "hf (transformers, safetensors) or state-spaces (mamba_ssm, pytorch_model.bin)")
      ->capture_default_str();
  command.add_option("--dtype", c.dtype, "of the weights: keep, float32, float16, bfloat16")
      ->capture_default_str();
}

void add_info(CLI::App& command, InfoOptions& options) {
  RunConfig& c = options.config;
  add_model(command, c.model);
  // What the estimates of memory depend on.
  command.add_option("--sequences", c.measure.sequences, "to measure: number of sequences")
      ->capture_default_str();
  command.add_option("--length", c.measure.length, "to measure: tokens per sequence")
      ->capture_default_str();
  command.add_option("--probes", c.measure.probes, "to measure: of " + probe_names())
      ->delimiter(',')->capture_default_str();
  command.add_option("--batch", c.train.batch, "to train: windows per step")->capture_default_str();
  command.add_option("--micro-batch", c.train.micro_batch, "to train: windows computed at once; 0: all")
      ->capture_default_str();
  command.add_option("--context", c.train.context, "to train: tokens per window")
      ->capture_default_str();
  command.add_flag("--recompute", c.train.recompute, "to train: compute each layer again");
  command.add_option("--compute", c.train.compute, "to train: float32 or bfloat16")
      ->capture_default_str();
  command.add_option("--json", options.json, "also write it for programs")->option_text("FILE");
}

void add_measure(CLI::App& command, MeasureOptions& options) {
  RunConfig& c = options.config;
  add_model(command, c.model);
  command.add_option("--init", c.model.init, "instead: a new model of this config.json")
      ->option_text("CONFIG");
  add_data(command, c.data);
  command.add_option("--length", c.measure.length, "tokens per sequence (default 4096; --tokens: all)");
  command.add_option("--sequences", c.measure.sequences, "number of sequences (default 8; --tokens: all)");
  add_measure_settings(command, c.measure);
  command.add_flag("--per-position", c.measure.per_position,
                   "write every position's loss (nats) and the token ids too");
  command.add_option("--pins", c.measure.pins,
                     "look closely at the states after so many tokens (default: the trained context "
                     "and the length; with --probes distribution)")
      ->delimiter(',');
  command.add_option("--sort", options.sort, "order of the heads that are printed: drift, half-life, norm")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kHeadOrders), std::end(kHeadOrders))))
      ->capture_default_str();
  command.add_option("--attention-layer", c.measure.attention_layer,
                     "attention: of a head in this layer, from 0")->capture_default_str();
  command.add_option("--attention-head", c.measure.attention_head,
                     "attention: of this head, from 0")->capture_default_str();
  command.add_option("--attention-window", c.measure.attention_window,
                     "attention: over so many tokens before the last pin")->capture_default_str();
  command.add_option("--dump-states", options.dump.positions,
                     "write the raw states after these tokens (63,1023: counted from 0) as .npy")
      ->delimiter(',');
  command.add_option("--out", options.dump.folder, "folder for --dump-states")->option_text("DIR");
  add_seed(command, c.seed);
  command.add_option("--recipe", options.recipe, "read the recipe from this JSON file instead")
      ->option_text("FILE");
  command.add_option("--json", options.json, "write the curves for programs")->option_text("FILE");
  command.add_option("--csv", options.csv,
                     "write the curves as one table, and the recipe to FILE.recipe.json")
      ->option_text("FILE");
}

void MeasureOptions::finish(const CLI::App& command) {
  refuse_two_models(command);
  if (!json.empty() && json == csv) {
    throw Error(ErrorKind::kBadUsage, "--json and --csv name the same file; choose another for one.");
  }
  if (!recipe.empty()) {
    allow_only(command, "--recipe", {"--json", "--csv", "--dump-states", "--out", "--sort"});
  }
  if (dump.positions.empty() != dump.folder.empty()) {
    throw Error(ErrorKind::kBadUsage, "--dump-states says which states are written, --out into which "
                                      "folder: give both or neither.");
  }
  if (config.data.tokens.empty()) return;
  // A file of ids says by its shape how many sequences there are and how long they are.
  if (command.count("--length") == 0) config.measure.length = 0;
  if (command.count("--sequences") == 0) config.measure.sequences = 0;
}

void add_train(CLI::App& command, TrainOptions& options) {
  RunConfig& c = options.config;
  add_model(command, c.model);
  command.add_option("--init", c.model.init, "instead: train a new model of this config.json")
      ->option_text("CONFIG");
  add_data(command, c.data);
  const std::string law_help = fmt::format("law of the initial state: {}", fmt::join(law_names(), ", "));
  command.add_option("--intervention", options.intervention,
                     law_help)
      ->capture_default_str();
  add_intervention_settings(command, c.intervention);
  command.add_option("--steps", c.train.steps, "optimizer steps; with --resume: steps to add (default 200; "
                     "--resume: to the planned end)");
  add_train_settings(command, c.train);
  add_seed(command, c.seed);
  command.add_option("--out", options.job.out, "folder for the model and the run")->option_text("DIR");
  command.add_option("--resume", options.job.resume, "go on with the run in this folder")
      ->option_text("RUN");
  add_preset(command, c,
             [&options] { options.intervention = to_string(options.config.intervention.kind); });
  command.add_flag("--estimate", options.estimate,
                   "time a second of the work, say what all of it will take here, and end");
  command.add_flag("--find-lr", options.find_lr,
                   "instead of training: raise the learning rate step by step, and suggest one");
  command.add_option("--lr-from", options.search.from, "--find-lr: the first rate")
      ->capture_default_str();
  command.add_option("--lr-to", options.search.to, "--find-lr: the last rate")->capture_default_str();
  command.add_option("--lr-steps", options.search.steps, "--find-lr: steps between them")
      ->capture_default_str();
  command.add_option("--fork", options.job.fork,
                     "begin another run from the one in this folder, where it is, with the law of "
                     "--intervention")
      ->option_text("RUN");
  command.add_option("--length", c.measure.length, "to evaluate: tokens per sequence")
      ->capture_default_str();
  command.add_option("--sequences", c.measure.sequences, "to evaluate: number of sequences")
      ->capture_default_str();
  command.add_option("--store", options.job.store, "record the run in this store (default: your own)")
      ->option_text("FILE");
  command.add_flag("!--no-store", options.job.record, "do not record the run");
  command.add_option("--recipe", options.recipe, "read the recipe from this JSON file instead")
      ->option_text("FILE");
  command.add_option("--json", options.json, "write the training curve for programs")
      ->option_text("FILE");
}

namespace {

// --intervention and the settings of the laws.
std::vector<const CLI::Option*> law_options(const CLI::App& command) {
  CLI::App laws;
  InterventionConfig unused;
  add_intervention_settings(laws, unused);
  std::vector<const CLI::Option*> options = {command.get_option("--intervention")};
  for (const CLI::Option* setting : laws.get_options()) {
    if (const CLI::Option* same = command.get_option_no_throw(setting->get_name())) {
      options.push_back(same);
    }
  }
  return options;
}

}  // namespace

void TrainOptions::finish(const CLI::App& command) {
  refuse_two_models(command);
  validate(config);
  config.intervention.kind = intervention_from_string(intervention);
  if (find_lr && (estimate || !job.out.empty() || !job.resume.empty() ||
                  !job.fork.empty())) {
    throw Error(ErrorKind::kBadUsage,
                "--find-lr trains nothing that is kept: --out, --resume, --fork and --estimate can't "
                "be given beside it.");
  }
  if (!recipe.empty()) {
    allow_only(command, "--recipe", {"--out", "--json", "--store", "--no-store", "--estimate",
                                     "--find-lr", "--lr-from", "--lr-to", "--lr-steps"});
  }
  if (!job.fork.empty() || (command.count("--steps") > 0 && !job.resume.empty())) {
    job.more_steps = config.train.steps;
  }
  if (!job.resume.empty()) {
    allow_only(command, "--resume", {"--steps", "--json", "--store", "--no-store", "--estimate"});
  }
  if (!job.fork.empty()) {
    std::set<std::string> allowed = {"--steps", "--json", "--store",  "--no-store",
                                     "--out",   "--estimate"};
    for (const CLI::Option* of_law : law_options(command)) allowed.insert(of_law->get_name());
    allow_only(command, "--fork", std::move(allowed));
  }
}

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  RunConfig& c = options.config;
  ExperimentPlan& plan = options.plan;
  plan.arms = {"zero", "random-noise", "fitted-noise", "state-passing", "tbtt"};
  add_model(command, c.model);
  command.add_option("--init", c.model.init, "instead: start from a new model of this config.json")
      ->option_text("CONFIG");
  add_data(command, c.data);
  command.add_option("--arms", plan.arms,
                     "laws of the initial state to compare; zero is the control. With settings of "
                     "their own: random-noise:sigma=0.3")
      ->delimiter(',')->capture_default_str();
  command.add_flag("--interleave", plan.interleaved,
                   "the runs take turns, so that all curves grow together");
  command.add_option("--seeds", plan.seeds, "runs of each arm, with --seed and those after it")
      ->capture_default_str();
  add_intervention_settings(command, c.intervention);
  command.add_option("--steps", c.train.steps, "optimizer steps of each run")->capture_default_str();
  add_train_settings(command, c.train);
  command.get_option("--evaluate-every")
      ->description("steps between curves by position of the held-out text; 0: about ten times, where "
                    "that costs little");
  command.add_option("--length", c.measure.length, "to measure: tokens per sequence")
      ->capture_default_str();
  command.add_option("--sequences", c.measure.sequences, "to measure: number of sequences")
      ->capture_default_str();
  add_measure_settings(command, c.measure);
  add_seed(command, c.seed);
  command.add_option("--out", plan.out,
                     "folder for the runs; the same command again goes on where it was ended")
      ->option_text("DIR");
  command.add_option("--store", options.store, "record the runs in this store (default: your own)")
      ->option_text("FILE");
  command.add_flag("!--no-store", options.record, "do not record the runs");
  add_preset(command, c);
  command.add_flag("--estimate", options.estimate,
                   "time a second of the work, say what all of it will take here, and end");
  command.add_option("--recipe", options.recipe, "read the recipe of all runs from this JSON file instead")
      ->option_text("FILE");
  command.add_option("--json", options.json, "write curves and tables for programs")
      ->option_text("FILE");
}

void ExperimentOptions::finish(const CLI::App& command) {
  refuse_two_models(command);
  if (recipe.empty()) return;
  allow_only(command, "--recipe", {"--arms", "--interleave", "--seeds", "--out", "--store",
                                   "--no-store", "--estimate", "--json"});
}

void add_generate(CLI::App& command, GenerateOptions& options) {
  GenerationRequest& r = options.job.request;
  SamplingConfig& c = r.sampling;
  add_model(command, options.job.model);
  command.add_option("--prompt", r.prompt, "text to go on from")->option_text("TEXT");
  command.add_option("--prompt-file", r.prompt_file,
                     "instead: a text of any length; - for standard input")->option_text("FILE");
  command.add_option("--tokens", c.tokens, "tokens to generate")->capture_default_str();
  command.add_option("--temperature", c.temperature, "0: the most likely token")->capture_default_str();
  command.add_option("--top-p", c.top_p, "mass of the tokens to draw from")->capture_default_str();
  add_seed(command, c.seed);
  command.add_option("--initial-state", options.initial_state,
                     "zero, random-noise, or a file of --save-state; a file that holds its last "
                     "prediction can be gone on from without a prompt")->capture_default_str();
  command.add_option("--sigma", r.initial.sigma, "standard deviation of random-noise")
      ->capture_default_str();
  command.add_option("--scale-state", options.scale, "the initial state times X")->option_text("X");
  command.add_option("--zero-heads", options.zero_heads,
                     "then set these heads of it to zero (0.1,1.2: layer.head, from 0)")
      ->delimiter(',')->option_text("HEADS");
  command.add_option("--noise-heads", options.noise_heads, "then add noise to these heads; or: all")
      ->delimiter(',')->option_text("HEADS");
  command.add_option("--noise", options.noise, "in standard deviations of the head's own state")
      ->capture_default_str();
  command.add_option("--save-state", options.job.save_state, "write the state after the last token")
      ->option_text("FILE");
  command.add_flag("--losses", options.losses,
                   "print every token with its loss (nats) and the state's norm, prompt included");
  command.add_option("--json", options.json, "write text, losses and norms for programs")
      ->option_text("FILE");
}

void GenerateOptions::finish(const CLI::App& command) {
  GenerationRequest& request = job.request;
  InitialState& initial = request.initial;
  if (command.count("--prompt") > 0 && command.count("--prompt-file") > 0) {
    throw Error(ErrorKind::kBadUsage, "Both --prompt and --prompt-file are given; choose one.");
  }
  if (!json.empty() && json == job.save_state) {
    throw Error(ErrorKind::kBadUsage,
                "--json and --save-state name the same file; choose another for one.");
  }
  if (initial_state == "random-noise") {
    initial.kind = InitialState::Kind::kRandomNoise;
  } else if (initial_state != "zero") {
    initial.kind = InitialState::Kind::kFile;
    initial.name = initial_state;
  }
  if (command.count("--scale-state") > 0) {
    initial.edits.push_back({StateEdit::Kind::kScale, scale, {}, request.sampling.seed});
  }
  if (!zero_heads.empty()) {
    initial.edits.push_back({StateEdit::Kind::kZero, 1, heads(zero_heads), request.sampling.seed});
  }
  if (!noise_heads.empty()) {
    initial.edits.push_back(
        {StateEdit::Kind::kNoise, noise, heads(noise_heads), request.sampling.seed});
  } else if (command.count("--noise") > 0) {
    throw Error(ErrorKind::kBadUsage, "--noise needs --noise-heads: HEADS, or all.");
  }
  if (!initial.edits.empty() && initial.kind == InitialState::Kind::kZero) {
    throw Error(ErrorKind::kBadUsage,
                "The zero state stays zero whatever its heads are multiplied with; choose another "
                "--initial-state to change.");
  }
}

void add_tokenize(CLI::App& command, TokenizeOptions& options) {
  TokenizeJob& job = options.job;
  command.add_option("MODEL", job.model.model, model_help())->capture_default_str();
  command.add_option("--tokenizer", job.model.tokenizer,
                     "tokenizer.json or its folder (default: beside the model)")->option_text("PATH");
  command.add_option("--data", job.data.path, "text file (default: a generated text)")
      ->option_text("FILE");
  command.add_option("--generated", job.data.generated,
                     fmt::format("which generated text: {} (default: the model's)",
                                 fmt::join(kGeneratedTexts, ", ")))
      ->option_text("NAME");
  command.add_option("--out", job.out, "write the ids, for --tokens; with --make the folder of the new "
                                       "tokenizer.json")->option_text("FILE.npy|DIR");
  command.add_option("--limit", job.shown, "tokens to print")->capture_default_str();
  command.add_option("--make", options.make,
                     "a new tokenizer for small models: the text's words or characters")
      ->option_text("words|characters")->check(CLI::IsMember({"words", "characters"}));
  command.add_option("--vocabulary", options.vocabulary,
                     "tokens of the new tokenizer: the most frequent ones and one for all others "
                     "(default: all that the text has)")
      ->option_text("N")->check(CLI::Range(int64_t{2}, int64_t{1} << 20));
}

void TokenizeOptions::finish(const CLI::App& command) const {
  const auto given = [&](const char* option) { return command.count(option) > 0; };
  if (make.empty()) {
    if (!given("--vocabulary")) return;
    throw Error(ErrorKind::kBadUsage, "--vocabulary needs --make: words, or characters.");
  }
  for (const char* other : {"MODEL", "--tokenizer", "--limit"}) {
    if (!given(other)) continue;
    throw Error(ErrorKind::kBadUsage,
                fmt::format("--make makes a tokenizer of a text; {} is for reading one. Leave it out.",
                            other));
  }
  if (job.out.empty()) {
    throw Error(ErrorKind::kBadUsage, "--make needs --out: the folder for the new tokenizer.json.");
  }
}

void add_presets(CLI::App& command, PresetsOptions& options) {
  command.add_option("NAME", options.name, "a preset: its values, and how well each is known");
}

void add_plot(CLI::App& command, PlotOptions& options) {
  command.add_option("RESULTS", options.results,
                     "files of measure --json: the base, then what is drawn over it")->required();
  command.add_option("--out", options.out, "folder for the pictures")->option_text("DIR")
      ->capture_default_str();
  command.add_option("--format", options.format, "png, svg or both")->capture_default_str();
  command.add_option("--theme", options.theme, "light or dark")->capture_default_str();
  command.add_option("--size", options.size, "of each picture; a PNG has twice as many pixels")
      ->option_text("WxH")->capture_default_str();
  command.add_option("--plots", options.plots,
                     "these only: state, state-std, state-max, state-drift, state-lines, perplexity, "
                     "effrem, effrem-js, effrem-kl, effrem-agreement, distribution, qq, spectrum, "
                     "attention, training-loss")
      ->delimiter(',');
}

}  // namespace farstate
