// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace farstate {
namespace {

TEST(Crew, DoesEveryPartOnceHoweverOftenItIsCalled) {
  for (int call = 0; call < 2000; ++call) {
    const int64_t parts = call % 19;
    std::vector<std::atomic<int>> done(static_cast<size_t>(parts));
    Crew::run(parts, 1 + call % 5, [&](int64_t part) { ++done[static_cast<size_t>(part)]; });
    for (const std::atomic<int>& times : done) ASSERT_EQ(times, 1) << "call " << call;
  }
}

TEST(Crew, WakesHelpersThatHaveFallenAsleep) {
  for (int call = 0; call < 5; ++call) {
    std::this_thread::sleep_for(4 * Crew::kPatience);
    // Neither part ends before the other has begun.
    std::atomic<int> begun = 0;
    Crew::run(2, 2, [&](int64_t) {
      ++begun;
      while (begun < 2) std::this_thread::yield();
    });
    EXPECT_EQ(begun, 2);
  }
}

TEST(Crew, TakesNoMoreThreadsThanItMay) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int call = 0; call < 200; ++call) {
    Crew::run(8, 4, [](int64_t) {});  // there are helpers enough for more
    Crew::run(16, 2, [&](int64_t) {
      std::this_thread::yield();
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    ASSERT_LE(threads.size(), 2u);
    threads.clear();
  }
}

TEST(Crew, WorkInsideWorkIsDoneByTheThreadThatHasIt) {
  std::atomic<int> done = 0;
  Crew::run(4, 3, [&](int64_t) {
    const std::thread::id here = std::this_thread::get_id();
    Crew::run(4, 3, [&](int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ++done;
    });
  });
  EXPECT_EQ(done, 16);
}

TEST(Crew, ThreadsThatCallAtTheSameTimeAreBothServed) {
  std::atomic<int64_t> sum = 0;
  const auto add = [&] {
    for (int call = 0; call < 500; ++call) {
      Crew::run(5, 3, [&](int64_t part) { sum += part; });
    }
  };
  {
    const std::jthread other(add);
    add();
  }
  EXPECT_EQ(sum, 2 * 500 * 10);
}

TEST(Crew, RethrowsWhatAPartThrowsAndGoesOn) {
  for (int call = 0; call < 100; ++call) {
    std::atomic<int> done = 0;
    EXPECT_THROW(Crew::run(8, 3,
                           [&](int64_t part) {
                             if (part == 3) throw std::runtime_error("of part 3");
                             ++done;
                           }),
                 std::runtime_error);
    EXPECT_EQ(done, 7);
  }
  std::atomic<int> done = 0;
  Crew::run(8, 3, [&](int64_t) { ++done; });
  EXPECT_EQ(done, 8);
}

}  // namespace
}  // namespace farstate
