// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/tensor_memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>

namespace farstate::ops {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kGranule = size_t{64} << 10;
// Smaller tensors come from the C library, which is good at them.
constexpr size_t kPooledFrom = size_t{256} << 10;
// Kept when nothing is in use, as between two steps of a training run, whose activations all go at
// once; fetched anew they cost 8.5M parameters a tenth of a step. A Trainer's end gives them back.
constexpr size_t kKeptAtMost = size_t{2} << 30;

class TensorMemory final : public c10::Allocator {
 public:
  static TensorMemory& instance() {
    static auto* memory = new TensorMemory;  // tensors may be freed until the process ends
    return *memory;
  }

  c10::DataPtr allocate(size_t bytes) override {
    void* data = bytes == 0 ? nullptr : bytes < kPooledFrom ? small(bytes) : pooled(bytes);
    return {data, data, &release, c10::DeviceType::CPU};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }

  TensorMemoryUse use() {
    const std::lock_guard lock(mutex_);
    return use_;
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    while (!kept_.empty()) unmap_oldest();
    use_.peak = use_.in_use;
  }

 private:
  struct Block {
    void* data;
    uint64_t freed;  // of all blocks, which one was freed first
  };

  static void* small(size_t bytes) {
    void* data = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (data == nullptr) throw std::bad_alloc();
    return data;
  }

  void* pooled(size_t bytes) {
    const size_t wanted = (bytes + kGranule - 1) / kGranule * kGranule;
    const std::lock_guard lock(mutex_);
    const auto found = kept_.lower_bound(wanted);
    // A block that is much larger is left for a tensor of its own size.
    if (found != kept_.end() && found->first <= wanted + wanted / 8) {
      void* data = found->second.data;
      use_.kept -= found->first;
      take(data, found->first);
      kept_.erase(found);
      return data;
    }
    const size_t bound = std::max(use_.peak, use_.in_use + wanted) + kTensorMemorySlack;
    while (!kept_.empty() && use_.in_use + use_.kept + wanted > bound) unmap_oldest();
    void* data = map(wanted);
    while (data == MAP_FAILED && !kept_.empty()) {
      unmap_oldest();
      data = map(wanted);
    }
    if (data == MAP_FAILED) throw std::bad_alloc();
    take(data, wanted);
    return data;
  }

  static void* map(size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }

  void take(void* data, size_t bytes) {
    sizes_[data] = bytes;
    use_.in_use += bytes;
    use_.peak = std::max(use_.peak, use_.in_use);
  }

  static void release(void* data) {
    if (data != nullptr && !instance().give_back(data)) std::free(data);
  }

  bool give_back(void* data) {
    const std::lock_guard lock(mutex_);
    const auto found = sizes_.find(data);
    if (found == sizes_.end()) return false;
    kept_.emplace(found->second, Block{data, ++freed_});
    use_.in_use -= found->second;
    use_.kept += found->second;
    sizes_.erase(found);
    while (use_.kept > kKeptAtMost) unmap_oldest();
    return true;
  }

  void unmap_oldest() {
    const auto oldest = std::min_element(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) {
      return a.second.freed < b.second.freed;
    });
    munmap(oldest->second.data, oldest->first);
    use_.kept -= oldest->first;
    kept_.erase(oldest);
  }

  std::mutex mutex_;
  std::multimap<size_t, Block> kept_;          // by size
  std::unordered_map<void*, size_t> sizes_;    // of the blocks in use
  TensorMemoryUse use_;
  uint64_t freed_ = 0;
};

}  // namespace

void install_tensor_memory() {
  constexpr uint8_t kBeforeTheDefault = 1;
  c10::SetCPUAllocator(&TensorMemory::instance(), kBeforeTheDefault);
}

void release_tensor_memory() { TensorMemory::instance().forget(); }

TensorMemoryUse tensor_memory_use() { return TensorMemory::instance().use(); }

}  // namespace farstate::ops
