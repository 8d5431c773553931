// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/animated_experiment.h"

namespace farstate::testing {

// Invented tasks with scores of the shape of real ones: right within T = 64, lost beyond, and mended
// in part by training. One take() while scoring reads one more trial of a cell, coarse to fine. The
// same calls give the same scores.
class AnimatedTasks : public AnimatedExperiment {
 public:
  void try_task(const TaskQuestion& question) override {
    AnimatedExperiment::try_task(question);
    question_ = question;
  }
  void score(const RunConfig& config) override {
    AnimatedExperiment::score(config);
    auto scores = std::make_shared<TaskScores>();
    scores->recipe = to_json(config);
    scores->model = "demo";
    scores->context = kContext;
    scores->step = step_;
    scores->cells = planned_cells(config);
    keep_known_cells(*scores);
    scores->running = true;
    scores_ = scores;
    seen_ = nullptr;
  }
  void stop() override {
    if (scores_ != nullptr && scores_->running) {
      calls.push_back("stop");
      end();
    } else {
      AnimatedExperiment::stop();
    }
  }
  void load(const RunConfig& config) override {
    AnimatedExperiment::load(config);
    scores_.reset();
    seen_ = nullptr;
    trial_.reset();
    tasks_ = config.task;
  }

  std::optional<RunnerUpdate> take() override {
    std::optional<RunnerUpdate> update = AnimatedExperiment::take();
    if (!update) return update;
    step_ = update->step;
    law_ = update->intervention.kind;
    if (question_ && answers) {
      trial_ = std::make_shared<TaskTrial>(answer(*question_));
      question_.reset();
    }
    if (scores_ != nullptr && scores_->running) {
      for (int64_t i = 0; i < per_take_trials; ++i) advance();
      if (scores_->running) update->state = RunState::kEvaluating;
      update->phase = scores_->phase;
    }
    if (scores_ != nullptr) {
      if (seen_ == nullptr || scores_->running || seen_->running) {
        seen_ = std::make_shared<TaskScores>(*scores_);
      }
      update->scores = seen_;
    }
    update->trial = trial_;
    update->model = with_tokenizer(update->model);
    if (update->experiment != nullptr) update->experiment = with_scores(*update->experiment);
    return update;
  }

  int64_t per_take_trials = 1;
  bool answers = true;    // questions are answered at the next take()
  std::string tokenizer = "bytes";

 private:
  std::shared_ptr<const ModelInfo> with_tokenizer(const std::shared_ptr<const ModelInfo>& model) {
    if (model != plain_) {
      plain_ = model;
      auto own = std::make_shared<ModelInfo>(*model);
      own->tokenizer = tokenizer;
      own->source = "embedded";
      model_ = own;
    }
    return model_;
  }

  static std::vector<std::string> modes_of(const std::string& task) {
    if (task == "copying") return {"generated", "predicted"};
    return {task == "register" ? "predicted" : "generated"};
  }

  static std::vector<int64_t> lengths_of(const RunConfig& config) {
    if (!config.score.lengths.empty()) return config.score.lengths;
    if (config.task.name == "copying") return {5, 10, 20, 30, 40, 60, 80};
    return {32, 64, 128, 256, 512, 1024, 2048, 4096};
  }

  std::vector<TaskCell> planned_cells(const RunConfig& config) const {
    std::vector<TaskCell> cells;
    const bool passkey = config.task.name == "passkey";
    const std::vector<double> depths = passkey ? config.score.depths : std::vector<double>{-1};
    const std::vector<std::string> kinds =
        config.task.name == "babilong" ? config.task.questions : std::vector<std::string>{""};
    for (const std::string& mode : modes_of(config.task.name)) {
      for (const int64_t length : lengths_of(config)) {
        for (const double depth : depths) {
          for (const std::string& kind : kinds) {
            TaskCell cell;
            cell.task = config.task.name;
            cell.mode = mode;
            cell.kind = kind;
            cell.length = length;
            cell.depth = depth;
            cell.arm = step_ == 0 ? "base" : to_string(law_);
            cell.seed = config.seed;
            cell.planned = config.score.trials;
            cells.push_back(cell);
          }
        }
      }
    }
    return cells;
  }

