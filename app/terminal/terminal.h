// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees while a job runs: a progress line that rewrites itself on a terminal and is
// absent elsewhere, and Ctrl+C turned into a stop request.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace farstate {

// A line on standard error that is rewritten at most ten times a second. Silent when standard
// error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // clears the line
  void show(const std::string& text);
  void show(const std::string& phase, double share);  // "reading the text  42 %"
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// From construction on, SIGINT and SIGTERM request a stop; a second one ends the program at once.
class SignalStop {
 public:
  SignalStop();
  ~SignalStop();
  std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();

  std::stop_source source_;
  std::thread waiter_;
};

// "12.4k", "1.30M": three significant digits.
std::string short_number(double value);
std::string short_bytes(double bytes);

}  // namespace farstate
