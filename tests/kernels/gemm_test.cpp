// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gemm/gemm.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <random>
#include <tuple>

#include "tests/support/guarded_buffer.h"
#include "tests/support/tolerance.h"

namespace farstate::kernels {
namespace {

using farstate::testing::close_to;
using farstate::testing::GuardedBuffer;
using farstate::testing::rounding_tolerance;

constexpr Isa kIsas[] = {Isa::kPortable, Isa::kAvx2, Isa::kAvx512};

enum class Addend { kNone, kBias, kResidual, kItself };

struct Shape {
  GemmSizes sizes;
  bool A_down = false, B_down = false;  // columns contiguous in place of rows
  Addend addend = Addend::kNone;
};

// A matrix in rows (or columns) with gaps of NaN between them.
template <class Real>
struct Matrix {
  bool down;
  int64_t stride;
  GuardedBuffer<Real> memory;

  Matrix(int64_t rows, int64_t columns, bool lies_down, uint64_t seed)
      : down(lies_down), stride((down ? rows : columns) + 3),
        memory((down ? columns : rows) * stride) {
    if (seed > 0) memory.fill_normal(seed, 0, 1, down ? rows : columns, stride);
  }

  MatrixView<Real> view() const {
    return down ? MatrixView<Real>{memory.data(), 1, stride}
                : MatrixView<Real>{memory.data(), stride, 1};
  }
  double at(int64_t i, int64_t j) const {
    return memory.data()[down ? j * stride + i : i * stride + j];
  }
};

template <class Real>
struct Product {
  Shape shape;
  GemmSizes s = shape.sizes;
  Matrix<Real> A{s.M, s.K, shape.A_down, 1}, B{s.K, s.N, shape.B_down, 2};
  Matrix<Real> C{s.M, s.N, false, shape.addend == Addend::kItself ? 3U : 0U};
  Matrix<Real> addend{shape.addend == Addend::kBias ? 1 : s.M, s.N, false, 3};

  explicit Product(const Shape& of) : shape(of) {}

  Gemm<Real> args() {
    Gemm<Real> g;
    g.sizes = s;
    g.A = A.view();
    g.B = B.view();
    g.C = C.memory.data();
    g.C_stride = C.stride;
    if (shape.addend == Addend::kItself) g.addend = g.C;
    if (shape.addend == Addend::kBias || shape.addend == Addend::kResidual) {
      g.addend = addend.memory.data();
    }
    g.addend_stride = shape.addend == Addend::kBias ? 0 : addend.stride;
    return g;
  }

