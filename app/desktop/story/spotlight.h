// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace farstate::desktop {

struct Theme;

// Points at one control: what is neither it nor in the side column is dimmed, and a ring lies
// around it. Clicks go through, and the first one ends it. It moves nothing, so there is nothing
// for who wants no motion.
class Spotlight : public QWidget {
  Q_OBJECT
 public:
  // over: what is dimmed; spared: what never is.
  Spotlight(QWidget* over, QWidget* spared);

  void set_theme(const Theme& theme);
  void point_at(QWidget* control);  // null: ends it
  void end() { point_at(nullptr); }
  bool on() const { return !isHidden(); }
  QRect ring() const;  // in its own coordinates; empty: nothing is pointed at

 Q_SIGNALS:
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect place_of(const QWidget* widget) const;

  const Theme* theme_;
  QPointer<QWidget> spared_, control_;
};

}  // namespace farstate::desktop
