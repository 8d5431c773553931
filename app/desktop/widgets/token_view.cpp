// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/token_view.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "app/desktop/theme.h"

namespace farstate::desktop {

namespace {

constexpr int kPadX = 3, kGapX = 1, kGapY = 3;

}  // namespace

TokenView::TokenView(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setAccessibleName(tr("First tokens"));
}

void TokenView::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void TokenView::show_tokens(const std::vector<TokenPreview>& tokens) {
  previews_ = tokens;
  tokens_.clear();
  QString whole;
  for (const TokenPreview& token : previews_) {
    const QString text = QString::fromStdString(token.text);
    whole += text;
    TokenText& shown = tokens_.emplace_back(token_text(text, fontMetrics()));
    shown.width = std::max(shown.width, 4) + 2 * kPadX;
  }
  setAccessibleDescription(whole);
  places_ = places_for(width());
  updateGeometry();
  update();
}

// Tokens follow one another as words do; one that ends a line does so here too.
std::vector<QRect> TokenView::places_for(int width) const {
  std::vector<QRect> places;
  const int height = fontMetrics().height() + 2;
  QPoint at(0, 0);
  bool new_line = false;
  for (const TokenText& token : tokens_) {
    const int wide = std::min(token.width, std::max(width, 1));
    if (new_line || (at.x() > 0 && at.x() + wide > width)) at = {0, at.y() + height + kGapY};
    places.push_back({at, QSize(wide, height)});
    at.rx() += wide + kGapX;
    new_line = token.ends_line;
  }
  return places;
}

int TokenView::heightForWidth(int width) const {
  const std::vector<QRect> places = places_for(width);
  return places.empty() ? 0 : places.back().bottom() + 1;
}

QRect TokenView::place_of(size_t token) const { return places_.at(token); }

QString TokenView::tip_at(const QPoint& at) const {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].contains(at)) {
      return tr("token %1 of the text, id %2")
          .arg(QLocale().toString(qint64(i + 1)), QString::number(previews_[i].id));
    }
  }
  return {};
}

bool TokenView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

void TokenView::resizeEvent(QResizeEvent*) { places_ = places_for(width()); }

void TokenView::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (size_t i = 0; i < places_.size(); ++i) {
    if (!event->rect().intersects(places_[i])) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(i % 2 == 0 ? theme_->accent_soft : theme_->token);
    painter.drawRoundedRect(places_[i], 3, 3);
    painter.save();
    painter.setClipRect(places_[i]);
    paint_token_text(painter, tokens_[i], places_[i].adjusted(kPadX, 0, 0, 0), *theme_);
    painter.restore();
  }
}

}  // namespace farstate::desktop
