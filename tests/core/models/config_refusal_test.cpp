// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of other models, and of ours with a key that is missing, of another type or out of
// range, in each of the three spellings.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/models/model_config.h"
#include "tests/support/refusal.h"

namespace farstate {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;
using testing::expect_refused;
using testing::refusal;

void read(const std::string& text) { mamba2_config_from_json(text, "x/config.json"); }

Json hugging_face() {
  return Json::parse(R"({"model_type":"mamba2","hidden_size":16,"num_hidden_layers":2,"num_heads":4,
    "head_dim":8,"state_size":8,"n_groups":2,"expand":2,"conv_kernel":4,"vocab_size":40,
    "layer_norm_epsilon":1e-5,"use_bias":false,"use_conv_bias":true,"tie_word_embeddings":true,
    "time_step_limit":[0.0,1.0],"time_step_min":0.001,"time_step_max":0.1,"time_step_floor":0.0001,
    "chunk_size":256,"hidden_act":"silu"})");
}

Json state_spaces() {
  return Json::parse(R"({"d_model":16,"d_intermediate":0,"n_layer":2,"vocab_size":37,
    "ssm_cfg":{"layer":"Mamba2","d_state":8,"headdim":8,"ngroups":2,"expand":2,"d_conv":4,
               "bias":false,"conv_bias":true,"dt_limit":[0.0,1.0],"dt_min":0.001,"dt_max":0.1,
               "dt_init_floor":0.0001,"chunk_size":256},
    "attn_layer_idx":[],"attn_cfg":{},"rms_norm":true,"residual_in_fp32":true,
    "fused_add_norm":true,"pad_vocab_size_multiple":16,"tie_embeddings":true})");
}

Json params() {
  return Json::parse(R"({"dim":256,"n_layers":2,"vocab_size":40,"n_groups":8,"rms_norm":true,
    "residual_in_fp32":true,"fused_add_norm":true,"pad_vocab_size_multiple":1,
    "tie_embeddings":false,"model_type":"mamba"})");
}

std::string with(Json json, const std::string& pointer, Json value) {
  json[Json::json_pointer(pointer)] = std::move(value);
  return json.dump();
}

std::string without(Json json, const std::string& key) {
  json.erase(key);
  return json.dump();
}

