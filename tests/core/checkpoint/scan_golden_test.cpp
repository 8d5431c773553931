// SPDX-License-Identifier: GPL-3.0-or-later
// The scan against a float64 recurrence written independently of ours, with extreme operands: a
// state of 8192, dt far out on both sides, decay from none to complete. tests/golden/README.md.
#include <gtest/gtest.h>

#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"
#include "core/ops/ssd_scan.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using testing::scaled_error;

class ScanGolden : public ::testing::TestWithParam<const char*> {
 protected:
  at::Tensor read(const std::string& name) const {
    return tensor_of(file_, std::string(GetParam()) + "/" + name);
  }
  TensorTable file_ = read_safetensors(FARSTATE_GOLDEN_DIR "/scan/golden.safetensors");
};

TEST_P(ScanGolden, ForwardStatisticsAndGradients) {
  const at::Tensor dims = read("dims");  // B, T, H, P, N, G
  const at::Tensor limit = read("dt_limit");
  ops::SsdScanOptions options;
  options.state_dim = dims[4].item<int64_t>();
  options.groups = dims[5].item<int64_t>();
  options.dt_min = limit[0].item<double>();
  options.dt_max = limit[1].item<double>();
  const at::Tensor positions = read("stat_positions");
  options.stat_positions.assign(positions.data_ptr<int64_t>(),
                                positions.data_ptr<int64_t>() + positions.numel());
  // fp64: the recurrence in another order of sums. fp32: some 1e3 roundings of 2^-24 of the largest
  // element; the gradients of dt and A add up terms of both signs, which costs another digit.
  for (const auto& [dtype, bound] : {std::pair{at::kDouble, 1e-10}, {at::kFloat, 2e-5}}) {
    std::vector<at::Tensor> operands;
    const char* names[] = {"xBC", "dt_raw", "A", "D", "dt_bias", "h_first"};
    for (const char* name : names) {
      operands.push_back(read(name).to(dtype).requires_grad_(true));
    }
    const ops::SsdScanResult result = ops::ssd_scan(operands[0], operands[1], operands[2],
                                                    operands[3], operands[4], operands[5], options);
    EXPECT_LE(scaled_error(result.y, read("y")), bound);
    EXPECT_LE(scaled_error(result.h_last, read("h_last")), bound);
    EXPECT_LE(scaled_error(result.stats, read("stats")), bound);
    ((result.y * read("dy")).sum() + (result.h_last * read("dh_last")).sum()).backward();
    for (size_t i = 0; i < operands.size(); ++i) {
      EXPECT_LE(scaled_error(operands[i].grad(), read(std::string("grad/") + names[i])), bound)
          << names[i] << " in " << toString(dtype);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ScanGolden, ::testing::Values("g1", "g2_limit", "gh_large"));

}  // namespace
}  // namespace farstate
