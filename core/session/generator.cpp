// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/generator.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/data/corpus.h"
#include "core/data/tokenised_text.h"
#include "core/ops/state_stats.h"
#include "core/session/state_edits.h"
#include "core/session/state_shelf.h"

namespace farstate {
namespace {

using Clock = std::chrono::steady_clock;

// Tokens of a prompt that are read by one forward call: enough for efficient products, few enough
// that a stop loses little.
constexpr int64_t kSegment = 256;
constexpr int64_t kSnapshotBytes = int64_t{256} << 20;
constexpr size_t kShownTokens = 12;
constexpr double kNoPrediction = std::numeric_limits<double>::quiet_NaN();

// stats: [H,4] of one layer as ops::state_stats. `read`: tokens read, for the message.
void append_norms(const at::TensorAccessor<double, 2>& stats, size_t layer, int64_t read,
                  std::vector<float>& norms) {
  for (int64_t head = 0; head < stats.size(0); ++head) {
    if (stats[head][3] > 0) {
      throw Error(ErrorKind::kDiverged,
                  fmt::format("The state of layer {}, head {} is not finite after {} tokens ({} of "
                              "its elements); the text ends before it.",
                              layer, head, read, stats[head][3]));
    }
    norms.push_back(static_cast<float>(std::sqrt(stats[head][1])));
  }
}

std::vector<float> norms_of(const ModelState& state, int64_t read) {
  std::vector<float> norms;
  for (size_t layer = 0; layer < state.layers.size(); ++layer) {
    const at::Tensor stats = ops::state_stats(state.layers[layer].recurrent).squeeze(0);
    append_norms(stats.accessor<double, 2>(), layer, read, norms);
  }
  return norms;
}

// Column k of the statistics of a segment, [L][1,K,H,4].
std::vector<float> norms_of(const std::vector<at::Tensor>& stats, int64_t k, int64_t read) {
  std::vector<float> norms;
  for (size_t layer = 0; layer < stats.size(); ++layer) {
    const at::Tensor here = stats[layer].select(0, 0).select(0, k);
    append_norms(here.accessor<double, 2>(), layer, read, norms);
  }
  return norms;
}

// Into memory that is there already; contexts are replaced by a step and may be shared.
void copy_state(const ModelState& from, ModelState& to) {
  if (to.empty()) {
    to = from.clone();
    return;
  }
  for (size_t layer = 0; layer < from.layers.size(); ++layer) {
    to.layers[layer].recurrent.copy_(from.layers[layer].recurrent);
    to.layers[layer].context = from.layers[layer].context;
  }
}

at::Tensor step(const RecurrentLM& model, int64_t id, ModelState& state) {
  return model.step(at::full({1}, id, at::kLong), state);
}

[[noreturn]] void refuse_prediction(int64_t read) {
  throw Error(ErrorKind::kDiverged,
              fmt::format("The model's predictions are not finite after {} tokens.", read));
}

// The beginning of a text, for a sentence: whole characters in one line.
std::string beginning(const std::string& text) {
  constexpr size_t kMost = 24;
  size_t end = 0;
  while (end < std::min(text.size(), kMost)) end += next_utf8(text, end).length;
  std::string line;
  append_valid_utf8(std::string_view(text).substr(0, end), line);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return fmt::format("“{}{}”", line, end < text.size() ? "…" : "");
}

}  // namespace

std::vector<int64_t> norm_positions(int64_t length) {
  constexpr int64_t kMost = 512;
  std::vector<int64_t> positions;
  if (length <= kMost) {
    for (int64_t i = 0; i < length; ++i) positions.push_back(i);
    return positions;
  }
  const auto last = static_cast<double>(length - 1);
  for (int64_t i = 0; i < kMost / 2; ++i) {
    const double share = static_cast<double>(i) / (kMost / 2 - 1);
    positions.push_back(std::llround(share * last));
    positions.push_back(std::llround(std::pow(last + 1, share)) - 1);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

Generator::Generator(const RecurrentLM& model, std::shared_ptr<const Tokenizer> tokenizer,
                     GenerationRequest request, HeldState start)
    : model_(model),
      tokenizer_(std::move(tokenizer)),
      request_(std::move(request)),
      segment_(std::min(kSegment, segment_length(model.sizes(), 1))),
      now_(std::move(start)),
      start_position_(now_.position),
      target_(request_.sampling.tokens),
      rng_(request_.sampling.seed, RngStream::kSampling),
      decoder_(*tokenizer_),
      snapshot_stride_(segment_),
      most_snapshots_(static_cast<size_t>(
          std::clamp<int64_t>(kSnapshotBytes / model.sizes().state_bytes, 4, 64))) {
  check(request_.sampling);
  check_edits(request_.initial.edits, model_.sizes());
  if (!request_.prompt.empty() && !request_.prompt_file.empty()) {
    throw Error(ErrorKind::kBadUsage, "Both a prompt and a file with one are given; choose one.");
  }
}

void Generator::check(const SamplingConfig& c) const {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(ErrorKind::kBadUsage, what);
  };
  require(c.tokens >= 0, "The number of tokens must be 0 or more.");
  require(std::isfinite(c.temperature) && c.temperature >= 0,
          "The temperature must be a finite number from 0 (0: the most likely token).");
  require(c.top_p > 0 && c.top_p <= 1, "top-p must be above 0 and at most 1.");
  require(std::isfinite(c.tokens_per_second) && c.tokens_per_second >= 0,
          "The tokens per second must be a finite number from 0 (0: no limit).");
}

void Generator::open_prompt() {
  if (open_) return;
  prompt_ = request_.prompt_file.empty()
                ? tokenise_text(request_.prompt, tokenizer_, {}).tokens
                : tokenise_file(request_.prompt_file, tokenizer_, {}).tokens;
  if (prompt_->size() == 0 && !now_.hidden.defined()) {
    throw Error(ErrorKind::kBadUsage,
                in_words(request_.initial).empty()
                    ? "The prompt is empty; the model needs at least one token to go on from."
                    : fmt::format("The prompt is empty, and {} predicts no token: nothing was read "
                                  "into it by these weights; give a prompt of one token or more.",
                                  in_words(request_.initial)));
  }
  if (now_.hidden.defined()) next_ = predict(now_.hidden, 0);
  norm_positions_ = norm_positions(prompt_->size());
  if (!request_.initial.edits.empty()) change(request_.initial.edits);
  fix_snapshot();
  open_ = true;
}

bool Generator::finished() const {
  return !reading() && generated() >= target_;
}

bool Generator::advance(std::chrono::milliseconds slice) {
  const at::NoGradGuard no_grad;
  const Clock::time_point until = Clock::now() + slice;
  open_prompt();
  while (!finished()) {
    throw_if_stopped();
    if (read_ + 1 < prompt_->size()) {
      read_segment();
    } else if (read_ < prompt_->size()) {
      const int64_t id = token_at(read_);
      read_token(id, next_.has_value() ? next_->loss(id) : kNoPrediction, true);
    } else if (wait_for_turn(until)) {
      generate_token();
    }
    if (Clock::now() >= until) break;
  }
  return !finished();
}

void Generator::go_on(const SamplingConfig& sampling) {
  check(sampling);
  if (sampling.seed != request_.sampling.seed) rng_ = Rng(sampling.seed, RngStream::kSampling);
  request_.sampling = sampling;
  went_on_at_ = generated();
  target_ = went_on_at_ + sampling.tokens;
  next_turn_ = {};
}

TokenRows Generator::prompt_rows() const {
  return {1, prompt_->size(),
          [prompt = prompt_](int64_t /*first*/, int64_t /*last*/, int64_t begin, int64_t end) {
            const at::Tensor ids = at::empty({1, end - begin}, at::kLong);
            prompt->read(begin, {ids.data_ptr<int64_t>(), static_cast<size_t>(end - begin)});
            return ids;
          }};
}

int64_t Generator::token_at(int64_t index) const {
  if (index >= prompt_->size()) return generated_[static_cast<size_t>(index - prompt_->size())];
  int64_t id = 0;
  prompt_->read(index, {&id, 1});
  return id;
}

// All but the last token of a prompt are read in segments. The last one is stepped, like those that
// are generated: so it can be read again after an edit, and gives the same bits without one.
void Generator::read_segment() {
  const int64_t begin = read_;
  const int64_t end = std::min(begin + segment_, prompt_->size() - 1);
  UnrollOptions options;
  options.segment = segment_;
  const auto first = std::lower_bound(norm_positions_.begin(), norm_positions_.end(), begin);
  for (auto p = first; p != norm_positions_.end() && *p < end; ++p) {
    options.stat_positions.push_back(*p - begin);
  }
  at::Tensor tokens, losses, hidden;
  std::vector<std::vector<float>> norms(static_cast<size_t>(end - begin));
  const auto observe = [&](const UnrollSegment& segment) {
    tokens = segment.tokens.select(0, 0).contiguous();
    const at::Tensor rows = segment.result.hidden.select(0, 0);  // [t,D]
    losses = nll(model_, rows.narrow(0, 0, end - begin - 1), segment.targets.select(0, 0))
                 .to(at::kDouble);
    hidden = rows.narrow(0, end - begin - 1, 1).clone();
    for (size_t k = 0; k < segment.stat_positions.size(); ++k) {
      const int64_t position = segment.stat_positions[k];
      norms[static_cast<size_t>(position)] =
          norms_of(segment.result.stats, static_cast<int64_t>(k), begin + position + 1);
    }
  };
  ModelState state =
      unroll(model_, prompt_rows().window(begin, end), now_.state, options, observe);
  NextTokenDistribution next = predict(hidden, end);

  const int64_t* id = tokens.data_ptr<int64_t>();
  const double* loss = losses.data_ptr<double>();
  const double* wrong = std::find_if(loss, loss + losses.numel(),
                                     [](double value) { return !std::isfinite(value); });
  if (wrong != loss + losses.numel()) refuse_prediction(begin + 1 + (wrong - loss));
  for (int64_t i = 0; i < end - begin; ++i) {
    const double first_loss = next_.has_value() ? next_->loss(id[0]) : kNoPrediction;
    emit(id[i], i > 0 ? loss[i - 1] : first_loss, true, std::move(norms[static_cast<size_t>(i)]));
  }
  read_ = end;
  now_ = {std::move(state), {}, std::move(hidden), {}, -1};
  next_ = std::move(next);
  before_edit_.reset();
  take_snapshot();
}

bool Generator::wait_for_turn(Clock::time_point until) const {
  constexpr std::chrono::milliseconds kStopCheck(10);
  while (Clock::now() < next_turn_) {
    if (Clock::now() >= until) return false;
    std::this_thread::sleep_until(std::min({next_turn_, until, Clock::now() + kStopCheck}));
    throw_if_stopped();
  }
  return true;
}

void Generator::generate_token() {
  const double rate = request_.sampling.tokens_per_second;
  const Clock::time_point turn = Clock::now();
  Rng rng = rng_;
  const int64_t id = next_->draw(request_.sampling, rng);
  read_token(id, next_->loss(id), false);
  rng_ = rng;
  if (rate > 0) {
    next_turn_ = turn + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::min(1 / rate, 1e6)));
  }
}

