// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/prompt_reader.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/error.h"
#include "core/models/unroll.h"

namespace farstate {
namespace {

// States of beginnings that are kept for later prompts.
constexpr int64_t kKeptBytes = int64_t{256} << 20;
// Logits that exist at a time.
constexpr int64_t kLogits = int64_t{1} << 24;

int64_t common_length(const TokenIds& a, const TokenIds& b, int64_t most) {
  const auto end = static_cast<std::ptrdiff_t>(
      std::min({static_cast<size_t>(most), a.size(), b.size()}));
  return std::mismatch(a.begin(), a.begin() + end, b.begin()).first - a.begin();
}

at::Tensor tensor_of(const std::vector<std::span<const int32_t>>& rows) {
  const auto n = static_cast<int64_t>(rows.size());
  const auto length = static_cast<int64_t>(rows.front().size());
  at::Tensor tokens = at::empty({n, length}, at::kLong);
  auto* out = tokens.data_ptr<int64_t>();
  for (const std::span<const int32_t> row : rows) out = std::copy(row.begin(), row.end(), out);
  return tokens;
}

// An argmax of what is no number would be taken for a wrong answer.
void check_finite(const at::Tensor& numbers, int64_t position) {
  if (numbers.isfinite().all().item<bool>()) return;
  throw Error(ErrorKind::kDiverged,
              fmt::format("The model's prediction after about {} tokens is not finite, so it can't be "
                          "scored: its weights are damaged, or its state has overflowed. farstate "
                          "measure shows where; score shorter lengths.",
                          position));
}

ModelState repeated(const ModelState& state, int64_t times) {
  if (state.empty() || times == 1) return state;
  return ModelState::concatenate(std::vector<ModelState>(static_cast<size_t>(times), state));
}

// Reads rows of one length from `state`, and gives what the last position predicts from.
ModelState read_rows(const RecurrentLM& model, const at::Tensor& tokens, ModelState state,
                     at::Tensor& last, const std::function<void(int64_t)>& on_read) {
  const int64_t n = tokens.size(0);
  return unroll(model, tokens, std::move(state), {}, [&](const UnrollSegment& segment) {
    const at::Tensor& hidden = segment.result.hidden;
    last = hidden.select(1, hidden.size(1) - 1).clone();
    on_read(n * hidden.size(1));
  });
}

}  // namespace

void PromptReader::keep(Beginning beginning) {
  const int64_t each = std::max<int64_t>(model_.sizes().state_bytes, 1);
  const auto most = static_cast<size_t>(std::max<int64_t>(kKeptBytes / each, 1));
  if (kept_.size() >= most) kept_.erase(kept_.begin());
  kept_.push_back(std::move(beginning));
}

// The first `length` tokens of the prompt, from the longest beginning of it that was read before.
const PromptReader::Beginning& PromptReader::beginning(const TokenIds& prompt, int64_t length,
                                                       const ProgressSink& progress) {
  const Beginning* from = nullptr;
  for (const Beginning& b : kept_) {
    const auto size = static_cast<int64_t>(b.ids.size());
    const bool fits = size <= length && common_length(b.ids, prompt, size) == size;
    if (fits && (from == nullptr || b.ids.size() > from->ids.size())) from = &b;
  }
  const int64_t begin = from == nullptr ? 0 : static_cast<int64_t>(from->ids.size());
  if (begin == length && from != nullptr) return *from;
  Beginning next{{prompt.begin(), prompt.begin() + length}, {}};
  at::Tensor last;
  int64_t done = 0;
  next.state = read_rows(
      model_,
      tensor_of({std::span(prompt).subspan(static_cast<size_t>(begin),
                                           static_cast<size_t>(length - begin))}),
      from == nullptr ? ModelState{} : from->state, last, [&](int64_t tokens) {
        tokens_read_ += tokens;
        done += tokens;
        if (progress) {
          progress("reading what the prompts share",
                   static_cast<double>(done) / static_cast<double>(length - begin));
        }
      });
  keep(std::move(next));
  return kept_.back();
}

PromptEnds PromptReader::read(const std::vector<TokenIds>& prompts, const TokenIds& like,
                              const ProgressSink& progress) {
  const at::NoGradGuard no_grad;
  const auto n = static_cast<int64_t>(prompts.size());
  int64_t shared = static_cast<int64_t>(like.size());
  for (const TokenIds& prompt : prompts) {
    // The last token of each is left, since what comes after it is wanted.
    const auto most = std::min(shared, static_cast<int64_t>(prompt.size()) - 1);
    shared = common_length(prompt, like, most);
  }
  ModelState state;
  if (shared > 0) state = repeated(beginning(prompts.front(), shared, progress).state, n);

  // Rows end one after another, the shortest first.
  std::vector<size_t> order(prompts.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](size_t i) { return prompts[i].size(); });
  double total = 0;
  for (const TokenIds& prompt : prompts) {
    total += static_cast<double>(static_cast<int64_t>(prompt.size()) - shared);
  }
  double done = 0;
  const auto on_read = [&](int64_t tokens) {
    tokens_read_ += tokens;
    done += static_cast<double>(tokens);
    if (progress) progress("reading the prompts", done / total);
  };
  std::vector<ModelState> states(prompts.size());
  std::vector<at::Tensor> hidden(prompts.size());
  auto begin = static_cast<size_t>(shared);
  for (size_t first = 0; first < order.size();) {
    const size_t end = prompts[order[first]].size();
    size_t ending = first;
    while (ending < order.size() && prompts[order[ending]].size() == end) ++ending;
    std::vector<std::span<const int32_t>> rows;
    for (size_t i = first; i < order.size(); ++i) {
      rows.push_back(std::span(prompts[order[i]]).subspan(begin, end - begin));
    }
    at::Tensor last;
    state = read_rows(model_, tensor_of(rows), std::move(state), last, on_read);
    for (size_t i = first; i < ending; ++i) {
      const auto row = static_cast<int64_t>(i - first);
      states[order[i]] = state.rows(row, row + 1);
      hidden[order[i]] = last.slice(0, row, row + 1);
    }
    if (ending < order.size()) {
      state = state.rows(static_cast<int64_t>(ending - first),
                         static_cast<int64_t>(order.size() - first));
    }
    first = ending;
    begin = end;
  }
  return {ModelState::concatenate(states), at::cat(hidden),
          static_cast<int64_t>(prompts[order.back()].size())};
}

