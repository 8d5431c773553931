// SPDX-License-Identifier: GPL-3.0-or-later
// Answers BABILong's questions by reading sentences word by word, in the plainest way and without
// anything of core/tasks: the test of the stories' answers.
#pragma once

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace farstate::testing {

// Without marks: "Where", "is", "Mary".
inline std::vector<std::string> words_of(std::string sentence) {
  std::erase_if(sentence, [](char c) { return c == '.' || c == '?' || c == ','; });
  std::istringstream in(sentence);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class NaiveReader {
 public:
  void read(const std::string& sentence) {
    std::vector<std::string> w = words_of(sentence);
    if (w.size() > 3 && w.back() == "there") w.pop_back();
    const std::string verb = w.at(1);
    if (w.front() == "The") {
      relations_.push_back({w[1], w[3], w.back()});  // The A is north of the B
    } else if (verb == "is") {
      be(w);
    } else if (verb == "gave" || verb == "handed" || verb == "passed") {
      holder_[w[3]] = w.back();
      gifts_.push_back({w[0], w[3], w.back()});
    } else if (verb == "took" || verb == "got" || verb == "grabbed" || verb == "picked") {
      holder_[w.back()] = w[0];
      lying_.erase(w.back());
    } else if (verb == "dropped" || verb == "left" || verb == "discarded" || verb == "put") {
      holder_.erase(w.back());
      lying_[w.back()] = room_[w[0]];
    } else {
      room_[w[0]] = w.back();  // moved to the A
      said_[w[0]] = {"in", w.back()};
    }
    for (const std::string object : {"apple", "football", "milk", "basket", "hammer", "lantern"}) {
      const std::string place = place_of(object);
      std::vector<std::string>& path = path_[object];
      if (!place.empty() && (path.empty() || path.back() != place)) path.push_back(place);
    }
  }

  std::string answer(const std::string& question) {
    const std::vector<std::string> w = words_of(question);
    if (w[0] == "Where" && w[1] == "was") return place_before(w[3], w.back());
    if (w[0] == "Where" && w[2] == "the") return place_of(w[3]);
    if (w[0] == "Where") return room_[w[2]];
    if (w[0] == "How") return counted(w[4]);
    if (w[0] == "Is") return is_there(w[1], w.back());
    if (w[0] == "Who" || w[1] == "did") return of_gifts(w);
    if (w.back() == "carrying") return carried(w[2]);
    return of_relations(w);
  }

 private:
  using Words = std::vector<std::string>;

  void be(const Words& w) {
    if (w[2] == "either") {
      said_[w[0]] = {"either", w[5], w.back()};
    } else if (w[2] == "not" || w[2] == "no") {
      said_[w[0]] = {"not", w.back()};
    } else {
      said_[w[0]] = {"in", w.back()};
    }
  }
  std::string place_of(const std::string& object) {
    if (holder_.contains(object)) return room_[holder_[object]];
    return lying_.contains(object) ? lying_[object] : "";
  }
  std::string place_before(const std::string& object, const std::string& room) {
    const Words& path = path_[object];
    if (std::ranges::count(path, room) != 1) return "not clear";
    const auto at = std::ranges::find(path, room);
    return at == path.begin() ? "not known" : *(at - 1);
  }
  Words objects_of(const std::string& person) const {
    Words all;
    for (const auto& [object, holder] : holder_) {
      if (holder == person) all.push_back(object);
    }
    return all;
  }
  std::string counted(const std::string& person) const {
    const size_t n = objects_of(person).size();
    return n == 0 ? "none" : n == 1 ? "one" : n == 2 ? "two" : "three";
  }
  std::string carried(const std::string& person) const {
    std::string list;
    for (const std::string& object : objects_of(person)) list += (list.empty() ? "" : ",") + object;
    return list.empty() ? "nothing" : list;
  }
  std::string is_there(const std::string& person, const std::string& room) {
    const Words& said = said_[person];
    if (said.empty()) return "not known";
    const bool named = std::ranges::find(said.begin() + 1, said.end(), room) != said.end();
    if (said[0] == "either") return named ? "maybe" : "no";
    if (said[0] == "not") return named ? "no" : "not known";
    return named ? "yes" : "no";
  }
  // The one answer of all gifts that fit the question.
  std::string of_gifts(const Words& w) const {
    Words fitting;
    for (const Words& gift : gifts_) {
      const std::string &giver = gift[0], &object = gift[1], &receiver = gift[2];
      if (w[0] == "What") {  // What did A give to B
        if (w[2] == giver && w.back() == receiver) fitting.push_back(object);
      } else if (w[1] == "did") {  // Who did A give the O to
        if (w[2] == giver && w[5] == object) fitting.push_back(receiver);
      } else if (w[1] == "received") {  // Who received the O
        if (w[3] == object) fitting.push_back(receiver);
      } else if (w[3] == object && (w.size() == 4 || w.back() == receiver)) {  // Who gave the O (to B)
        fitting.push_back(giver);
      }
    }
    return fitting.size() == 1 ? fitting[0] : "not clear";
  }
  // Of every room that lies so, also where that was said from the other end.
  std::string of_relations(const Words& w) const {
    std::map<std::string, std::string> opposite = {
        {"north", "south"}, {"south", "north"}, {"east", "west"}, {"west", "east"}};
    const bool reversed = w[2] == "the";  // What is the A north of: the room that A is north of
    const std::string side = reversed ? opposite[w[4]] : w[2];
    const std::string& room = reversed ? w[3] : w.back();
    Words fitting;
    for (const Words& r : relations_) {
      if (r[1] == side && r[2] == room) fitting.push_back(r[0]);
      if (opposite[r[1]] == side && r[0] == room) fitting.push_back(r[2]);
    }
    return fitting.size() == 1 ? fitting[0] : "not clear";
  }

  std::map<std::string, std::string> room_, holder_, lying_;
  std::map<std::string, Words> path_, said_;
  std::vector<Words> gifts_, relations_;
};

inline std::string naive_answer(const std::vector<std::string>& facts,
                                const std::string& question) {
  NaiveReader reader;
  for (const std::string& fact : facts) reader.read(fact);
  return reader.answer(question);
}

}  // namespace farstate::testing
