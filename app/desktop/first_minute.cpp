// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/first_minute.h"

#include <QDir>
#include <QTimer>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/rendering.h"
#include "core/base/error.h"

namespace farstate::desktop {
namespace {

constexpr int kPictures[] = {1, 5, 10, 20, 60};
constexpr int kChooses = 8, kRepairs = 12;  // seconds

}  // namespace

FirstMinute::FirstMinute(MainWindow* window, const QString& folder)
    : QObject(window), window_(window), folder_(folder) {
  const auto at = [this](int second, auto act) {
    QTimer::singleShot(1000 * second, Qt::PreciseTimer, this, act);
  };
  for (const int second : kPictures) at(second, [this, second] { take(second); });
  at(kChooses, [this] { window_->initial_state()->choose(Intervention::kStatePassing); });
  at(kRepairs, [this] { window_->repair_live(); });
  at(kPictures[std::size(kPictures) - 1] + 1, [this] { Q_EMIT ended(); });
}

void FirstMinute::take(int second) {
  const QString file = QDir(folder_).filePath(
      QStringLiteral("%1s.png").arg(second, 2, 10, QLatin1Char('0')));
  try {
    write_picture(file, png_of(window_->grab().toImage(), {window_->windowTitle(), {}}));
  } catch (const Error& error) {
    Q_EMIT failed(QString::fromStdString(error.what()));
  }
}

}  // namespace farstate::desktop
