// SPDX-License-Identifier: GPL-3.0-or-later
// QCustomPlot's header says "signals:" and "foreach", which QT_NO_KEYWORDS takes away from this
// program.
#pragma once

#define signals Q_SIGNALS
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef foreach
#undef signals
