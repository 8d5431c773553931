// SPDX-License-Identifier: GPL-3.0-or-later
// Says on a plot where its curves are from: measured here and now, or recorded before.
#pragma once

#include <QWidget>

namespace farstate::desktop {

struct Theme;

class OriginChip : public QWidget {
  Q_OBJECT
 public:
  explicit OriginChip(QWidget* parent);

  void set_theme(const Theme& theme);
  void show_origin(bool live, const QString& text, const QString& tip);
  const QString& text() const { return text_; }
  bool live() const { return live_; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  QString text_;
  bool live_ = false;
};

}  // namespace farstate::desktop
