// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/tensor_writers.h"
#include "core/checkpoint/state_files.h"
#include "core/tokenizer/word_vocabulary.h"
#include "resources/embedded.h"
#include "resources/embedded_models.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::bit_equal;
using testing::read_all;
using testing::TempFolder;
using testing::tiny_config;
using testing::tiny_model;

std::string message(const std::string& model) {
  try {
    load_model(model);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    return error.what();
  }
  return "accepted";
}

LoadedModel holding(std::unique_ptr<Mamba2> model) {
  LoadedModel loaded;
  loaded.model = std::move(model);
  return loaded;
}

TEST(ModelFiles, RoundTripIsBitEqual) {
  for (const bool tied : {true, false}) {
    const TempFolder folder;
    Mamba2Config config = tiny_config();
    config.tied_head = tied;
    config.projection_bias = !tied;
    const LoadedModel saved = holding(tiny_model(4, config));
    const RecurrentLM* const model = saved.model.get();
    Provenance provenance;
    provenance.trained_context = 64;
    provenance.trained_with = "tbtt";
    provenance.recipe = R"({"seed":3})";
    save_model(folder.path(), saved, provenance);
    // The folder, or a file in it.
    for (const char* name : {"", "/model.safetensors", "/config.json"}) {
      const LoadedModel loaded = load_model(folder.path() + name);
      EXPECT_EQ(dynamic_cast<const Mamba2&>(*loaded.model).config(), config);
      EXPECT_EQ(loaded.info.trained_context, 64);
      EXPECT_EQ(loaded.info.trained_with, "tbtt");
      EXPECT_EQ(loaded.provenance.recipe, provenance.recipe);
      for (size_t i = 0; i < model->tensors().size(); ++i) {
        EXPECT_TRUE(bit_equal(loaded.model->tensors()[i].tensor, model->tensors()[i].tensor));
      }
    }
  }
}

TEST(ModelFiles, AnEmbeddedModelTakesItsOwnTokenizerAlong) {
  const TempFolder here;
  here.write("tokenizer.json", "{}");  // of something else
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(here.path());
  const LoadedModel demo = load_model("demo");
  save_model("saved", demo, demo.provenance);
  std::filesystem::current_path(before);
  const LoadedModel saved = load_model(here.file("saved"));
  EXPECT_EQ(saved.tokenizer->fingerprint(), demo.tokenizer->fingerprint());
  EXPECT_EQ(saved.info.text, "facts");
}

TEST(ModelFiles, ATokenizerThatWasNamedIsSavedWithTheModel) {
  const TempFolder folder;
  const std::string tokenizer = folder.file("words");
  save_tokenizer(tokenizer, vocabulary_of_text("the kettle is in room 12\n", false, 0));
  Mamba2Config config = tiny_config();
  config.vocabulary = 16;
  make_folder(folder.file("new"));
  folder.write("new/config.json", to_json(config, "float32"));
  ModelSource source;
  source.init = folder.file("new/config.json");
  source.tokenizer = tokenizer;
  const LoadedModel made = load_model(source, /*seed=*/1);
  const std::string saved = folder.file("saved");
  save_model(saved, made, {});
  EXPECT_EQ(read_all(saved + "/tokenizer.json"), read_all(tokenizer + "/tokenizer.json"));
  EXPECT_EQ(read_all(saved + "/tokenizer_config.json"), read_all(tokenizer + "/tokenizer_config.json"));

  std::filesystem::remove_all(tokenizer);
  const LoadedModel loaded = load_model(saved);
  ASSERT_NE(loaded.tokenizer, nullptr);
  EXPECT_EQ(loaded.tokenizer->name(), saved + "/tokenizer.json");
  EXPECT_EQ(loaded.tokenizer->fingerprint(), made.tokenizer->fingerprint());
  std::vector<int32_t> ids;
  loaded.tokenizer->encode("the kettle", ids);
  EXPECT_EQ(ids.size(), 2U);
}

TEST(ModelFiles, EmbeddedModelsAreWhatTheListSays) {
  size_t bytes = 0;
  for (const EmbeddedModel& listed : embedded_models()) {
    const LoadedModel loaded = load_model(listed.name);
    EXPECT_EQ(loaded.info.name, listed.name);
    EXPECT_EQ(loaded.info.text, listed.text) << listed.name;
    EXPECT_EQ(loaded.info.trained_with, to_string(listed.intervention)) << listed.name;
    EXPECT_GT(loaded.info.trained_context, 0) << listed.name;
    EXPECT_FALSE(loaded.provenance.recipe.empty()) << listed.name;
    ASSERT_NE(loaded.tokenizer, nullptr) << listed.name;
    EXPECT_EQ(loaded.tokenizer->vocabulary(), loaded.info.vocabulary) << listed.name;
    if (!listed.base.empty()) {
      const EmbeddedModel* base = find_embedded_model(listed.base);
      ASSERT_NE(base, nullptr) << listed.name;
      EXPECT_EQ(base->text, listed.text) << listed.name;
    }
    bytes += embedded_file(listed.name + "/model.safetensors").size();
  }
  EXPECT_LE(bytes, size_t{4} << 20);
  EXPECT_EQ(find_embedded_model("nowhere"), nullptr);
}

