// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/run_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/base/error.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadUsage);
    return error.what();
  }
  return "accepted";
}

std::string read(const std::string& json) {
  return message([&] { run_config_from_json(json); });
}

TEST(RunConfig, RoundTripWithEveryValueChanged) {
  RunConfig config;
  config.model = {"some/folder", "", "tokenizer.json", "bfloat16"};
  config.data = {"", "", "facts", 0.25, "document-start"};
  config.intervention = {Intervention::kMixture, 2.5, 0.4,  false, 0.9, "all", 3, 16, 2,
                         {{"zero", 1}, {"tbtt", 0.5}}};
  config.train = {7,   32,   5,   2,  1e-4, 3, "cosine",   0.01, 0.8,
                  0.99, 0.5, 11,  20, 5,    1, "bfloat16", true};
  config.measure = {512, 3, "train", {"effrem"}, "predictable", true, 4, 256, 9, {64, 512}, 1, 2, 32};
  config.seed = 18446744073709551615ULL;
  config.changes = {{3, "train.learning_rate", "0.001"}, {5, "intervention.kind", "\"zero\""}};
  const RunConfig again = run_config_from_json(to_json(config));
  EXPECT_EQ(again, config);
  EXPECT_EQ(to_json(again), to_json(config));
}

TEST(RunConfig, AbsentKeysTakeTheDefault) {
  EXPECT_EQ(run_config_from_json("{}"), RunConfig());
  EXPECT_EQ(run_config_from_json(R"({"train":{"steps":3}})").train.context, TrainConfig().context);
}

TEST(RunConfig, UnknownKeysAndWrongTypesAreNamed) {
  EXPECT_THAT(read("nonsense"), HasSubstr("not a JSON object"));
  EXPECT_THAT(read(R"({"sed":1})"), HasSubstr("unknown key \"sed\""));
  EXPECT_THAT(read(R"({"train":{"step":1}})"), HasSubstr("unknown key \"train.step\""));
  EXPECT_THAT(read(R"({"train":3})"), HasSubstr("\"train\" must be an object"));
  EXPECT_THAT(read(R"({"train":{"steps":1.5}})"), HasSubstr("\"train.steps\" is 1.5"));
  EXPECT_THAT(read(R"({"train":{"steps":"9"}})"), HasSubstr("a whole number"));
  EXPECT_THAT(read(R"({"seed":-1})"), HasSubstr("\"seed\" is -1"));
  EXPECT_THAT(read(R"({"intervention":{"kind":"noise"}})"), HasSubstr("state-passing"));
  EXPECT_THAT(read(R"({"measure":{"probes":["loss"]}})"), HasSubstr("\"loss\""));
  EXPECT_THAT(read(R"({"measure":{"per_position":1}})"), HasSubstr("true or false"));
  EXPECT_THAT(read(R"({"measure":{"pins":64}})"), HasSubstr("a list of whole numbers"));
  EXPECT_THAT(read(R"({"measure":{"pins":[64,"end"]}})"), HasSubstr("\"measure.pins\" is \"end\""));
}

