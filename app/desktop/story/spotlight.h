// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QPointer>
#include <QWidget>

namespace farstate::desktop {

struct Theme;

// Points at one control: all but it and what is to be seen beside it is dimmed, and a ring lies
// around it. Clicks go through, and the first one ends it. It moves nothing, so there is nothing
// for who wants no motion.
class Spotlight : public QWidget {
  Q_OBJECT
 public:
  // over: what is dimmed; spared: what is not, unless the control is one of its parts.
  Spotlight(QWidget* over, const QList<QWidget*>& spared);

  void set_theme(const Theme& theme);
  void point_at(QWidget* control);  // null: ends it
  void end() { point_at(nullptr); }
  bool on() const { return !isHidden(); }
  bool dims(const QPoint& at) const { return on() && !lit().contains(at); }
  QRect ring() const;  // in its own coordinates; empty: nothing is pointed at

 Q_SIGNALS:
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect place_of(const QWidget* widget) const;
  QPainterPath lit() const;

  const Theme* theme_;
  QList<QPointer<QWidget>> spared_;
  QPointer<QWidget> control_;
};

}  // namespace farstate::desktop
