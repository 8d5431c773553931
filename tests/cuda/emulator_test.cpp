// SPDX-License-Identifier: GPL-3.0-or-later
// The emulator finds what it promises to find, under every schedule where it can, and leaves
// kernels alone that keep the rules.
#include "tests/cuda/emulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "kernels/cuda/device.h"

namespace farstate::kernels::cuda {
namespace {

using farstate::testing::emulator::Failure;
using farstate::testing::emulator::set_schedule;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr uint64_t kSchedules[] = {0, 1, 2, 3, 4};
constexpr int kThreads = 128;

// Reverses each block's part of `from` through shared memory.
struct Reverse {
  const float* from;
  float* to;
};

template <bool kBarrier>
__global__ void reverse_kernel(Reverse args) {
  SharedCarver shared;
  const SharedArray<float> part = shared.take<float>(kThreads);
  const int thread = static_cast<int>(threadIdx.x);
  const int64_t first = int64_t{blockIdx.x} * kThreads;
  part[thread] = 0;
  if (kBarrier) __syncthreads();
  part[kThreads - 1 - thread] = args.from[first + thread];
  if (kBarrier) __syncthreads();
  args.to[first + thread] = part[thread];
}

template <auto kKernel, class... Args>
void run_with_shared(Args... args) {
  launch<kKernel>(Grid{3}, kThreads, shared_bytes<float>(kThreads), Stream{}, args...);
}

TEST(Emulator, RunsAllThreadsOfAllBlocks) {
  std::vector<float> from(3 * kThreads), to(3 * kThreads, -1);
  std::iota(from.begin(), from.end(), 0.0f);
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    run_with_shared<reverse_kernel<true>>(Reverse{from.data(), to.data()});
    for (int i = 0; i < 3 * kThreads; ++i) {
      ASSERT_EQ(to[i], from[i / kThreads * kThreads + kThreads - 1 - i % kThreads]);
    }
  }
}

TEST(Emulator, AMissingBarrierIsARaceUnderEverySchedule) {
  std::vector<float> from(3 * kThreads), to(3 * kThreads);
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    const auto run = [&] {
      run_with_shared<reverse_kernel<false>>(Reverse{from.data(), to.data()});
    };
    EXPECT_THAT(run, ThrowsMessage<Failure>(
                         AllOf(HasSubstr("reverse_kernel<false>, block ("),
                               HasSubstr("there is no barrier between"))));
  }
}

// The same without shared memory: here the values alone must tell.
__global__ void reverse_in_global_memory(Reverse args, float* part) {
  const int thread = static_cast<int>(threadIdx.x);
  part[kThreads - 1 - thread] = args.from[thread];
  args.to[thread] = part[thread];
}

TEST(Emulator, AMissingBarrierShowsInValuesUnderSomeSchedule) {
  std::vector<float> from(kThreads), to(kThreads), want(kThreads);
  std::iota(from.begin(), from.end(), 0.0f);
  std::reverse_copy(from.begin(), from.end(), want.begin());
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    std::vector<float> part(kThreads, -1);
    launch<reverse_in_global_memory>(Grid{1}, kThreads, 0, Stream{},
                                     Reverse{from.data(), to.data()}, part.data());
    EXPECT_NE(to, want) << "schedule " << schedule;
  }
}

// ----- who may touch what when

enum class Case {
  kTwoRead,
  kReadThenOtherWarpWrites,
  kWarpBarrierWithinAWarp,
  kWarpBarrierBetweenWarps,
  kShuffleIsNoFence,
  kOwnElementAgain,
  kWriteAfterOwnAndOthersRead,
  kTwoAdd,
  kAddThenRead,
};

__global__ void access_kernel(Case which) {
  SharedCarver shared;
  const SharedArray<float> a = shared.take<float>(2);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) a[0] = 1;
  __syncthreads();
  float sum = 0;
  switch (which) {
    case Case::kTwoRead:
      sum += a[0];
      break;
    case Case::kReadThenOtherWarpWrites:
      if (thread == 3) sum += a[0];
      if (thread == 40) a[0] = 2;
      break;
    case Case::kWarpBarrierWithinAWarp:
      if (thread == 3) a[0] = 2;
      __syncwarp();
      if (thread == 4) sum += a[0];
      __syncwarp();
      if (thread == 5) a[0] = 2;
      break;
    case Case::kWarpBarrierBetweenWarps:
      if (thread == 3) a[0] = 2;
      __syncwarp();
      if (thread == 40) sum += a[0];
      break;
    case Case::kShuffleIsNoFence:
      if (thread == 3) a[0] = 2;
      sum += __shfl_xor_sync(kFullMask, sum, 1);
      if (thread == 4) sum += a[0];
      break;
    case Case::kOwnElementAgain:
      if (thread == 3) {
        a[0] += 2;
        sum += a[0];
        a[0] = 3;
      }
      break;
    case Case::kWriteAfterOwnAndOthersRead:
      if (thread == 3 || thread == 4) sum += a[0];
      if (thread == 3) a[0] = 2;
      break;
    case Case::kTwoAdd:
      if (thread == 3 || thread == 40) atomicAdd(&a[0], 2.0f);
      break;
    case Case::kAddThenRead:
      if (thread == 3) atomicAdd(&a[0], 2.0f);
      if (thread == 40) sum += a[0];
      break;
  }
}