std::string nested(const std::string& open, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += "1";
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(ConfigRefusal, AcceptsTheWholeOnes) {
  for (const Json& json : {hugging_face(), state_spaces(), params()}) {
    EXPECT_EQ(refusal([&] { read(json.dump()); }), "accepted") << json.dump();
  }
}

// Of every key a value of another type; the sentence names the key and what was found.
TEST(ConfigRefusal, EveryKeyOfAnotherType) {
  const char* sizes[] = {"/hidden_size", "/num_hidden_layers", "/num_heads",  "/head_dim", "/state_size",
                         "/n_groups",    "/conv_kernel",       "/vocab_size", "/chunk_size"};
  const char* native_sizes[] = {"/d_model",         "/n_layer",         "/vocab_size",
                                "/ssm_cfg/d_state", "/ssm_cfg/headdim", "/ssm_cfg/ngroups",
                                "/ssm_cfg/expand",  "/ssm_cfg/d_conv",  "/ssm_cfg/chunk_size",
                                "/d_intermediate",  "/pad_vocab_size_multiple"};
  const char* params_sizes[] = {"/dim", "/n_layers", "/vocab_size", "/n_groups",
                                "/pad_vocab_size_multiple"};
  const char* numbers[] = {"/layer_norm_epsilon", "/time_step_min", "/time_step_max",
                           "/time_step_floor", "/expand"};
  const char* native_numbers[] = {"/ssm_cfg/dt_min", "/ssm_cfg/dt_max", "/ssm_cfg/dt_init_floor"};
  const char* flags[] = {"/use_bias", "/use_conv_bias", "/tie_word_embeddings"};
  const char* native_flags[] = {"/ssm_cfg/bias", "/ssm_cfg/conv_bias", "/tie_embeddings"};
  const auto expect = [](const Json& json, const auto& pointers, const std::vector<Json>& wrong,
                         const char* wanted) {
    for (const std::string pointer : pointers) {
      const std::string key = pointer.substr(pointer.rfind('/') + 1);
      for (const Json& value : wrong) {
        const std::string sentence = refusal([&] { read(with(json, pointer, value)); });
        EXPECT_THAT(sentence, HasSubstr("x/config.json: \"" + key + "\" is ")) << value.dump();
        EXPECT_THAT(sentence, HasSubstr(wanted)) << value.dump();
      }
    }
  };
  const std::vector<Json> no_sizes = {"4", 4.5, true, Json::array({4}), Json::object()};
  expect(hugging_face(), sizes, no_sizes, "must be a whole number");
  expect(state_spaces(), native_sizes, no_sizes, "must be a whole number");
  expect(params(), params_sizes, no_sizes, "must be a whole number");
  const std::vector<Json> no_numbers = {"0.1", true, Json::array({4}), Json::object()};
  expect(hugging_face(), numbers, no_numbers, "must be a number");
  expect(state_spaces(), native_numbers, no_numbers, "must be a number");
  const std::vector<Json> no_flags = {"true", 1, Json::array(), Json::object()};
  expect(hugging_face(), flags, no_flags, "must be true or false");
  expect(state_spaces(), native_flags, no_flags, "must be true or false");
  const char* pair[] = {"/time_step_limit"};
  const char* native_pair[] = {"/ssm_cfg/dt_limit"};
  const std::vector<Json> no_pairs = {1, "0 to 1", Json::array({0.0}), Json::array({0.0, 1.0, 2.0})};
  expect(hugging_face(), pair, no_pairs, "must be a pair of numbers");
  expect(state_spaces(), native_pair, no_pairs, "must be a pair of numbers");
  const std::vector<Json> no_numbers_in_it = {Json::array({"a", 1.0}), Json::array({0.0, nullptr})};
  expect(hugging_face(), pair, no_numbers_in_it, "must be a number");
}

TEST(ConfigRefusal, EveryKeyThatIsMissing) {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_heads", "head_dim", "state_size",
                          "n_groups", "conv_kernel", "vocab_size"}) {
    const std::string says = std::string("x/config.json: the key \"") + key + "\" is missing";
    EXPECT_THAT(refusal([&] { read(without(hugging_face(), key)); }), HasSubstr(says));
    EXPECT_THAT(refusal([&] { read(with(hugging_face(), std::string("/") + key, nullptr)); }),
                HasSubstr(says));
  }
  for (const char* key : {"d_model", "n_layer", "vocab_size"}) {
    EXPECT_THAT(refusal([&] { read(without(state_spaces(), key)); }),
                HasSubstr(std::string("the key \"") + key + "\" is missing"));
  }
  EXPECT_THAT(refusal([&] { read(without(params(), "vocab_size")); }),
              HasSubstr("the key \"vocab_size\" is missing"));
}

