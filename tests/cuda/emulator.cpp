// SPDX-License-Identifier: GPL-3.0-or-later
// Fibers are started by ucontext once and switched by setjmp and longjmp, which unlike swapcontext
// make no system call: some 10 ns a switch. A fiber lives on and runs one thread after another.
#include "tests/cuda/emulator.h"

#include <csetjmp>
#include <exception>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace farstate::testing::emulator {
namespace {

constexpr int kWarp = 32;
constexpr unsigned kFullMask = 0xffffffffu;

// ----- fibers

// A stack of its own above a page that can't be touched, so that one that is too small shows.
class Stack {
 public:
  static constexpr size_t kBytes = 256 << 10;

  Stack() : memory_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory_, page(), PROT_NONE);
  }
  ~Stack() { munmap(memory_, kBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  char* bottom() const { return static_cast<char*>(memory_) + page(); }
  size_t size() const { return kBytes - page(); }

 private:
  static size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
  void* memory_;
};

enum class State { kReady, kAtBlockBarrier, kAtWarpBarrier, kAtShuffle, kDone };

struct Fiber {
  Stack stack;
  jmp_buf resume;
  bool started = false;
};

// A thread of the block that is running.
struct Thread {
  State state = State::kReady;
  Site site;            // of the barrier that it waits at
  uint32_t shuffles = 0;
  uint64_t offered[2];  // to other lanes; two, since a fast lane may be one shuffle ahead
};

jmp_buf scheduler;
std::vector<std::unique_ptr<Fiber>> fibers;
std::vector<Thread> threads;
const std::function<void()>* body = nullptr;
std::exception_ptr failure;
int current = 0;

#if defined(__SANITIZE_ADDRESS__)
// AddressSanitizer has to know which stack is in use.
const void* scheduler_stack = nullptr;
size_t scheduler_stack_size = 0;
void leave_scheduler(void** fake, const Stack& to) {
  __sanitizer_start_switch_fiber(fake, to.bottom(), to.size());
}
void enter_scheduler(void* fake) { __sanitizer_finish_switch_fiber(fake, nullptr, nullptr); }
void leave_fiber(void** fake) {
  __sanitizer_start_switch_fiber(fake, scheduler_stack, scheduler_stack_size);
}
void enter_fiber(void* fake) {
  __sanitizer_finish_switch_fiber(fake, &scheduler_stack, &scheduler_stack_size);
}
#else
void leave_scheduler(void**, const Stack&) {}
void enter_scheduler(void*) {}
void leave_fiber(void**) {}
void enter_fiber(void*) {}
#endif

// Out of the current thread; returns when the scheduler picks it again.
[[gnu::noinline]] void pause_thread() {
  void* fake = nullptr;
  leave_fiber(&fake);
  if (_setjmp(fibers[current]->resume) == 0) _longjmp(scheduler, 1);
  enter_fiber(fake);
}

void fiber_main() {
  enter_fiber(nullptr);
  for (;;) {
    try {
      (*body)();
    } catch (...) {
      failure = std::current_exception();
    }
    threads[current].state = State::kDone;
    pause_thread();
  }
}

[[gnu::noinline]] void start_fiber(Fiber& fiber) {
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack.bottom();
  context.uc_stack.ss_size = fiber.stack.size();
  context.uc_link = nullptr;
  makecontext(&context, fiber_main, 0);
  fiber.started = true;
  setcontext(&context);
}

// Runs the current thread until it pauses.
[[gnu::noinline]] void resume_thread() {
  void* fake = nullptr;
  leave_scheduler(&fake, fibers[current]->stack);
  if (_setjmp(scheduler) == 0) {
    if (fibers[current]->started) _longjmp(fibers[current]->resume, 1);
    start_fiber(*fibers[current]);
  }
  enter_scheduler(fake);
}

// ----- the launch

uint64_t schedule = 0;
std::mt19937_64 draw;
std::string kernel;  // its name

// Of [0, count): which is next.
size_t pick(size_t count) {
  return schedule == 0 ? 0 : schedule == 1 ? count - 1 : draw() % count;
}

std::string place(const Site& site) {
  std::string_view file = site.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  return std::string(file) + ":" + std::to_string(site.line());
}

std::string thread_name(int thread) { return "thread " + std::to_string(thread); }

std::string block_name() {
  return "block (" + std::to_string(blockIdx.x) + "," + std::to_string(blockIdx.y) + "," +
         std::to_string(blockIdx.z) + ")";
}

// ----- shared memory

// Two bytes of shared memory: who touched them last. Accesses of two threads are in order if a
// barrier lies between them: of the block, or of the warp where both are of one warp. So of the
// readers since the last barrier of the block three tell whether a write is a race: two of one
// warp since that warp's last barrier, and one of any other warp.
struct Shadow {
  static constexpr int16_t kNone = -1;
  uint32_t written_block_epoch = 0, written_warp_epoch = 0;
  uint32_t read_block_epoch = 0, read_warp_epoch = 0;
  int16_t writer = kNone, reader = kNone, second_reader = kNone, other_warps_reader = kNone;
  bool atomic = false;
};

constexpr int64_t kCell = 2;  // bytes: the smallest element

std::vector<uint64_t> shared_memory;  // 64 bits for their alignment
std::vector<Shadow> shadows;
int64_t shared_size = 0;
uint32_t block_epoch = 0;
std::vector<uint32_t> warp_epochs;

// A signalling NaN as fp32, fp16, bf16 or fp64.
constexpr uint64_t kPoison = 0xffa5ffa5ffa5ffa5;

std::string shared_name(int64_t byte) { return "byte " + std::to_string(byte) + " of shared memory"; }

[[noreturn]] void fail_race(const char* does, int64_t byte, const char* other_does, int other) {
  fail(std::string(does) + " " + shared_name(byte) + ", which " + thread_name(other) + " " +
       other_does + "; there is no barrier between");
}

bool same_warp(int a, int b) { return a / kWarp == b / kWarp; }

void check_last_write(const Shadow& cell, int64_t byte, const char* does) {
  if (cell.writer == Shadow::kNone || cell.writer == current) return;
  if (cell.written_block_epoch != block_epoch) return;
  const int warp = current / kWarp;
  if (same_warp(cell.writer, current) && cell.written_warp_epoch != warp_epochs[warp]) return;
  fail_race(does, byte, "wrote", cell.writer);
}

void check_reads(const Shadow& cell, int64_t byte, const char* does) {
  if (cell.reader == Shadow::kNone || cell.read_block_epoch != block_epoch) return;
  if (!same_warp(cell.reader, current)) fail_race(does, byte, "read", cell.reader);
  if (cell.other_warps_reader != Shadow::kNone) {
    fail_race(does, byte, "read", cell.other_warps_reader);
  }
  if (cell.read_warp_epoch != warp_epochs[current / kWarp]) return;
  const int other = cell.reader != current ? cell.reader : cell.second_reader;
  if (other != Shadow::kNone) fail_race(does, byte, "read", other);
}

void note_read(Shadow& cell) {
  const auto self = static_cast<int16_t>(current);
  const uint32_t warp_epoch = warp_epochs[current / kWarp];
  if (cell.reader == Shadow::kNone || cell.read_block_epoch != block_epoch) {
    cell.read_block_epoch = block_epoch;
    cell.read_warp_epoch = warp_epoch;
    cell.reader = self;
    cell.second_reader = cell.other_warps_reader = Shadow::kNone;
  } else if (!same_warp(cell.reader, current)) {
    cell.other_warps_reader = self;
  } else if (cell.read_warp_epoch != warp_epoch) {
    cell.read_warp_epoch = warp_epoch;
    cell.reader = self;
    cell.second_reader = Shadow::kNone;
  } else if (cell.reader != self) {
    cell.second_reader = self;
  }
}

void note_write(Shadow& cell, bool atomic) {
  cell.writer = static_cast<int16_t>(current);
  cell.written_block_epoch = block_epoch;
  cell.written_warp_epoch = warp_epochs[current / kWarp];
  cell.atomic = atomic;
}

void touch_cell(Shadow& cell, int64_t byte, Access access) {
  switch (access) {
    case Access::kRead:
      if (cell.writer == Shadow::kNone) fail("reads " + shared_name(byte) + ", which nobody wrote");
      check_last_write(cell, byte, "reads");
      note_read(cell);
      break;
    case Access::kWrite:
      check_last_write(cell, byte, "writes");
      check_reads(cell, byte, "writes");
      note_write(cell, false);
      break;
    case Access::kAtomic:
      if (cell.writer == Shadow::kNone) fail("adds to " + shared_name(byte) + ", which nobody wrote");
      if (!cell.atomic) check_last_write(cell, byte, "adds to");
      check_reads(cell, byte, "adds to");
      note_write(cell, true);
      break;
  }
}

// ----- blocks

void begin_block(int64_t block, const Launch& launch) {
  blockIdx = {static_cast<unsigned>(block % launch.grid_x),
              static_cast<unsigned>(block / launch.grid_x % launch.grid_y),
              static_cast<unsigned>(block / launch.grid_x / launch.grid_y)};
  threads.assign(launch.threads, {});
  shared_size = launch.shared_bytes;
  shared_memory.assign((shared_size + 7) / 8, kPoison);
  shadows.assign((shared_size + kCell - 1) / kCell, {});
  block_epoch = 0;
  warp_epochs.assign((launch.threads + kWarp - 1) / kWarp, 0);
}

// The threads from `first` on wait for each other as one: a warp or the whole block.
void check_together(int first, int count, const char* group) {
  const Thread& one = threads[first];
  for (int t = first; t < first + count; ++t) {
    current = t;
    if (threads[t].state == State::kDone || one.state == State::kDone) {
      const int waiting = one.state == State::kDone ? t : first;
      if (threads[waiting].state == State::kDone) continue;
      const int gone = waiting == t ? first : t;
      current = waiting;
      fail("waits at " + place(threads[waiting].site) + " for its " + group + ", but " +
           thread_name(gone) + " has returned");
    }
    if (threads[t].state != one.state || threads[t].site.line() != one.site.line() ||
        threads[t].site.column() != one.site.column() ||
        std::string_view(threads[t].site.file_name()) != one.site.file_name()) {
      fail("waits at " + place(threads[t].site) + " for its " + group + ", but " +
           thread_name(first) + " waits at " + place(one.site));
    }
  }
}

class Schedule {
 public:
  explicit Schedule(int count) {
    for (int t = 0; t < count; ++t) ready_.push_back(t);
    waiting_in_warp_.resize((count + kWarp - 1) / kWarp);
  }

  void run() {
    while (!ready_.empty()) {
      const size_t next = pick(ready_.size());
      current = ready_[next];
      // Ordered schedules keep the list in order; a drawn one needn't.
      if (schedule < 2) {
        ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(next));
      } else {
        ready_[next] = ready_.back();
        ready_.pop_back();
      }
      threadIdx = {static_cast<unsigned>(current), 0, 0};
      resume_thread();
      if (failure) return;
      after_pause();
      if (ready_.empty()) release_block();
    }
  }

 private:
  void after_pause() {
    const State state = threads[current].state;
    if (state != State::kAtWarpBarrier && state != State::kAtShuffle) return;
    const int warp = current / kWarp;
    if (++waiting_in_warp_[warp] < kWarp) return;
    check_together(warp * kWarp, kWarp, "warp");
    waiting_in_warp_[warp] = 0;
    if (state == State::kAtWarpBarrier) ++warp_epochs[warp];
    release(warp * kWarp, kWarp);
  }

  // Nobody can go on: all wait for the block, or all have returned, or it is an error.
  void release_block() {
    const int count = static_cast<int>(threads.size());
    for (size_t warp = 0; warp < waiting_in_warp_.size(); ++warp) {
      if (waiting_in_warp_[warp] == 0) continue;
      const int first = static_cast<int>(warp) * kWarp;
      if (first + kWarp > count) {
        current = first;
        fail("waits at " + place(threads[first].site) +
             " for its warp, but the block ends within the warp");
      }
      check_together(first, kWarp, "warp");
    }
    check_together(0, count, "block");
    if (threads[0].state == State::kDone) return;
    ++block_epoch;
    for (uint32_t& epoch : warp_epochs) ++epoch;
    release(0, count);
  }

  void release(int first, int count) {
    for (int t = first; t < first + count; ++t) {
      threads[t].state = State::kReady;
      ready_.push_back(t);
    }
  }

  std::vector<int> ready_;
  std::vector<int> waiting_in_warp_;
};

