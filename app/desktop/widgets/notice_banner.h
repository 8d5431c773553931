// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QFrame>
#include <vector>

class QLabel;
class QToolButton;

namespace farstate::desktop {

struct Theme;

// The one place for errors and warnings, under the top row. It never opens a dialog: a thousand
// errors are one banner with a count. What each of them said stays to be read after it is dismissed.
class NoticeBanner : public QFrame {
  Q_OBJECT
 public:
  enum class Severity { kWarning, kError };

  explicit NoticeBanner(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_notice(Severity severity, const QString& text);  // the newest text, counting all
  void dismiss();

  int count() const { return count_; }
  QString text() const;
  // All that was said since the program began, a line each, newest first.
  QString history() const;

 Q_SIGNALS:
  void details_wanted();

 private:
  static constexpr size_t kRemembered = 100;  // of different texts
  struct Said {
    Severity severity;
    QString text;
    int times = 0;
    QDateTime last;
  };
  void remember(Severity severity, const QString& text);

  std::vector<Said> said_;
  QLabel* text_;
  QLabel* count_label_;
  QToolButton* details_;
  QToolButton* copy_;
  QToolButton* close_;
  Severity severity_ = Severity::kWarning;
  int count_ = 0;
};

}  // namespace farstate::desktop