TEST(RunConfig, ImpossibleValuesAreNamed) {
  const auto with = [](const std::function<void(RunConfig&)>& change) {
    RunConfig config;
    change(config);
    return message([&] { validate(config); });
  };
  EXPECT_EQ(with([](RunConfig&) {}), "accepted");
  EXPECT_THAT(with([](RunConfig& c) { c.train.context = 0; }), HasSubstr("context is 0"));
  EXPECT_THAT(with([](RunConfig& c) { c.train.batch = -2; }), HasSubstr("batch is -2"));
  EXPECT_THAT(with([](RunConfig& c) { c.train.learning_rate = 0.0 / 0.0; }), HasSubstr("learning rate"));
  EXPECT_THAT(with([](RunConfig& c) { c.train.schedule = "linear"; }), HasSubstr("constant, cosine"));
  EXPECT_THAT(with([](RunConfig& c) { c.train.beta2 = 1; }), HasSubstr("beta2"));
  EXPECT_THAT(with([](RunConfig& c) { c.intervention.zero_probability = 1.1; }), HasSubstr("P(zero"));
  EXPECT_THAT(with([](RunConfig& c) { c.intervention.sigma = -1; }), HasSubstr("sigma"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.length = 1; }), HasSubstr("length is 1"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.sequences = 0; }), HasSubstr("sequences is 0"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.effrem_length = 5000; }), HasSubstr("EffRem"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.pins = {64, 0}; }), HasSubstr("a pin is 0"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.pins = {4097}; }), HasSubstr("from 1 to the length"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.pins.assign(17, 64); }), HasSubstr("at most 16"));
  EXPECT_THAT(with([](RunConfig& c) { c.data.held_out = 1; }), HasSubstr("held-out"));
  EXPECT_THAT(with([](RunConfig& c) { c.data = {"a", "b", "", 0.1, "auto"}; }), HasSubstr("choose one"));
  EXPECT_THAT(with([](RunConfig& c) { c.data = {"a", "", "facts", 0.1, "auto"}; }), HasSubstr("choose one"));
  EXPECT_THAT(with([](RunConfig& c) { c.data.generated = "fakts"; }), HasSubstr("one of facts"));
  EXPECT_THAT(with([](RunConfig& c) { c.measure.scored = "some"; }), HasSubstr("all, predictable"));
  EXPECT_THAT(with([](RunConfig& c) { c.train.batch = int64_t{1} << 40; }), HasSubstr("2^31"));
}

TEST(RunConfig, LawsThatCannotBeDrawnFromAreRefused) {
  const auto refusal = [](const InterventionConfig& law) {
    RunConfig config;
    config.intervention = law;
    return message([&] { validate(config); });
  };
  InterventionConfig law;
  law.kind = Intervention::kMixture;
  EXPECT_THAT(refusal(law), HasSubstr("no law"));
  law.mixture = {{"zero", 0}};
  EXPECT_THAT(refusal(law), HasSubstr("no law"));
  law.mixture = {{"mixture", 1}};
  EXPECT_THAT(refusal(law), HasSubstr("can't hold itself"));
  law.mixture = {{"zeros", 1}};
  EXPECT_THAT(refusal(law), HasSubstr("\"zeros\""));
  law.mixture = {{"zero", 1}, {"tbtt", -1}};
  EXPECT_THAT(refusal(law), HasSubstr("weight of tbtt is -1"));
  law.mixture = {{"state-passing", 1}, {"tbtt", 1}};
  EXPECT_THAT(refusal(law), HasSubstr("both state-passing and tbtt"));
  law.mixture = {{"state-passing", 1}, {"tbtt", 0}};
  EXPECT_EQ(refusal(law), "accepted");

  law.kind = Intervention::kFittedNoise;
  law.fitted_from = "all";
  law.fitted_burn_in = 63;
  EXPECT_EQ(refusal(law), "accepted");
  law.fitted_burn_in = 64;
  EXPECT_THAT(refusal(law), HasSubstr("below the context"));
  law.fitted_burn_in = 0;
  law.kind = Intervention::kCorrelatedNoise;
  EXPECT_THAT(refusal(law), HasSubstr("final states alone"));
}

TEST(RunConfig, IsFoundInWhatTheProgramsHandOut) {
  RunConfig config;
  config.seed = 4711;
  config.intervention.kind = Intervention::kTbtt;
  const std::string json = to_json(config);
  std::string on_one_line = json;
  std::erase(on_one_line, '\n');
  EXPECT_EQ(recipe_in(json), config);
  EXPECT_EQ(recipe_in(summary(config) + "\n" + json), config) << "as the window copies it";
  EXPECT_EQ(recipe_in("{\"schema\": \"x\", \"recipe\": " + json + ", \"notes\": []}"), config);
  EXPECT_EQ(recipe_in("# A title\n# recipe " + on_one_line + "\nposition,a\n1,2\n"), config);
  for (const char* none : {"", "# recipe\n1,2\n", "seed=4711", "[1]", "{\"recipe\": "}) {
    EXPECT_THROW(recipe_in(none), Error) << none;
  }
}