void check_launch(const Launch& launch) {
  if (launch.threads < 1 || launch.threads > kMostThreads) {
    throw Failure("kernel " + kernel + ": wants " + std::to_string(launch.threads) +
                  " threads a block; a device has 1 to " + std::to_string(kMostThreads));
  }
  if (launch.shared_bytes < 0 || launch.shared_bytes > kMostSharedBytes) {
    throw Failure("kernel " + kernel + ": wants " + std::to_string(launch.shared_bytes) +
                  " bytes of shared memory a block; not every device has more than " +
                  std::to_string(kMostSharedBytes));
  }
  if (launch.grid_x > 0x7fffffff || launch.grid_y > 0xffff || launch.grid_z > 0xffff) {
    throw Failure("kernel " + kernel + ": wants a grid of " + std::to_string(launch.grid_x) +
                  " x " + std::to_string(launch.grid_y) + " x " + std::to_string(launch.grid_z) +
                  " blocks; the most is 2147483647 x 65535 x 65535");
  }
}

void run_block(int threads_in_block) {
  try {
    Schedule(threads_in_block).run();
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  } catch (...) {
    fibers.clear();  // they stand in the middle of the kernel
    throw;
  }
}

}  // namespace

void set_schedule(uint64_t seed) { schedule = seed; }