TEST(ConfigRefusal, Ranges) {
  const auto hf = [](const char* pointer, Json value) {
    return with(hugging_face(), pointer, std::move(value));
  };
  const auto native = [](const char* pointer, Json value) {
    return with(state_spaces(), pointer, std::move(value));
  };
  constexpr uint64_t kHuge = ~uint64_t{0};
  expect_refused(
      {
          {"no width", hf("/hidden_size", 0), {"\"hidden_size\" is 0", "from 1"}},
          {"a negative width", hf("/hidden_size", -16), {"\"hidden_size\" is -16"}},
          {"a width of 2^40", hf("/hidden_size", int64_t{1} << 40), {"\"hidden_size\"", "1048576"}},
          {"no layer", hf("/num_hidden_layers", 0), {"\"num_hidden_layers\" is 0"}},
          {"a million layers", hf("/num_hidden_layers", 1'000'000), {"\"num_hidden_layers\""}},
          {"no head", hf("/num_heads", 0), {"\"num_heads\" is 0"}},
          {"a negative head dimension", hf("/head_dim", -8), {"\"head_dim\" is -8"}},
          {"no state", hf("/state_size", 0), {"\"state_size\" is 0"}},
          {"no group", hf("/n_groups", 0), {"\"n_groups\" is 0"}},
          {"more groups than heads", hf("/n_groups", 8), {"\"n_groups\" is 8", "from 1 to 4"}},
          {"groups that don't divide the heads", hf("/n_groups", 3),
           {"4 heads", "3 groups", "\"num_heads\"", "\"n_groups\""}},
          {"no convolution", hf("/conv_kernel", 0), {"\"conv_kernel\" is 0"}},
          {"a convolution over everything", hf("/conv_kernel", 1000), {"\"conv_kernel\" is 1000"}},
          {"no vocabulary", hf("/vocab_size", 0), {"\"vocab_size\" is 0"}},
          {"a vocabulary of 2^64 - 1", hf("/vocab_size", kHuge), {"\"vocab_size\""}},
          {"an epsilon below zero", hf("/layer_norm_epsilon", -1e-5), {"\"layer_norm_epsilon\""}},
          {"falling limits", hf("/time_step_limit", {0.2, 0.1}), {"\"time_step_limit\" is [0.2, 0.1]"}},
          {"limits below zero", hf("/time_step_limit", {-1.0, 0.1}), {"\"time_step_limit\" is [-1"}},
          {"channels that heads don't fill", hf("/num_heads", 6),
           {"\"expand\" 2", "\"hidden_size\" 16", "is 32", "\"num_heads\" 6", "\"head_dim\" 8",
            "is 48"}},
          {"an expansion of nothing", hf("/expand", 0.001), {"\"expand\" 0.001", "is 0", "is 32"}},
          {"d_model 0", native("/d_model", 0), {"\"d_model\" 0", "1 or more"}},
          {"d_model -1", native("/d_model", -1), {"\"d_model\" -1"}},
          {"n_layer 0", native("/n_layer", 0), {"layer"}},
          {"headdim 0", native("/ssm_cfg/headdim", 0), {"head dimension 0"}},
          {"expand 0", native("/ssm_cfg/expand", 0), {"expansion 0"}},
          {"heads that don't fit", native("/ssm_cfg/headdim", 24),
           {"expansion 2", "\"d_model\" 16", "is 32", "heads of 24"}},
          {"the vocabulary of nothing", native("/vocab_size", 0), {"\"vocab_size\" is 0"}},
          {"a multiple of 0", native("/pad_vocab_size_multiple", 0),
           {"\"pad_vocab_size_multiple\" is 0"}},
          {"a multiple of -16", native("/pad_vocab_size_multiple", -16),
           {"\"pad_vocab_size_multiple\" is -16"}},
          {"groups that don't divide the heads, natively", native("/ssm_cfg/ngroups", 3),
           {"4 heads", "3 groups"}},
          {"dim that heads don't fit", with(params(), "/dim", 33), {"\"dim\" 33", "is 66", "heads of 64"}},
          {"groups of params that don't divide", with(params(), "/n_groups", 3),
           {"8 heads", "3 groups"}},
      },
      "x/config.json", read);
}

