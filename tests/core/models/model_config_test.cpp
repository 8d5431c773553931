// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/models/model_config.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;

std::string message(const std::string& json) {
  try {
    mamba2_config_from_json(json, "config.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "accepted";
}

std::string edited(const std::string& from, const std::string& to) {
  std::string json = to_json(testing::tiny_config(), "float32");
  const size_t at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return json.replace(at, from.size(), to);
}

TEST(ModelConfig, RoundTrip) {
  Mamba2Config config = testing::tiny_config();
  config.dt_min = 0.25;
  config.norm_eps = 1e-3;
  config.projection_bias = true;
  EXPECT_EQ(mamba2_config_from_json(to_json(config, "float32"), "x"), config);
}

TEST(ModelConfig, InfinityInEverySpelling) {
  const Mamba2Config wanted = testing::tiny_config();
  const std::string json = to_json(wanted, "float32");
  const size_t begin = json.find("\"time_step_limit\"");
  const size_t end = json.find(']', begin);
  for (const char* limit : {"[0.0, Infinity]", "[0.0, {\"__float__\": \"Infinity\"}]",
                            "[0.0, 1e999]", "[0.0, \"inf\"]"}) {
    std::string spelled = json;
    spelled.replace(begin, end + 1 - begin, std::string("\"time_step_limit\": ") + limit);
    EXPECT_EQ(mamba2_config_from_json(spelled, "x"), wanted) << limit;
  }
}

TEST(ModelConfig, RefusesWithTheKeyAndWhatIsWrong) {
  EXPECT_THAT(message("[1]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(message("{\"model_type\": \"llama\"}"), HasSubstr("\"llama\""));
  EXPECT_THAT(message(edited("\"num_heads\": 4", "\"num_heads\": 4.5")), HasSubstr("num_heads"));
  EXPECT_THAT(message(edited("\"num_heads\": 4", "\"heads\": 4")), HasSubstr("\"num_heads\" is missing"));
  EXPECT_THAT(message(edited("\"n_groups\": 2", "\"n_groups\": 3")), HasSubstr("shared evenly"));
  EXPECT_THAT(message(edited("\"state_size\": 10", "\"state_size\": 0")), HasSubstr("state_size"));
  EXPECT_THAT(message(edited("\"expand\": 2", "\"expand\": 3")), HasSubstr("\"expand\" 3"));
  EXPECT_THAT(message(edited("\"silu\"", "\"gelu\"")), HasSubstr("hidden_act"));
}

}  // namespace
}  // namespace farstate
