// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/callout.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWide = 236;  // of the words
constexpr int kPadding = 11, kTip = 9, kSpacing = 3, kEdge = 6;

QFont title_font() { return text_font(TextSize::kBody, QFont::DemiBold); }
QFont body_font() { return text_font(TextSize::kBody); }

int wrapped_height(const QFont& font, const QString& text) {
  return text.isEmpty() ? 0
                        : QFontMetrics(font)
                              .boundingRect(QRect(0, 0, text_room(kWide), 10000), Qt::TextWordWrap, text)
                              .height();
}

}  // namespace

Callout::Callout(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)), buttons_(new QWidget(parent)) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  auto* row = new QHBoxLayout(buttons_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(12);
  never_ = new QToolButton(buttons_);
  close_ = new QToolButton(buttons_);
  worded(this, [this] {
    never_->setText(tr("No more hints"));
    never_->setToolTip(tr("Never show hints again. The Help menu brings them back."));
    close_->setText(tr("Got it"));
    fit();
  });
  for (QToolButton* button : {never_, close_}) {
    desktop::set_text(button, TextSize::kSmall, QFont::Medium);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAutoRaise(true);
    row->addWidget(button);
    with_font_of(button, [this] { fit(); });
  }
  connect(close_, &QToolButton::clicked, this, &Callout::close_hint);
  connect(never_, &QToolButton::clicked, this, &Callout::unwanted);
  style_buttons();
  hide();
  buttons_->hide();
}

void Callout::set_theme(const Theme& theme) {
  theme_ = &theme;
  style_buttons();
  update();
}

// Text alone, in the ink of the words beside it: the ground is dark where the window is light.
void Callout::style_buttons() {
  const QString sheet = u"QToolButton { color: %1; background: transparent; border: none; "
                        "padding: 2px 0px; } QToolButton:hover, QToolButton:focus { "
                        "text-decoration: underline; }"_s;
  never_->setStyleSheet(sheet.arg(theme_->faint.name()));
  close_->setStyleSheet(sheet.arg(theme_->surface.name()));
}

void Callout::set_text(const QString& title, const QString& text) {
  title_ = title;
  text_ = text;
  setAccessibleName(title);
  setAccessibleDescription(text);
  fit();
}

void Callout::fit() {
  buttons_->adjustSize();
  const int words = wrapped_height(title_font(), title_) + kSpacing + wrapped_height(body_font(), text_);
  resize(kTip + text_room(kWide) + 2 * kPadding, words + buttons_->height() + kSpacing + 2 * kPadding - 4);
  point_at(point_);
}

void Callout::point_at(const QPoint& point) {
  point_ = point;
  const QSize room = parentWidget()->size();
  tip_left_ = point.x() + width() + kEdge <= room.width();
  const int x = tip_left_ ? point.x() : point.x() - width();
  const int y = std::clamp(point.y() - height() / 3, kEdge,
                           std::max(kEdge, room.height() - height() - kEdge));
  move(std::max(kEdge, x), y);
  place_buttons();
  update();
}

void Callout::place_buttons() {
  const int right = x() + width() - kPadding - (tip_left_ ? 0 : kTip);
  buttons_->move(right - buttons_->width(), y() + height() - kPadding + 3 - buttons_->height());
}

void Callout::open() {
  show();
  raise();
  buttons_->show();
  buttons_->raise();
}

void Callout::close_hint() {
  if (isHidden()) return;
  withdraw();
  Q_EMIT closed();
}

void Callout::withdraw() {
  hide();
  buttons_->hide();
}

void Callout::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) fit();
}

void Callout::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF box = QRectF(rect()).adjusted(tip_left_ ? kTip : 0, 0, tip_left_ ? 0 : -kTip, 0);
  QPainterPath shape;
  shape.addRoundedRect(box, Theme::kRadius, Theme::kRadius);
  const double y = std::clamp<double>(point_.y() - this->y(), 14, height() - 14);
  const double edge = tip_left_ ? box.left() : box.right();
  const double end = tip_left_ ? 0 : width();
  QPainterPath tip;
  tip.addPolygon(QPolygonF{{edge, y - 7}, {end, y}, {edge, y + 7}});
  tip.closeSubpath();
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_->text);
  painter.drawPath(shape.united(tip));
  painter.setPen(theme_->surface);
  QRect words = box.toRect().adjusted(kPadding, kPadding - 2, -kPadding, 0);
  painter.setFont(title_font());
  painter.drawText(words, Qt::TextWordWrap, title_);
  words.setTop(words.top() + wrapped_height(title_font(), title_) + kSpacing);
  painter.setFont(body_font());
  painter.drawText(words, Qt::TextWordWrap, text_);
}

}  // namespace farstate::desktop
