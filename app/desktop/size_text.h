// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace farstate::desktop {

// "344 kB", "5.4 GB": three figures at most, in powers of 1024 as the status row counts memory.
QString size_text(int64_t bytes);

}  // namespace farstate::desktop
