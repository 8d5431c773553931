// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/base/error.h"

namespace farstate {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

const PresetValue& value_of(const Preset& preset, const std::string& key) {
  for (const PresetValue& value : preset.values) {
    if (value.key == key) return value;
  }
  throw std::runtime_error(key);
}

// Reading refuses unknown keys and wrong types by name, validate() impossible values.
TEST(Presets, EachIsARecipeOfRealKeys) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    EXPECT_FALSE(preset.title.empty());
    EXPECT_FALSE(preset.about.empty());
    RunConfig config;
    EXPECT_NO_THROW(config = with_preset({}, preset));
    EXPECT_NO_THROW(validate(config));
    std::set<std::string> keys;
    for (const PresetValue& value : preset.values) {
      SCOPED_TRACE(value.key);
      EXPECT_TRUE(keys.insert(value.key).second) << "named twice";
      EXPECT_THAT(value.known, AnyOf("stated", "inferred", "second-hand", "unknown"));
      EXPECT_FALSE(value.source.empty());
      // What it sets is what it says.
      RunConfig alone;
      alone.train.context = 1;
      alone.train.schedule = "cosine";
      const auto changes = changes_between(alone, with_preset(alone, {"", "", "", {value}}), 0);
      for (const RecipeChange& change : changes) EXPECT_EQ(change.key, value.key);
    }
  }
}

TEST(Presets, ThePapersHaveItsNumbers) {
  const RunConfig config = with_preset({}, preset("paper-mamba2-370m"));
  EXPECT_EQ(config.train.steps, 500);
  EXPECT_EQ(config.train.batch * config.train.context, int64_t{1} << 19);
  EXPECT_EQ(config.train.micro_batch, 1);
  EXPECT_DOUBLE_EQ(config.train.learning_rate, 1.5e-4);
  EXPECT_EQ(config.intervention.kind, Intervention::kStatePassing);
  EXPECT_EQ(with_preset({}, preset("paper-mamba2-1.3b-100")).train.steps, 100);
  EXPECT_EQ(value_of(preset("paper-mamba2-370m"), "train.context").known, "stated");
  EXPECT_EQ(value_of(preset("paper-mamba2-370m"), "train.schedule").known, "unknown");
}

TEST(Presets, LeaveTheRestAlone) {
  RunConfig config;
  config.model.model = "some/folder";
  config.seed = 18446744073709551615ULL;
  config.measure.length = 123;
  const RunConfig set = with_preset(config, preset("demo"));
  EXPECT_EQ(set.model, config.model);
  EXPECT_EQ(set.seed, config.seed);
  EXPECT_EQ(set.measure, config.measure);
}

TEST(Presets, AnUnknownNameIsAnsweredWithTheList) {
  try {
    preset("papper");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
    EXPECT_THAT(error.what(), HasSubstr("\"papper\" is no preset; there are demo, laptop, paper-"));
  }
}

}  // namespace
}  // namespace farstate
