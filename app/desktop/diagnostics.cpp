// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/diagnostics.h"

#include <QDir>
#include <QGuiApplication>
#include <QScreen>
#include <QSysInfo>

#include "app/desktop/event_log.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/settings.h"
#include "core/base/error.h"
#include "core/base/process.h"
#include "core/session/machine.h"
#include "core/store/run_store.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString from(const std::string& text) { return QString::fromStdString(text); }

QString without_home(QString text) {
  const QString home = QDir::homePath();
  return home.size() > 1 ? text.replace(home, u"~"_s) : text;
}

QString mebibytes(int64_t bytes) { return u"%1 MiB"_s.arg(bytes >> 20); }

class Report {
 public:
  void add(const QString& name, const QString& value) {
    if (!value.isEmpty()) text_ += name.leftJustified(kNames) + value + u'\n';
  }
  void begin(const QString& title) { text_ += u'\n' + title + u'\n'; }
  void line(const QString& line) { text_ += line + u'\n'; }
  QString text() const { return without_home(text_); }

 private:
  static constexpr int kNames = 15;
  QString text_;
};

void add_versions(Report& report, const MachineReport& here) {
  report.add(u"Farstate"_s, QStringLiteral(FARSTATE_VERSION));
  report.add(u"Qt"_s, QLatin1StringView(qVersion()));
  report.add(u"QCustomPlot"_s, QStringLiteral(QCUSTOMPLOT_VERSION_STR));
  for (const Library& library : here.libraries) {
    report.add(from(library.name), from(library.version).section(u'\n', 0, 0));
  }
}

void add_screens(Report& report) {
  if (qobject_cast<QGuiApplication*>(QCoreApplication::instance()) == nullptr) return;
  report.add(u"platform"_s, QGuiApplication::platformName());
  for (const QScreen* screen : QGuiApplication::screens()) {
    report.add(u"screen"_s, u"%1 x %2, scale %3"_s.arg(screen->size().width())
                                .arg(screen->size().height())
                                .arg(screen->devicePixelRatio()));
  }
}

void add_machine(Report& report, const MachineReport& here) {
  report.add(u"system"_s, QSysInfo::prettyProductName() + u", "_s + QSysInfo::kernelType() + u' ' +
                              QSysInfo::kernelVersion());
  report.add(u"processor"_s, from(here.machine.processor));
  report.add(u"cores"_s, u"%1, of which %2 work"_s.arg(here.machine.cores).arg(here.machine.threads));
  report.add(u"kernels"_s, from(here.machine.instructions) +
                               (here.machine.bf16 ? u", bfloat16"_s : u", no bfloat16"_s));
  report.add(u"memory"_s, u"%1 used here, %2 to be had"_s.arg(mebibytes(resident_memory()),
                                                              mebibytes(available_memory())));
  for (const DeviceLimits& gpu : here.gpus) {
    report.add(u"GPU"_s, u"%1, %2"_s.arg(from(gpu.name), mebibytes(gpu.memory_bytes)));
  }
  if (here.gpus.empty()) report.add(u"GPU"_s, u"none that this build computes on"_s);
  add_screens(report);
}

QString store_path() {
  try {
    return from(RunStore::default_path());
  } catch (const Error& error) {
    return from(error.what());
  }
}

QString value_text(const QVariant& value) {
  if (value.typeId() == QMetaType::QByteArray) return u"(%1 bytes)"_s.arg(value.toByteArray().size());
  return value.typeId() == QMetaType::QStringList ? value.toStringList().join(u", "_s)
                                                  : value.toString();
}

void add_settings(Report& report) {
  const auto settings = open_settings();
  report.begin(u"Settings"_s);
  report.line(settings->fileName());
  for (const QString& key : settings->allKeys()) {
    // What a person has opened is nobody's business.
    if (key.startsWith(u"recent/"_s) || key.startsWith(u"stated_context/"_s)) continue;
    report.line(u"  %1 = %2"_s.arg(key, value_text(settings->value(key))));
  }
}

}  // namespace

QString diagnostics_text(const std::vector<DiagnosticFact>& window, const QStringList& log_lines) {
  const MachineReport here = machine_report();
  Report report;
  add_versions(report, here);
  add_machine(report, here);
  report.add(u"store of runs"_s, store_path());
  report.add(u"state folder"_s, state_folder());
  report.add(u"log"_s, log_path());
  if (!window.empty()) report.begin(u"Window"_s);
  for (const DiagnosticFact& fact : window) report.add(u"  "_s + fact.name, fact.value);
  add_settings(report);
  if (!log_lines.isEmpty()) report.begin(u"Last lines of the log"_s);
  for (const QString& line : log_lines) report.line(u"  "_s + line);
  return report.text();
}

}  // namespace farstate::desktop
