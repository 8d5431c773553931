// SPDX-License-Identifier: GPL-3.0-or-later
// A row of joined buttons of which one is chosen.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "app/desktop/wording.h"

class QButtonGroup;

namespace farstate::desktop {

class Segmented : public QWidget {
  Q_OBJECT
 public:
  Segmented(const Words& name, const std::vector<Words>& labels, QWidget* parent = nullptr);

  int chosen() const;
  void choose(int index);
  void pick(int index);  // as a person does: it is told
  QStringList labels() const;

 Q_SIGNALS:
  void changed(int index);

 private:
  QButtonGroup* group_;
};

}  // namespace farstate::desktop
