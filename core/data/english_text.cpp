// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/english_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/rng.h"

namespace farstate {
namespace {

constexpr std::array kWomen = {
    "Mara", "Anna", "Bella", "Clara", "Dora", "Edith", "Fanny", "Greta", "Hilda", "Irma", "Julia",
    "Katie", "Lena", "Molly", "Nora", "Olga", "Paula", "Rosa", "Sally", "Tilda", "Ursula", "Vera",
    "Wanda", "Zoe"};
constexpr std::array kMen = {
    "Tobin", "Adam", "Basil", "Caleb", "Daniel", "Edgar", "Felix", "George", "Henry", "Ivan",
    "Jonas", "Karl", "Leo", "Martin", "Ned", "Oscar", "Peter", "Ralph", "Simon", "Thomas",
    "Urban", "Victor", "Walter", "Yorick"};
constexpr std::array kTrades = {
    "baker", "smith", "miller", "tailor", "weaver", "potter", "fisher", "hunter", "farmer",
    "doctor", "teacher", "painter", "singer", "sailor", "soldier", "shepherd", "cook", "mason",
    "judge", "gardener", "carpenter", "monk", "merchant", "barber", "butcher", "clerk", "porter",
    "piper", "cobbler", "brewer", "printer", "jeweler"};
constexpr std::array kKinds = {
    "red", "blue", "green", "black", "white", "brown", "yellow", "purple", "golden", "silver",
    "wooden", "glass", "stone", "paper", "small", "big", "heavy", "light", "round", "long",
    "thin", "broken", "shiny", "dusty", "rusty", "torn", "plain", "warm", "carved", "painted",
    "striped", "precious"};
constexpr std::array kThings = {
    "kettle", "lantern", "ring", "cup", "book", "clock", "bell", "box", "basket", "hat", "coat",
    "shoe", "rope", "key", "knife", "plate", "bottle", "coin", "map", "drum", "flag", "flute",
    "spoon", "mirror", "chair", "candle", "lamp", "hammer", "ladder", "letter", "mask", "needle",
    "pillow", "purse", "saddle", "blanket", "sword", "shovel", "table", "whistle", "button",
    "toy", "vase", "wheel", "comb", "feather", "necklace", "cage"};
constexpr std::array kPlaces = {
    "mill", "harbor", "market", "bridge", "tower", "church", "school", "forest", "river", "lake",
    "well", "garden", "inn", "castle", "cave", "barn", "shop", "beach", "station", "hill",
    "field", "orchard", "temple", "prison", "palace", "library", "stable", "cellar", "gate",
    "kitchen", "square", "camp"};
constexpr std::array kRemarks = {
    "It began to rain", "The night was cold", "The day was warm", "A week went by",
    "Soon it was evening", "The wind blew hard", "Morning came", "Snow fell all night"};
constexpr std::array kMoods = {
    "glad", "sad", "tired", "angry", "proud", "hungry", "afraid", "calm"};

struct Person {
  std::string name, trade;
  bool woman = false;
  size_t place = 0;
};

struct Thing {
  std::string kind, name;
  std::optional<size_t> holder;  // a person; else it lies at `place`
  size_t place = 0;
};

class Story {
 public:
  explicit Story(Rng& rng) : rng_(rng) {}

  std::string tell() {
    open();
    while (tokens_ < kStoryTokensMin - kClosingTokens) {
      const bool behind = static_cast<double>(news_) < kNewsPerToken * static_cast<double>(tokens_);
      const bool told = chance(behind ? 0.8 : 0.1) ? tell_news() : tell_more();
      if (!told && chance(0.3)) remark();
    }
    close();
    return std::move(text_);
  }

 private:
  static constexpr int64_t kClosingTokens = 9;
  static constexpr double kNewsPerToken = 0.16;
  static constexpr size_t kMost = 3;  // people, things, places

