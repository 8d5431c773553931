// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is the same each time, recorded once and put into a device's queue as a whole: of a
// small model the host takes longer to launch the kernels than the device to run them. A CUDA Graph
// on a CUDA device; elsewhere the work is simply done again.
#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>

namespace farstate::ops {

class GraphRecording {
 public:
  virtual ~GraphRecording() = default;
  virtual void replay() = 0;
};

// Does the work a few times, to make the libraries ready, and records it after that. Only of a build
// with CUDA kernels (device_graph_cuda.cpp).
std::unique_ptr<GraphRecording> record_on_cuda(const c10::Device& device,
                                               const std::function<void()>& work);

class DeviceGraph {
 public:
  // `work` reads and writes the same memory each time, waits for nothing, and asks the device for no
  // number. It may be done several times here.
  DeviceGraph(const c10::Device& device, std::function<void()> work);

  void replay() { recording_ != nullptr ? recording_->replay() : work_(); }
  bool recorded() const { return recording_ != nullptr; }

 private:
  std::function<void()> work_;
  std::unique_ptr<GraphRecording> recording_;
};

}  // namespace farstate::ops
