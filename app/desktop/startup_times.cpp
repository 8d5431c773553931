// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/startup_times.h"

#include <unistd.h>

#include <QEvent>
#include <QFile>
#include <QTimer>
#include <ctime>

namespace farstate::desktop {
namespace {

class FirstPaint : public QObject {
 public:
  FirstPaint(QWidget& window, std::function<void()> act) : QObject(&window), act_(std::move(act)) {
    window.installEventFilter(this);
  }

 protected:
  // The picture is on its way when the event loop is back at work.
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint && act_) {
      watched->removeEventFilter(this);
      QTimer::singleShot(0, this, [this] {
        act_();
        deleteLater();
      });
    }
    return false;
  }

 private:
  std::function<void()> act_;
};

}  // namespace

double milliseconds_since_start() {
  QFile file(QStringLiteral("/proc/self/stat"));
  if (!file.open(QIODevice::ReadOnly)) return -1;
  const QByteArray text = file.readAll();
  // The name, in brackets, may hold spaces; the start is the 20th field behind it, in ticks since
  // the machine started.
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  constexpr qsizetype kStart = 19;
  timespec now{};
  if (fields.size() <= kStart || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return 1000.0 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec) -
         1000.0 * fields[kStart].toDouble() / ticks;
}

void after_first_paint(QWidget& window, std::function<void()> act) {
  new FirstPaint(window, std::move(act));
}

}  // namespace farstate::desktop
