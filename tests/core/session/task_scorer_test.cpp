// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the order of the work, and wherever it was stopped, the cells are those of samples that
// are answered one by one.
#include "core/session/task_scorer.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <map>
#include <tuple>

#include "core/base/error.h"
#include "core/base/stop.h"
#include "core/tokenizer/byte_tokenizer.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::tiny_model;

// Letters, an answer of two letters at the depth's place behind them; marks that a model which knows
// nothing gets now and then.
class Letters : public Task {
 public:
  explicit Letters(TaskTraits traits) : traits_(std::move(traits)) {}

  const TaskTraits& traits() const override { return traits_; }
  std::vector<int64_t> lengths(int64_t context) const override { return {context, 2 * context}; }
  TaskSample sample(const SampleRequest& request, Rng& numbers) const override {
    TaskSample sample;
    sample.text = request.kind;
    const auto letter = [&] { return static_cast<char>('a' + numbers.below(26)); };
    const auto shared = static_cast<int64_t>(static_cast<double>(request.length) *
                                             std::max(request.depth, 0.0));
    sample.text += std::string(static_cast<size_t>(shared), '.');
    while (std::ssize(sample.text) < request.length) sample.text += letter();
    const auto n = static_cast<int64_t>(sample.text.size());
    if (traits_.by_position) {
      for (int64_t i = 1; i < n; i += 3) sample.answers.push_back({i, i + 1});
    } else {
      sample.answers = {{n - 2, n - 1}, {n - 1, n}};
    }
    return sample;
  }
  Marks mark(const TaskSample&, std::string_view continuation) const override {
    Marks marks{0, 2};
    for (const char c : continuation.substr(0, 2)) marks.correct += c % 2 == 0 ? 1 : 0;
    return marks;
  }
  bool ended(const TaskSample&, std::string_view continuation) const override {
    return continuation.size() >= 2;
  }
  std::string every_word() const override { return "abc"; }

 private:
  TaskTraits traits_;
};

TaskTraits traits(bool generates, bool predicts) {
  TaskTraits t;
  t.name = "letters";
  t.generates = generates;
  t.predicts = predicts;
  return t;
}

ScoreConfig settings(std::vector<int64_t> lengths, std::vector<double> depths, int64_t trials) {
  ScoreConfig config;
  config.lengths = std::move(lengths);
  config.depths = std::move(depths);
  config.trials = trials;
  return config;
}

using Key = std::tuple<std::string, std::string, int64_t, double>;
using Counts = std::map<Key, std::tuple<int64_t, int64_t, int64_t>>;

Counts counts(const std::vector<TaskCell>& cells) {
  Counts all;
  for (const TaskCell& c : cells) {
    all[{c.mode, c.kind, c.length, c.depth}] = {c.samples, c.correct, c.trials};
  }
  return all;
}

class Scoring : public ::testing::Test {
 protected:
  TaskScorer scorer(const Task& task, const ScoreConfig& config) {
    return TaskScorer(*model_, task, byte_tokenizer(), config, 7, {"base", 7});
  }
  std::vector<TaskCell> to_end(TaskScorer scorer) {
    while (!scorer.done()) scorer.next();
    return scorer.cells();
  }
  // Each sample answered by itself, as a person sees it in the window.
  Counts one_by_one(const Task& task, const ScoreConfig& config) {
    Counts all;
    const TaskTraits& t = task.traits();
    for (const std::string& kind : t.kinds.empty() ? std::vector<std::string>{""} : t.kinds) {
      for (const double depth : config.depths.empty() ? std::vector<double>{-1} : config.depths) {
        for (const int64_t length : config.lengths) {
          for (int64_t i = 0; i < config.trials; ++i) {
            TaskQuestion question;
            question.length = length;
            question.depth = depth;
            question.kind = kind;
            question.sample = i;
            const TaskTrial trial = answer(*model_, task, *byte_tokenizer(), question, 7);
            auto& [samples, correct, total] =
                all[{t.generates ? "generated" : "predicted", kind, length, depth}];
            ++samples;
            correct += trial.marks.correct;
            total += trial.marks.total;
          }
        }
      }
    }
    return all;
  }

  std::unique_ptr<Mamba2> model_ = tiny_model();
};

TEST_F(Scoring, GeneratedCellsAreThoseOfSamplesOneByOne) {
  TaskTraits t = traits(true, false);
  t.depths = true;
  t.kinds = {"x", "y"};
  const Letters task(t);
  const ScoreConfig config = settings({9, 20, 33}, {0.1, 0.5, 0.9}, 7);
  const Counts cells = counts(to_end(scorer(task, config)));
  EXPECT_EQ(cells, one_by_one(task, config));
  int64_t right = 0;
  for (const auto& [key, count] : cells) right += std::get<1>(count);
  EXPECT_GT(right, 0) << "the comparison would show nothing";
}

TEST_F(Scoring, PredictedCellsAreThoseOfSamplesOneByOne) {
  const Letters task(traits(false, true));
  const ScoreConfig config = settings({9, 20, 33}, {}, 30);
  EXPECT_EQ(counts(to_end(scorer(task, config))), one_by_one(task, config));
}

