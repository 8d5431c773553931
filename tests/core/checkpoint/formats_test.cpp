// SPDX-License-Identifier: GPL-3.0-or-later
// The same weights in every form in which Mamba-2 models are published, against what transformers
// computes with them: tests/golden/README.md says what the folders hold. All weights are numbers that
// float32, float16 and bfloat16 hold exactly, so every form must give the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/base/file.h"
#include "core/checkpoint/convert.h"
#include "core/checkpoint/model_files.h"
#include "core/checkpoint/tensors.h"
#include "core/formats/safetensors.h"
#include "tests/support/refusal.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_model.h"

namespace farstate {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::bit_equal;
using testing::refusal;
using testing::scaled_error;
using testing::TempFolder;

// Both sides are float32, and each may be off by what mamba2_golden_test.cpp allows against float64.
constexpr double kLogitsBound = 2 * 5e-6;

struct Published {
  const char* folder;
  const char* model;  // whose weights it holds
  const char* dtype;
};

constexpr Published kPublished[] = {
    {"hf_fp32", "tied", "float32"},
    {"hf_fp16", "tied", "float16"},
    {"hf_bf16", "tied", "bfloat16"},
    {"hf_sharded", "tied", "float32"},
    {"hf_alias", "tied", "float32"},
    {"hf_bin", "tied", "float32"},
    {"hf_bin_sharded", "tied", "float32"},
    {"hf_untied", "untied", "float32"},
    {"ssm_fp16", "tied", "float16"},
    {"ssm_fp32", "tied", "float32"},
    {"ssm_bf16_parameters", "tied", "bfloat16"},
    {"ssm_strided", "tied", "float16"},
    {"ssm_in_model", "tied", "float16"},
    {"ssm_in_state_dict", "tied", "float16"},
    {"ssm_module_prefix", "tied", "float16"},
    {"ssm_step_beside", "tied", "float16"},
    {"ssm_untied", "untied", "float16"},
    {"ssm_g2", "g2", "float16"},
    {"ssm_gh", "gh", "float16"},
    {"codestral", "codestral", "bfloat16"},
};

const std::string kGolden = FARSTATE_GOLDEN_DIR "/checkpoints";

LoadedModel load(const std::string& path) {
  ModelSource source;
  source.model = path;
  source.precision = "float32";
  return load_model(source, /*seed=*/0);
}

at::Tensor logits(const RecurrentLM& model) {
  const at::NoGradGuard no_grad;
  const TensorTable golden = read_safetensors(kGolden + "/logits.safetensors");
  return model.logits(model.forward(tensor_of(golden, "ids"), {}).hidden);
}

void expect_same_weights(const RecurrentLM& got, const RecurrentLM& wanted) {
  EXPECT_EQ(got.sizes().tied_head, wanted.sizes().tied_head);
  ASSERT_EQ(got.tensors().size(), wanted.tensors().size());
  for (size_t i = 0; i < wanted.tensors().size(); ++i) {
    EXPECT_EQ(got.tensors()[i].name, wanted.tensors()[i].name);
    EXPECT_TRUE(bit_equal(got.tensors()[i].tensor, wanted.tensors()[i].tensor))
        << wanted.tensors()[i].name;
  }
  EXPECT_TRUE(bit_equal(logits(got), logits(wanted)));
}

TEST(Formats, EveryGoldenFolderIsTested) {
  std::set<std::string> there, tested;
  for (const auto& entry : fs::directory_iterator(kGolden)) {
    if (entry.is_directory()) there.insert(entry.path().filename().string());
  }
  for (const Published& p : kPublished) tested.insert(p.folder);
  EXPECT_EQ(there, tested);
}

class PublishedFolder : public ::testing::TestWithParam<Published> {
 protected:
  std::string path() const { return kGolden + "/" + GetParam().folder; }
};

TEST_P(PublishedFolder, ComputesWhatTransformersComputes) {
  const LoadedModel loaded = load(path());
  EXPECT_EQ(loaded.info.dtype, GetParam().dtype);
  const TensorTable golden = read_safetensors(kGolden + "/logits.safetensors");
  const at::Tensor wanted = tensor_of(golden, std::string(GetParam().model) + "/logits");
  EXPECT_LE(scaled_error(logits(*loaded.model), wanted), kLogitsBound);
  if (std::string(GetParam().folder) == "ssm_step_beside") {
    EXPECT_THAT(loaded.notes, ElementsAre(HasSubstr("\"step\" (a whole number)")));
  } else {
    EXPECT_THAT(loaded.notes, IsEmpty());
  }
}

TEST_P(PublishedFolder, HoldsTheSameBitsAsItsSiblings) {
  const auto* first = kPublished;
  while (std::string(first->model) != GetParam().model) ++first;
  expect_same_weights(*load(path()).model, *load(kGolden + "/" + first->folder).model);
}

TEST_P(PublishedFolder, IsFoundThroughAnyFileInIt) {
  const LoadedModel whole = load(path());
  for (const auto& entry : fs::directory_iterator(path())) {
    SCOPED_TRACE(entry.path().string());
    expect_same_weights(*load(entry.path().string()).model, *whole.model);
  }
}

TEST_P(PublishedFolder, IsSavedAndConvertedToTheBit) {
  const LoadedModel original = load(path());
  const TempFolder folder;
  save_model(folder.file("saved"), original, {});
  expect_same_weights(*load(folder.file("saved")).model, *original.model);
  // There and back again, in the dtype of the file.
  const std::string forms[] = {"hf", "state-spaces"};
  for (const std::string& first : forms) {
    const std::string second = first == forms[0] ? forms[1] : forms[0];
    convert_checkpoint({path(), folder.file(first), first, "keep"}, {});
    convert_checkpoint({folder.file(first), folder.file(first + "-back"), second, "keep"}, {});
    for (const std::string& name : {first, first + "-back"}) {
      SCOPED_TRACE(name);
      const LoadedModel converted = load(folder.file(name));
      EXPECT_EQ(converted.info.dtype, GetParam().dtype);
      EXPECT_THAT(converted.notes, IsEmpty());
      expect_same_weights(*converted.model, *original.model);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, PublishedFolder, ::testing::ValuesIn(kPublished),
                         [](const auto& test) { return std::string(test.param.folder); });

TEST(Formats, ConvertsBetweenDtypesToTheBit) {
  const TempFolder folder;
  const LoadedModel original = load(kGolden + "/ssm_g2");
  for (const char* format : {"hf", "state-spaces"}) {
    for (const char* dtype : {"float32", "float16", "bfloat16"}) {
      const std::string out = folder.file(std::string(format) + dtype);
      convert_checkpoint({kGolden + "/ssm_g2", out, format, dtype}, {});
      const LoadedModel converted = load(out);
      EXPECT_EQ(converted.info.dtype, dtype);
      expect_same_weights(*converted.model, *original.model);
    }
  }
}

// The configuration may say that the head is tied or not, and the weights may hold one or not.
class Ties : public ::testing::Test {
 protected:
  // The weights of one golden folder under the configuration of another.
  LoadedModel mixed(const std::string& weights, const std::string& config) {
    fs::copy_file(kGolden + "/" + config + "/config.json", folder_.file("config.json"),
                  fs::copy_options::overwrite_existing);
    for (const char* name : {"model.safetensors", "pytorch_model.bin"}) {
      fs::remove(folder_.file(name));
      const std::string source = kGolden + "/" + weights + "/" + name;
      if (fs::exists(source)) fs::copy_file(source, folder_.file(name));
    }
    return load(folder_.path());
  }
  TempFolder folder_;
};

TEST_F(Ties, TiedWithoutAHead) {
  const LoadedModel loaded = mixed("hf_fp32", "hf_fp32");
  EXPECT_TRUE(loaded.model->sizes().tied_head);
  EXPECT_THAT(loaded.notes, IsEmpty());
}

TEST_F(Ties, TiedWithAnEqualHead) {
  const LoadedModel loaded = mixed("ssm_fp16", "ssm_fp16");
  EXPECT_TRUE(loaded.model->sizes().tied_head);
  EXPECT_THAT(loaded.notes, IsEmpty());
}

TEST_F(Ties, TiedWithAnotherHead) {
  const LoadedModel loaded = mixed("hf_untied", "hf_fp32");
  EXPECT_FALSE(loaded.model->sizes().tied_head);
  EXPECT_THAT(loaded.notes, ElementsAre(HasSubstr("\"lm_head.weight\"")));
  expect_same_weights(*loaded.model, *load(kGolden + "/hf_untied").model);
}

TEST_F(Ties, UntiedWithAHead) {
  EXPECT_FALSE(mixed("hf_untied", "hf_untied").model->sizes().tied_head);
  // Equal to the embedding, and yet two tensors for training.
  const LoadedModel loaded = mixed("ssm_fp16", "ssm_untied");
  EXPECT_FALSE(loaded.model->sizes().tied_head);
  EXPECT_THAT(loaded.notes, IsEmpty());
}

TEST_F(Ties, UntiedWithoutAHead) {
  const LoadedModel loaded = mixed("hf_fp32", "hf_untied");
  EXPECT_TRUE(loaded.model->sizes().tied_head);
  EXPECT_THAT(loaded.notes, ElementsAre(HasSubstr("holds no \"lm_head.weight\"")));
  expect_same_weights(*loaded.model, *load(kGolden + "/hf_fp32").model);
}

TEST(Formats, FilesThatAreSomethingElse) {
  const TempFolder folder;
  fs::copy_file(kGolden + "/hf_fp32/config.json", folder.file("config.json"));
  const auto sentence = [&](const std::string& name, const std::string& bytes) {
    const std::string path = folder.write(name, bytes);
    const std::string said = refusal([&] { load(path); });
    EXPECT_EQ(said, refusal([&] { load(folder.path()); })) << "the folder says the same";
    EXPECT_THAT(said, HasSubstr(path));
    fs::remove(path);
    return said;
  };
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
  for (const char* name : {"model.safetensors", "pytorch_model.bin", "consolidated.safetensors"}) {
    EXPECT_THAT(sentence(name, pointer), HasSubstr("Git LFS pointer; run git lfs pull")) << name;
    EXPECT_THAT(sentence(name, "<!DOCTYPE html><html>"), HasSubstr("web page")) << name;
    EXPECT_THAT(sentence(name, std::string("GGUF\3\0\0\0", 8)), HasSubstr("GGUF")) << name;
    EXPECT_THAT(sentence(name, "hello"), HasSubstr("a text")) << name;
  }
  EXPECT_THAT(sentence("model.safetensors", ""), HasSubstr("an empty file"));
  EXPECT_THAT(sentence("pytorch_model.bin", ""), HasSubstr("an empty file"));
  // Alone, without any configuration.
  fs::remove(folder.file("config.json"));
  const std::string gguf = folder.write("model.gguf", "GGUF" + std::string(99, '\0'));
  EXPECT_THAT(refusal([&] { load(gguf); }), HasSubstr("GGUF"));
  EXPECT_THAT(refusal([&] { load(folder.path()); }), HasSubstr("holds no config.json"));
  fs::create_directory(folder.file("model.safetensors"));
  fs::copy_file(kGolden + "/hf_fp32/config.json", folder.file("config.json"));
  EXPECT_THAT(refusal([&] { load(folder.path()); }), HasSubstr("model.safetensors: it is a folder"));
}

}  // namespace
}  // namespace farstate