void Generator::read_token(int64_t id, double loss, bool prompt) {
  ModelState state = std::move(spare_);
  spare_ = {};
  copy_state(now_.state, state);
  at::Tensor hidden = step(model_, id, state);
  std::vector<float> norms = norms_of(state, read_ + 1);
  NextTokenDistribution next = predict(hidden, read_ + 1);

  emit(id, loss, prompt, std::move(norms));
  if (!prompt) generated_.push_back(static_cast<int32_t>(id));
  spare_ = std::move(now_.before);
  now_.before = std::move(now_.state);
  now_.state = std::move(state);
  now_.hidden = std::move(hidden);
  now_.last = id;
  ++read_;
  next_ = std::move(next);
  before_edit_.reset();
  take_snapshot();
}

NextTokenDistribution Generator::predict(const at::Tensor& hidden, int64_t read) const {
  const at::Tensor logits = model_.logits(hidden).squeeze(0).to(at::kFloat).contiguous();
  NextTokenDistribution next({logits.data_ptr<float>(), static_cast<size_t>(logits.numel())},
                             tokenizer_->vocabulary());
  if (!next.finite()) refuse_prediction(read);
  return next;
}

void Generator::emit(int64_t id, double loss, bool prompt, std::vector<float> norms) {
  const int64_t index = fresh_.empty() ? read_ : fresh_.back().index + 1;
  fresh_.push_back({index, id, decoder_.push(id), loss, prompt, std::move(norms)});
}

