// SPDX-License-Identifier: GPL-3.0-or-later
// One kernel source, compiled once per instruction set and chosen at run time. CMake compiles
// every <op>_cpu.cpp with FARSTATE_ISA set to each name below; the file puts all it defines into
// the namespace of that name, and <op>.cpp, compiled for any processor, picks one per call.
//
// A <op>_cpu.cpp must emit no function that other files could share: an inline std:: function
// compiled for AVX-512 under its usual name may be the copy that the linker keeps for everybody.
// So it calls none, nor members of the argument structs; what it shares with other kernels lives
// in the same namespace (simd/lanes.h, simd/math.h).
#pragma once

namespace farstate::kernels {

enum class Isa {
  kPortable,  // what the compiler targets without options (SSE2 on x86-64)
  kAvx2,      // x86-64-v3: AVX2, FMA, BMI2
  kAvx512     // x86-64-v4: AVX-512 F, BW, CD, DQ, VL
};

// Whether this build has the code and this machine the instructions.
bool isa_supported(Isa isa);
Isa best_isa();  // the widest that is supported, found once
const char* isa_name(Isa isa);

}  // namespace farstate::kernels

// FARSTATE_DECLARE_ISAS(declaration…): the same declaration in every instruction set's namespace.
// FARSTATE_CALL_ISA(isa, function, arguments…): calls that set's function.
#if defined(__x86_64__)
#define FARSTATE_DECLARE_ISAS(...) \
  namespace portable {             \
  __VA_ARGS__                      \
  }                                \
  namespace avx2 {                 \
  __VA_ARGS__                      \
  }                                \
  namespace avx512 {               \
  __VA_ARGS__                      \
  }
#define FARSTATE_CALL_ISA(isa, function, ...) \
  switch (isa) {                              \
    case Isa::kAvx512:                        \
      return avx512::function(__VA_ARGS__);   \
    case Isa::kAvx2:                          \
      return avx2::function(__VA_ARGS__);     \
    default:                                  \
      return portable::function(__VA_ARGS__); \
  }
#else
#define FARSTATE_DECLARE_ISAS(...) \
  namespace portable {             \
  __VA_ARGS__                      \
  }
#define FARSTATE_CALL_ISA(isa, function, ...) \
  (void)(isa);                                \
  return portable::function(__VA_ARGS__)
#endif