TEST(RunConfig, SummaryIsOneReadableLine) {
  RunConfig config;
  config.intervention.kind = Intervention::kStatePassing;
  EXPECT_EQ(summary(config), "demo T=64 state-passing seed=7");
}

TEST(RunConfig, ChangesTakeEffectAtTheirSteps) {
  RunConfig config;
  config.changes = {{3, "train.learning_rate", "0.25"},
                    {5, "intervention.kind", "\"tbtt\""},
                    {5, "train.learning_rate", "0.5"}};
  validate(config);
  EXPECT_EQ(at_step(config, 2).train.learning_rate, RunConfig().train.learning_rate);
  EXPECT_EQ(at_step(config, 3).train.learning_rate, 0.25);
  EXPECT_EQ(at_step(config, 4).intervention.kind, Intervention::kZero);
  EXPECT_EQ(at_step(config, 9).intervention.kind, Intervention::kTbtt);
  EXPECT_EQ(at_step(config, 9).train.learning_rate, 0.5);
  EXPECT_TRUE(at_step(config, 9).changes.empty());
  EXPECT_EQ(changes_between(at_step(config, 4), at_step(config, 5), 5),
            (std::vector<RecipeChange>{{5, "intervention.kind", "\"tbtt\""},
                                       {5, "train.learning_rate", "0.5"}}));
}

TEST(RunConfig, ChangesThatCannotBeAreRefused) {
  const auto with = [](const std::string& changes) {
    return read("{\"changes\":[" + changes + "]}");
  };
  EXPECT_THAT(with(R"({"step":1,"key":"train.batch","value":2})"),
              HasSubstr("\"train.batch\" can't change"));
  EXPECT_THAT(with(R"({"step":1,"key":"intervention.sgma","value":2})"),
              HasSubstr("unknown key \"intervention.sgma\""));
  EXPECT_THAT(with(R"({"step":1,"key":"intervention.sigma","value":"much"})"),
              HasSubstr("\"intervention.sigma\" is \"much\""));
  EXPECT_THAT(with(R"({"step":1,"key":"intervention.sigma","value":-1})"), HasSubstr("sigma is -1"));
  EXPECT_THAT(with(R"({"step":-1,"key":"intervention.sigma","value":1})"), HasSubstr("step"));
  EXPECT_THAT(with(R"({"step":2,"key":"intervention.sigma","value":1},
                      {"step":1,"key":"intervention.sigma","value":1})"),
              HasSubstr("not before the change above it"));
  EXPECT_THAT(with("3"), HasSubstr("an object of"));
}

TEST(RunConfig, AnArmIsALawWithSettingsOfItsOwn) {
  const RunConfig arm = with_arm({}, "random-noise:sigma=0.3:train.learning_rate=1e-4");
  EXPECT_EQ(arm.intervention.kind, Intervention::kRandomNoise);
  EXPECT_EQ(arm.intervention.sigma, 0.3);
  EXPECT_EQ(arm.train.learning_rate, 1e-4);
  EXPECT_EQ(with_arm({}, "fitted-noise:fitted_from=all").intervention.fitted_from, "all");
  const auto refused = [](const std::string& text) {
    return message([&] { with_arm({}, text); });
  };
  EXPECT_THAT(refused("noise"), HasSubstr("The arm \"noise\""));
  EXPECT_THAT(refused("zero:sigma"), HasSubstr("\"sigma\" is no key=value"));
  EXPECT_THAT(refused("zero:sgma=1"), HasSubstr("unknown key \"intervention.sgma\""));
  EXPECT_THAT(refused("zero:seed=1"), HasSubstr("unknown key"));
  EXPECT_THAT(refused("zero:model.model=x"), HasSubstr("the same for all arms"));
  EXPECT_THAT(refused("random-noise:sigma=-1"), HasSubstr("sigma is -1"));
}

}  // namespace
}  // namespace farstate
