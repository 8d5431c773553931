// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/babilong_rules.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace farstate {
namespace {

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Where the part that counts ends; npos: it goes on.
size_t end_of_answer(std::string_view lower) {
  return std::min({lower.find('.'), lower.find("<context>"), lower.find("<example>")});
}

// A comma makes a list only in a target that is longer than a pair of letters ("n,w").
std::vector<std::string> listed(const std::string& target) {
  constexpr size_t kLongestPair = 3;
  std::vector<std::string> parts;
  size_t begin = 0;
  while (target.size() > kLongestPair) {
    const size_t comma = target.find(',', begin);
    if (comma == std::string::npos) break;
    parts.push_back(target.substr(begin, comma - begin));
    begin = comma + 1;
  }
  parts.push_back(target.substr(begin));
  return parts;
}

}  // namespace

const std::vector<std::string>& babilong_labels(std::string_view kind) {
  using Labels = std::vector<std::string>;
  static const Labels rooms = {"bathroom", "bedroom", "garden", "hallway", "kitchen", "office"};
  static const Labels yes_no = {"no", "yes"};
  static const std::map<std::string, Labels, std::less<>> by_kind = {
      {"qa1", rooms},
      {"qa2", rooms},
      {"qa3", rooms},
      {"qa4", rooms},
      {"qa5", {"bill", "fred", "jeff", "mary", "apple", "football", "milk"}},
      {"qa6", yes_no},
      {"qa7", {"none", "one", "three", "two"}},
      {"qa8", {"apple", "football", "milk", "nothing"}},
      {"qa9", yes_no},
      {"qa10", {"maybe", "no", "yes"}}};
  static const Labels none;
  const auto found = by_kind.find(kind);
  return found == by_kind.end() ? none : found->second;
}

bool babilong_right(std::string_view kind, std::string_view question, std::string_view target,
                    std::string_view output) {
  const std::string asked = lower_case(question);
  std::string answer = lower_case(output);
  answer.resize(std::min(answer.size(), end_of_answer(answer)));
  std::vector<std::string> named;
  for (const std::string& label : babilong_labels(kind)) {
    if (holds(answer, label) && !holds(asked, label)) named.push_back(label);
  }
  const std::vector<std::string> wanted = listed(lower_case(target));
  return named.size() == wanted.size() && std::ranges::all_of(wanted, [&](const std::string& part) {
           return std::ranges::find(named, part) != named.end();
         });
}

bool babilong_ended(std::string_view output) {
  return end_of_answer(lower_case(output)) != std::string::npos;
}

bool is_babilong_target(std::string_view kind, std::string_view target) {
  const std::vector<std::string>& labels = babilong_labels(kind);
  return std::ranges::all_of(listed(lower_case(target)), [&](const std::string& part) {
    return std::ranges::find(labels, part) != labels.end();
  });
}

}  // namespace farstate
