// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/interventions/intervention_config.h"

namespace farstate::desktop {

QString intervention_definition(Intervention kind);  // formula, meaning and source, for a tip

}  // namespace farstate::desktop
