// SPDX-License-Identifier: GPL-3.0-or-later
// Threads for the short pieces of work that a step of a small model consists of. OpenMP's threads
// either sleep between two pieces, and waking one takes as long as such a piece, or they spin, and
// on a machine with anything else to do the thread that works waits for the one that spins. Here a
// waiting thread looks for work for kPatience, offering its core to whoever wants it, and then
// sleeps; and the calling thread waits only for helpers that have really begun, so that one that
// gets no core costs nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>

namespace farstate {

class Crew {
 public:
  static constexpr std::chrono::microseconds kPatience{200};

  // A function of one part's number, by reference.
  class Work {
   public:
    template <class Function>
    Work(const Function& function)  // NOLINT: any function is work
        : function_(&function), call_([](const void* f, int64_t part) {
            (*static_cast<const Function*>(f))(part);
          }) {}
    void operator()(int64_t part) const { call_(function_, part); }

   private:
    const void* function_;
    void (*call_)(const void*, int64_t);
  };

  // Runs work(0), …, work(parts - 1) in any order, on at most `threads` threads, of which the
  // calling one is the first. Where the crew is busy, or called from its own work, the calling
  // thread does it alone. Rethrows the first exception, once no part runs any more.
  static void run(int64_t parts, int threads, Work work);
};

}  // namespace farstate
