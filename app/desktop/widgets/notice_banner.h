// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace farstate::desktop {

struct Theme;

// The one place for errors and warnings, under the top row. It never opens a dialog: a thousand
// errors are one banner with a count.
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

 private:
  QLabel* text_;
  QLabel* count_label_;
  QToolButton* copy_;
  QToolButton* close_;
  Severity severity_ = Severity::kWarning;
  int count_ = 0;
};

}  // namespace farstate::desktop