// Plain snapshots are as many as fit their memory; then every other one goes.
void Generator::take_snapshot() {
  const int64_t last = snapshots_.back().read;
  if (read_ - last < snapshot_stride_) return;
  HeldState held;
  held.state = now_.state.clone();
  snapshots_.push_back({read_, std::move(held), false});
  const auto plain = static_cast<size_t>(std::count_if(
      snapshots_.begin(), snapshots_.end(), [](const Snapshot& s) { return !s.fixed; }));
  if (plain < most_snapshots_) return;
  bool drop = false;
  std::erase_if(snapshots_, [&](const Snapshot& s) {
    drop = !s.fixed && !drop;
    return drop;
  });
  snapshot_stride_ *= 2;
}

void Generator::fix_snapshot() {
  // Of two edits at one place the later one is what the text goes on from.
  if (!snapshots_.empty() && snapshots_.back().fixed && snapshots_.back().read == read_) {
    snapshots_.pop_back();
  }
  snapshots_.push_back({read_, now_.clone(), true});
}

void Generator::edit(const std::vector<StateEdit>& edits) {
  const at::NoGradGuard no_grad;
  check_edits(edits, model_.sizes());
  open_prompt();
  change(edits);
  edited_at_.push_back(read_);
  fix_snapshot();
}

