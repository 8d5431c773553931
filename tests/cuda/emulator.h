// SPDX-License-Identifier: GPL-3.0-or-later
// A CUDA device for the tests: gives a .cu file that is compiled as C++ its built-in names and runs
// its kernels on the CPU, one block after another, a block's threads as fibers. A thread runs from
// one barrier to the next; which is next is drawn by a seeded generator. What a launch does that
// CUDA leaves undefined ends it with a Failure that says where:
//   - two threads touch an element of shared memory, one of them writes, no barrier between;
//   - an element of shared memory is read that nobody wrote, or one beyond an array's end;
//   - a barrier or shuffle that not all threads of the block or warp come to, or at two places;
//   - more shared memory, threads or blocks than every device of our list has.
// It knows nothing of global memory: there, guarded buffers full of NaN must do.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "kernels/cuda/stream.h"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct uint3 {
  unsigned x, y, z;
};
using dim3 = uint3;
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) double2 {
  double x, y;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }

inline float rsqrtf(float x) { return 1 / std::sqrt(x); }

namespace farstate::testing::emulator {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The schedule of the launches that follow: 0 runs threads and blocks in ascending order, 1 in
// descending order, any other seed in an order drawn anew at every step.
void set_schedule(uint64_t seed);

// What every device from compute capability 8.0 to 12.0 gives a block.
inline constexpr int64_t kMostSharedBytes = 99 << 10;
inline constexpr int kMostThreads = 1024;

struct Launch {
  std::string_view kernel;
  int64_t grid_x, grid_y, grid_z;
  int threads;
  int64_t shared_bytes;
};
void run(const Launch& launch, const std::function<void()>& kernel);

using Site = std::source_location;

// Ends the launch, from within a kernel.
[[noreturn]] void fail(const std::string& what);

void block_barrier(const Site& site);
void warp_barrier(const Site& site);

// Hands eight bytes round a warp: each lane's `mine` in, that of `lane` out.
uint64_t exchange(uint64_t mine, int lane, unsigned mask, const Site& site);
int this_lane();

// Shared memory by bytes from its beginning. Each access is checked against all others.
enum class Access { kRead, kWrite, kAtomic };
std::byte* touch(int64_t first_byte, int64_t bytes, Access access);
[[noreturn]] void fail_out_of_bounds(Access access, int64_t index, int64_t count);
int64_t take_shared(int64_t used, int64_t bytes);  // -> the next free byte

template <class T>
T shuffle(T value, int lane, unsigned mask, const Site& site) {
  static_assert(sizeof(T) <= sizeof(uint64_t) && std::is_trivially_copyable_v<T>);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = exchange(bits, lane, mask, site);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace farstate::testing::emulator

inline void __syncthreads(
    farstate::testing::emulator::Site site = farstate::testing::emulator::Site::current()) {
  farstate::testing::emulator::block_barrier(site);
}

inline void __syncwarp(
    unsigned mask = 0xffffffffu,
    farstate::testing::emulator::Site site = farstate::testing::emulator::Site::current()) {
  if (mask != 0xffffffffu) farstate::testing::emulator::fail("__syncwarp wants all lanes");
  farstate::testing::emulator::warp_barrier(site);
}

// As on a device, a lane that asks beyond the warp's ends gets its own value.
template <class T>
T __shfl_sync(unsigned mask, T value, int lane,
              farstate::testing::emulator::Site site =
                  farstate::testing::emulator::Site::current()) {
  return farstate::testing::emulator::shuffle(value, lane & 31, mask, site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes,
                  farstate::testing::emulator::Site site =
                      farstate::testing::emulator::Site::current()) {
  const int here = farstate::testing::emulator::this_lane(), from = here ^ lanes;
  return farstate::testing::emulator::shuffle(value, from < 32 ? from : here, mask, site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, int lanes,
                   farstate::testing::emulator::Site site =
                       farstate::testing::emulator::Site::current()) {
  const int here = farstate::testing::emulator::this_lane(), from = here + lanes;
  return farstate::testing::emulator::shuffle(value, from < 32 ? from : here, mask, site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, int lanes,
                 farstate::testing::emulator::Site site =
                     farstate::testing::emulator::Site::current()) {
  const int here = farstate::testing::emulator::this_lane(), from = here - lanes;
  return farstate::testing::emulator::shuffle(value, from >= 0 ? from : here, mask, site);
}

template <class T>
T atomicAdd(T* at, T value) {
  const T before = *at;
  *at = before + value;
  return before;
}

namespace farstate::kernels::cuda {

template <class T>
class SharedArray;

// An element of shared memory: stands for a T&, and reports what is done to it.
template <class T>
class SharedElement {
 public:
  SharedElement(const SharedArray<T>& array, int64_t index) : array_(array), index_(index) {}
  SharedElement(const SharedElement&) = default;

  operator T() const { return array_.template read<T>(index_); }
  const SharedElement& operator=(T value) const {
    array_.template write<T>(index_, value);
    return *this;
  }
  const SharedElement& operator=(const SharedElement& other) const { return *this = T(other); }
  const SharedElement& operator+=(T value) const { return *this = T(*this) + value; }
  const SharedElement& operator-=(T value) const { return *this = T(*this) - value; }
  const SharedElement& operator*=(T value) const { return *this = T(*this) * value; }
  SharedArray<T> operator&() const { return array_ + index_; }

 private:
  SharedArray<T> array_;
  int64_t index_;
};

// Stands for a T* into shared memory and knows the array that it points into.
template <class T>
class SharedArray {
  static_assert(sizeof(T) % 2 == 0 && std::is_trivially_copyable_v<T>);

 public:
  SharedArray() = default;
  SharedArray(int64_t first_byte, int64_t count) : first_byte_(first_byte), count_(count) {}

  SharedElement<T> operator[](int64_t index) const { return {*this, index}; }
  SharedElement<T> operator*() const { return {*this, 0}; }
  SharedArray operator+(int64_t elements) const {
    SharedArray moved = *this;
    moved.at_ += elements;
    return moved;
  }
  SharedArray operator-(int64_t elements) const { return *this + -elements; }
  SharedArray& operator+=(int64_t elements) { return *this = *this + elements; }

  // A Value may span several elements, as vectors do.
  template <class Value>
  Value read(int64_t index) const {
    Value value;
    std::memcpy(&value, touch<Value>(index, testing::emulator::Access::kRead), sizeof(Value));
    return value;
  }
  template <class Value>
  void write(int64_t index, const Value& value) const {
    std::memcpy(touch<Value>(index, testing::emulator::Access::kWrite), &value, sizeof(Value));
  }
  T add_atomically(T value) const {
    std::byte* const memory = touch<T>(0, testing::emulator::Access::kAtomic);
    T before;
    std::memcpy(&before, memory, sizeof(T));
    value += before;
    std::memcpy(memory, &value, sizeof(T));
    return before;
  }

 private:
  template <class Value>
  std::byte* touch(int64_t index, testing::emulator::Access access) const {
    static_assert(sizeof(Value) % sizeof(T) == 0);
    const int64_t first = at_ + index, elements = sizeof(Value) / sizeof(T);
    if (first < 0 || first + elements > count_) {
      testing::emulator::fail_out_of_bounds(access, first, count_);
    }
    const int64_t byte = first_byte_ + first * int64_t(sizeof(T));
    if (byte % int64_t(alignof(Value)) != 0) {
      testing::emulator::fail("a vector of shared memory at a byte that its size doesn't divide");
    }
    return testing::emulator::touch(byte, sizeof(Value), access);
  }

  int64_t first_byte_ = 0, count_ = 0, at_ = 0;
};

template <class T>
T atomicAdd(const SharedArray<T>& at, T value) {
  return at.add_atomically(value);
}

class SharedCarver {
 public:
  template <class T>
  SharedArray<T> take(int64_t count) {
    const int64_t first_byte = used_;
    used_ = testing::emulator::take_shared(used_, count * int64_t(sizeof(T)));
    return {first_byte, count};
  }

 private:
  int64_t used_ = 0;
};

template <class Vector, class T>
Vector load_vector(const SharedArray<T>& from) {
  return from.template read<Vector>(0);
}
template <class Vector, class T>
void store_vector(const SharedArray<T>& to, const Vector& value) {
  to.template write<Vector>(0, value);
}
template <class Vector, class T>
Vector load_vector(const T* from) {
  if (reinterpret_cast<uintptr_t>(from) % alignof(Vector) != 0) {
    testing::emulator::fail("a vector is read at an address that its size doesn't divide");
  }
  Vector value;
  std::memcpy(&value, from, sizeof(Vector));
  return value;
}
template <class Vector, class T>
void store_vector(T* to, const Vector& value) {
  if (reinterpret_cast<uintptr_t>(to) % alignof(Vector) != 0) {
    testing::emulator::fail("a vector is written at an address that its size doesn't divide");
  }
  std::memcpy(to, &value, sizeof(Vector));
}

inline float fast_exp(float x) { return std::exp(x); }
inline float fast_log(float x) { return std::log(x); }

struct Grid {
  int64_t x = 1, y = 1, z = 1;
};

// The name of kKernel, cut out of the compiler's description of this function.
template <auto kKernel>
std::string_view kernel_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find("kKernel = ") + 10);
  return name.substr(0, name.find_first_of(";]("));
}

template <auto kKernel, class... Args>
void launch(Grid grid, int threads, int64_t shared, Stream, Args... args) {
  const testing::emulator::Launch what{kernel_name<kKernel>(), grid.x, grid.y, grid.z, threads,
                                       shared};
  testing::emulator::run(what, [&] { kKernel(args...); });
}

}  // namespace farstate::kernels::cuda