  void keep_known_cells(TaskScores& scores) const {
    if (scores_ == nullptr) return;
    for (TaskCell& cell : scores.cells) {
      for (const TaskCell& known : scores_->cells) {
        if (known.length == cell.length && known.depth == cell.depth && known.kind == cell.kind &&
            known.mode == cell.mode && known.task == cell.task && known.arm == cell.arm) {
          cell = known;
        }
      }
    }
  }

  static double right(const TaskCell& cell, const std::string& law, int64_t step) {
    const std::pair<const char*, double> mended[] = {
        {"zero", 0.05},        {"random-noise", 0.35}, {"fitted-noise", 0.75},
        {"state-passing", 0.9}, {"tbtt", 0.8},          {"correlated-noise", 0.7},
        {"mixture", 0.6}};
    double share = 0;
    for (const auto& [name, value] : mended) {
      if (law == name && step > 0) share = value;
    }
    const double limit = cell.task == "copying" ? 20 : kContext;
    const double octaves = std::log2(static_cast<double>(cell.length) / limit);
    const double lost = 1 / (1 + std::exp(-2.4 * (octaves - 1 - cell.depth)));
    const double easy = cell.task == "babilong" ? 0.75 : 0.97;
    return easy * (1 - lost * (1 - share) - 0.1 * std::max(0.0, octaves) * share * lost);
  }

  void read(TaskCell& cell, const std::string& law, int64_t step) const {
    const int64_t answers_each = cell.task == "copying" ? cell.length
                                 : cell.task == "register" ? 16
                                                           : 1;
    for (int64_t i = 0; i < answers_each; ++i) {
      const auto salt = static_cast<int64_t>(cell.seed) + cell.length * 7 +
                        static_cast<int64_t>(100 * cell.depth) + static_cast<int64_t>(law.size());
      const double draw = 0.5 + 0.5 * noise(cell.trials, salt);
      cell.correct += draw < std::clamp(right(cell, law, step), 0.0, 1.0) ? 1 : 0;
      ++cell.trials;
    }
    ++cell.samples;
  }

  void advance() {
    // Every cell gets its first trials before any gets its last.
    TaskCell* next = nullptr;
    for (TaskCell& cell : scores_->cells) {
      const int64_t round = cell.samples / 5;
      if (cell.samples < cell.planned && (next == nullptr || round < next->samples / 5)) {
        next = &cell;
      }
    }
    if (next == nullptr) return end();
    read(*next, step_ == 0 ? "base" : to_string(law_), step_);
    int64_t done = 0, planned = 0;
    for (const TaskCell& cell : scores_->cells) {
      done += cell.samples;
      planned += cell.planned;
    }
    scores_->progress = static_cast<double>(done) / static_cast<double>(planned);
    scores_->seconds_left = 0.2 * static_cast<double>(planned - done);
    scores_->phase = std::to_string(next->length) + " tokens: trial " +
                     std::to_string(next->samples) + " of " + std::to_string(next->planned);
    if (done == planned) end();
  }

  void end() {
    scores_->running = false;
    scores_->phase.clear();
    scores_->seconds_left = -1;
  }

  TaskTrial answer(const TaskQuestion& q) const {
    TaskTrial trial;
    trial.number = q.number;
    trial.step = step_;
    trial.sample = sample(q);
    trial.prompt_tokens = q.length;
    TaskCell cell;
    cell.task = q.task.name;
    cell.length = q.length;
    cell.depth = q.depth;
    const double share = std::clamp(right(cell, to_string(law_), step_), 0.0, 1.0);
    const auto& spans = trial.sample.answers;
    trial.marks.total = static_cast<int64_t>(spans.size());
    for (size_t i = 0; i < spans.size(); ++i) {
      const double wobble = 0.25 * noise(static_cast<int64_t>(i), q.length + q.sample);
      trial.by_answer.push_back(std::clamp(share + wobble, 0.00002, 0.9993));
      trial.marks.correct += trial.by_answer.back() > 0.5 ? 1 : 0;
    }
    trial.probability = trial.by_answer.front();
    const std::string right_answer =
        trial.sample.text.substr(static_cast<size_t>(spans.front().begin),
                                 static_cast<size_t>(spans.front().end - spans.front().begin));
    trial.output = trial.marks.correct > 0 ? right_answer : "70000";
    return trial;
  }

