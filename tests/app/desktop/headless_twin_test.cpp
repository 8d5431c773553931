// SPDX-License-Identifier: GPL-3.0-or-later
// What the window computes, the terminal program computes to the bit with the recipe that the window
// hands out. Both are the programs as they are used; only a CPU promises equal bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/desktop/export/exporter.h"
#include "app/desktop/main_window.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/rate_sheet.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/sampling_panel.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/panels/text_card.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/widgets/token_flow.h"
#include "core/results/results.h"
#include "core/session/runner.h"
#include "tests/support/farstate_program.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;
using ::testing::ElementsAreArray;

namespace {

constexpr int kHangMs = 120000;

RunConfig small_recipe() {
  RunConfig config;
  config.train.steps = 12;
  config.train.batch = 4;
  config.measure.length = 256;
  config.measure.sequences = 3;
  config.measure.effrem_points = 4;
  config.intervention.kind = Intervention::kStatePassing;
  config.seed = 11;
  return config;
}

bool same_bits(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

void expect_same(const std::vector<double>& window, const std::vector<double>& terminal,
                 const std::string& what) {
  ASSERT_EQ(window.size(), terminal.size()) << what;
  for (size_t i = 0; i < window.size(); ++i) {
    const bool both_nan = std::isnan(window[i]) && std::isnan(terminal[i]);
    EXPECT_TRUE(both_nan || same_bits(window[i], terminal[i]))
        << what << "[" << i << "]: " << window[i] << " in the window, " << terminal[i];
  }
}

void expect_same(const std::vector<Series>& window, const std::vector<Series>& terminal) {
  ASSERT_EQ(window.size(), terminal.size());
  for (size_t i = 0; i < window.size(); ++i) {
    const Series& a = window[i];
    const Series& b = terminal[i];
    ASSERT_EQ(a.name, b.name);
    ASSERT_EQ(a.layer, b.layer) << a.name;
    ASSERT_EQ(a.head, b.head) << a.name;
    expect_same(a.x, b.x, a.name + " x");
    expect_same(a.y, b.y, a.name);
    expect_same(a.lower, b.lower, a.name + " lower");
    expect_same(a.upper, b.upper, a.name + " upper");
  }
}

class HeadlessTwin : public ::testing::Test {
 protected:
  void open(const RunConfig& config) {
    window_ = std::make_unique<MainWindow>(make_local_runner(), config, ThemeMode::kLight);
    window_->resize(1280, 800);
    window_->show();
    window_->load();
    ASSERT_TRUE(until_ready());
  }
  void TearDown() override {
    QSignalSpy finished(window_.get(), &MainWindow::finished);
    window_->close();
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(kHangMs));
  }

  static bool until(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kHangMs);
  }
  // With the curves of the weights at hand.
  bool until_ready() {
    return until([&] {
      const Measurement* current = window_->book().current();
      return window_->state() == RunState::kReady && current != nullptr && current->complete &&
             !current->recorded && current->step == window_->steps_done();
    });
  }

