// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QScreen>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <cstdlib>

#include "app/desktop/command_line.h"
#include "app/desktop/diagnostics.h"
#include "app/desktop/event_log.h"
#include "app/desktop/first_minute.h"
#include "app/desktop/language.h"
#include "app/desktop/main_window.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/rendering.h"
#include "app/desktop/responsiveness.h"
#include "app/desktop/screens.h"
#include "app/desktop/session/session_keeper.h"
#include "app/desktop/session/view_keeper.h"
#include "app/desktop/settings.h"
#include "app/desktop/startup_times.h"
#include "app/desktop/story/story_check.h"
#include "app/desktop/story/story_teller.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/session/boundary.h"

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

void write_pictures(MainWindow& window, const Options& options) {
  const Measurement* measured = window.book().current();
  const QString recipe =
      QString::fromStdString(to_json(measured != nullptr ? measured->recipe : window.recipe()));
  write_picture(options.shot, png_of(window.grab().toImage(), {window.windowTitle(), recipe}));
  if (options.plots.isEmpty()) return;
  make_folder(options.plots.toStdString());
  for (const auto& [name, card] : window.plots()->cards()) {
    write_picture(QDir(options.plots).filePath(name + QStringLiteral(".png")),
                  png_of(drawing_of(*card), {name, recipe}, 1));
  }
}

// Writes the pictures and closes the window; what went wrong is left in `exit_code`.
void take_shot(MainWindow& window, const Options& options, int& exit_code) {
  try {
    write_pictures(window, options);
    if (window.error()) {
      exit_code = complain(QString::fromStdString(window.error()->message), window.error()->kind);
    }
  } catch (const Error& error) {
    exit_code = complain(QString::fromStdString(error.what()), error.kind());
  }
  window.close();
}

QString story_folder(const QString& name) {
  const QString embedded = embedded_story(name);
  return embedded.isEmpty() ? name : embedded;
}

