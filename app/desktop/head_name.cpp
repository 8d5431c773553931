// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/head_name.h"

#include <QCoreApplication>

namespace farstate::desktop {

QString head_name(HeadIndex head) {
  return QCoreApplication::translate("HeadName", "layer %1, head %2")
      .arg(qint64(head.layer))
      .arg(qint64(head.head));
}

QString head_title(HeadIndex head) {
  return QCoreApplication::translate("HeadName", "Layer %1, head %2")
      .arg(qint64(head.layer))
      .arg(qint64(head.head));
}

}  // namespace farstate::desktop
