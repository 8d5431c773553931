// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/copying.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/stop.h"

namespace farstate {
namespace {

constexpr int64_t kLetters = 26;
// Of strings that are trained on, as in the task's public code.
constexpr int64_t kShortest = 5, kLongest = 20;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

// The letters before anything but letters and spaces.
std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (is_letter(c)) {
      letters += c;
    } else if (c != ' ') {
      break;
    }
  }
  return letters;
}

TaskSample sample_of(std::string_view letters) {
  TaskSample sample;
  std::string spaced;
  for (const char letter : letters) spaced.append(1, ' ').append(1, letter);
  const auto size = static_cast<int64_t>(spaced.size());
  sample.text = ">" + spaced + "|" + spaced + "\n";
  sample.evidence = {{1, 1 + size}};
  for (int64_t at = size + 2; at < 2 * size + 2; at += 2) sample.answers.push_back({at, at + 2});
  sample.target = letters;
  return sample;
}

class Copying : public Task {
 public:
  explicit Copying(const TaskConfig& config) {
    traits_.name = "copying";
    traits_.generates = true;
    traits_.predicts = true;
    traits_.longest = config.longest > 0 ? config.longest : kLongest;
    traits_.shortest = config.shortest > 0 ? config.shortest : std::min(kShortest, traits_.longest);
    traits_.unit = "letters";
  }

  const TaskTraits& traits() const override { return traits_; }

  // From half the longest string that is trained on to ten times that.
  std::vector<int64_t> lengths(int64_t) const override {
    const int64_t longest = traits_.longest;
    std::vector<int64_t> all = {std::max<int64_t>(longest / 2, 1), longest, 2 * longest,
                                16 * longest / 5, 5 * longest, 10 * longest};
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  TaskSample sample(const SampleRequest& request, Rng& numbers) const override {
    if (request.length < 1) {
      throw Error(ErrorKind::kBadUsage,
                  fmt::format("A string of {} letters is wanted to be copied, and the shortest has 1; "
                              "choose a longer one.",
                              request.length));
    }
    std::string letters;
    for (int64_t i = 0; i < request.length; ++i) {
      if (i % 4096 == 0) throw_if_stopped();
      letters += static_cast<char>('a' + numbers.below(kLetters));
    }
    return sample_of(letters);
  }

  Marks mark(const TaskSample& sample, std::string_view continuation) const override {
    const std::string copy = letters_of(continuation);
    const size_t common = std::min(copy.size(), sample.target.size());
    Marks marks;
    for (size_t i = 0; i < common; ++i) marks.correct += copy[i] == sample.target[i] ? 1 : 0;
    marks.total = static_cast<int64_t>(std::max(copy.size(), sample.target.size()));
    return marks;
  }

  bool ended(const TaskSample&, std::string_view continuation) const override {
    return std::any_of(continuation.begin(), continuation.end(),
                       [](char c) { return !is_letter(c) && c != ' '; });
  }

  std::string every_word() const override { return sample_of("abcdefghijklmnopqrstuvwxyz").text; }

 private:
  TaskTraits traits_;
};

}  // namespace

std::unique_ptr<Task> make_copying(const TaskConfig& config) {
  return std::make_unique<Copying>(config);
}

}  // namespace farstate