TEST(ModelFiles, SaysWhatIsMissingOrWrong) {
  const TempFolder folder;
  EXPECT_THAT(message(folder.file("nowhere")), HasSubstr("There is no model at"));
  EXPECT_THAT(message(folder.path()), HasSubstr("holds no config.json"));
  const LoadedModel saved = holding(tiny_model());
  const RecurrentLM* const model = saved.model.get();
  save_model(folder.path(), saved, {});
  const std::string weights = folder.file("model.safetensors");
  const auto rewrite = [&](const std::function<void(NamedTensors&)>& change) {
    NamedTensors tensors;
    for (const TensorEntry& entry : model->tensors()) tensors.emplace_back(entry.name, entry.tensor);
    change(tensors);
    write_safetensors(weights, tensors, {});
    return message(folder.path());
  };
  EXPECT_EQ(rewrite([](NamedTensors&) {}), "accepted");
  EXPECT_THAT(rewrite([](NamedTensors& t) { t.pop_back(); }),
              HasSubstr("\"backbone.norm_f.weight\" of shape [24] is missing"));
  EXPECT_THAT(rewrite([](NamedTensors& t) { t.back().second = at::ones({23}); }),
              HasSubstr("has the shape [23], but config.json asks for [24]"));
  EXPECT_THAT(rewrite([](NamedTensors& t) { t.emplace_back("extra", at::ones({1})); }),
              HasSubstr("\"extra\" belongs to no weight"));
  EXPECT_THAT(rewrite([](NamedTensors& t) { t.back().second = at::ones({24}, at::kLong); }),
              HasSubstr("no floating-point numbers"));
  EXPECT_EQ(rewrite([](NamedTensors& t) { t.emplace_back("lm_head.weight", t[0].second); }), "accepted");
  // The weights win over the configuration, with a note.
  EXPECT_EQ(rewrite([](NamedTensors& t) { t.emplace_back("lm_head.weight", t[0].second + 1); }),
            "accepted");
  EXPECT_FALSE(load_model(folder.path()).model->sizes().tied_head);
  EXPECT_THAT(load_model(folder.path()).notes, ElementsAre(HasSubstr("differs from it")));
  // The key that state-spaces' checkpoints use.
  EXPECT_EQ(rewrite([](NamedTensors& t) { t[0].first = "backbone.embedding.weight"; }), "accepted");
  std::filesystem::remove(weights);
  EXPECT_THAT(message(folder.path()), HasSubstr("holds no weights: wanted one of model.safetensors"));
}

TEST(StateFiles, RoundTripAndRefusal) {
  const TempFolder folder;
  const auto model = tiny_model();
  HeldState held;
  held.state = testing::random_state(*model, 1);
  held.position = 42;
  held.hidden = at::rand({1, model->sizes().model_dim});
  save_state(folder.file("s"), held);
  const HeldState loaded = load_state(folder.file("s"), *model);
  for (size_t i = 0; i < held.state.layers.size(); ++i) {
    EXPECT_TRUE(bit_equal(loaded.state.layers[i].recurrent, held.state.layers[i].recurrent));
    EXPECT_TRUE(bit_equal(loaded.state.layers[i].context, held.state.layers[i].context));
  }
  EXPECT_EQ(loaded.position, 42);
  EXPECT_TRUE(bit_equal(loaded.hidden, held.hidden));

  held.hidden.reset();
  held.position.reset();
  save_state(folder.file("bare"), held);
  EXPECT_FALSE(load_state(folder.file("bare"), *model).hidden.defined());
  EXPECT_FALSE(load_state(folder.file("bare"), *model).position.has_value());

  const auto refusal = [&](const Mamba2Config& config) -> std::string {
    try {
      load_state(folder.file("s"), *tiny_model(1, config));
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  Mamba2Config other = tiny_config();
  other.state_dim = 8;
  EXPECT_THAT(refusal(other), HasSubstr("layers.0.recurrent"));
  other = tiny_config();
  other.layers = 1;  // each of its tensors is there, and has the right shape
  EXPECT_THAT(refusal(other), HasSubstr("layers.1.context"));
}

}  // namespace
}  // namespace farstate
