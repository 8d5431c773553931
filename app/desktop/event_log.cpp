// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/event_log.h"

#include <spdlog/sinks/dup_filter_sink.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>

#include <QDir>
#include <QFile>
#include <QLoggingCategory>
#include <algorithm>
#include <chrono>

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr size_t kFileBytes = 1 << 20, kOldFiles = 3;
constexpr int kRemembered = 200;
constexpr auto kSameAgain = std::chrono::seconds(5);  // a line that repeats is one with a count
constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S.%e %l %v";

QString path_in(const QString& folder) { return QDir(folder).filePath(u"farstate-desktop.log"_s); }

class EventLog {
 public:
  EventLog() : newest_(std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kRemembered)) {
    begin({newest_});
  }

  void open(const QString& folder) {
    path_.clear();
    try {
      const QString path = path_in(folder);
      begin({newest_, std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                          path.toStdString(), kFileBytes, kOldFiles)});
      path_ = path;
      logger_->info("Farstate {} begins", FARSTATE_VERSION);
    } catch (const spdlog::spdlog_ex& error) {
      begin({newest_});
      logger_->warn("There is no log file: {}", error.what());
    }
  }

  spdlog::logger& logger() { return *logger_; }
  const QString& path() const { return path_; }

  QStringList newest() const {
    QStringList lines;
    for (const std::string& line : newest_->last_formatted()) {
      lines.push_back(QString::fromStdString(line).trimmed());
    }
    return lines;
  }

 private:
  void begin(std::vector<spdlog::sink_ptr> sinks) {
    auto once = std::make_shared<spdlog::sinks::dup_filter_sink_mt>(kSameAgain);
    once->set_sinks(std::move(sinks));
    logger_ = std::make_shared<spdlog::logger>("farstate", once);
    logger_->set_pattern(kPattern);
    logger_->flush_on(spdlog::level::info);
  }

  std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> newest_;
  std::shared_ptr<spdlog::logger> logger_;
  QString path_;
};

EventLog& event_log() {
  static EventLog log;
  return log;
}

QtMessageHandler before_us = nullptr;

void take_qt_message(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type != QtDebugMsg) {
    const bool grave = type == QtCriticalMsg || type == QtFatalMsg;
    log_line(grave ? LogLevel::kError
                   : type == QtWarningMsg ? LogLevel::kWarning : LogLevel::kNote,
             u"Qt: "_s + message);
  }
  if (before_us != nullptr) before_us(type, context, message);
}

}  // namespace

QString state_folder() {
  const QString named = qEnvironmentVariable("XDG_STATE_HOME");
  const QString base = QDir::isAbsolutePath(named) ? named : QDir::homePath() + u"/.local/state"_s;
  return base + u"/farstate"_s;
}

void open_log(const QString& folder) {
  event_log().open(folder);
  const QtMessageHandler before = qInstallMessageHandler(take_qt_message);
  if (before != take_qt_message) before_us = before;
}

QString log_path() { return event_log().path(); }

void log_line(LogLevel level, const QString& text) {
  const spdlog::level::level_enum levels[] = {spdlog::level::info, spdlog::level::warn,
                                              spdlog::level::err};
  event_log().logger().log(levels[static_cast<int>(level)], "{}", text.toStdString());
}

QStringList last_log_lines() { return event_log().newest(); }

QStringList logged_lines(const QString& folder) {
  QFile file(path_in(folder));
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return {};
  const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
  return lines.last(std::min<qsizetype>(lines.size(), kRemembered));
}

}  // namespace farstate::desktop
