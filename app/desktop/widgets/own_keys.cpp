// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/own_keys.h"

#include <QKeyEvent>
#include <QWidget>

namespace farstate::desktop {
namespace {

class KeyOwner : public QObject {
 public:
  KeyOwner(QWidget* widget, const QList<int>& keys) : QObject(widget), keys_(keys) {
    widget->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ShortcutOverride &&
        keys_.contains(static_cast<QKeyEvent*>(event)->key())) {
      event->accept();
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  QList<int> keys_;
};

}  // namespace

void own_keys(QWidget* widget, const QList<int>& keys) { new KeyOwner(widget, keys); }

}  // namespace farstate::desktop
