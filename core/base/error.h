// SPDX-License-Identifier: GPL-3.0-or-later
// The one exception type. It is thrown anywhere below app/ and caught once, at the boundary:
// app/terminal turns the kind into an exit code, the runner into RunState::Failed.
#pragma once

#include <stdexcept>
#include <string>

namespace farstate {

// The values are the exit codes of the terminal program.
enum class ErrorKind {
  kInternal = 1,
  kBadUsage = 2,      // an argument or a key of a recipe
  kBadInput = 3,      // a file that is missing, malformed or unfit
  kOutOfMemory = 4,
  kDiverged = 5,      // a number that is not finite in training or in a state
  kInterrupted = 130  // stopped by the person; what was complete is kept
};

// The message is one sentence for a person: which file, tensor or key, what was found, what was
// wanted, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

}  // namespace farstate
