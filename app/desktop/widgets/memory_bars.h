// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>
#include <cstdint>

namespace farstate::desktop {

struct Theme;

// What several uses of memory need, each a bar against what the machine can still give. A bar that
// goes beyond is red, and its size says so in words too.
class MemoryBars : public QWidget {
  Q_OBJECT
 public:
  struct Use {
    QString name;
    int64_t bytes = 0;  // 0: not known
  };

  explicit MemoryBars(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_uses(const QVector<Use>& uses, int64_t available);  // 0: not known

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool fits(const Use& use) const { return available_ <= 0 || use.bytes <= available_; }
  QString size_of(const Use& use) const;
  void paint_use(QPainter& painter, const QRect& row, const QRect& track, const Use& use) const;

  const Theme* theme_;
  QVector<Use> uses_;
  int64_t available_ = 0;
};

}  // namespace farstate::desktop