  bool chance(double p) { return rng_.uniform() < p; }
  size_t below(size_t bound) {
    return static_cast<size_t>(rng_.below(static_cast<int64_t>(bound)));
  }
  template <typename List>
  std::string any(const List& list) {
    return list[below(list.size())];
  }
  template <typename List>
  std::string fresh(const List& list);

  void say(std::string_view sentence);
  std::string subject(size_t person);
  std::string called(size_t person);
  std::string the(size_t thing) const {
    return "the " + things_[thing].kind + " " + things_[thing].name;
  }
  std::string at(size_t place) const { return " at the " + places_[place]; }
  std::string perhaps_at(size_t place) { return chance(0.4) ? at(place) : ""; }

  size_t new_place() {
    places_.push_back(fresh(kPlaces));
    return places_.size() - 1;
  }
  std::string new_person(size_t place);
  std::string new_thing(size_t holder);

  void open();
  bool tell_news();
  void meet(size_t person);
  void find_thing(size_t person);
  bool tell_more();
  bool tell_of_one(size_t person);
  void tell_of_two(size_t person);
  void tell_of_thing(size_t thing);
  void tell_of_lying(size_t thing);
  void tell_of_owner(size_t owner, size_t thing);
  void remark();
  void close();

  Rng& rng_;
  std::string text_;
  int64_t tokens_ = 0;
  int64_t news_ = 0;  // words that were chosen freely
  std::vector<std::string> used_, places_;
  std::vector<Person> people_;
  std::vector<Thing> things_;
  std::optional<size_t> subject_;  // the person that the last sentence was about
};

// A word of the list that this story has not used.
template <typename List>
std::string Story::fresh(const List& list) {
  std::string word;
  do {
    word = any(list);
  } while (std::ranges::find(used_, word) != used_.end());
  ++news_;
  return used_.emplace_back(word);
}

void Story::say(std::string_view sentence) {
  if (!text_.empty()) text_ += ' ';
  text_ += sentence;
  text_ += '.';
  tokens_ += 2 + std::ranges::count(sentence, ' ');
}

std::string Story::subject(size_t person) {
  const bool again = subject_ == person && chance(0.4);
  subject_ = person;
  if (again) return people_[person].woman ? "She" : "He";
  return called(person);
}

std::string Story::called(size_t person) {
  const Person& p = people_[person];
  return chance(0.7) ? p.name + " the " + p.trade : p.name;
}

std::string Story::new_person(size_t place) {
  Person p;
  p.woman = chance(0.5);
  p.trade = fresh(kTrades);
  p.name = p.woman ? fresh(kWomen) : fresh(kMen);
  p.place = place;
  people_.push_back(p);
  return "a " + p.trade + " named " + p.name;
}

std::string Story::new_thing(size_t holder) {
  Thing thing;
  thing.kind = fresh(kKinds);
  thing.name = fresh(kThings);
  thing.holder = holder;
  things_.push_back(thing);
  return "a " + thing.kind + " " + thing.name;
}

void Story::open() {
  const size_t place = new_place();
  const std::string hero = new_person(place);
  const std::array ways = {"Once " + hero + " lived by the ", "Long ago " + hero + " lived by the ",
                           "One day " + hero + " came to the "};
  say(any(ways) + places_[place]);
  subject_ = 0;
  if (chance(0.5)) {
    find_thing(0);
  } else if (chance(0.8)) {
    meet(0);
  }
}

bool Story::tell_news() {
  const size_t person = below(people_.size());
  switch (below(4)) {
    case 0:
      if (people_.size() == kMost) return false;
      meet(person);
      return true;
    case 1:
      if (places_.size() == kMost) return false;
      people_[person].place = new_place();
      say(subject(person) + " went to the " + places_.back());
      return true;
    default:
      if (things_.size() == kMost) return false;
      find_thing(person);
      return true;
  }
}

void Story::meet(size_t person) {
  const size_t place = people_[person].place;
  const std::string one = subject(person);
  const std::string other = new_person(place);
  say(one + " met " + other + perhaps_at(place));
}

void Story::find_thing(size_t person) {
  const std::string one = subject(person);
  const std::string thing = new_thing(person);
  const std::array ways = {" found ", " bought ", " made "};
  const std::string did = any(ways);
  say(one + did + thing + perhaps_at(people_[person].place));
}

bool Story::tell_more() {
  if (chance(0.1)) return false;
  if (!things_.empty() && chance(0.7)) {
    tell_of_thing(below(things_.size()));
    return true;
  }
  const size_t person = below(people_.size());
  if (people_.size() == 1 || chance(0.5)) return tell_of_one(person);
  tell_of_two(person);
  return true;
}

bool Story::tell_of_one(size_t person) {
  const size_t place = below(places_.size());
  if (place != people_[person].place) {
    people_[person].place = place;
    say(subject(person) + " went back to the " + places_[place]);
    return true;
  }
  if (chance(0.5)) return false;
  const std::string one = subject(person);
  say(one + (chance(0.3) ? " stayed" + at(place) : " was " + any(kMoods)));
  return true;
}

void Story::tell_of_two(size_t person) {
  const size_t other = (person + 1 + below(people_.size() - 1)) % people_.size();
  const size_t place = people_[other].place;
  const std::string one = subject(person);
  if (people_[person].place == place) {
    const std::array ways = {" sat down with ", " talked to ", " ate with "};
    const std::string did = any(ways);
    const std::string two = called(other);
    say(one + did + two + perhaps_at(place));
  } else {
    people_[person].place = place;
    say(one + " followed " + called(other) + " to the " + places_[place]);
  }
}

void Story::tell_of_thing(size_t index) {
  Thing& thing = things_[index];
  if (!thing.holder) return tell_of_lying(index);
  const size_t owner = *thing.holder;
  const size_t other = below(people_.size());
  if (other == owner) return tell_of_owner(owner, index);
  if (people_[other].place == people_[owner].place) {
    thing.holder = other;
    const std::string one = subject(owner);
    const std::string gave = chance(0.3) ? " sold " : " gave ";
    say(one + gave + the(index) + " to " + called(other));
  } else {
    const std::string one = subject(other);
    say(one + " asked " + called(owner) + " for " + the(index));
  }
}

void Story::tell_of_lying(size_t index) {
  Thing& thing = things_[index];
  const size_t person = below(people_.size());
  if (people_[person].place == thing.place) {
    thing.holder = person;
    say(subject(person) + " took " + the(index) + " from the " + places_[thing.place]);
  } else if (chance(0.5)) {
    subject_.reset();
    say("The " + thing.kind + " " + thing.name + " was still" + at(thing.place));
  } else {
    people_[person].place = thing.place;
    say(subject(person) + " looked for " + the(index) + at(thing.place));
  }
}

void Story::tell_of_owner(size_t owner, size_t index) {
  const size_t way = below(4);
  const std::string one = subject(owner);
  switch (way) {
    case 0:
      things_[index].holder.reset();
      things_[index].place = people_[owner].place;
      say(one + " left " + the(index) + at(people_[owner].place));
      break;
    case 1: say(one + " was proud of " + the(index)); break;
    case 2: say(one + " sat down and looked at " + the(index)); break;
    default: say(one + " still had " + the(index));
  }
}

void Story::remark() {
  say(any(kRemarks));
  subject_.reset();
}

void Story::close() {
  const size_t person = below(people_.size());
  const bool of_person = things_.empty() || chance(0.5);
  say("So ends the tale of " +
      (of_person ? people_[person].name + " the " + people_[person].trade
                 : the(below(things_.size()))));
}

}  // namespace

std::string english_text(uint64_t seed, int64_t bytes) {
  Rng rng(seed, RngStream::kEnglishText);
  std::string text;
  while (true) {
    const std::string story = Story(rng).tell() + '\n';
    if (static_cast<int64_t>(text.size() + story.size()) > bytes) return text;
    text += story;
  }
}

}  // namespace farstate