TEST_F(Scoring, ByPositionEveryAnswerFallsIntoItsOctave) {
  TaskTraits t = traits(false, true);
  t.by_position = true;
  const Letters task(t);
  const std::vector<TaskCell> cells = to_end(scorer(task, settings({8, 16, 64}, {}, 5)));
  const auto answers = [](int64_t begin, int64_t end) {
    int64_t n = 0;
    for (int64_t i = 1; i < end; i += 3) n += i >= begin ? 1 : 0;
    return n;
  };
  ASSERT_EQ(cells.size(), 3U);
  for (const TaskCell& cell : cells) {
    EXPECT_EQ(cell.trials, 5 * answers(cell.length / 2, cell.length)) << cell.length;
    EXPECT_EQ(cell.samples, 5);
  }
}

TEST_F(Scoring, IsCoarseToFine) {
  TaskTraits t = traits(true, false);
  t.depths = true;
  const Letters task(t);
  TaskScorer scoring = scorer(task, settings({8, 10, 12, 14, 16}, {0.2, 0.8}, 20));
  std::vector<int64_t> order;  // of lengths, as their first samples come
  while (!scoring.done()) {
    scoring.next();
    int64_t least = 20, most = 0;
    for (const TaskCell& cell : scoring.cells()) {
      if (cell.samples > 0 && std::ranges::find(order, cell.length) == order.end()) {
        order.push_back(cell.length);
      }
      least = std::min(least, cell.samples);
      most = std::max(most, cell.samples);
    }
    if (least == 0) EXPECT_LE(most, 4) << "no cell has a second round before all had their first";
  }
  EXPECT_EQ(order, (std::vector<int64_t>{8, 16, 12, 10, 14}));
  EXPECT_DOUBLE_EQ(scoring.share(), 1);
}

TEST_F(Scoring, GoesOnFromAnyCellsAsIfItHadNotBeenStopped) {
  TaskTraits t = traits(true, true);
  t.depths = true;
  const Letters task(t);
  const ScoreConfig config = settings({9, 20, 33}, {0.1, 0.9}, 11);
  const Counts whole = counts(to_end(scorer(task, config)));
  TaskScorer first = scorer(task, config);
  for (int units = 0; !first.done(); ++units) {
    TaskScorer second = scorer(task, config);
    second.take(first.cells());
    EXPECT_EQ(counts(to_end(std::move(second))), whole) << "after " << units << " units";
    first.next();
  }
  // Fewer trials before, so that a unit is done in part; other lengths too.
  TaskScorer more = scorer(task, config);
  more.take(to_end(scorer(task, settings({9, 20}, {0.1, 0.9}, 6))));
  EXPECT_EQ(counts(to_end(std::move(more))), whole);
}

TEST_F(Scoring, AStoppedUnitCountsNothing) {
  const Letters task(traits(true, true));
  TaskScorer scoring = scorer(task, settings({50}, {}, 4));
  std::stop_source stop;
  {
    const StopScope scope(stop.get_token());
    EXPECT_THROW(scoring.next([&](const std::string&, double) {
                   stop.request_stop();
                   throw_if_stopped();
                 }),
                 Error);
  }
  for (const TaskCell& cell : scoring.cells()) {
    EXPECT_EQ(cell.samples, 0);
    EXPECT_EQ(cell.trials, 0);
  }
  EXPECT_FALSE(scoring.done());
}

TEST_F(Scoring, ATrialTellsWhatTheRightAnswerIsWorth) {
  const at::NoGradGuard no_grad;
  const Letters task(traits(true, false));
  TaskQuestion question;
  question.number = 5;
  question.length = 20;
  const TaskTrial trial = answer(*model_, task, *byte_tokenizer(), question, 7);
  EXPECT_EQ(trial.number, 5U);
  EXPECT_EQ(trial.prompt_tokens, 18);
  ASSERT_EQ(trial.by_answer.size(), 2U);
  at::Tensor tokens = at::empty({1, 20}, at::kLong);
  for (size_t i = 0; i < 20; ++i) {
    tokens[0][static_cast<int64_t>(i)] = static_cast<unsigned char>(trial.sample.text[i]);
  }
  const at::Tensor p = model_->logits(model_->forward(tokens, {}, {}).hidden[0]).softmax(1);
  for (int64_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(trial.by_answer[static_cast<size_t>(i)],
                p[17 + i][tokens[0][18 + i].item<int64_t>()].item<double>(), 1e-6);
  }
  EXPECT_EQ(trial.probability, trial.by_answer.front());
}

TEST_F(Scoring, AKeyNamesWeightsAndSamples) {
  TaskConfig task;
  task.name = "passkey";
  const ScoreConfig config = settings({64}, {0.5}, 4);
  const std::string key = score_key(*model_, *byte_tokenizer(), task, config, 7);
  EXPECT_EQ(key, score_key(*tiny_model(), *byte_tokenizer(), task, config, 7));
  EXPECT_EQ(key, score_key(*model_, *byte_tokenizer(), task, settings({9}, {0.5}, 8), 7));
  EXPECT_NE(key, score_key(*model_, *byte_tokenizer(), task, config, 8));
  EXPECT_NE(key, score_key(*tiny_model(6), *byte_tokenizer(), task, config, 7));
  const at::NoGradGuard no_grad;
  const auto other = tiny_model();
  other->tensors().back().tensor.view({-1})[0].add_(1e-3);
  EXPECT_NE(key, score_key(*other, *byte_tokenizer(), task, config, 7));
}

}  // namespace
}  // namespace farstate
