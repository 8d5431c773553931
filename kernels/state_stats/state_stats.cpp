// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/state_stats/state_stats.h"

#include "kernels/simd/check.h"

namespace farstate::kernels {

FARSTATE_DECLARE_ISAS(template <class Real>
                      void state_stats(const StateStats<Real>& args, int64_t begin, int64_t end);)

template <class Real>
void state_stats(const StateStats<Real>& args, int64_t begin, int64_t end, Isa isa) {
  require(0 <= begin && begin <= end && end <= args.rows && args.elements >= 0,
          "state_stats: wanted 0 <= begin <= end <= rows and elements >= 0",
          {{"begin", begin}, {"end", end}, {"rows", args.rows}, {"elements", args.elements}});
  require(begin == end || (args.h && args.stats), "state_stats: wanted h and stats; one is null");
  FARSTATE_CALL_ISA(isa, state_stats, args, begin, end);
}

template void state_stats(const StateStats<float>&, int64_t, int64_t, Isa);
template void state_stats(const StateStats<double>&, int64_t, int64_t, Isa);

}  // namespace farstate::kernels
