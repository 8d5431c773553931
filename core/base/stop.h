// SPDX-License-Identifier: GPL-3.0-or-later
// One way to stop: a std::stop_token that every long phase checks. The token is scoped to the
// thread, so that operators deep below the session, and autograd's backward, which LibTorch runs
// on the calling thread for CPU graphs, can check it without passing it through every signature.
#pragma once

#include <stop_token>

namespace farstate {

// Makes `token` the calling thread's stop token for the lifetime of the object; scopes nest.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token token_;
  const std::stop_token* outer_;
};

// True once a stop was requested in the innermost scope of this thread.
bool stop_requested();

// Throws Error(kInterrupted) once a stop was requested. Cheap: one thread-local load and one
// atomic load, so it is called per layer and per segment, at least every 50 ms of work.
void throw_if_stopped();

}  // namespace farstate
