// SPDX-License-Identifier: GPL-3.0-or-later
// A few words beside what they are about, with a tip that points at it. Clicks go through them to
// what lies below; only their two buttons take any.
#pragma once

#include <QString>
#include <QWidget>

class QToolButton;

namespace farstate::desktop {

struct Theme;

class Callout : public QWidget {
  Q_OBJECT
 public:
  explicit Callout(QWidget* parent);

  void set_theme(const Theme& theme);
  void set_text(const QString& title, const QString& text);
  // Beside the point, which the tip touches, where there is room for it; in the parent.
  void point_at(const QPoint& point);
  void open();
  void close_hint();
  void withdraw();  // without being closed: it may come back

  const QString& title() const { return title_; }
  QToolButton* close_button() const { return close_; }
  QToolButton* never_button() const { return never_; }

 Q_SIGNALS:
  void closed();
  void unwanted();  // none of them ever again

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void place_buttons();
  void style_buttons();

  const Theme* theme_;
  QString title_, text_;
  QPoint point_;
  bool tip_left_ = true;
  QWidget* buttons_;  // a sibling: children of what clicks go through get none either
  QToolButton *close_, *never_;
};

}  // namespace farstate::desktop