void run(const Launch& launch, const std::function<void()>& kernel_body) {
  kernel = launch.kernel;
  check_launch(launch);
  body = &kernel_body;
  draw.seed(schedule);
  blockDim = {static_cast<unsigned>(launch.threads), 1, 1};
  gridDim = {static_cast<unsigned>(launch.grid_x), static_cast<unsigned>(launch.grid_y),
             static_cast<unsigned>(launch.grid_z)};
  while (fibers.size() < size_t(launch.threads)) fibers.push_back(std::make_unique<Fiber>());

  std::vector<int64_t> blocks(launch.grid_x * launch.grid_y * launch.grid_z);
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<int64_t>(i);
  while (!blocks.empty()) {
    const size_t next = pick(blocks.size());
    begin_block(blocks[next], launch);
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(next));
    run_block(launch.threads);
  }
}

void fail(const std::string& what) {
  throw Failure("kernel " + kernel + ", " + block_name() + ": " + thread_name(current) + " " + what);
}

int this_lane() { return current % kWarp; }

void block_barrier(const Site& site) {
  threads[current].state = State::kAtBlockBarrier;
  threads[current].site = site;
  pause_thread();
}

void warp_barrier(const Site& site) {
  threads[current].state = State::kAtWarpBarrier;
  threads[current].site = site;
  pause_thread();
}

