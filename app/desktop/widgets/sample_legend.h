// SPDX-License-Identifier: GPL-3.0-or-later
// Names the samples that the inspector compares, and lets one be chosen: the one whose fitted
// Gaussian is drawn.
#pragma once

#include <QVector>
#include <QWidget>
#include <optional>

namespace farstate::desktop {

class SampleLegend : public QWidget {
  Q_OBJECT
 public:
  struct Entry {
    int key = 0;
    QString label;
    QColor color;
    bool choosable = true;
  };
  explicit SampleLegend(QWidget* parent = nullptr);

  void set_entries(const QVector<Entry>& entries);
  void set_chosen(std::optional<int> key);
  QRect place_of(int key) const;
  QStringList labels() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 Q_SIGNALS:
  void chosen(int key);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  int width_of(const Entry& entry) const;
  QVector<QRect> places() const;

  QVector<Entry> entries_;
  std::optional<int> chosen_;
};

}  // namespace farstate::desktop
