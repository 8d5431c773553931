// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QTimer>
#include <cstdio>

#include "app/desktop/command_line.h"
#include "app/desktop/main_window.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/plots_panel.h"
#include "core/base/error.h"
#include "core/base/process.h"

namespace farstate::desktop {
namespace {

bool has_display() {
  return !qEnvironmentVariableIsEmpty("DISPLAY") ||
         !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
         !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

int complain(const QString& sentence, ErrorKind kind) {
  std::fputs(qPrintable(sentence + QLatin1Char('\n')), stderr);
  return static_cast<int>(kind);
}

// The file that could not be written; empty if all were.
QString write_pictures(MainWindow& window, const Options& options) {
  if (!window.grab().save(options.shot, "PNG")) return options.shot;
  if (options.plots.isEmpty()) return {};
  if (!QDir().mkpath(options.plots)) return options.plots;
  for (const auto& [name, card] : window.plots()->cards()) {
    const QString file = QDir(options.plots).filePath(name + QStringLiteral(".png"));
    if (!card->grab().save(file, "PNG")) return file;
  }
  return {};
}

// Writes the pictures and closes the window; what went wrong is left in `exit_code`.
void take_shot(MainWindow& window, const Options& options, int& exit_code) {
  if (const QString file = write_pictures(window, options); !file.isEmpty()) {
    exit_code =
        complain(QCoreApplication::translate("Shot", "Cannot write the picture %1.").arg(file),
                 ErrorKind::kBadInput);
  } else if (window.error()) {
    exit_code = complain(QString::fromStdString(window.error()->message), window.error()->kind);
  }
  window.close();
}

int run(QApplication& app, const Options& options) {
  prepare_application(app);
  app.setQuitOnLastWindowClosed(false);  // the window says finished() when the worker has ended
  MainWindow window(make_local_runner(), options.recipe, options.theme);
  QObject::connect(&window, &MainWindow::finished, &app, &QCoreApplication::quit);
  int exit_code = 0;
  if (options.run) {
    QObject::connect(&window, &MainWindow::state_changed, &window,
                     [&window, started = false](RunState state) mutable {
                       if (state != RunState::kReady || started) return;
                       started = true;
                       window.run_main_action();
                     });
  }
  if (!options.shot.isEmpty()) {
    QTimer::singleShot(static_cast<int>(1000 * options.shot_after), &window,
                       [&] { take_shot(window, options, exit_code); });
  }
  window.resize(options.size);
  window.show();
  window.load();
  if (!options.sheet.isEmpty()) window.opening()->look_at(options.sheet);
  app.exec();
  return exit_code;
}

}  // namespace
}  // namespace farstate::desktop

int main(int argc, char** argv) {
  using namespace farstate::desktop;
  farstate::let_waiting_threads_sleep(argv);
  farstate::explain_lost_pages();
  QCoreApplication::setApplicationName(QStringLiteral("farstate-desktop"));
  QCoreApplication::setOrganizationName(QStringLiteral("farstate"));
  Options options;
  {
    // Arguments are read before it is known whether a window, and on which platform, can be made.
    const QCoreApplication reader(argc, argv);
    options = parse_arguments(reader.arguments());
  }
  if (!options.complaint.isEmpty()) {
    return complain(options.complaint, farstate::ErrorKind::kBadUsage);
  }
  if (!options.print.isEmpty()) {
    std::fputs(qPrintable(options.print), stdout);
    return 0;
  }
  if (!has_display()) {
    if (options.shot.isEmpty()) {
      return complain(QCoreApplication::translate(
                          "Main",
                          "There is no display (DISPLAY and WAYLAND_DISPLAY are not set). "
                          "The program farstate works without one, and --shot FILE.png draws "
                          "the window into a file."),
                      farstate::ErrorKind::kBadUsage);
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  QApplication app(argc, argv);
  return run(app, options);
}