  // In double, C packed row by row.
  std::vector<double> oracle() const {
    std::vector<double> want;
    for (int64_t i = 0; i < s.M; ++i) {
      for (int64_t j = 0; j < s.N; ++j) {
        double sum = shape.addend == Addend::kNone
                         ? 0
                         : addend.at(shape.addend == Addend::kBias ? 0 : i, j);
        for (int64_t k = 0; k < s.K; ++k) sum += A.at(i, k) * B.at(k, j);
        want.push_back(sum);
      }
    }
    return want;
  }
  std::vector<double> result() const {
    std::vector<double> got;
    for (int64_t i = 0; i < s.M; ++i) {
      for (int64_t j = 0; j < s.N; ++j) got.push_back(C.at(i, j));
    }
    return got;
  }
  bool gaps_untouched() const {
    for (int64_t i = 0; i < s.M; ++i) {
      for (int64_t j = s.N; j < C.stride; ++j) {
        if (!std::isnan(C.at(i, j))) return false;
      }
    }
    return C.memory.fences_intact();
  }
};

template <class Real>
void expect_product(const Shape& shape) {
  for (const Isa isa : kIsas) {
    if (!isa_supported(isa)) continue;
    SCOPED_TRACE(::testing::Message()
                 << isa_name(isa) << " M " << shape.sizes.M << " N " << shape.sizes.N << " K "
                 << shape.sizes.K << " A " << shape.A_down << " B " << shape.B_down << " addend "
                 << static_cast<int>(shape.addend));
    Product<Real> product(shape);
    const std::vector<double> want = product.oracle();
    gemm(product.args(), 0, gemm_tasks(shape.sizes).count, isa);
    const std::vector<double> got = product.result();
    EXPECT_TRUE(close_to(got.data(), want.data(), static_cast<int64_t>(want.size()),
                         rounding_tolerance<Real>(shape.sizes.K + 1)));
    EXPECT_TRUE(product.gaps_untouched());
  }
}

template <class Real>
class GemmKernel : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GemmKernel, Reals);

// Every height, width and depth around those of tiles, in every layout, with every addend.
TYPED_TEST(GemmKernel, EqualsTheSumsInDouble) {
  constexpr Addend kAddends[] = {Addend::kNone, Addend::kBias, Addend::kResidual, Addend::kItself};
  std::mt19937 engine(5);
  const auto draw = [&] { return static_cast<int64_t>(1 + engine() % 70); };
  int n = 0;
  for (int64_t size = 1; size <= 70; ++size) {
    for (const GemmSizes& sizes :
         {GemmSizes{size, draw(), draw()}, GemmSizes{draw(), size, draw()}, GemmSizes{draw(), draw(), size}}) {
      expect_product<TypeParam>({sizes, n % 2 == 1, n / 2 % 2 == 1, kAddends[n / 4 % 4]});
      ++n;
    }
  }
}

TYPED_TEST(GemmKernel, TakesMoreThanOneBlockOfEverySize) {
  for (const bool down : {false, true}) {
    expect_product<TypeParam>({{90, 290, 2 * kGemmDepth + 5}, down, !down, Addend::kBias});
    expect_product<TypeParam>({{181, 33, 300}, down, down, Addend::kItself});
    expect_product<TypeParam>({{1, 600, 3}, down, down, Addend::kResidual});
    expect_product<TypeParam>({{700, 1, 3}, down, down, Addend::kNone});
  }
}

TYPED_TEST(GemmKernel, WithoutDepthIsTheAddend) {
  expect_product<TypeParam>({{3, 5, 0}, false, false, Addend::kBias});
  expect_product<TypeParam>({{3, 5, 0}, false, false, Addend::kNone});
  EXPECT_EQ(gemm_tasks({0, 5, 5}).count, 0);
  EXPECT_EQ(gemm_tasks({5, 0, 5}).count, 0);
}

// Ranges of tasks are what threads get, and rows what calls of other lengths have.
TYPED_TEST(GemmKernel, AnElementHasTheSameBitsInAnyRangeAndAmongAnyRows) {
  for (const Isa isa : kIsas) {
    if (!isa_supported(isa)) continue;
    const Shape shape{{200, 300, 310}, false, true, Addend::kResidual};
    Product<TypeParam> whole(shape), cut(shape), rows(shape);
    const int64_t tasks = gemm_tasks(shape.sizes).count;
    gemm(whole.args(), 0, tasks, isa);
    for (int64_t begin = 0, step = 1; begin < tasks; begin += step++) {
      gemm(cut.args(), begin, std::min(tasks, begin + step), isa);
    }
    EXPECT_TRUE(cut.C.memory.same_bits(whole.C.memory));
    for (int64_t begin = 0, count = 1; begin < shape.sizes.M; begin += count++) {
      Gemm<TypeParam> part = rows.args();
      part.sizes.M = std::min(count, shape.sizes.M - begin);
      part.A.data += begin * part.A.row_stride;
      part.addend += begin * part.addend_stride;
      part.C += begin * part.C_stride;
      gemm(part, 0, gemm_tasks(part.sizes).count, isa);
    }
    EXPECT_TRUE(rows.C.memory.same_bits(whole.C.memory));
  }
}

// NaN and infinity in what is not multiplied must not reach what is.
TYPED_TEST(GemmKernel, NaNStaysInItsRowAndColumn) {
  for (const Isa isa : kIsas) {
    if (!isa_supported(isa)) continue;
    Product<TypeParam> product(Shape{{13, 21, 9}});
    product.A.memory[4 * product.A.stride + 2] = std::numeric_limits<TypeParam>::quiet_NaN();
    product.B.memory[3 * product.B.stride + 20] = std::numeric_limits<TypeParam>::infinity();
    gemm(product.args(), 0, gemm_tasks(product.s).count, isa);
    for (int64_t i = 0; i < 13; ++i) {
      for (int64_t j = 0; j < 21; ++j) {
        EXPECT_EQ(std::isfinite(product.C.at(i, j)), i != 4 && j != 20) << i << " " << j;
      }
    }
  }
}

TEST(GemmKernelNarrow, WidensAsItReads) {
  for (const Isa isa : kIsas) {
    if (!isa_supported(isa)) continue;
    for (const bool down : {false, true}) {
      Product<float> product(Shape{{9, 37, 45}, false, down});
      std::vector<Bf16> narrow(static_cast<size_t>(product.B.memory.size()));
      for (int64_t i = 0; i < product.B.memory.size(); ++i) {
        uint32_t bits = 0;
        std::memcpy(&bits, &product.B.memory[i], sizeof(bits));
        bits &= 0xffff0000U;
        narrow[static_cast<size_t>(i)].bits = static_cast<uint16_t>(bits >> 16);
        std::memcpy(&product.B.memory[i], &bits, sizeof(bits));
      }
      Product<float> wide = product;
      gemm(wide.args(), 0, gemm_tasks(wide.s).count, isa);
      Gemm<float> args = product.args();
      const MatrixView<float> view = product.B.view();
      args.B = {};
      args.narrow_B = {narrow.data(), view.row_stride, view.column_stride};
      gemm(args, 0, gemm_tasks(product.s).count, isa);
      EXPECT_TRUE(product.C.memory.same_bits(wide.C.memory));
    }
  }
}

// Rows so far apart that 32 bits cannot tell their places, in memory that is only promised.
TEST(GemmKernelOffsets, AreSixtyFourBitsWide) {
  constexpr int64_t kStride = (int64_t{1} << 31) + 7, M = 2, N = 3, K = 2;
  const auto promise = [](int64_t floats) {
    void* const memory = mmap(nullptr, static_cast<size_t>(floats) * sizeof(float),
                              PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                              -1, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<float*>(memory);
  };
  float* const A = promise(2 * kStride);
  float* const C = promise(2 * kStride);
  if (A == nullptr || C == nullptr) GTEST_SKIP() << "no address space";
  A[0] = 1, A[1] = 2, A[kStride] = 3, A[kStride + 1] = 4;
  const float B[K * N] = {1, 2, 3, 10, 20, 30};
  Gemm<float> args;
  args.sizes = {M, N, K};
  args.A = {A, kStride, 1};
  args.B = {B, N, 1};
  args.C = C;
  args.C_stride = kStride;
  gemm(args, 0, gemm_tasks(args.sizes).count);
  EXPECT_EQ(C[2], 63);
  EXPECT_EQ(C[kStride], 43);
  EXPECT_EQ(C[kStride + 2], 129);
  munmap(A, 2 * kStride * sizeof(float));
  munmap(C, 2 * kStride * sizeof(float));
}

TEST(GemmKernelArguments, AreCheckedInWords) {
  float number = 0;
  Gemm<float> args;
  args.sizes = {2, 2, 2};
  args.A = {&number, 2, 1};
  args.B = {&number, 3, 2};
  args.C = &number;
  try {
    gemm(args, 0, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "gemm: wanted a matrix whose row_stride or column_stride is 1; got row_stride = 3, "
                 "column_stride = 2");
  }
}

}  // namespace
}  // namespace farstate::kernels