void run_case(Case which) {
  launch<access_kernel>(Grid{1}, kThreads, shared_bytes<float>(2), Stream{}, which);
}

TEST(Emulator, LeavesAccessesInOrderAlone) {
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    for (const Case which : {Case::kTwoRead, Case::kWarpBarrierWithinAWarp, Case::kOwnElementAgain,
                             Case::kTwoAdd}) {
      EXPECT_NO_THROW(run_case(which)) << "case " << static_cast<int>(which);
    }
  }
}

TEST(Emulator, FindsAccessesWithoutOrder) {
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    for (const Case which :
         {Case::kReadThenOtherWarpWrites, Case::kWarpBarrierBetweenWarps, Case::kShuffleIsNoFence,
          Case::kWriteAfterOwnAndOthersRead, Case::kAddThenRead}) {
      EXPECT_THAT([&] { run_case(which); },
                  ThrowsMessage<Failure>(HasSubstr("there is no barrier between")))
          << "case " << static_cast<int>(which) << ", schedule " << schedule;
    }
  }
}

// ----- bounds

__global__ void element_kernel(int index) {
  SharedCarver shared;
  const SharedArray<float> before = shared.take<float>(8), a = shared.take<float>(10),
                           behind = shared.take<float>(8);
  before[0] = 0;
  behind[0] = 0;
  (&a[2])[index] = 1;
}

TEST(Emulator, ElementsBeyondAnArrayAreFound) {
  const int64_t bytes = 2 * shared_bytes<float>(8) + shared_bytes<float>(10);
  const auto run = [&](int index) { launch<element_kernel>(Grid{1}, 1, bytes, Stream{}, index); };
  EXPECT_NO_THROW(run(7));
  EXPECT_NO_THROW(run(-2));
  EXPECT_THAT([&] { run(8); },
              ThrowsMessage<Failure>(HasSubstr("thread 0 writes element 10 of a shared array of 10")));
  EXPECT_THAT([&] { run(-3); }, ThrowsMessage<Failure>(HasSubstr("writes element -1 of")));
}

TEST(Emulator, MoreSharedMemoryThanTheLaunchGaveIsFound) {
  EXPECT_THAT([] { launch<element_kernel>(Grid{1}, 1, 96, Stream{}, 0); },
              ThrowsMessage<Failure>(HasSubstr("takes shared memory up to byte 112; the launch gave 96")));
}

__global__ void vector_kernel(int first, float* to) {
  SharedCarver shared;
  const SharedArray<float> a = shared.take<float>(10);
  for (int i = 0; i < 10; ++i) a[i] = static_cast<float>(i);
  store_vector(to, load_vector<float4>(a + first));
}

TEST(Emulator, VectorsLieWithinTheArrayAtTheirAlignment) {
  alignas(16) float to[8] = {};
  const auto run = [&](int first, float* at) {
    launch<vector_kernel>(Grid{1}, 1, shared_bytes<float>(10), Stream{}, first, at);
  };
  run(4, to);
  EXPECT_THAT(std::vector<float>(to, to + 4), ElementsAre(4, 5, 6, 7));
  EXPECT_THAT([&] { run(8, to); }, ThrowsMessage<Failure>(HasSubstr("element 8 of a shared array")));
  EXPECT_THAT([&] { run(1, to); }, ThrowsMessage<Failure>(HasSubstr("doesn't divide")));
  EXPECT_THAT([&] { run(4, to + 1); }, ThrowsMessage<Failure>(HasSubstr("doesn't divide")));
}

__global__ void read_kernel(bool write_first, float* to) {
  SharedCarver shared;
  const SharedArray<float> a = shared.take<float>(1);
  if (write_first) a[0] = 1;
  to[blockIdx.x] = a[0];
}

TEST(Emulator, WhatNobodyWroteIsNotRead) {
  float to[2];
  EXPECT_NO_THROW(launch<read_kernel>(Grid{2}, 1, 16, Stream{}, true, to));
  EXPECT_THAT([&] { launch<read_kernel>(Grid{1}, 1, 16, Stream{}, false, to); },
              ThrowsMessage<Failure>(HasSubstr("which nobody wrote")));
}

// ----- barriers that not all come to

enum class Way { kReturn, kElsewhere, kShuffleInstead, kWarpReturn, kWarpElsewhere, kWarpSplit };

