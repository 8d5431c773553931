// SPDX-License-Identifier: GPL-3.0-or-later
// How fast this program works on a machine, and how that was timed: what `farstate bench` prints
// and writes. A GFLOP/s is 1e9 useful floating-point operations per second, a GB/s 1e9 bytes, an MB
// 1e6 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace farstate {

struct Timing {
  int64_t runs = 0;     // `seconds` is the median of so many
  double seconds = 0;   // of one run
  bool warm = true;     // after a run that was not counted; false: one run is all that was made
};

struct BenchMachine {
  std::string device = "cpu";
  std::string processor;     // as it calls itself
  int64_t cores = 0;         // that the system gives to this process
  int64_t threads = 0;       // that work
  std::string instructions;  // of our kernels: "portable", "avx2", "avx512"
  bool bf16 = false;         // it multiplies bfloat16 numbers itself
};

struct Library {
  std::string name;
  std::string version;
};

struct TrainSpeed {  // a whole optimizer step
  std::string shape;
  int64_t params = 0;
  int64_t layers = 0;
  int64_t model_dim = 0;
  int64_t context = 0;
  int64_t batch = 0;
  std::string dtype;  // of the matrix products' operands
  double tokens_per_second = 0;
  double gflops = 0;
  double share_of_roofline = 0;  // of the float32 one, whatever the dtype
  Timing timing;
};

struct EvaluateSpeed {  // one text, the loss at every position
  std::string shape;
  int64_t params = 0;
  int64_t length = 0;
  std::string dtype;
  double tokens_per_second = 0;
  double gflops = 0;
  double share_of_roofline = 0;
  double peak_memory_mb = 0;  // resident, the program itself included
  std::string peak_of;        // "this evaluation", or "the process so far" where it can't be reset
  Timing timing;
};

struct KernelSpeed {
  std::string name;   // "ssd_scan", "ssd_scan backward", "gemm", …
  std::string shape;  // in the letters of docs/NOTATION.md
  std::string dtype;
  std::string by;  // whose code: "Farstate", or the library
  double gflops = 0;
  double gbytes_per_second = 0;  // bytes that must be read or written at least once
  double share_of_roofline = 0;
  Timing timing;
};

struct BenchReport {
  std::string program;  // its version
  std::vector<Library> libraries;
  BenchMachine machine;
  std::string recipe;  // JSON: what was asked for, and what a run of each kind does
  double gemm_gflops = 0;      // the library's float32 product of two matrices of 1024 x 1024
  double roofline_gflops = 0;  // the best float32 product in `kernels`, whoever computes it
  std::vector<TrainSpeed> train;
  std::vector<EvaluateSpeed> evaluate;
  std::vector<KernelSpeed> kernels;
  std::vector<std::string> notes;  // what was left out, and why
};

// "farstate.bench/1". Throws Error(kInternal) where a number is not finite.
std::string to_json(const BenchReport& report);

}  // namespace farstate
