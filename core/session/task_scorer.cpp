// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/task_scorer.h"

#include <ATen/TensorOperators.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/base/error.h"

namespace farstate {
namespace {

constexpr const char* kGenerated = "generated";
constexpr const char* kPredicted = "predicted";

// Of every cell in the first round; each round after it has twice as many.
constexpr int64_t kFirstSamples = 4;
// Tokens of a unit: what a stop loses at most, unless one sample is longer.
constexpr int64_t kUnitTokens = int64_t{1} << 14;
// States that a unit's rows hold at most.
constexpr int64_t kUnitStateBytes = int64_t{512} << 20;

// Both ends, then the middle, then the middles of what is between: each index of [0,n) once.
std::vector<size_t> coarse_to_fine(size_t n) {
  std::vector<size_t> order;
  std::vector<bool> taken(n);
  const auto take = [&](size_t i) {
    if (!taken[i]) order.push_back(i);
    taken[i] = true;
  };
  if (n == 0) return order;
  take(0);
  take(n - 1);
  std::vector<std::pair<size_t, size_t>> gaps{{0, n - 1}};
  for (size_t i = 0; i < gaps.size(); ++i) {
    const auto [low, high] = gaps[i];
    if (high - low < 2) continue;
    const size_t middle = (low + high) / 2;
    take(middle);
    gaps.emplace_back(low, middle);
    gaps.emplace_back(middle, high);
  }
  return order;
}

// A sample's own numbers.
Rng numbers_of(uint64_t seed, int64_t length, double depth, int64_t sample) {
  const auto place = static_cast<uint64_t>(length) * 2'000'003 +
                     static_cast<uint64_t>(std::llround((depth + 1) * 1e6));
  return Rng(seed, RngStream::kTaskScore, (place << 20) + static_cast<uint64_t>(sample));
}

std::vector<int64_t> token_indices(const TaskTokens& tokens) {
  std::vector<int64_t> asked;
  for (const TokenSpan& span : tokens.answers) {
    for (int64_t i = span.begin; i < span.end; ++i) asked.push_back(i);
  }
  return asked;
}

// For each answer whether every token of it is the likeliest one, and the loss of all of them.
struct AnswerResult {
  bool right = true;
  double loss = 0;
};
std::vector<AnswerResult> by_answer(const TaskTokens& tokens,
                                    const std::vector<Prediction>& predictions) {
  std::vector<AnswerResult> results;
  size_t at = 0;
  for (const TokenSpan& span : tokens.answers) {
    AnswerResult& result = results.emplace_back();
    for (int64_t i = span.begin; i < span.end; ++i, ++at) {
      result.right = result.right &&
                     predictions[at].likeliest == tokens.ids[static_cast<size_t>(i)];
      result.loss += predictions[at].loss;
    }
  }
  return results;
}

int64_t drawable_ids(const RecurrentLM& model, const Tokenizer& tokenizer) {
  return std::min(tokenizer.vocabulary(), model.head_weight().size(0));
}

// What a source is now: its files with their sizes and times, so that one that was changed, or another
// one of the same name, is another source.
std::string stamp_of(const std::string& source) {
  namespace fs = std::filesystem;
  if (source.empty()) return {};
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(fs::absolute(source), ignored);
  std::vector<std::string> files;
  const auto add = [&](const fs::path& file) {
    files.push_back(fmt::format("{} {} {}", file.string(), fs::file_size(file, ignored),
                                fs::last_write_time(file, ignored).time_since_epoch().count()));
  };
  if (fs::is_directory(path, ignored)) {
    for (fs::recursive_directory_iterator at(path, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
      if (at->is_regular_file(ignored)) add(at->path());
    }
  } else {
    add(path);
  }
  std::ranges::sort(files);
  return fmt::format("{}", fmt::join(files, ";"));
}

uint64_t mixed(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

uint64_t weights_hash(const RecurrentLM& model) {
  uint64_t hash = 0;
  for (const TensorEntry& entry : model.tensors()) {
    const at::Tensor tensor = entry.tensor.detach().contiguous();
    const auto* bytes = static_cast<const unsigned char*>(tensor.data_ptr());
    const auto size = static_cast<size_t>(tensor.nbytes());
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::copy_n(bytes + i, std::min(sizeof word, size - i), reinterpret_cast<unsigned char*>(&word));
      hash = mixed(hash, word);
    }
  }
  return hash;
}

}  // namespace

ScoreConfig score_settings(const Task& task, const ScoreConfig& config, int64_t context) {
  ScoreConfig settings = config;
  if (settings.lengths.empty()) settings.lengths = task.lengths(context);
  std::ranges::sort(settings.lengths);
  settings.lengths.erase(std::ranges::unique(settings.lengths).begin(), settings.lengths.end());
  std::ranges::sort(settings.depths);
  settings.depths.erase(std::ranges::unique(settings.depths).begin(), settings.depths.end());
  if (!task.traits().depths) settings.depths.clear();
  if (task.traits().depths && settings.depths.empty()) {
    throw Error(ErrorKind::kBadUsage, "No depth is given to score at; give one or more from 0 to 1.");
  }
  return settings;
}

std::string score_key(const RecurrentLM& model, const Tokenizer& tokenizer, const TaskConfig& task,
                      const ScoreConfig& settings, uint64_t seed) {
  // Where one sample serves all lengths, it is another one for another longest length.
  const int64_t longest = task.name == "register" ? settings.lengths.back() : 0;
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{:016x}|{:016x}", task.name, stamp_of(task.source),
                     fmt::join(task.questions, ","), task.shots, task.keys, task.change_probability,
                     longest, seed, tokenizer.fingerprint(), weights_hash(model));
}

TaskScorer::TaskScorer(const RecurrentLM& model, const Task& task,
                       std::shared_ptr<const Tokenizer> tokenizer, const ScoreConfig& settings,
                       uint64_t seed, const Subject& subject)
    : model_(model),
      task_(task),
      tokenizer_(std::move(tokenizer)),
      settings_(settings),
      seed_(seed),
      subject_(subject),
      reader_(model) {
  add_cells();
  plan();
}

void TaskScorer::add_cells() {
  const TaskTraits& traits = task_.traits();
  const std::vector<std::string> kinds =
      traits.kinds.empty() ? std::vector<std::string>{""} : traits.kinds;
  const std::vector<double> depths =
      settings_.depths.empty() ? std::vector<double>{-1} : settings_.depths;
  for (const char* mode : {kGenerated, kPredicted}) {
    if (mode == kGenerated ? !traits.generates : !traits.predicts) continue;
    for (const std::string& kind : kinds) {
      for (const double depth : depths) {
        for (const int64_t length : settings_.lengths) {
          TaskCell& cell = cells_.emplace_back();
          cell.task = traits.name;
          cell.kind = kind;
          cell.mode = mode;
          cell.length = length;
          cell.depth = depth;
          cell.arm = subject_.arm;
          cell.seed = subject_.seed;
          cell.planned = settings_.trials;
        }
      }
    }
  }
}

// One unit of all samples for each place, in the order in which they are begun with.
std::vector<TaskScorer::Unit> TaskScorer::coarse_units() const {
  const TaskTraits& traits = task_.traits();
  std::vector<int64_t> lengths = settings_.lengths;
  if (traits.by_position) lengths = {settings_.lengths.back()};
  const std::vector<std::string> kinds =
      traits.kinds.empty() ? std::vector<std::string>{""} : traits.kinds;
  // Ascending depths: the next prompt's beginning goes on from the one before.
  const std::vector<double> depths =
      settings_.depths.empty() ? std::vector<double>{-1} : settings_.depths;
  std::vector<Unit> units;
  for (const size_t i : coarse_to_fine(lengths.size())) {
    for (const std::string& kind : kinds) {
      for (const double depth : depths) units.push_back({lengths[i], depth, kind, 0, settings_.trials});
    }
  }
  return units;
}

void TaskScorer::plan() {
  const std::vector<Unit> places = coarse_units();
  const int64_t state_rows =
      std::max<int64_t>(kUnitStateBytes / std::max<int64_t>(model_.sizes().state_bytes, 1), 1);
  int64_t begin = 0;
  for (int64_t round = kFirstSamples; begin < settings_.trials; round *= 2) {
    const int64_t end = std::min(begin + round, settings_.trials);
    for (const Unit& place : places) {
      const int64_t rows =
          std::clamp<int64_t>(kUnitTokens / std::max<int64_t>(place.length, 1), 1, state_rows);
      for (int64_t first = begin; first < end; first += rows) {
        Unit& unit = units_.emplace_back(place);
        unit.first = first;
        unit.last = std::min(first + rows, end);
      }
    }
    begin = end;
  }
}

TaskCell& TaskScorer::cell(const Unit& unit, const char* mode, int64_t length) {
  return *std::ranges::find_if(cells_, [&](const TaskCell& c) {
    return c.mode == mode && c.kind == unit.kind && c.length == length && c.depth == unit.depth;
  });
}

void TaskScorer::take(const std::vector<TaskCell>& cells) {
  for (const TaskCell& known : cells) {
    const auto here = std::ranges::find_if(cells_, [&](const TaskCell& c) {
      return c.mode == known.mode && c.kind == known.kind && c.length == known.length &&
             c.depth == known.depth;
    });
    if (here == cells_.end()) continue;
    here->samples = known.samples;
    here->correct = known.correct;
    here->trials = known.trials;
    here->planned = std::max(here->planned, known.samples);
  }
}

// The samples that all of the unit's cells have.
int64_t TaskScorer::scored(const Unit& unit) {
  const TaskTraits& traits = task_.traits();
  int64_t samples = unit.last;
  if (traits.generates) samples = std::min(samples, cell(unit, kGenerated, unit.length).samples);
  if (!traits.predicts) return samples;
  for (const int64_t length : predicted_lengths(unit)) {
    samples = std::min(samples, cell(unit, kPredicted, length).samples);
  }
  return samples;
}

std::vector<int64_t> TaskScorer::predicted_lengths(const Unit& unit) const {
  return task_.traits().by_position ? settings_.lengths : std::vector{unit.length};
}

double TaskScorer::cost(const Unit& unit) const {
  return static_cast<double>(unit.last - unit.first) * static_cast<double>(unit.length);
}

std::vector<TaskScorer::Sampled> TaskScorer::samples(const Unit& unit, int64_t first,
                                                     int64_t last) const {
  std::vector<Sampled> list;
  for (int64_t i = first; i < last; ++i) {
    Rng numbers = numbers_of(seed_, unit.length, unit.depth, i);
    Sampled& s = list.emplace_back();
    s.sample = task_.sample({unit.length, unit.depth, unit.kind}, numbers);
    s.tokens = tokenise(s.sample, *tokenizer_);
  }
  return list;
}

void TaskScorer::next(const ProgressSink& progress) {
  const auto skip = [&] {
    while (!done() && scored(units_[next_]) >= units_[next_].last) ++next_;
  };
  skip();
  if (done()) return;
  const auto began = std::chrono::steady_clock::now();
  Unit unit = units_[next_];
  unit.first = std::max(unit.first, scored(unit));
  const std::vector<Sampled> sampled = samples(unit, unit.first, unit.last);
  // A unit counts as a whole.
  const std::vector<TaskCell> before = cells_;
  try {
    if (task_.traits().generates) generate(unit, sampled, progress);
    if (task_.traits().predicts) predict(unit, sampled, progress);
  } catch (...) {
    cells_ = before;
    throw;
  }
  ++next_;
  paid_ += cost(unit);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  skip();
}

void TaskScorer::generate(const Unit& unit, const std::vector<Sampled>& sampled,
                          const ProgressSink& progress) {
  TaskCell& into = cell(unit, kGenerated, unit.length);
  std::vector<TokenIds> prompts;
  std::vector<int64_t> most;
  for (const Sampled& s : sampled) {
    prompts.push_back(prompt_tokens(s.sample, *tokenizer_));
    const auto answer = static_cast<int64_t>(s.tokens.ids.size()) - s.tokens.answers.front().begin;
    most.push_back(task_.most_tokens(answer));
  }
  const TokenIds like =
      prompt_tokens(samples(unit, unit.last, unit.last + 1).front().sample, *tokenizer_);
  const std::vector<std::string> texts = go_on_greedily(
      model_, *tokenizer_, reader_.read(prompts, like, progress), most,
      [&](size_t row, std::string_view text) { return task_.ended(sampled[row].sample, text); });
  for (size_t row = 0; row < texts.size(); ++row) {
    if (unit.first + static_cast<int64_t>(row) < into.samples) continue;
    const Marks marks = task_.mark(sampled[row].sample, texts[row]);
    into.correct += marks.correct;
    into.trials += marks.total;
  }
  into.samples = std::max(into.samples, unit.last);
}

void TaskScorer::predict(const Unit& unit, const std::vector<Sampled>& sampled,
                         const ProgressSink& progress) {
  const bool by_position = task_.traits().by_position;
  std::vector<TokenIds> texts;
  std::vector<std::vector<int64_t>> asked;
  for (const Sampled& s : sampled) {
    texts.push_back(s.tokens.ids);
    asked.push_back(token_indices(s.tokens));
  }
  const auto found =
      predictions(model_, drawable_ids(model_, *tokenizer_), texts, asked, progress);
  for (size_t row = 0; row < sampled.size(); ++row) {
    const TaskTokens& tokens = sampled[row].tokens;
    const std::vector<AnswerResult> results = by_answer(tokens, found[row]);
    const int64_t number = unit.first + static_cast<int64_t>(row);
    for (const int64_t length : predicted_lengths(unit)) {
      TaskCell& into = cell(unit, kPredicted, length);
      if (number < into.samples) continue;
      for (size_t i = 0; i < results.size(); ++i) {
        const int64_t at = tokens.answers[i].begin;
        if (by_position && (at < length / 2 || at >= length)) continue;
        into.correct += results[i].right ? 1 : 0;
        ++into.trials;
      }
      into.samples = number + 1;
    }
  }
}

double TaskScorer::share() const {
  double before = 0, all = 0;
  for (size_t i = 0; i < units_.size(); ++i) {
    all += cost(units_[i]);
    if (i < next_) before += cost(units_[i]);
  }
  return all > 0 ? before / all : 1;
}

double TaskScorer::seconds_left() const {
  constexpr double kEnough = 1.0;  // seconds; an estimate from less would jump about
  if (seconds_ < kEnough) return -1;
  double left = 0;
  for (size_t i = next_; i < units_.size(); ++i) left += cost(units_[i]);
  return left * seconds_ / paid_;
}

std::string TaskScorer::phase() const {
  if (done()) return {};
  const Unit& unit = units_[next_];
  std::string text = fmt::format("{}: {} {}", task_.traits().name, unit.length, task_.traits().unit);
  if (!unit.kind.empty()) text += ", " + unit.kind;
  if (unit.depth >= 0) text += fmt::format(", depth {:g}", unit.depth);
  return text + fmt::format(", sample {} of {}", unit.first + 1, settings_.trials);
}

TaskTrial answer(const RecurrentLM& model, const Task& task, const Tokenizer& tokenizer,
                 const TaskQuestion& question, uint64_t seed, const ProgressSink& progress) {
  TaskTrial trial;
  trial.number = question.number;
  Rng numbers = numbers_of(seed, question.length, question.depth, question.sample);
  trial.sample = task.sample({question.length, question.depth, question.kind}, numbers);
  const TaskTokens tokens = tokenise(trial.sample, tokenizer);
  const TokenIds prompt = prompt_tokens(trial.sample, tokenizer);
  trial.prompt_tokens = static_cast<int64_t>(prompt.size());
  const auto found = predictions(model, drawable_ids(model, tokenizer), {tokens.ids},
                                 {token_indices(tokens)}, progress);
  for (const AnswerResult& result : by_answer(tokens, found.front())) {
    trial.by_answer.push_back(std::exp(-result.loss));
    if (task.traits().generates) continue;
    trial.marks.correct += result.right ? 1 : 0;
    ++trial.marks.total;
  }
  trial.probability = trial.by_answer.front();
  if (!task.traits().generates) return trial;
  const auto answer_tokens = static_cast<int64_t>(tokens.ids.size()) - tokens.answers.front().begin;
  PromptReader reader(model);
  trial.output = go_on_greedily(model, tokenizer, reader.read({prompt}, {}, progress),
                                {task.most_tokens(answer_tokens)},
                                [&](size_t, std::string_view text) {
                                  return task.ended(trial.sample, text);
                                })
                     .front();
  trial.marks = task.mark(trial.sample, trial.output);
  return trial;
}

}  // namespace farstate