uint64_t exchange(uint64_t mine, int lane, unsigned mask, const Site& site) {
  if (mask != kFullMask) fail("shuffles with a mask at " + place(site) + "; wanted all lanes");
  Thread& self = threads[current];
  const uint32_t side = self.shuffles++ % 2;
  self.offered[side] = mine;
  self.state = State::kAtShuffle;
  self.site = site;
  pause_thread();
  return threads[current / kWarp * kWarp + lane].offered[side];
}

std::byte* touch(int64_t first_byte, int64_t bytes, Access access) {
  for (int64_t byte = first_byte; byte < first_byte + bytes; byte += kCell) {
    touch_cell(shadows[byte / kCell], byte, access);
  }
  return reinterpret_cast<std::byte*>(shared_memory.data()) + first_byte;
}

void fail_out_of_bounds(Access access, int64_t index, int64_t count) {
  fail(std::string(access == Access::kRead ? "reads" : "writes") + " element " +
       std::to_string(index) + " of a shared array of " + std::to_string(count));
}

int64_t take_shared(int64_t used, int64_t bytes) {
  constexpr int64_t alignment = 16;
  const int64_t end = used + (bytes + alignment - 1) / alignment * alignment;
  if (end > shared_size) {
    fail("takes shared memory up to byte " + std::to_string(end) + "; the launch gave " +
         std::to_string(shared_size));
  }
  return end;
}

}  // namespace farstate::testing::emulator