TEST(ConfigRefusal, OtherModels) {
  const auto native = [](const char* pointer, Json value) {
    return with(state_spaces(), pointer, std::move(value));
  };
  const auto type = [](const char* name) { return with(hugging_face(), "/model_type", name); };
  expect_refused(
      {
          {"Mamba-1 of transformers", type("mamba"), {"model_type", "\"mamba\"", "\"mamba2\""}},
          {"a transformer", type("llama"), {"model_type", "\"llama\""}},
          {"a hybrid of transformers", type("zamba2"), {"model_type", "\"zamba2\""}},
          {"no type", without(hugging_face(), "model_type"), {"model_type", "null"}},
          {"a type that is a number", with(hugging_face(), "/model_type", 2), {"model_type", "2"}},
          {"Mamba-1", native("/ssm_cfg/layer", "Mamba1"), {"\"Mamba1\"", "\"Mamba2\""}},
          {"Mamba-1 by default", native("/ssm_cfg", Json::object()), {"\"Mamba1\"", "\"Mamba2\""}},
          {"Mamba-3", native("/ssm_cfg/layer", "Mamba3"), {"\"Mamba3\"", "\"Mamba2\""}},
          {"attention layers", native("/attn_layer_idx", {3, 7}), {"\"attn_layer_idx\"", "hybrid"}},
          {"gated MLPs", native("/d_intermediate", 64), {"\"d_intermediate\"", "MLP"}},
          {"a D of every channel", native("/ssm_cfg/D_has_hdim", true), {"\"D_has_hdim\" is true"}},
          {"channels without a state", native("/ssm_cfg/d_ssm", 16), {"\"d_ssm\" is 16", "32"}},
          {"no gated norm", native("/ssm_cfg/rmsnorm", false), {"\"rmsnorm\" is false"}},
          {"norm before gate", native("/ssm_cfg/norm_before_gate", true),
           {"\"norm_before_gate\" is true"}},
          {"layer norm", native("/rms_norm", false), {"\"rms_norm\" is false"}},
          {"an argument of tomorrow", native("/ssm_cfg/complex", true), {"\"complex\"", "true"}},
          {"no ssm_cfg", without(state_spaces(), "ssm_cfg"), {"ssm_cfg"}},
          {"an ssm_cfg that is a list", native("/ssm_cfg", Json::array()), {"\"ssm_cfg\"", "an object"}},
          {"another activation", with(hugging_face(), "/hidden_act", "gelu"),
           {"\"hidden_act\" is \"gelu\"", "\"silu\""}},
          {"a transformer's params.json", with(params(), "/model_type", "transformer"),
           {"\"model_type\" is \"transformer\""}},
      },
      "x/config.json", read);
}

TEST(ConfigRefusal, WhatIsNoConfiguration) {
  expect_refused(
      {
          {"nothing", "", {"not a JSON object"}},
          {"an array", "[]", {"not a JSON object"}},
          {"a number", "2", {"not a JSON object"}},
          {"half an object", hugging_face().dump().substr(0, 60), {"not a JSON object"}},
          {"a string without end", R"({"model_type":"mamba)", {"not a JSON object"}},
          {"a string that ends in a backslash", "{\"a\\", {"not a JSON object"}},
          {"two objects", "{}{}", {"not a JSON object"}},
          {"text that is no UTF-8", "{\"model_type\":\"\xff\"}", {"not a JSON object"}},
          {"a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:01\nsize 9\n",
           {"Git LFS pointer", "git lfs pull"}},
          {"a web page", "<!DOCTYPE html><html></html>", {"web page"}},
          {"an empty object", "{}", {"model_type"}},
          {"not a number", R"({"model_type":"mamba2","hidden_size":NaN})", {"not a JSON object"}},
      },
      "x/config.json", read);
}

TEST(ConfigRefusal, NestingWithoutEnd) {
  // Deep enough to overflow the stack of anything that recurses.
  constexpr int kDeep = 200'000;
  const std::string arrays = nested("[", "]", kDeep);
  const std::string objects = nested("{\"a\":", "}", kDeep);
  for (const std::string& deep : {arrays, objects}) {
    for (const char* key : {"model_type", "ssm_cfg", "hidden_size", "dim", "anything"}) {
      const std::string text = std::string("{\"") + key + "\":" + deep + "}";
      EXPECT_THAT(refusal([&] { read(text); }), HasSubstr("x/config.json")) << key;
    }
    EXPECT_THAT(refusal([&] { read(R"({"ssm_cfg":{"layer":)" + deep + "}}"); }),
                HasSubstr("x/config.json"));
    EXPECT_THAT(refusal([&] { read(deep.substr(0, deep.size() / 2)); }),
                HasSubstr("x/config.json"));
    // A key that we don't read, of a configuration that is whole otherwise.
    std::string whole = hugging_face().dump();
    whole.pop_back();
    EXPECT_THAT(refusal([&] { read(whole + ",\"x\":" + deep + "}"); }), HasSubstr("x/config.json"));
  }
}

}  // namespace
}  // namespace farstate
