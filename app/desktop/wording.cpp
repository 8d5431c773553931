// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/wording.h"

#include <QCoreApplication>
#include <QEvent>

namespace farstate::desktop {
namespace {

// Says when the application's translators have changed. Widgets hear of it by themselves
// (changeEvent), but later, by an event that is posted, and other objects never.
class LanguageWatch : public QObject {
  Q_OBJECT
 public:
  explicit LanguageWatch(QCoreApplication* app) : QObject(app) { app->installEventFilter(this); }

 Q_SIGNALS:
  void changed();

 protected:
  // A filter of the application sees the events of all objects.
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::LanguageChange && watched == parent()) Q_EMIT changed();
    return false;
  }
};

LanguageWatch* watch() {
  QCoreApplication* app = QCoreApplication::instance();
  auto* found = app->findChild<LanguageWatch*>(QString(), Qt::FindDirectChildrenOnly);
  return found != nullptr ? found : new LanguageWatch(app);
}

}  // namespace

void worded(QObject* owner, std::function<void()> say) {
  say();
  QObject::connect(watch(), &LanguageWatch::changed, owner, std::move(say));
}

}  // namespace farstate::desktop

#include "wording.moc"
