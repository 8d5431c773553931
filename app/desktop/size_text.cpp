// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/size_text.h"

#include <QCoreApplication>
#include <QLocale>

namespace farstate::desktop {

QString size_text(int64_t bytes) {
  const auto tr = [](const char* text) {
    return QCoreApplication::translate("farstate::desktop", text);
  };
  const QString units[] = {tr("%1 B"), tr("%1 kB"), tr("%1 MB"), tr("%1 GB"), tr("%1 TB")};
  auto amount = static_cast<double>(bytes);
  size_t unit = 0;
  while (amount >= 999.5 && unit + 1 < std::size(units)) {
    amount /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || amount >= 99.95 ? 0 : 1;
  return units[unit].arg(QLocale().toString(amount, 'f', decimals));
}

}  // namespace farstate::desktop