void Generator::change(const std::vector<StateEdit>& edits) {
  if (read_ < prompt_->size()) {
    HeldState edited;
    edited.state = now_.state.clone();
    apply_edits(edits, edited.state);
    now_ = std::move(edited);
    next_.reset();  // nothing was read under the changed state yet
    before_edit_.reset();
  } else {
    if (now_.last < 0) {
      throw Error(ErrorKind::kBadUsage,
                  "The state can't be changed here: its prediction comes from a file, and the token "
                  "that led to it can't be read again; let the text go on by one token, or give a "
                  "prompt.");
    }
    HeldState edited;
    edited.before = now_.before.clone();
    apply_edits(edits, edited.before);
    edited.state = edited.before.clone();
    edited.last = now_.last;
    edited.hidden = step(model_, edited.last, edited.state);
    NextTokenDistribution next = predict(edited.hidden, read_);
    now_ = std::move(edited);
    before_edit_ = std::move(next_);
    next_ = std::move(next);
  }
}

HeldState Generator::state_at(int64_t position) const {
  const at::NoGradGuard no_grad;
  if (position > read_) {
    throw Error(ErrorKind::kBadUsage,
                fmt::format("There is no state after {} tokens: {} were read so far.", position,
                            read_));
  }
  const bool now = position < 0 || position == read_;
  if (position < 0) position = read_;
  const auto after = std::find_if(snapshots_.rbegin(), snapshots_.rend(), [&](const Snapshot& s) {
    return s.read < position || (s.read == position && s.fixed);
  });
  HeldState held;
  if (after == snapshots_.rend() || (now && now_.last >= 0)) {
    held = now_.clone();
  } else {
    held = after->held.clone();
    int64_t at = after->read;
    const int64_t stepped_from = std::min(position, prompt_->size()) - 1;
    if (at < stepped_from) {
      UnrollOptions options;
      options.segment = segment_;
      held.state =
          unroll(model_, prompt_rows().window(at, stepped_from), held.state, options, {});
      at = stepped_from;
    }
    for (; at < position; ++at) {
      throw_if_stopped();
      held.before = held.state.clone();
      held.last = token_at(at);
      held.hidden = step(model_, held.last, held.state);
    }
  }
  held.position.reset();
  if (start_position_.has_value()) held.position = *start_position_ + position;
  return held;
}

std::string Generator::origin(int64_t position) const {
  if (position < 0) position = read_;
  const std::string text =
      !request_.prompt_file.empty()
          ? std::filesystem::path(request_.prompt_file).filename().string()
          : request_.prompt.empty() ? "its own text" : beginning(request_.prompt);
  std::string words = fmt::format("after {} token{} of {}", position, position == 1 ? "" : "s", text);
  const std::string start = in_words(request_.initial);
  if (!start.empty()) words += fmt::format(", read from {}", start);
  const bool edited = std::any_of(edited_at_.begin(), edited_at_.end(),
                                  [&](int64_t at) { return at <= position; });
  return words + (edited ? ", edited" : "");
}

std::vector<GeneratedToken> Generator::take_tokens() { return std::exchange(fresh_, {}); }

std::vector<NextToken> Generator::shown(const NextTokenDistribution& next) const {
  std::vector<NextToken> tokens;
  for (const auto& [id, probability] : next.top(kShownTokens)) {
    tokens.push_back({id, visible_text(*tokenizer_, id), probability});
  }
  return tokens;
}

Generation Generator::picture() const {
  Generation g;
  g.stage = reading()    ? Generation::Stage::kReading
            : finished() ? Generation::Stage::kDone
                         : Generation::Stage::kGenerating;
  g.request = request_;
  g.prompt_tokens = open_ ? prompt_->size() : 0;
  g.read = read_;
  if (next_.has_value()) {
    g.next = shown(*next_);
    g.entropy = next_->entropy();
  }
  if (before_edit_.has_value()) {
    g.before_edit = shown(*before_edit_);
    g.edit_divergence = before_edit_->divergence_to(*next_);
  }
  return g;
}

double Generator::progress() const {
  if (!open_) return -1;
  const auto share = [](int64_t done, int64_t all) {
    return all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
  };
  return reading() ? share(read_, prompt_->size())
                   : share(generated() - went_on_at_, target_ - went_on_at_);
}

std::string Generator::unfinished_character() const { return TextDecoder(decoder_).finish(); }

}  // namespace farstate