  // Filler up to about so many letters, four for a token.
  static void fill(std::string& text, int64_t tokens, int64_t salt) {
    static constexpr const char* kWords[] = {"The river bends twice before the mill. ",
                                             "Rain had polished every roof in town. ",
                                             "A clerk counted lamps along the quay. ",
                                             "Nobody had wound the clock that week. "};
    const size_t until = text.size() + static_cast<size_t>(std::max<int64_t>(0, 4 * tokens));
    for (int64_t i = salt; text.size() < until; ++i) text += kWords[i % 4];
  }

  static void mark(TaskSample& s, std::vector<TextSpan>& into, const std::string& piece) {
    const auto begin = static_cast<int64_t>(s.text.size());
    s.text += piece;
    into.push_back({begin, begin + static_cast<int64_t>(piece.size())});
  }

  static TaskSample sample(const TaskQuestion& q) {
    TaskSample s;
    s.kind = q.kind;
    if (q.task.name == "passkey") {
      const std::string key = std::to_string(48213 + 137 * q.sample);
      s.text = "One number is hidden in the text that follows. Remember it.\n";
      fill(s.text, static_cast<int64_t>(q.depth * static_cast<double>(q.length)), q.sample);
      mark(s, s.evidence, "The pass key is " + key + ". Remember it: " + key + ". ");
      fill(s.text, static_cast<int64_t>((1 - q.depth) * static_cast<double>(q.length)), q.sample);
      s.text += "\nWhat is the pass key? The pass key is ";
      mark(s, s.answers, key);
      s.text += ".";
    } else if (q.task.name == "babilong") {
      fill(s.text, q.length / 3, q.sample);
      mark(s, s.evidence, "Mara took the lantern. ");
      fill(s.text, q.length / 3, q.sample + 1);
      mark(s, s.evidence, "Mara walked to the cellar. ");
      fill(s.text, q.length / 3, q.sample + 2);
      s.question = "Where is the lantern?";
      s.text += "\nQuestion: " + s.question + " Answer: the lantern is in the ";
      mark(s, s.answers, "cellar");
      s.text += ".";
    } else if (q.task.name == "copying") {
      std::string letters;
      for (int64_t i = 0; i < q.length; ++i) {
        letters += static_cast<char>('a' + (i * i * 7 + i * 3 + q.sample) % 26);
      }
      mark(s, s.evidence, letters);
      s.text += " | ";
      for (const char letter : letters) mark(s, s.answers, std::string(1, letter));
      s.text += ".";
    } else {
      for (int64_t i = 0; 2 * i < q.length; ++i) {
        s.text += "k" + std::to_string((i * 5 + q.sample) % 9) + "=";
        mark(s, s.answers, std::to_string((i / 7 + i * 3) % 10));
        s.text += " ";
      }
    }
    return s;
  }

  // Runs that have ended are scored at once, where the recipe names a task.
  std::shared_ptr<const Experiment> with_scores(const Experiment& experiment) const {
    auto out = std::make_shared<Experiment>(experiment);
    if (tasks_.name.empty()) return out;
    const auto with_cells = [&](const ArmRun& run) {
      auto own = std::make_shared<ArmRun>(run);
      if (run.stage != ArmStage::kDone && run.stage != ArmStage::kStopped) return own;
      RunConfig config;
      config.task = tasks_;
      config.seed = run.seed;
      own->cells = planned_cells(config);
      for (TaskCell& cell : own->cells) {
        cell.arm = run.arm;
        while (cell.samples < cell.planned) read(cell, run.law, run.steps);
      }
      return own;
    };
    if (experiment.base != nullptr) out->base = with_cells(*experiment.base);
    for (auto& run : out->runs) run = with_cells(*run);
    return out;
  }

  std::optional<TaskQuestion> question_;
  std::shared_ptr<const TaskTrial> trial_;
  std::shared_ptr<TaskScores> scores_;
  std::shared_ptr<const TaskScores> seen_;
  std::shared_ptr<const ModelInfo> plain_, model_;
  TaskConfig tasks_;
  int64_t step_ = 0;
  Intervention law_ = Intervention::kZero;
};

}  // namespace farstate::testing
