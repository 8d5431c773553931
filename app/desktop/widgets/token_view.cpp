// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/token_view.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

namespace {

constexpr int kPadX = 3, kGapX = 1, kGapY = 3;

}  // namespace

TokenView::TokenView(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  worded(this, [this] { setAccessibleName(tr("First tokens")); });
  setMouseTracking(true);
}

void TokenView::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void TokenView::show_tokens(const std::vector<TokenPreview>& tokens, int64_t first) {
  previews_ = tokens;
  first_ = first;
  tokens_.clear();
  grounds_.clear();
  words_.clear();
  marked_.reset();
  pointed_.reset();
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

void TokenView::set_grounds(const std::vector<QColor>& grounds) {
  grounds_ = grounds;
  update();
}

void TokenView::set_words(const QStringList& words) { words_ = words; }

void TokenView::mark(std::optional<size_t> token, const QColor& color) {
  marked_ = token;
  mark_color_ = color;
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

std::optional<size_t> TokenView::token_at(const QPoint& at) const {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].contains(at)) return i;
  }
  return std::nullopt;
}

QString TokenView::tip_at(const QPoint& at) const {
  const std::optional<size_t> token = token_at(at);
  if (!token) return {};
  const QString place = tr("token %1 of the text, id %2")
                            .arg(QLocale().toString(qint64(first_ + int64_t(*token) + 1)),
                                 QString::number(previews_[*token].id));
  const QString word = words_.value(qsizetype(*token));
  return word.isEmpty() ? place : place + u'\n' + word;
}

void TokenView::point(std::optional<size_t> token) {
  if (token == pointed_) return;
  pointed_ = token;
  Q_EMIT pointed(token);
}

void TokenView::mouseMoveEvent(QMouseEvent* event) { point(token_at(event->pos())); }
void TokenView::leaveEvent(QEvent*) { point(std::nullopt); }

QColor TokenView::ground_of(size_t token) const {
  if (token < grounds_.size()) return grounds_[token];
  return token % 2 == 0 ? theme_->accent_soft : theme_->token;
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
    painter.setBrush(ground_of(i));
    painter.drawRoundedRect(places_[i], 3, 3);
    painter.save();
    painter.setClipRect(places_[i]);
    paint_token_text(painter, tokens_[i], places_[i].adjusted(kPadX, 0, 0, 0), *theme_);
    painter.restore();
  }
  if (marked_ && *marked_ < places_.size()) {
    painter.setPen(QPen(mark_color_, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(places_[*marked_]).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
  }
}

}  // namespace farstate::desktop
