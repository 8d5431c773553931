// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/sample_legend.h"

#include <QMouseEvent>
#include <QPainter>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kSwatch = 9;
constexpr int kSpace = 5;     // between label and swatch
constexpr int kBetween = 10;  // between two entries

}  // namespace

SampleLegend::SampleLegend(QWidget* parent) : QWidget(parent) {
  set_text(this, TextSize::kSmall);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  worded(this, [this] {
    setAccessibleName(tr("Legend"));
    setToolTip(tr("Click a name: its fitted Gaussian, as a dashed line"));
  });
}

void SampleLegend::set_entries(const QVector<Entry>& entries) {
  entries_ = entries;
  setAccessibleDescription(labels().join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

void SampleLegend::set_chosen(std::optional<int> key) {
  chosen_ = key;
  update();
}

QStringList SampleLegend::labels() const {
  QStringList labels;
  for (const Entry& entry : entries_) labels.push_back(entry.label);
  return labels;
}

int SampleLegend::width_of(const Entry& entry) const {
  return fontMetrics().horizontalAdvance(entry.label) + kSpace + kSwatch;
}

QVector<QRect> SampleLegend::places() const {
  QVector<QRect> out;
  int x = 0;
  for (const Entry& entry : entries_) {
    out.push_back({x, 0, width_of(entry), height()});
    x += width_of(entry) + kBetween;
  }
  return out;
}

QRect SampleLegend::place_of(int key) const {
  const QVector<QRect> all = places();
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    if (entries_[i].key == key) return all[i];
  }
  return {};
}

QSize SampleLegend::sizeHint() const {
  int width = 0;
  for (const Entry& entry : entries_) width += width_of(entry) + kBetween;
  return {std::max(0, width - kBetween), fontMetrics().height() + 6};
}

void SampleLegend::mousePressEvent(QMouseEvent* event) {
  const QVector<QRect> all = places();
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    if (!entries_[i].choosable || !all[i].contains(event->pos())) continue;
    set_chosen(entries_[i].key);
    Q_EMIT chosen(entries_[i].key);
  }
}

void SampleLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QVector<QRect> all = places();
  for (qsizetype i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const int label = fontMetrics().horizontalAdvance(entry.label);
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(all[i], Qt::AlignVCenter | Qt::AlignLeft, entry.label);
    const QRect swatch(all[i].left() + label + kSpace, (height() - kSwatch) / 2 + 1, kSwatch,
                       kSwatch);
    painter.fillRect(swatch, entry.color);
    if (chosen_ != entry.key) continue;
    const int y = height() / 2 + fontMetrics().ascent() / 2 + 3;
    painter.setPen(QPen(entry.color, 1, Qt::DashLine));
    painter.drawLine(all[i].left(), y, all[i].left() + label, y);
  }
}

}  // namespace farstate::desktop
