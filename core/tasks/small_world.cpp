// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/small_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/base/error.h"

namespace farstate {
namespace {

constexpr int64_t kNobody = -1, kSomewhere = -1, kNever = -1;

enum class Deed { kMove, kTake, kDrop, kGive };

const std::vector<const char*> kMoved = {"moved to", "went to", "journeyed to", "travelled to",
                                         "went back to"};
const std::vector<const char*> kTook = {"took", "got", "grabbed", "picked up"};
const std::vector<const char*> kDropped = {"dropped", "left", "discarded", "put down"};
const std::vector<const char*> kGave = {"gave", "handed", "passed"};
const std::vector<const char*> kSides = {"north", "east", "south", "west"};  // opposite: 2 further

template <typename T>
const T& one_of(const std::vector<T>& choices, Rng& numbers) {
  return choices[static_cast<size_t>(numbers.below(std::ssize(choices)))];
}

struct Event {
  Deed deed;
  int64_t who = 0;
  int64_t object = 0;  // but for a move
  int64_t to = 0;      // a move's room, a gift's receiver
  int64_t arrived = kNever;  // the event by which the person had come to where this happens
};

// Where an object has been, one room after another.
struct Stay {
  int64_t room = kSomewhere;
  int64_t arrived = kNever;  // the event by which its carrier came there
  int64_t taken = kNever;    // the event by which that carrier had it
};

// What happens, and how things stand after it. All begin at one place that is not told.
class World {
 public:
  explicit World(const Cast& cast)
      : cast_(cast), room_(cast.people.size(), kSomewhere), arrived_(cast.people.size(), kNever),
        holder_(cast.objects.size(), kNobody), touched_(cast.objects.size(), kNever),
        stays_(cast.objects.size()) {}

  int64_t people() const { return std::ssize(room_); }
  int64_t objects() const { return std::ssize(holder_); }
  const std::vector<Event>& events() const { return events_; }
  int64_t room(int64_t who) const { return room_[index(who)]; }
  int64_t arrived(int64_t who) const { return arrived_[index(who)]; }
  int64_t holder(int64_t object) const { return holder_[index(object)]; }
  // The event by which the object came to its holder, or was left.
  int64_t touched(int64_t object) const { return touched_[index(object)]; }
  const std::vector<Stay>& stays(int64_t object) const { return stays_[index(object)]; }

  bool can(const Event& e) const {
    switch (e.deed) {
      case Deed::kMove: return room(e.who) != e.to;
      case Deed::kTake:
        return holder(e.object) == kNobody &&
               (stays(e.object).empty() || stays(e.object).back().room == room(e.who));
      case Deed::kDrop: return holder(e.object) == e.who;
      case Deed::kGive:
        return holder(e.object) == e.who && e.to != e.who && room(e.to) == room(e.who);
    }
    return false;
  }

  void happen(Event e) {
    const int64_t now = std::ssize(events_);
    e.arrived = arrived(e.who);
    events_.push_back(e);
    if (e.deed == Deed::kMove) {
      room_[index(e.who)] = e.to;
      arrived_[index(e.who)] = now;
      for (int64_t o = 0; o < objects(); ++o) {
        if (holder(o) == e.who) stays_[index(o)].push_back({e.to, now, touched(o)});
      }
      return;
    }
    if (stays(e.object).empty()) stays_[index(e.object)].push_back({room(e.who), e.arrived, now});
    touched_[index(e.object)] = now;
    holder_[index(e.object)] = e.deed == Deed::kDrop   ? kNobody
                               : e.deed == Deed::kTake ? e.who
                                                       : e.to;
  }

  const std::string& person(int64_t i) const { return cast_.people[index(i)]; }
  const std::string& room_name(int64_t i) const { return cast_.rooms[index(i)]; }
  const std::string& object(int64_t i) const { return cast_.objects[index(i)]; }

 private:
  static size_t index(int64_t i) { return static_cast<size_t>(i); }

