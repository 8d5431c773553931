// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has set up in the window, as a file: enough to have it before one's eyes again.
// Neither weights nor curves are in it: these are loaded and measured anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/session/experiment_plan.h"
#include "core/session/generation.h"
#include "core/session/run_config.h"

namespace farstate::desktop {

inline constexpr const char* kSessionSuffix = "farstate-session";

struct SessionView {  // a choice of how something is shown, by the name of its control
  std::string name;
  int64_t chosen = 0;
  bool operator==(const SessionView&) const = default;
};

struct SessionSplit {  // how a splitter divides its room
  std::string name;
  std::vector<int64_t> sizes;
  bool operator==(const SessionSplit&) const = default;
};

struct SessionFocus {
  int64_t layer = 0, head = 0;
  std::optional<int64_t> pin_a, pin_b;
  bool operator==(const SessionFocus&) const = default;
};

struct Session {
  RunConfig recipe;  // of the base, where one of its twins is shown
  std::string twin;  // the law that the twin was post-trained with; empty: none is shown
  std::string page = "measure";
  std::optional<SessionFocus> focus;  // empty: nothing was looked at yet
  std::vector<SessionView> views;
  std::vector<SessionSplit> splits;
  std::vector<double> position_range;  // low and high of a view that is held; empty: it follows
  bool inspector = true;
  ExperimentPlan comparison;
  GenerationRequest generation;
  std::string story;  // its folder; empty: none is open
  int64_t story_step = 0;
  bool operator==(const Session&) const = default;
};

std::string to_json(const Session& session);
// `source` is the file's name in complaints. Throws Error(kBadInput).
Session session_from_json(const std::string& text, const std::string& source);

// Whole or not at all. Throw Error(kBadInput).
void write_session(const Session& session, const std::string& path);
Session read_session(const std::string& path);

}  // namespace farstate::desktop