  std::string path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)).toStdString(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  // As a person gets it: copied from its chip, and pasted into a file.
  std::string copied_recipe() {
    window_->actions().copy_recipe->trigger();
    return write("copied.txt", QApplication::clipboard()->text().toStdString());
  }

  static void run_terminal(const std::string& arguments) {
    const farstate::testing::Outcome outcome = farstate::testing::farstate(arguments);
    ASSERT_EQ(outcome.code, 0) << "farstate " << arguments << "\n" << outcome.output;
  }
  Results results(const char* name) const { return results_from_json(read(path(name)), name); }

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(HeadlessTwin, MeasuresTheSameCurves) {
  open(small_recipe());
  run_terminal("measure --recipe " + copied_recipe() + " --json " + path("m.json"));
  expect_same(window_->book().current()->series, results("m.json").series);

  // The numbers that a plot is exported with carry the recipe too.
  const QString csv = window_->exporter()->write(window_->plots()->perplexity(),
                                                 {.format = ExportFormat::kCsv},
                                                 QString::fromStdString(path("perplexity")));
  run_terminal("measure --recipe " + csv.toStdString() + " --json " + path("again.json"));
  expect_same(window_->book().current()->series, results("again.json").series);
}

TEST_F(HeadlessTwin, TrainsToTheSameLossesAndWeights) {
  open(small_recipe());
  window_->run_main_action();
  ASSERT_TRUE(until([&] { return window_->steps_done() == 12; }));
  ASSERT_TRUE(until_ready());
  const std::string recipe = write("run.json", to_json(window_->book().current()->recipe));
  run_terminal("train --no-store --recipe " + recipe + " --out " + path("model") + " --json " +
               path("t.json"));

  const DataTable losses = window_->plots()->results()->loss()->numbers();
  const Results terminal = results("t.json");
  ASSERT_EQ(losses.rows.size(), 12U);
  for (size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(std::get<double>(losses.rows[i][1]), terminal.series[0].y[i]) << "step " << i + 1;
  }
  // Weights that give the same curves, their own recipe's but for where they lie.
  RunConfig trained = window_->book().current()->recipe;
  trained.changes.clear();
  trained.model.model = path("model");
  run_terminal("measure --recipe " + write("measure.json", to_json(trained)) + " --json " + path("m.json"));
  expect_same(window_->book().current()->series, results("m.json").series);
}

TEST_F(HeadlessTwin, LooksIntoTheSameStates) {
  open(small_recipe());
  ASSERT_TRUE(until([&] { return window_->states() != nullptr; }));
  const StateReport& here = *window_->states();
  RunConfig recipe = run_config_from_json(here.recipe);
  recipe.measure.probes = {"distribution", "attention"};
  recipe.measure.pins = here.positions;
  ASSERT_TRUE(here.attention.has_value());
  recipe.measure.attention_layer = here.attention->index.layer;
  recipe.measure.attention_head = here.attention->index.head;
  run_terminal("measure --recipe " + write("pins.json", to_json(recipe)) + " --json " + path("m.json"));
  const std::optional<StateReport> there = results("m.json").states;
  ASSERT_TRUE(there.has_value());
  EXPECT_EQ(here.positions, there->positions);
  ASSERT_TRUE(there->attention.has_value());
  EXPECT_THAT(here.attention->weights, ElementsAreArray(there->attention->weights));
  EXPECT_THAT(here.attention->leaning, ElementsAreArray(there->attention->leaning));
  ASSERT_EQ(here.heads.size(), there->heads.size());
  for (size_t i = 0; i < here.heads.size(); ++i) {
    ASSERT_EQ(here.heads[i].at.size(), there->heads[i].at.size());
    for (size_t p = 0; p < here.heads[i].at.size(); ++p) {
      const ElementDistribution& a = here.heads[i].at[p];
      const ElementDistribution& b = there->heads[i].at[p];
      expect_same({a.mean, a.std, a.norm, a.ks_distance, a.wasserstein, a.effective_rank},
                  {b.mean, b.std, b.norm, b.ks_distance, b.wasserstein, b.effective_rank}, "numbers");
      expect_same(a.quantiles, b.quantiles, "quantiles");
      EXPECT_EQ(a.counts, b.counts);
    }
  }
}

TEST_F(HeadlessTwin, WritesTheSameText) {
  open(small_recipe());
  SamplingConfig sampling;
  sampling.tokens = 60;
  sampling.temperature = 0.8;
  sampling.top_p = 0.9;
  sampling.seed = 5;
  window_->generate_panel()->sampling()->show_config(sampling);
  window_->generate(u"\nRoom kettle teal lantern"_s);
  const TokenFlow* flow = window_->generate_panel()->text()->flow();
  ASSERT_TRUE(until([&] { return window_->state() == RunState::kReady && flow->tokens().size() > 60; }));
  run_terminal("generate demo --prompt \"$(printf '\\nRoom kettle teal lantern')\" --tokens 60"
               " --temperature 0.8 --top-p 0.9 --seed 5 --json " + path("g.json"));
  std::vector<int64_t> here, there;
  for (const TokenFlow::Token& token : flow->tokens()) here.push_back(token.id);
  const Json written = Json::parse(read(path("g.json")));
  for (const Json& token : written["tokens"]) there.push_back(token["id"]);
  EXPECT_THAT(here, ElementsAreArray(there));
}

TEST_F(HeadlessTwin, ComparesToTheSameNumbers) {
  open(small_recipe());
  ExperimentPlan plan;
  plan.arms = {"zero", "state-passing"};
  plan.interleaved = true;
  window_->start_experiment(plan);
  ExperimentPanel& page = *window_->experiment_panel();
  ASSERT_TRUE(until([&] { return page.experiment() != nullptr && !page.experiment()->running; }));
  const std::string recipe = write("e.recipe.json", page.recipe().toStdString());
  run_terminal("experiment --no-store --interleave --arms zero,state-passing --recipe " + recipe +
               " --json " + path("e.json"));
  int64_t non_finite = 0;
  const Json here = Json::parse(to_json(*page.experiment(), non_finite));
  const Json there = Json::parse(read(path("e.json")));
  EXPECT_EQ(here["table"], there["table"]);
  EXPECT_TRUE(here["base"]["series"] == there["base"]["series"]);
  ASSERT_EQ(here["arms"].size(), 2U);
  for (size_t arm = 0; arm < 2; ++arm) {
    const Json& ours = here["arms"][arm]["series"];
    const Json& theirs = there["arms"][arm]["series"];
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i) {
      EXPECT_TRUE(ours[i] == theirs[i] || ours[i]["name"] == "tokens_per_second") << ours[i]["name"];
    }
  }
}

TEST_F(HeadlessTwin, FindsTheSameRate) {
  open(small_recipe());
  window_->show_page(u"experiment"_s);
  ExperimentPanel& page = *window_->experiment_panel();
  page.setup()->find_rate()->click();
  ASSERT_TRUE(until([&] { return page.rate_sheet()->suggestion().has_value(); }));
  run_terminal("train --find-lr --recipe " + copied_recipe() + " --json " + path("r.json"));
  const Results there = results("r.json");
  const Series* rate = find_series(there.series, "lr_suggestion");
  ASSERT_NE(rate, nullptr);
  expect_same({*page.rate_sheet()->suggestion()}, rate->x, "rate");
}

TEST_F(HeadlessTwin, ScoresTheSameAnswers) {
  RunConfig config = small_recipe();
  config.model.model = "register";
  config.score.lengths = {128, 256};
  config.score.trials = 5;
  open(config);
  window_->show_task("register");
  TasksPanel& page = *window_->tasks_panel();
  page.score();
  ASSERT_TRUE(until([&] { return page.has_scores() && window_->state() == RunState::kReady; }));
  const TaskScores here = task_scores_from_json(page.json(), "the page");
  run_terminal("task register score register --no-store --lengths 128,256 --trials 5 --seed 11 --json " +
               path("s.json"));
  const TaskScores there = task_scores_from_json(read(path("s.json")), "s.json");
  ASSERT_EQ(here.cells.size(), there.cells.size());
  for (size_t i = 0; i < here.cells.size(); ++i) {
    EXPECT_EQ(here.cells[i].length, there.cells[i].length);
    EXPECT_EQ(here.cells[i].correct, there.cells[i].correct);
    EXPECT_EQ(here.cells[i].trials, there.cells[i].trials);
  }
}

}  // namespace
}  // namespace farstate::desktop
