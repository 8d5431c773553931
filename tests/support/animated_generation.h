// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once


#include "tests/support/fake_runner.h"

namespace farstate::testing {

// An invented model that reads and writes: words for tokens, states that grow with the text. One
// take() is one moment, in which `per_take` tokens are read or written. The same requests give the
// same texts; a changed state gives another one.
class AnimatedGeneration : public AnimatedRunner {
 public:
  void generate(const GenerationRequest& request) override {
    AnimatedRunner::generate(request);
    g_.id = ++ids_;
    g_.request = request;
    g_.problem.clear();
    g_.before_edit.clear();
    g_.read = 0;
    text_ = words_of(request.prompt);
    if (!request.prompt_file.empty()) text_.assign(300, " fileword");
    g_.prompt_tokens = static_cast<int64_t>(text_.size());
    gains_.assign(static_cast<size_t>(layers * heads), 1);
    salt_ = static_cast<int64_t>(request.initial.kind) + (request.initial.name.empty() ? 0 : 9);
    for (const StateEdit& edit : request.initial.edits) apply(edit);
    wanted_ = g_.prompt_tokens + request.sampling.tokens;
    seed_ = static_cast<int64_t>(request.sampling.seed);
    g_.stage = Generation::Stage::kReading;
  }
  void go_on(const SamplingConfig& sampling) override {
    AnimatedRunner::go_on(sampling);
    wanted_ = g_.read + sampling.tokens;
    g_.stage = Generation::Stage::kGenerating;
  }
  void stop() override {
    if (g_.stage == Generation::Stage::kReading || g_.stage == Generation::Stage::kGenerating) {
      calls.push_back("stop");
      g_.stage = Generation::Stage::kHeld;
    } else {
      AnimatedRunner::stop();
    }
  }
  void keep_state(const std::string& name, int64_t position) override {
    AnimatedRunner::keep_state(name, position);
    const int64_t at = position < 0 ? g_.read : position;
    g_.kept.push_back({name, "after " + std::to_string(at) + " tokens of the text", at,
                       38.2 + 0.1 * static_cast<double>(at)});
  }
  void drop_state(const std::string& name) override {
    AnimatedRunner::drop_state(name);
    std::erase_if(g_.kept, [&](const KeptState& kept) { return kept.name == name; });
  }
  void read_state(const std::string& name, const std::string& path) override {
    AnimatedRunner::read_state(name, path);
    g_.kept.push_back({name, "file " + path, 0, 40});
  }
  void edit_state(const std::vector<StateEdit>& changes) override {
    AnimatedRunner::edit_state(changes);
    g_.before_edit = g_.next;
    for (const StateEdit& edit : changes) apply(edit);
    predict();
    g_.edit_divergence = 0.42;
  }

  std::optional<RunnerUpdate> take() override {
    auto out = AnimatedRunner::take();
    if (!out || !out->model) return out;
    if (out->model != plain_) {
      plain_ = out->model;
      auto model = std::make_shared<ModelInfo>(*out->model);
      model->tokenizer = "bytes";
      model_ = model;
    }
    out->model = model_;
    const int64_t end = std::min(wanted_, g_.read + per_take);
    const bool runs =
        g_.stage == Generation::Stage::kReading || g_.stage == Generation::Stage::kGenerating;
    while (runs && g_.read < end) out->generated.push_back(next_token());
    if (runs) advance_stage();
    if (ids_ > 0) out->generation = std::make_shared<Generation>(g_);
    return out;
  }

  int64_t per_take = 8;
  Generation& picture() { return g_; }

 private:
  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (const char c : text) {
      if (words.empty() || c == ' ' || c == '\n' || words.back().back() == '\n') {
        words.emplace_back();
      }
      words.back() += c;
    }
    return words;
  }

  static uint64_t hash(int64_t a, int64_t b) {
    uint64_t h = static_cast<uint64_t>(a) * 0x9E3779B97F4A7C15ULL +
                 static_cast<uint64_t>(b + 1) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 31)) * 0x94D049BB133111EBULL;
    return h ^ (h >> 29);
  }
  static double share(int64_t a, int64_t b) {
    return static_cast<double>(hash(a, b) >> 11) / 9007199254740992.0;
  }

  static const std::vector<std::string>& vocabulary() {
    static const std::vector<std::string> words = {
        " the",   " of",     " state", ".",       " and",  " river",  " a",     ",",
        " in",    " memory", " was",   " long",   " that", "\n",      " its",   " carried",
        " never", " trained", " past", " length", " into", " letter", " quiet", " to"};
    return words;
  }

  void apply(const StateEdit& edit) {
    salt_ += 1;
    const double factor = edit.kind == StateEdit::Kind::kZero    ? 0
                          : edit.kind == StateEdit::Kind::kScale ? edit.amount
                                                                 : 1 + edit.amount;
    if (edit.heads.empty()) {
      for (double& gain : gains_) gain *= factor;
    }
    for (const HeadIndex& head : edit.heads) {
      gains_[static_cast<size_t>(head.layer * heads + head.head)] *= factor;
    }
  }

  void predict() {
    g_.next.clear();
    std::vector<double> weights;
    double sum = 0;
    const auto words = static_cast<int64_t>(vocabulary().size());
    for (int64_t id = 0; id < words; ++id) {
      weights.push_back(std::exp(5 * share(g_.read + 1000 * seed_, id + 100 * salt_)));
      sum += weights.back();
    }
    g_.entropy = 0;
    for (int64_t id = 0; id < words; ++id) {
      const double p = weights[static_cast<size_t>(id)] / sum;
      g_.entropy -= p * std::log(p);
      g_.next.push_back({id, vocabulary()[static_cast<size_t>(id)], p});
    }
    std::sort(g_.next.begin(), g_.next.end(),
              [](const auto& a, const auto& b) { return a.probability > b.probability; });
  }

  GeneratedToken next_token() {
    GeneratedToken token;
    token.index = g_.read;
    token.prompt = g_.read < g_.prompt_tokens;
    if (token.prompt) {
      token.text = text_[static_cast<size_t>(g_.read)];
      token.id = static_cast<int64_t>(hash(static_cast<int64_t>(token.text.size()), 5) % 500);
      token.loss = g_.read == 0 ? std::nan("") : 7 * std::pow(share(g_.read, 3), 2);
    } else {
      predict();
      token.id = g_.next.front().id;
      token.text = g_.next.front().text;
      token.loss = -std::log(g_.next.front().probability);
    }
    ++g_.read;
    for (int64_t head = 0; head < layers * heads; ++head) {
      const double reach = 20 + 200 * share(head, 11);
      const double grown = 1 - std::exp(-static_cast<double>(g_.read) / reach);
      token.norms.push_back(static_cast<float>(gains_[static_cast<size_t>(head)] *
                                               (0.1 + grown * (1 + 0.2 * share(g_.read, head)))));
    }
    g_.before_edit.clear();
    predict();
    return token;
  }

  void advance_stage() {
    if (g_.read >= wanted_) {
      g_.stage = Generation::Stage::kDone;
    } else if (g_.read >= g_.prompt_tokens) {
      g_.stage = Generation::Stage::kGenerating;
    }
  }

  Generation g_;
  uint64_t ids_ = 0;
  int64_t wanted_ = 0, salt_ = 0, seed_ = 0;
  std::vector<std::string> text_;
  std::vector<double> gains_;
  std::shared_ptr<const ModelInfo> plain_, model_;
};

}  // namespace farstate::testing
