// SPDX-License-Identifier: GPL-3.0-or-later
// Heads as a person writes them: "0.2, 1.*" is head 2 of layer 0 and all heads of layer 1.
#pragma once

#include <QString>
#include <vector>

#include "core/results/state_report.h"

namespace farstate::desktop {

struct HeadList {
  std::vector<HeadIndex> heads;  // in order, each once; empty: all
  QString problem;               // what can't be read, as a sentence; empty: all can
};

HeadList read_heads(const QString& text, int64_t layers, int64_t heads);

// The shortest way to write them; empty for all.
QString heads_text(std::vector<HeadIndex> heads, int64_t heads_per_layer);

}  // namespace farstate::desktop