__global__ void diverging_kernel(Way way) {
  const bool odd_one = threadIdx.x == 37;
  switch (way) {
    case Way::kReturn:
      if (odd_one) return;
      __syncthreads();
      break;
    case Way::kElsewhere:
      if (odd_one) {
        __syncthreads();
      } else {
        __syncthreads();
      }
      break;
    case Way::kShuffleInstead:
      if (threadIdx.x / 32 == 1) {
        __shfl_xor_sync(kFullMask, 1, 1);
        return;
      }
      __syncthreads();
      break;
    case Way::kWarpReturn:
      if (odd_one) return;
      __syncwarp();
      break;
    case Way::kWarpElsewhere:
      if (odd_one) {
        __shfl_xor_sync(kFullMask, 1, 1);
      } else {
        __shfl_xor_sync(kFullMask, 1, 2);
      }
      break;
    case Way::kWarpSplit:
      if (odd_one) __syncthreads();
      __syncwarp();
      __syncthreads();
      break;
  }
}

TEST(Emulator, DivergenceIsFound) {
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    const auto run = [](Way way) {
      return [way] { launch<diverging_kernel>(Grid{1}, 64, 0, Stream{}, way); };
    };
    EXPECT_THAT(run(Way::kReturn), ThrowsMessage<Failure>(
                                       HasSubstr("for its block, but thread 37 has returned")));
    EXPECT_THAT(run(Way::kElsewhere), ThrowsMessage<Failure>(AllOf(
                                          HasSubstr("thread 37 waits at emulator_test.cpp:"),
                                          HasSubstr("for its block, but thread 0 waits at"))));
    EXPECT_THAT(run(Way::kShuffleInstead),
                ThrowsMessage<Failure>(HasSubstr("for its block, but thread 32 has returned")));
    EXPECT_THAT(run(Way::kWarpReturn),
                ThrowsMessage<Failure>(HasSubstr("for its warp, but thread 37 has returned")));
    EXPECT_THAT(run(Way::kWarpElsewhere),
                ThrowsMessage<Failure>(HasSubstr("for its warp, but thread 32 waits at")));
    EXPECT_THAT(run(Way::kWarpSplit),
                ThrowsMessage<Failure>(HasSubstr("for its warp, but thread 32 waits at")));
  }
}

__global__ void barrier_kernel() { __syncwarp(); }

TEST(Emulator, APartOfAWarpIsNoWarp) {
  EXPECT_THAT([] { launch<barrier_kernel>(Grid{1}, 48, 0, Stream{}); },
              ThrowsMessage<Failure>(HasSubstr("the block ends within the warp")));
}

TEST(Emulator, LaunchesThatNoDeviceTakesAreRefused) {
  EXPECT_THROW(launch<barrier_kernel>(Grid{1}, 1056, 0, Stream{}), Failure);
  EXPECT_THROW(launch<barrier_kernel>(Grid{1}, 32, 100 << 10, Stream{}), Failure);
  EXPECT_THROW(launch<barrier_kernel>(Grid{1, 65536}, 32, 0, Stream{}), Failure);
  EXPECT_NO_THROW(launch<barrier_kernel>(Grid{0}, 32, 0, Stream{}));
}

// ----- shuffles

template <class T>
struct Shuffled {
  T *up, *down, *crossed, *from_lane;
};

template <class T>
__global__ void shuffle_kernel(Shuffled<T> to) {
  const int thread = static_cast<int>(threadIdx.x);
  const T mine = static_cast<T>(thread) + T(0.5);
  to.up[thread] = __shfl_up_sync(kFullMask, mine, 3);
  to.down[thread] = __shfl_down_sync(kFullMask, mine, 5);
  to.crossed[thread] = __shfl_xor_sync(kFullMask, mine, 6);
  to.from_lane[thread] = __shfl_sync(kFullMask, mine, 7);
}

template <class T>
void check_shuffles() {
  std::vector<T> up(64), down(64), crossed(64), from_lane(64);
  launch<shuffle_kernel<T>>(
      Grid{1}, 64, 0, Stream{},
      Shuffled<T>{up.data(), down.data(), crossed.data(), from_lane.data()});
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32, warp = t - lane;
    ASSERT_EQ(up[t], T(lane < 3 ? t : t - 3) + T(0.5));
    ASSERT_EQ(down[t], T(lane + 5 < 32 ? t + 5 : t) + T(0.5));
    ASSERT_EQ(crossed[t], T(warp + (lane ^ 6)) + T(0.5));
    ASSERT_EQ(from_lane[t], T(warp + 7) + T(0.5));
  }
}

TEST(Emulator, ShufflesHandValuesRoundAWarp) {
  for (const uint64_t schedule : kSchedules) {
    set_schedule(schedule);
    check_shuffles<float>();
    check_shuffles<double>();
    check_shuffles<int>();
  }
}

}  // namespace
}  // namespace farstate::kernels::cuda
