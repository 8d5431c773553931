// SPDX-License-Identifier: GPL-3.0-or-later
// A row of joined buttons of which one is chosen.
#pragma once

#include <QWidget>

class QButtonGroup;

namespace farstate::desktop {

class Segmented : public QWidget {
  Q_OBJECT
 public:
  Segmented(const QString& name, const QStringList& labels, QWidget* parent = nullptr);

  int chosen() const;
  void choose(int index);

 Q_SIGNALS:
  void changed(int index);

 private:
  QButtonGroup* group_;
};

}  // namespace farstate::desktop
