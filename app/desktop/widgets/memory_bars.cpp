// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/memory_bars.h"

#include <QPainter>
#include <algorithm>

#include "app/desktop/size_text.h"
#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kRow = 21, kBar = 8, kGap = 12;

}  // namespace

MemoryBars::MemoryBars(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  worded(this, [this] { setAccessibleName(tr("Memory")); });
}

void MemoryBars::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void MemoryBars::show_uses(const QVector<Use>& uses, int64_t available) {
  uses_ = uses;
  available_ = available;
  QStringList words;
  for (const Use& use : uses_) words << tr("%1: %2").arg(use.name, size_of(use));
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

QString MemoryBars::size_of(const Use& use) const {
  if (use.bytes <= 0) return tr("not known");
  return fits(use) ? size_text(use.bytes) : tr("%1, too much").arg(size_text(use.bytes));
}

QSize MemoryBars::sizeHint() const { return {320, kRow * static_cast<int>(uses_.size())}; }

void MemoryBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  int names = 0, sizes = 0;
  int64_t longest = available_;
  for (const Use& use : uses_) {
    names = std::max(names, fontMetrics().horizontalAdvance(use.name));
    sizes = std::max(sizes, fontMetrics().horizontalAdvance(size_of(use)));
    longest = std::max(longest, use.bytes);
  }
  const QRect track(names + kGap, 0, width() - names - sizes - 2 * kGap, kBar);
  QRect row(0, 0, width(), kRow);
  for (const Use& use : uses_) {
    QRect bar = track;
    bar.moveTop(row.center().y() - kBar / 2 + 1);
    const double share = longest > 0 ? static_cast<double>(use.bytes) / double(longest) : 0;
    paint_use(painter, row, bar, use);
    QRectF filled(bar);
    filled.setWidth(use.bytes > 0 ? std::max(2.0, share * bar.width()) : 0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fits(use) ? theme_->accent : theme_->danger);
    painter.drawRoundedRect(filled, std::min(3.0, filled.width() / 2), 3);
    row.translate(0, kRow);
  }
  if (available_ <= 0 || available_ == longest) return;
  const double x = track.left() + track.width() * double(available_) / double(longest);
  painter.setPen(QPen(theme_->trained_limit, 1, Qt::DashLine));
  painter.drawLine(QLineF(x, 0, x, height()));
}

void MemoryBars::paint_use(QPainter& painter, const QRect& row, const QRect& track,
                           const Use& use) const {
  painter.setPen(theme_->muted);
  painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, use.name);
  painter.setPen(!fits(use) ? theme_->danger : use.bytes > 0 ? theme_->text : theme_->muted);
  painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, size_of(use));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->dark ? theme_->border : theme_->grid);
  painter.drawRoundedRect(track, 3, 3);
}

}  // namespace farstate::desktop