std::vector<std::string> go_on_greedily(
    const RecurrentLM& model, const Tokenizer& tokenizer, PromptEnds ends,
    const std::vector<int64_t>& most,
    const std::function<bool(size_t row, std::string_view text)>& ended) {
  const at::NoGradGuard no_grad;
  const size_t n = most.size();
  const int64_t drawable = std::min(tokenizer.vocabulary(), model.head_weight().size(0));
  std::vector<TextDecoder> decoders(n, TextDecoder(tokenizer));
  std::vector<std::string> texts(n);
  std::vector<bool> over(n);
  for (size_t row = 0; row < n; ++row) over[row] = most[row] <= 0;
  for (int64_t token = 0; std::ranges::find(over, false) != over.end(); ++token) {
    const at::Tensor logits = model.logits(ends.hidden);
    check_finite(logits, ends.longest + token);
    const at::Tensor next = logits.slice(1, 0, drawable).argmax(1);
    for (size_t row = 0; row < n; ++row) {
      if (over[row]) continue;
      texts[row] += decoders[row].push(next[static_cast<int64_t>(row)].item<int64_t>());
      over[row] = token + 1 >= most[row] || ended(row, texts[row]);
    }
    if (std::ranges::find(over, false) != over.end()) ends.hidden = model.step(next, ends.state);
  }
  for (size_t row = 0; row < n; ++row) texts[row] += decoders[row].finish();
  return texts;
}

namespace {

struct Asked {
  int64_t index;  // of the token
  size_t row;
  size_t slot;    // in the row's list
};

std::vector<Asked> in_order(const std::vector<std::vector<int64_t>>& asked) {
  std::vector<Asked> all;
  for (size_t row = 0; row < asked.size(); ++row) {
    for (size_t slot = 0; slot < asked[row].size(); ++slot) {
      all.push_back({asked[row][slot], row, slot});
    }
  }
  std::ranges::stable_sort(all, {}, &Asked::index);
  return all;
}

}  // namespace

std::vector<std::vector<Prediction>> predictions(const RecurrentLM& model, int64_t drawable,
                                                 const std::vector<TokenIds>& texts,
                                                 const std::vector<std::vector<int64_t>>& asked,
                                                 const ProgressSink& progress) {
  const at::NoGradGuard no_grad;
  const std::vector<Asked> all = in_order(asked);
  std::vector<std::vector<Prediction>> found(asked.size());
  for (size_t row = 0; row < asked.size(); ++row) found[row].resize(asked[row].size());
  if (all.empty()) return found;
  // What comes after the last token asked for is not read; a shorter row is filled up behind its own.
  const int64_t length = all.back().index;
  at::Tensor tokens = at::zeros({static_cast<int64_t>(texts.size()), length}, at::kLong);
  auto* out = tokens.data_ptr<int64_t>();
  for (const TokenIds& text : texts) {
    const auto have = std::min(static_cast<int64_t>(text.size()), length);
    std::copy_n(text.begin(), have, out);
    out += length;
  }
  const int64_t most_rows = std::max<int64_t>(kLogits / model.head_weight().size(0), 1);
  size_t next = 0;
  unroll(model, tokens, {}, {}, [&](const UnrollSegment& segment) {
    const at::Tensor& hidden = segment.result.hidden;
    const int64_t t = hidden.size(1);
    const int64_t end = segment.begin + t;
    while (next < all.size() && all[next].index - 1 < end) {
      std::vector<int64_t> places, targets;
      const size_t first = next;
      for (; next < all.size() && all[next].index - 1 < end &&
             static_cast<int64_t>(places.size()) < most_rows;
           ++next) {
        const Asked& a = all[next];
        places.push_back(static_cast<int64_t>(a.row) * t + a.index - 1 - segment.begin);
        targets.push_back(texts[a.row][static_cast<size_t>(a.index)]);
      }
      const at::Tensor logits =
          model.logits(hidden.flatten(0, 1).index_select(0, at::tensor(places)));
      const at::Tensor likeliest = logits.slice(1, 0, drawable).argmax(1);
      check_finite(logits, all[first].index);
      const at::Tensor loss =
          logits.logsumexp(1) - logits.gather(1, at::tensor(targets).unsqueeze(1)).squeeze(1);
      for (size_t i = first; i < next; ++i) {
        const auto at = static_cast<int64_t>(i - first);
        found[all[i].row][all[i].slot] = {likeliest[at].item<int64_t>(), loss[at].item<double>()};
      }
    }
    if (progress) {
      progress("reading the texts", static_cast<double>(end) / static_cast<double>(length));
    }
  });
  return found;
}

}  // namespace farstate
