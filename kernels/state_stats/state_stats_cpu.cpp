// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/state_stats/moments.h"
#include "kernels/state_stats/state_stats.h"

namespace farstate::kernels::FARSTATE_ISA {

template <class Real>
void state_stats(const StateStats<Real>& args, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; ++row) {
    state_moments<Real>({args.h + row * args.elements, 1, args.elements, args.elements},
                        args.stats + row * 4);
  }
}

template void state_stats(const StateStats<float>&, int64_t, int64_t);
template void state_stats(const StateStats<double>&, int64_t, int64_t);

}  // namespace farstate::kernels::FARSTATE_ISA
