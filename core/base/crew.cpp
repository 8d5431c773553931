// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/crew.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace farstate {
namespace {

using Clock = std::chrono::steady_clock;

thread_local bool working = false;  // on a piece of work of the crew

// Looks for `there` to hold, for Crew::kPatience at most. The first looks follow one another
// closely; later ones let other threads of this core run in between.
template <class Condition>
bool soon(const Condition& there) {
  constexpr int kCloseLooks = 64;
  for (int i = 0; i < kCloseLooks; ++i) {
    if (there()) return true;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  const Clock::time_point end = Clock::now() + Crew::kPatience;
  do {
    sched_yield();
    if (there()) return true;
  } while (Clock::now() < end);
  return false;
}

// A place where threads sleep until a condition holds that others bring about with atomics.
class Bed {
 public:
  template <class Condition>
  void wait(const Condition& there) {
    if (soon(there)) return;
    std::unique_lock lock(mutex_);
    ++sleepers_;  // before the condition is looked at again, and wake() reads in the other order
    woken_.wait(lock, there);
    --sleepers_;
  }
  void wake() {
    if (sleepers_ == 0) return;
    const std::lock_guard lock(mutex_);
    woken_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  std::atomic<int> sleepers_ = 0;
};

class Helpers {
 public:
  static Helpers& instance() {
    static auto* helpers = new Helpers;  // its threads run until the process ends
    return *helpers;
  }

  // Whether this thread may run work; then finish() must follow.
  bool begin() { return !taken_.exchange(true); }

  void run(int64_t parts, int threads, const Crew::Work& work) {
    grow(threads - 1);
    work_ = &work;
    parts_ = parts;
    next_ = 0;
    done_ = 0;
    const auto seats = std::min(static_cast<uint64_t>(threads - 1), kSeats - 1);
    const uint64_t call = (call_.load() / kSeats + 1) * kSeats + seats;
    call_ = call;
    new_call_.wake();
    do_parts();
    const uint64_t joined = seats - call_.exchange(call - seats) % kSeats;
    all_done_.wait([&] { return done_ == joined; });
  }

  void finish() {
    const std::exception_ptr error = std::exchange(error_, nullptr);
    taken_ = false;
    if (error != nullptr) std::rethrow_exception(error);
  }

 private:
  // call_ is the number of the piece of work times kSeats, and the helpers that may still join it.
  static constexpr uint64_t kSeats = uint64_t{1} << 16;

  // Where the system has no more threads to give, those that are there do the work.
  void grow(int helpers) {
    try {
      for (; helpers_ < helpers; ++helpers_) std::thread([this] { help(); }).detach();
    } catch (const std::system_error&) {
    }
  }

  [[noreturn]] void help() {
    working = true;
    for (uint64_t call = 0, last = 0;;) {
      new_call_.wait([&] {
        call = call_;
        return call % kSeats != 0 && call / kSeats != last;
      });
      if (!call_.compare_exchange_strong(call, call - 1)) continue;
      last = call / kSeats;
      do_parts();
      ++done_;
      all_done_.wake();
    }
  }

  void do_parts() {
    for (int64_t part = next_++; part < parts_; part = next_++) {
      try {
        (*work_)(part);
      } catch (...) {
        const std::lock_guard lock(error_mutex_);
        if (error_ == nullptr) error_ = std::current_exception();
      }
    }
  }

  std::atomic<bool> taken_ = false;
  int helpers_ = 0;
  // Of the piece of work: written before call_ says that there is one, and while no helper is in it.
  const Crew::Work* work_ = nullptr;
  int64_t parts_ = 0;
  std::atomic<int64_t> next_ = 0;
  std::atomic<uint64_t> call_ = 0;
  std::atomic<uint64_t> done_ = 0;  // helpers that had joined and are through
  Bed new_call_, all_done_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

void Crew::run(int64_t parts, int threads, Work work) {
  Helpers& helpers = Helpers::instance();
  if (parts <= 1 || threads <= 1 || working || !helpers.begin()) {
    for (int64_t part = 0; part < parts; ++part) work(part);
    return;
  }
  working = true;
  helpers.run(parts, static_cast<int>(std::min<int64_t>(threads, parts)), work);
  working = false;
  helpers.finish();
}

}  // namespace farstate
