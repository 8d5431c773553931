// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/probability_bar.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kBar = 10, kGap = 10;

}  // namespace

QString probability_text(double probability) {
  const QLocale locale;
  if (probability < 0.0001) return QStringLiteral("< ") + locale.toString(0.0001, 'f', 4);
  return locale.toString(probability, 'f', probability < 0.01 ? 4 : 2);
}

ProbabilityBar::ProbabilityBar(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  worded(this, [this] { setAccessibleName(tr("Probability of the right answer")); });
}

void ProbabilityBar::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void ProbabilityBar::show_probability(std::optional<double> probability, bool faint) {
  if (probability == probability_ && faint == faint_) return;
  probability_ = probability;
  faint_ = faint;
  setAccessibleDescription(probability_ ? probability_text(*probability_) : tr("not known"));
  update();
}

QSize ProbabilityBar::sizeHint() const { return {200, fontMetrics().height() + 2}; }

void ProbabilityBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int number = fontMetrics().horizontalAdvance(probability_text(0));
  const QRectF track(0, (height() - kBar) / 2.0, width() - number - kGap, kBar);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->dark ? theme_->border : theme_->grid);
  painter.drawRoundedRect(track, 3, 3);
  if (!probability_) return;
  QRectF filled = track;
  filled.setWidth(std::max(2.0, std::clamp(*probability_, 0.0, 1.0) * track.width()));
  painter.setBrush(faint_ ? theme_->faint : theme_->accent);
  painter.drawRoundedRect(filled, std::min(3.0, filled.width() / 2), 3);
  painter.setPen(faint_ ? theme_->muted : theme_->text);
  painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignRight, probability_text(*probability_));
}

}  // namespace farstate::desktop