// A story that is named on the command line and can't be read ends the program, as a bad file does.
std::optional<Error> problem_of(const QString& story) {
  if (story.isEmpty()) return std::nullopt;
  try {
    read_story(story_folder(story));
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

void say(const QString& line) {
  std::fputs(qPrintable(line + QLatin1Char('\n')), stdout);
  std::fflush(stdout);
}

// Begins with the story; what went wrong is left in `exit_code`.
void check_story(MainWindow& window, const QTemporaryDir& folder, int& exit_code) {
  window.story()->set_report_path(folder.filePath(QStringLiteral("report.pdf")));
  auto* check = new StoryCheck(window, say);
  QObject::connect(check, &StoryCheck::finished, &window, [&](const QString& complaint) {
    if (!complaint.isEmpty()) exit_code = complain(complaint, ErrorKind::kInternal);
    window.close();
  });
  check->start();
}

int render(QApplication& app, const RenderRequest& request) {
  try {
    for (const QString& file : render_results(app, request)) {
      std::fputs(qPrintable(file + QLatin1Char('\n')), stdout);
    }
  } catch (...) {
    const Error error = current_error();
    return complain(QString::fromStdString(error.what()), error.kind());
  }
  return 0;
}

// What Qt remarks on a machine without a desktop is nothing to the person who asked for pictures.
void say_what_matters(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg) complain(message, ErrorKind::kInternal);
  if (type == QtFatalMsg) std::abort();
}

// Pictures depend on the results and on nothing else: no screen, and nobody's scale of one.
void use_no_screen() {
  qInstallMessageHandler(say_what_matters);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  for (const char* name : {"QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"}) {
    qunsetenv(name);
  }
}

// Lets what goes through the window without a person end the program.
template <class Walker>
void follow(Walker* walker, MainWindow& window, int& exit_code) {
  QObject::connect(walker, &Walker::failed, &window,
                   [&exit_code, &window](const QString& sentence) {
                     exit_code = complain(sentence, ErrorKind::kBadInput);
                     window.close();
                   });
  QObject::connect(walker, &Walker::ended, &window, &QWidget::close);
}

// A window for a person, and not for a picture or a check.
bool is_for_a_person(const Options& options) {
  return options.shot.isEmpty() && options.frames.isEmpty() && options.screens.isEmpty() &&
         !options.check && options.soak_seconds == 0;
}

int run(QApplication& app, const Options& options) {
  if (const std::optional<Error> problem = problem_of(options.story)) {
    return complain(QString::fromStdString(problem->what()), problem->kind());
  }
  std::optional<Session> session;
  try {
    if (!options.session.isEmpty()) session = read_session(options.session.toStdString());
  } catch (const Error& error) {
    return complain(QString::fromStdString(error.what()), error.kind());
  }
  for (const QString& folder : {options.frames, options.screens}) {
    if (!folder.isEmpty()) make_folder(folder.toStdString());
  }
  if (is_for_a_person(options)) open_log(state_folder());
  app.setQuitOnLastWindowClosed(false);  // the window says finished() when the worker has ended
  MainWindow window(make_local_runner(), options.recipe,
                    options.theme.value_or(remembered_theme()));
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
  if (!options.prompt.isEmpty()) {
    QObject::connect(&window, &MainWindow::state_changed, &window,
                     [&window, prompt = options.prompt, started = false](RunState state) mutable {
                       if (state != RunState::kReady || started) return;
                       started = true;
                       window.generate(prompt);
                     });
  }
  if (options.experiment) {
    QObject::connect(&window, &MainWindow::state_changed, &window,
                     [&window, plan = *options.experiment, started = false](RunState state) mutable {
                       if (state != RunState::kReady || started) return;
                       started = true;
                       window.start_experiment(plan);
                     });
  }
  if (!options.task.empty()) {
    window.show_task(options.task);
    QObject::connect(&window, &MainWindow::state_changed, &window,
                     [&window, started = false](RunState state) mutable {
                       if (state != RunState::kReady || started) return;
                       started = true;
                       window.tasks_panel()->score();
                     });
  }
  if (!options.shot.isEmpty()) {
    QTimer::singleShot(static_cast<int>(1000 * options.shot_after), &window,
                       [&] { take_shot(window, options, exit_code); });
  }
  if (is_for_a_person(options) && !options.size_given) {
    window.sessions()->place_window(options.size, window.screen()->availableGeometry());
  } else {
    window.resize(options.size);
  }
  // The window comes first: loading a model keeps the cores busy.
  after_first_paint(window, [&] {
    if (options.startup_times) {
      std::printf("first paint after %.0f ms, main() after %.0f ms\n", milliseconds_since_start(),
                  options.main_ms);
      std::fflush(stdout);
    }
    if (session) {
      window.restore(*session);
    } else {
      window.load();
    }
    if (!options.frames.isEmpty()) {
      follow(new FirstMinute(&window, options.frames), window, exit_code);
    }
    if (options.soak_seconds > 0) {
      follow(new Responsiveness(window, options.soak_seconds, say), window, exit_code);
    }
    if (!options.screens.isEmpty()) follow(new Screens(window, options.screens), window, exit_code);
  });
  window.show();
  if (is_for_a_person(options)) {
    window.views()->remember();
    window.sessions()->begin_journal(state_folder());
  }
  const QTemporaryDir reports;
  if (!options.story.isEmpty()) window.open_story(story_folder(options.story));
  if (options.check) check_story(window, reports, exit_code);
  if (!options.sheet.isEmpty()) window.opening()->look_at(options.sheet);
  app.exec();
  return exit_code;
}

}  // namespace
}  // namespace farstate::desktop

int main(int argc, char** argv) {
  using namespace farstate::desktop;
  const double main_ms = milliseconds_since_start();
  farstate::let_waiting_threads_sleep(argv);
  farstate::explain_lost_pages();
  QCoreApplication::setApplicationName(QStringLiteral("farstate-desktop"));
  QCoreApplication::setOrganizationName(QStringLiteral("farstate"));
  QGuiApplication::setDesktopFileName(QStringLiteral("org.farstate.Farstate"));
  Options options;
  {
    // Arguments are read before it is known whether a window, and on which platform, can be made.
    const QCoreApplication reader(argc, argv);
    set_language(remembered_language());
    options = parse_arguments(reader.arguments());
    options.main_ms = main_ms;
  }
  if (!options.complaint.isEmpty()) {
    return complain(options.complaint, farstate::ErrorKind::kBadUsage);
  }
  if (!options.print.isEmpty()) {
    std::fputs(qPrintable(options.print), stdout);
    return 0;
  }
  if (options.diagnostics) {
    std::fputs(qPrintable(diagnostics_text({}, logged_lines(state_folder()))), stdout);
    return 0;
  }
  const bool renders = !options.render.results.isEmpty();
  if (renders) use_no_screen();
  if (!has_display()) {
    if (is_for_a_person(options)) {
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
  prepare_application(app);
  set_language(options.language.value_or(renders ? Language::kEnglish : remembered_language()));
  return renders ? render(app, options.render) : run(app, options);
}
