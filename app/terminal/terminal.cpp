// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "core/base/error.h"

namespace farstate {
namespace {

// What the waiter waits for; SIGUSR2 is its own sign to end.
sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
}

void ProgressLine::show(const std::string& phase, double share) {
  show(share < 0 ? phase : fmt::format("{}  {:.0f} %", phase, 100 * share));
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

SignalStop::SignalStop() {
  const sigset_t set = signals();
  // Blocked here, before any other thread is started, and so in all of them but the waiter.
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  waiter_ = std::thread([this] { wait(); });
}

SignalStop::~SignalStop() {
  pthread_kill(waiter_.native_handle(), SIGUSR2);
  waiter_.join();
}

// Requesting a stop takes locks that a signal handler must not, so a thread waits for the signals.
void SignalStop::wait() {
  const sigset_t set = signals();
  int signal = 0;
  while (sigwait(&set, &signal) == 0 && signal != SIGUSR2) {
    if (source_.stop_requested()) _exit(static_cast<int>(ErrorKind::kInterrupted));
    source_.request_stop();
  }
}

std::string short_number(double value) {
  if (value >= 1e9) return fmt::format("{:.3g}G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::string short_bytes(double bytes) {
  if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes / 1e9);
  if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.0f} kB", bytes / 1e3);
}

}  // namespace farstate
