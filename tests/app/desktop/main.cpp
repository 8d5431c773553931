// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "app/desktop/language.h"
#include "app/desktop/theme.h"

namespace {

// Warnings of Qt about our own mistakes fail the test that runs.
void fail_on_warning(QtMsgType type, const QMessageLogContext&, const QString& message) {
  const bool ours = message.contains(QLatin1String("QObject::connect")) ||
                    message.contains(QLatin1String("Destroyed while thread")) ||
                    message.contains(QLatin1String("QPainter::")) ||
                    message.contains(QLatin1String("Could not parse"));
  if (ours) ADD_FAILURE() << qPrintable(message);
  if (type == QtFatalMsg) std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QStandardPaths::setTestModeEnabled(true);
  const QTemporaryDir settings;  // the person's own are neither read nor written
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
  qInstallMessageHandler(fail_on_warning);
  QApplication app(argc, argv);
  app.setQuitOnLastWindowClosed(false);
  farstate::desktop::prepare_application(app);
  farstate::desktop::set_language(farstate::desktop::Language::kEnglish);
  return RUN_ALL_TESTS();
}