  const Cast& cast_;
  std::vector<Event> events_;
  std::vector<int64_t> room_, arrived_;    // by person
  std::vector<int64_t> holder_, touched_;  // by object
  std::vector<std::vector<Stay>> stays_;
};

struct Weights {  // of what happens next
  int64_t move, take, drop, give;
};

World live(const Cast& cast, const Weights& weights, int64_t facts, Rng& numbers) {
  World world(cast);
  while (std::ssize(world.events()) < facts) {
    const int64_t drawn = numbers.below(weights.move + weights.take + weights.drop + weights.give);
    Event e{drawn < weights.move                                 ? Deed::kMove
            : drawn < weights.move + weights.take                ? Deed::kTake
            : drawn < weights.move + weights.take + weights.drop ? Deed::kDrop
                                                                 : Deed::kGive};
    e.who = numbers.below(world.people());
    e.object = numbers.below(world.objects());
    e.to = numbers.below(e.deed == Deed::kMove ? std::ssize(cast.rooms) : world.people());
    if (world.can(e)) world.happen(e);
  }
  return world;
}

std::string told(const World& world, const Event& e, Rng& numbers) {
  const std::string& who = world.person(e.who);
  const auto deed = [&](const std::vector<const char*>& verbs) {
    // Half of them say "there", as people do.
    return fmt::format("{} {} the {}{}.", who, one_of(verbs, numbers), world.object(e.object),
                       numbers.below(2) == 0 ? " there" : "");
  };
  switch (e.deed) {
    case Deed::kMove:
      return fmt::format("{} {} the {}.", who, one_of(kMoved, numbers), world.room_name(e.to));
    case Deed::kTake: return deed(kTook);
    case Deed::kDrop: return deed(kDropped);
    case Deed::kGive:
      return fmt::format("{} {} the {} to {}.", who, one_of(kGave, numbers),
                         world.object(e.object), world.person(e.to));
  }
  return {};
}

struct Question {
  std::string text, answer;
  std::vector<int64_t> supporting;
};

Question question(std::string text, std::string answer, std::vector<int64_t> supporting) {
  std::ranges::sort(supporting);
  return {std::move(text), std::move(answer), std::move(supporting)};
}

std::vector<Question> where_is_a_person(const World& world) {
  std::vector<Question> all;
  for (int64_t p = 0; p < world.people(); ++p) {
    if (world.room(p) == kSomewhere) continue;
    all.push_back(question(fmt::format("Where is {}?", world.person(p)),
                           world.room_name(world.room(p)), {world.arrived(p)}));
  }
  return all;
}

std::vector<Question> where_is_an_object(const World& world) {
  std::vector<Question> all;
  for (int64_t o = 0; o < world.objects(); ++o) {
    const int64_t touched = world.touched(o);
    if (touched == kNever || world.stays(o).back().room == kSomewhere) continue;
    const int64_t holder = world.holder(o);
    const int64_t arrived = holder == kNobody
                                ? world.events()[static_cast<size_t>(touched)].arrived
                                : world.arrived(holder);
    all.push_back(question(fmt::format("Where is the {}?", world.object(o)),
                           world.room_name(world.stays(o).back().room), {touched, arrived}));
  }
  return all;
}

// Of rooms where the object has been once: else "before" could mean two of them.
std::vector<Question> where_was_an_object(const World& world) {
  std::vector<Question> all;
  for (int64_t o = 0; o < world.objects(); ++o) {
    const std::vector<Stay>& stays = world.stays(o);
    for (size_t i = 1; i < stays.size(); ++i) {
      const auto same = [&](const Stay& stay) { return stay.room == stays[i].room; };
      if (stays[i - 1].room == kSomewhere || std::ranges::count_if(stays, same) != 1) continue;
      const Event& move = world.events()[static_cast<size_t>(stays[i].arrived)];
      all.push_back(question(fmt::format("Where was the {} before the {}?", world.object(o),
                                         world.room_name(stays[i].room)),
                             world.room_name(stays[i - 1].room),
                             {move.arrived, stays[i].taken, stays[i].arrived}));
    }
  }
  return all;
}

// Questions that one gift alone answers.
std::vector<Question> who_gave_what(const World& world, int64_t form) {
  std::vector<Question> all;
  const auto asked_alike = [&](const Event& a, const Event& b) {
    if (a.deed != b.deed) return false;
    switch (form) {
      case 0: return a.who == b.who && a.to == b.to;
      case 1: return a.object == b.object && a.to == b.to;
      case 2: return a.object == b.object && a.who == b.who;
      default: return a.object == b.object;
    }
  };
  for (int64_t i = 0; i < std::ssize(world.events()); ++i) {
    const Event& gift = world.events()[static_cast<size_t>(i)];
    const auto alike = [&](const Event& other) { return asked_alike(gift, other); };
    if (gift.deed != Deed::kGive || std::ranges::count_if(world.events(), alike) != 1) continue;
    const std::string &giver = world.person(gift.who), &object = world.object(gift.object),
                      &receiver = world.person(gift.to);
    const std::string texts[] = {fmt::format("What did {} give to {}?", giver, receiver),
                                 fmt::format("Who gave the {} to {}?", object, receiver),
                                 fmt::format("Who did {} give the {} to?", giver, object),
                                 fmt::format("Who gave the {}?", object),
                                 fmt::format("Who received the {}?", object)};
    const std::string& answer = form == 0 ? object : form == 1 || form == 3 ? giver : receiver;
    all.push_back(question(texts[form], answer, {i}));
  }
  return all;
}

// A wrong room is one that the story names, where it names another.
std::vector<Question> is_a_person_there(const World& world, bool yes, Rng& numbers) {
  std::vector<Question> all;
  for (int64_t p = 0; p < world.people(); ++p) {
    if (world.room(p) == kSomewhere) continue;
    std::vector<int64_t> others;
    for (const Event& e : world.events()) {
      if (e.deed == Deed::kMove && e.to != world.room(p)) others.push_back(e.to);
    }
    if (!yes && others.empty()) continue;
    all.push_back(question(
        fmt::format("Is {} in the {}?", world.person(p),
                    world.room_name(yes ? world.room(p) : one_of(others, numbers))),
        yes ? "yes" : "no", {world.arrived(p)}));
  }
  return all;
}

// People who had something once and hold so many objects now.
std::vector<Question> what_a_person_carries(const World& world, int64_t carried, bool count) {
  std::vector<Question> all;
  for (int64_t p = 0; p < world.people(); ++p) {
    std::string list;
    int64_t held = 0;
    for (int64_t o = 0; o < world.objects(); ++o) {
      if (world.holder(o) != p) continue;
      list += fmt::format("{}{}", list.empty() ? "" : ",", world.object(o));
      ++held;
    }
    std::vector<int64_t> supporting;
    for (int64_t i = 0; i < std::ssize(world.events()); ++i) {
      const Event& e = world.events()[static_cast<size_t>(i)];
      if (e.deed == Deed::kMove) continue;
      if (e.who == p || (e.deed == Deed::kGive && e.to == p)) supporting.push_back(i);
    }
    if (held != carried || supporting.empty()) continue;
    constexpr const char* kCounts[] = {"none", "one", "two"};
    if (count) {
      all.push_back(question(fmt::format("How many objects is {} carrying?", world.person(p)),
                             kCounts[held], supporting));
    } else {
      all.push_back(question(fmt::format("What is {} carrying?", world.person(p)),
                             held == 0 ? "nothing" : list, supporting));
    }
  }
  return all;
}

// Two neighbours of one room, at different sides of it. Each of the two facts may be told from
// either end; the question repeats one of them with a word left out.
Story two_relations(const Cast& cast, Rng& numbers) {
  std::vector<std::string> rooms = cast.rooms;
  for (size_t i = 0; i < 3; ++i) {
    std::swap(rooms[i], rooms[i + static_cast<size_t>(numbers.below(std::ssize(rooms) -
                                                                    static_cast<int64_t>(i)))]);
  }
  const std::string& middle = rooms[0];
  const int64_t first_side = numbers.below(4);
  const int64_t sides[] = {first_side, (first_side + 1 + numbers.below(3)) % 4};
  const int64_t asked = numbers.below(2);
  Story story;
  for (int64_t i = 0; i < 2; ++i) {
    const std::string& neighbour = rooms[static_cast<size_t>(i + 1)];
    const bool from_middle = numbers.below(2) == 0;
    const std::string side = kSides[static_cast<size_t>((sides[i] + (from_middle ? 2 : 0)) % 4)];
    story.facts.push_back(fmt::format("The {} is {} of the {}.", from_middle ? middle : neighbour,
                                      side, from_middle ? neighbour : middle));
    if (i != asked) continue;
    story.question = from_middle ? fmt::format("What is the {} {} of?", middle, side)
                                 : fmt::format("What is {} of the {}?", side, middle);
    story.answer = neighbour;
    story.supporting = {i};
  }
  return story;
}

// People of whom is told where they are, where they are not (qa9), or two rooms of which they are
// in one (qa10). What was told last of a person counts.
struct Whereabouts {
  enum Kind { kIn, kNotIn, kEither } kind = kIn;
  int64_t who = 0, room = 0, other = 0;
};

std::string told(const Whereabouts& w, const Cast& cast, Rng& numbers) {
  const std::string& who = cast.people[static_cast<size_t>(w.who)];
  const std::string& room = cast.rooms[static_cast<size_t>(w.room)];
  switch (w.kind) {
    case Whereabouts::kNotIn:
      return fmt::format("{} is {} in the {}.", who,
                         numbers.below(2) == 0 ? "not" : "no longer", room);
    case Whereabouts::kEither:
      return fmt::format("{} is either in the {} or the {}.", who, room,
                         cast.rooms[static_cast<size_t>(w.other)]);
    case Whereabouts::kIn: break;
  }
  if (numbers.below(2) == 0) return fmt::format("{} is in the {}.", who, room);
  return fmt::format("{} {} the {}.", who, one_of(kMoved, numbers), room);
}

// The answer to "is he in that room?"; none where nothing follows.
std::optional<std::string> is_there(const Whereabouts& last, int64_t room) {
  const bool named = room == last.room || (last.kind == Whereabouts::kEither && room == last.other);
  switch (last.kind) {
    case Whereabouts::kIn: return named ? "yes" : "no";
    case Whereabouts::kEither: return named ? "maybe" : "no";
    case Whereabouts::kNotIn: break;
  }
  if (named) return "no";
  return std::nullopt;
}

Story uncertain_story(const Cast& cast, Whereabouts::Kind unsure,
                      const std::vector<std::string>& answers, int64_t facts, Rng& numbers) {
  const std::string wanted = one_of(answers, numbers);
  const auto rooms = std::ssize(cast.rooms);
  while (true) {
    Story story;
    std::vector<Whereabouts> last(cast.people.size());
    std::vector<int64_t> when(cast.people.size(), kNever);
    for (int64_t i = 0; i < facts; ++i) {
      Whereabouts w{numbers.below(2) == 0 ? unsure : Whereabouts::kIn,
                    numbers.below(std::ssize(cast.people)), numbers.below(rooms)};
      w.other = (w.room + 1 + numbers.below(rooms - 1)) % rooms;
      story.facts.push_back(told(w, cast, numbers));
      last[static_cast<size_t>(w.who)] = w;
      when[static_cast<size_t>(w.who)] = i;
    }
    const auto asked = static_cast<size_t>(numbers.below(std::ssize(cast.people)));
    const int64_t room = numbers.below(rooms);
    if (when[asked] == kNever || is_there(last[asked], room) != wanted) continue;
    story.question = fmt::format("Is {} in the {}?", cast.people[asked],
                                 cast.rooms[static_cast<size_t>(room)]);
    story.answer = wanted;
    story.supporting = {when[asked]};
    return story;
  }
}

// One life after another, until one leaves a question to ask.
template <typename Ask>
Story lived_story(const Cast& cast, const Weights& weights, int64_t facts, Rng& numbers,
                  const Ask& ask) {
  while (true) {
    const World world = live(cast, weights, facts, numbers);
    const std::vector<Question> questions = ask(world);
    if (questions.empty()) continue;
    const Question& chosen = one_of(questions, numbers);
    Story story{{}, chosen.supporting, chosen.text, chosen.answer};
    for (const Event& e : world.events()) story.facts.push_back(told(world, e, numbers));
    return story;
  }
}

}  // namespace

const Cast& cast_of(std::string_view kind) {
  static const std::vector<std::string> rooms = {"bathroom", "bedroom", "garden",
                                                 "hallway",  "kitchen", "office"};
  static const std::vector<std::string> objects = {"apple", "football", "milk"};
  static const Cast usual = {{"Mary", "John", "Daniel", "Sandra"}, rooms, objects};
  static const Cast of_gifts = {{"Bill", "Fred", "Jeff", "Mary"}, rooms, objects};
  return kind == "qa5" ? of_gifts : usual;
}

const Cast& cast_of_examples() {
  static const Cast cast = {{"Anna", "Peter", "Helen", "Simon"},
                            {"attic", "barn", "cellar", "library", "pantry", "stable"},
                            {"basket", "hammer", "lantern"}};
  return cast;
}

FactRange facts_of(std::string_view kind) {
  static const std::map<std::string, FactRange, std::less<>> ranges = {
      {"qa1", {2, 10}}, {"qa2", {2, 20}}, {"qa3", {4, 32}}, {"qa4", {2, 2}},  {"qa5", {2, 20}},
      {"qa6", {2, 14}}, {"qa7", {2, 20}}, {"qa8", {2, 20}}, {"qa9", {2, 10}}, {"qa10", {2, 10}}};
  const auto found = ranges.find(kind);
  return found == ranges.end() ? FactRange{} : found->second;
}

Story tell_story(std::string_view kind, const Cast& cast, int64_t facts, Rng& numbers) {
  const auto lived = [&](const Weights& weights, const auto& ask) {
    return lived_story(cast, weights, facts, numbers, ask);
  };
  if (kind == "qa1") return lived({1, 0, 0, 0}, where_is_a_person);
  if (kind == "qa2") return lived({5, 3, 2, 0}, where_is_an_object);
  if (kind == "qa3") return lived({6, 3, 1, 0}, where_was_an_object);
  if (kind == "qa4") return two_relations(cast, numbers);
  if (kind == "qa5") {
    // An object is asked for as often as there are objects among the answers.
    const int64_t objects = std::ssize(cast.objects), people = std::ssize(cast.people);
    const int64_t form = numbers.below(objects + people) < objects ? 0 : 1 + numbers.below(4);
    return lived({3, 3, 1, 3}, [&](const World& world) { return who_gave_what(world, form); });
  }
  if (kind == "qa6") {
    const bool yes = numbers.below(2) == 0;
    return lived({7, 2, 1, 0},
                 [&](const World& world) { return is_a_person_there(world, yes, numbers); });
  }
  if (kind == "qa7" || kind == "qa8") {
    const int64_t carried = numbers.below(3);
    return lived({2, 4, 2, 2}, [&](const World& world) {
      return what_a_person_carries(world, carried, kind == "qa7");
    });
  }
  if (kind == "qa9") {
    return uncertain_story(cast, Whereabouts::kNotIn, {"no", "yes"}, facts, numbers);
  }
  if (kind == "qa10") {
    return uncertain_story(cast, Whereabouts::kEither, {"maybe", "no", "yes"}, facts, numbers);
  }
  throw Error(ErrorKind::kInternal, fmt::format("There are no stories of the kind {}.", kind));
}

std::string every_word_of_stories(std::string_view kind, const Cast& cast) {
  // Enough that with these numbers no word is missing; a test holds that.
  constexpr int64_t kStories = 200;
  Rng numbers(0, RngStream::kTaskText);
  std::set<std::string> seen;
  std::string text;
  for (int64_t i = 0; i < kStories; ++i) {
    const Story story = tell_story(kind, cast, facts_of(kind).most, numbers);
    for (const std::string& fact : story.facts) {
      // After a line feed and after a space.
      if (seen.insert(fact).second) text += fact + ' ' + fact + '\n';
    }
    text += fmt::format("{} {}.\n", story.question, story.answer);
  }
  return text;
}

}  // namespace farstate
