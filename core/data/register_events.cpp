// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/register_events.h"

#include <array>

namespace farstate {
namespace {

constexpr std::array kKeyWords = {
    " lamp",  " door",   " cup",    " key",    " book",   " chair",  " table", " clock",
    " bell",  " box",    " bag",    " hat",    " coat",   " shoe",   " ring",  " rope",
    " boat",  " car",    " train",  " bridge", " tower",  " wall",   " gate",  " roof",
    " floor", " bed",    " desk",   " shelf",  " stone",  " tree",   " leaf",  " seed",
    " bird",  " cat",    " dog",    " horse",  " fish",   " cow",    " sheep", " wolf",
    " bear",  " fox",    " farm",   " field",  " hill",   " lake",   " river", " road",
    " park",  " shop",   " school", " church", " bank",   " ship",   " plane", " wheel",
    " drum",  " flag",   " knife",  " plate",  " bottle", " garden", " coin",  " map"};
constexpr std::array kValueWords = {
    " red",   " blue",  " green",  " black",  " white",  " brown", " pink",  " gold",
    " silver", " purple", " orange", " yellow", " warm",  " cold",  " wet",   " dry",
    " old",   " new",   " big",    " small",  " tall",   " short", " thin",  " thick",
    " soft",  " hard",  " dark",   " clean",  " full",   " empty", " open",  " round"};

}  // namespace

std::span<const char* const> register_keys() { return kKeyWords; }
std::span<const char* const> register_values() { return kValueWords; }

RegisterEvents::RegisterEvents(int64_t keys, double change_probability, Rng& numbers)
    : change_probability_(change_probability),
      numbers_(numbers),
      values_(static_cast<size_t>(keys), -1) {}

RegisterEvent RegisterEvents::next() {
  constexpr auto kValues = static_cast<int64_t>(kValueWords.size());
  RegisterEvent event;
  event.key = static_cast<size_t>(numbers_.below(static_cast<int64_t>(values_.size())));
  int64_t& value = values_[event.key];
  if (value < 0) {
    value = numbers_.below(kValues);
  } else if (numbers_.uniform() < change_probability_) {
    value = (value + 1 + numbers_.below(kValues - 1)) % kValues;
  } else {
    event.known = true;
  }
  event.value = static_cast<size_t>(value);
  return event;
}

GeneratedText register_text(uint64_t seed, int64_t bytes) {
  constexpr int64_t kKeys = 32;
  constexpr double kChange = 0.05;
  Rng numbers(seed, RngStream::kRegisterText);
  RegisterEvents events(kKeys, kChange, numbers);
  std::vector<int64_t> last(kKeys);  // where the event of each key begins
  GeneratedText made;
  while (true) {
    const RegisterEvent event = events.next();
    const std::string_view key = kKeyWords[event.key], value = kValueWords[event.value];
    const auto begin = static_cast<int64_t>(made.text.size());
    const int64_t middle = begin + static_cast<int64_t>(key.size());
    const int64_t end = middle + static_cast<int64_t>(value.size());
    if (end > bytes) return made;
    made.text.append(key).append(value);
    if (event.known) made.known.push_back({middle, end, last[event.key]});
    last[event.key] = begin;
  }
}

}  // namespace farstate
