// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/step_dots.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace farstate::desktop {
namespace {

constexpr int kDot = 8, kPitch = 16, kHeight = 18;

}  // namespace

StepDots::StepDots(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StepDots::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void StepDots::set_steps(const std::vector<bool>& done, const QStringList& titles, size_t at) {
  done_ = done;
  titles_ = titles;
  at_ = at;
  updateGeometry();
  update();
}

QSize StepDots::sizeHint() const {
  return {std::max(kPitch, static_cast<int>(done_.size()) * kPitch), kHeight};
}

int StepDots::step_at(const QPoint& at) const {
  const int step = at.x() / kPitch;
  return at.x() >= 0 && step < static_cast<int>(done_.size()) ? step : -1;
}

bool StepDots::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int step = step_at(help->pos());
    if (step >= 0) QToolTip::showText(help->globalPos(), titles_.value(step), this);
    return true;
  }
  return QWidget::event(event);
}

void StepDots::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (size_t i = 0; i < done_.size(); ++i) {
    const QPointF middle(kPitch * (static_cast<double>(i) + 0.5), kHeight / 2.0);
    const double radius = kDot / 2.0;
    painter.setPen(QPen(done_[i] ? theme_->good : theme_->axis, 1.5));
    painter.setBrush(done_[i] ? QBrush(theme_->good) : QBrush(Qt::NoBrush));
    painter.drawEllipse(middle, radius - 0.75, radius - 0.75);
    if (i != at_) continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? theme_->text : theme_->accent, 1.5));
    painter.drawEllipse(middle, radius + 2.2, radius + 2.2);
  }
}

void StepDots::mousePressEvent(QMouseEvent* event) {
  const int step = step_at(event->pos());
  if (step >= 0) Q_EMIT chosen(static_cast<size_t>(step));
}

void StepDots::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Right && at_ + 1 < done_.size()) {
    Q_EMIT chosen(at_ + 1);
  } else if (event->key() == Qt::Key_Left && at_ > 0) {
    Q_EMIT chosen(at_ - 1);
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace farstate::desktop
