// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/adamw/adamw.h"

#include "kernels/simd/check.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(template <class Real>
                      void adamw(const AdamWTensor<Real>& tensor, const AdamWUpdate& update,
                                 int64_t begin, int64_t end);
                      template <class Real>
                      double sum_of_squares(const Real* values, int64_t begin, int64_t end);)

template <class Real>
void adamw(const AdamWTensor<Real>& tensor, const AdamWUpdate& update, int64_t begin, int64_t end,
           Isa isa) {
  require(0 <= begin && begin <= end, "adamw: wanted 0 <= begin <= end",
          {{"begin", begin}, {"end", end}});
  require(update.n >= 1, "adamw: wanted updates counted from 1", {{"n", update.n}});
  require(tensor.parameter && tensor.gradient && tensor.m && tensor.v,
          "adamw: wanted a parameter, its gradient and its moments; one is null");
  FARSTATE_CALL_ISA(isa, adamw, tensor, update, begin, end);
}

template <class Real>
double sum_of_squares(const Real* values, int64_t begin, int64_t end, Isa isa) {
  require(values != nullptr && 0 <= begin && begin <= end,
          "sum_of_squares: wanted values and 0 <= begin <= end", {{"begin", begin}, {"end", end}});
  FARSTATE_CALL_ISA(isa, sum_of_squares, values, begin, end);
}

template void adamw(const AdamWTensor<float>&, const AdamWUpdate&, int64_t, int64_t, Isa);
template void adamw(const AdamWTensor<double>&, const AdamWUpdate&, int64_t, int64_t, Isa);
template double sum_of_squares(const float*, int64_t, int64_t, Isa);
template double sum_of_squares(const double*, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
