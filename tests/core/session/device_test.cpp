// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/device.h"

#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/ops/backend.h"
#include "core/session/device_selftest.h"
#include "tests/support/refusal.h"

namespace farstate {
namespace {

using farstate::testing::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(FindDevice, KnowsItsNames) {
  EXPECT_TRUE(find_device("cpu").is_cpu());
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:4000000000"}) {
    EXPECT_THAT(refusal([&] { find_device(name); }, ErrorKind::kBadUsage), HasSubstr("cuda:N")) << name;
  }
}

// What is missing is named, and what to do.
TEST(FindDevice, SaysWhyThereIsNone) {
  if (at::hasCUDA()) GTEST_SKIP() << "there is a GPU";
  const std::string sentence = refusal([] { find_device("cuda"); });
  if (at::CUDAHooksRegistry()->Has("CUDAHooks")) {
    EXPECT_THAT(sentence, AllOf(HasSubstr("finds no NVIDIA GPU"), HasSubstr("nvidia-smi")));
  } else {
    EXPECT_THAT(sentence, AllOf(HasSubstr("for the CPU alone"), HasSubstr("LIBTORCH_DIR")));
  }
}

// All of a device's proof, on the way of a device that has no kernels of ours.
TEST(DeviceSelftest, PassesOnAten) {
  const ops::ScopedDeviceWay way(ops::Backend::kAten);
  int checks = 0;
  check_device(at::kCPU, [&](const SelftestCheck& check) {
    EXPECT_TRUE(check.passed) << check.name << ": " << check.error << ", bound " << check.bound;
    ++checks;
  });
  EXPECT_GT(checks, 40);
}

}  // namespace
}  // namespace farstate
