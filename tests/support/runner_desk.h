// SPDX-License-Identifier: GPL-3.0-or-later
// A front end for tests of the worker, and a recipe that it does in a moment.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "core/session/runner.h"

namespace farstate::testing {

// Nothing here takes a second; a wait this long is a hang.
inline constexpr auto kHang = std::chrono::seconds(60);

inline RunConfig small() {
  RunConfig config;
  config.train.steps = 30;
  config.train.batch = 4;
  config.train.context = 32;
  config.measure.length = 128;
  config.measure.sequences = 2;
  config.measure.effrem_length = 32;
  config.measure.effrem_points = 4;
  config.intervention.kind = Intervention::kStatePassing;
  return config;
}

// The same with a model that reads bytes, for texts of the tests' own.
inline RunConfig small_bytes() {
  RunConfig config = small();
  config.model.model = FARSTATE_GOLDEN_DIR "/letters";
  return config;
}

// A front end that never looks away: everything that came out, in order.
struct Desk {
  std::unique_ptr<Runner> runner = make_local_runner();
  RunnerUpdate last;
  std::vector<TrainPoint> points;
  std::vector<RunEvent> events;
  std::vector<std::shared_ptr<const Measurement>> measurements;
  std::vector<GeneratedToken> generated;  // of the newest text

  void pump() {
    const std::optional<RunnerUpdate> update = runner->take();
    if (!update.has_value()) return;
    if (update->epoch != last.epoch) {
      points.clear();
      events.clear();
      measurements.clear();
    }
    const auto id = [](const RunnerUpdate& u) { return u.generation ? u.generation->id : 0; };
    if (update->epoch != last.epoch || id(*update) != id(last)) generated.clear();
    last = *update;
    generated.insert(generated.end(), update->generated.begin(), update->generated.end());
    points.insert(points.end(), update->train_points.begin(), update->train_points.end());
    events.insert(events.end(), update->events.begin(), update->events.end());
    measurements.insert(measurements.end(), update->measurements.begin(), update->measurements.end());
  }

  ::testing::AssertionResult until(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + kHang;
    while (std::chrono::steady_clock::now() < deadline) {
      pump();
      if (condition()) return ::testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return ::testing::AssertionFailure()
           << "hang in state " << static_cast<int>(last.state) << ", phase \"" << last.phase
           << "\", step " << last.step << (last.error ? ", error: " + last.error->message : "");
  }
  ::testing::AssertionResult until_state(RunState state) {
    return until([&] { return last.state == state; });
  }
  // Ready, with the measurement of the current weights complete.
  ::testing::AssertionResult until_measured() {
    return until([&] {
      return last.state == RunState::kReady && !measurements.empty() && measurements.back()->complete;
    });
  }
};

}  // namespace farstate::testing
