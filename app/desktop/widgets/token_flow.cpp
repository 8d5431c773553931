// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/token_flow.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/ramp_legend.h"
#include "app/desktop/widgets/token_text.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kGutter = 10;    // left of the text, with the bar that tells prompt from the rest
constexpr int kLineSpace = 5;  // between grounds
constexpr int kRightSpace = 6;
constexpr int kScrollBar = 8;
constexpr int kNarrowest = 4;  // a token without a character of its own

TokenText text_of(const TokenFlow::Token& token, const QFontMetrics& metrics) {
  return token_text(token.text, metrics, TokenText::Spaces::kPlain);
}

bool begins_word(const QString& before, const QString& text) {
  return text.isEmpty() || text.front().isSpace() || before.isEmpty() || before.back().isSpace();
}

}  // namespace

TokenFlow::TokenFlow(QWidget* parent)
    : QAbstractScrollArea(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  worded(this, [this] { setAccessibleName(tr("Running text")); });
  viewport()->setMouseTracking(true);
  viewport()->setCursor(Qt::ArrowCursor);
  newest_ = new QToolButton(this);
  newest_->setProperty("role", u"chip"_s);
  worded(this, [this] {
    newest_->setText(tr("newest ↓"));
    newest_->setToolTip(tr("Go to the newest token and stay there"));
  });
  newest_->setFocusPolicy(Qt::NoFocus);
  newest_->hide();
  connect(newest_, &QToolButton::clicked, this, &TokenFlow::follow);
}

void TokenFlow::set_theme(const Theme& theme) {
  theme_ = &theme;
  viewport()->update();
}

void TokenFlow::set_placeholder(const QString& text) {
  if (placeholder_ == text) return;
  placeholder_ = text;
  viewport()->update();
}

void TokenFlow::clear() {
  tokens_.clear();
  cursor_ = difference_ = std::nullopt;
  choose(std::nullopt);
  place_all();
  follow();
}

void TokenFlow::append(std::span<const GeneratedToken> tokens) {
  if (tokens.empty()) return;
  for (const GeneratedToken& t : tokens) {
    tokens_.push_back(
        {QString::fromStdString(t.text), t.id, static_cast<float>(t.loss), t.prompt});
    place(tokens_.size() - 1);
  }
  fit_scroll_bar();
  viewport()->update();
}

// As if the scroll bar were there: the text must not be laid out anew when it appears.
int TokenFlow::room() const { return std::max(width() - kScrollBar - kGutter - kRightSpace, 40); }

int TokenFlow::line_height() const { return fontMetrics().height() + kLineSpace; }

// Only the last line changes: a word that grows out of it moves to a new one.
void TokenFlow::place(size_t i) {
  ++placements_;
  const int width = std::max(text_of(tokens_[i], fontMetrics()).width, kNarrowest);
  if (places_.size() <= i) places_.push_back({0, width});
  const bool after_break = i > 0 && tokens_[i - 1].text.endsWith(QLatin1Char('\n'));
  if (i == 0 || after_break || begins_word(tokens_[i - 1].text, tokens_[i].text)) word_ = i;
  if (lines_.empty() || after_break) {
    lines_.push_back(i);
    pen_ = 0;
  } else if (pen_ + width > room() && lines_.back() < i) {
    // A word that is longer than a line breaks where the line ends.
    const size_t from = word_ > lines_.back() ? word_ : i;
    lines_.push_back(from);
    pen_ = 0;
    for (size_t j = from; j < i; ++j) {
      ++placements_;
      places_[j].x = pen_;
      pen_ += places_[j].width;
    }
    if (pen_ + width > room() && from < i) {
      lines_.push_back(i);
      pen_ = 0;
    }
  }
  places_[i] = {pen_, width};
  pen_ += width;
}

void TokenFlow::place_all() {
  placed_room_ = room();
  places_.clear();
  lines_.clear();
  pen_ = 0;
  word_ = 0;
  for (size_t i = 0; i < tokens_.size(); ++i) place(i);
  fit_scroll_bar();
}

void TokenFlow::fit_scroll_bar() {
  fitting_ = true;
  const int height = static_cast<int>(lines_.size()) * line_height();
  QScrollBar* bar = verticalScrollBar();
  bar->setPageStep(viewport()->height());
  bar->setSingleStep(line_height());
  bar->setRange(0, std::max(0, height - viewport()->height()));
  if (following_) bar->setValue(bar->maximum());
  fitting_ = false;
  newest_->setVisible(!following_);
}

void TokenFlow::follow() {
  following_ = true;
  fit_scroll_bar();
  viewport()->update();
}

void TokenFlow::scrollContentsBy(int, int) {
  if (!fitting_) following_ = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
  newest_->setVisible(!following_);
  viewport()->update();
}

size_t TokenFlow::line_of(size_t token) const {
  return static_cast<size_t>(std::upper_bound(lines_.begin(), lines_.end(), token) -
                             lines_.begin()) - 1;
}

size_t TokenFlow::line_end(size_t line) const {
  return line + 1 < lines_.size() ? lines_[line + 1] : tokens_.size();
}

QRect TokenFlow::place_of(int64_t token) const {
  const auto i = static_cast<size_t>(token);
  if (token < 0 || i >= places_.size()) return {};
  const int y = static_cast<int>(line_of(i)) * line_height() - verticalScrollBar()->value();
  return {kGutter + places_[i].x, y, std::min(places_[i].width, room()),
          line_height() - kLineSpace + 2};
}

std::optional<int64_t> TokenFlow::token_at(const QPoint& at) const {
  const int y = at.y() + verticalScrollBar()->value();
  if (y < 0) return std::nullopt;
  const auto line = static_cast<size_t>(y / line_height());
  if (line >= lines_.size()) return std::nullopt;
  const int x = at.x() - kGutter;
  const auto begin = places_.begin() + static_cast<std::ptrdiff_t>(lines_[line]);
  const auto end = places_.begin() + static_cast<std::ptrdiff_t>(line_end(line));
  const auto above = std::upper_bound(begin, end, x, [](int v, const Place& p) { return v < p.x; });
  if (above == begin || x >= (above - 1)->x + (above - 1)->width) return std::nullopt;
  return above - 1 - places_.begin();
}

QString TokenFlow::tip_at(const QPoint& at) const {
  const auto token = token_at(at);
  if (!token) return {};
  const Token& t = tokens_[static_cast<size_t>(*token)];
  const QLocale locale;
  const QString loss = std::isnan(t.loss) ? tr("no loss: nothing predicted it")
                                          : tr("loss %1 nats").arg(locale.toString(t.loss, 'f', 2));
  return tr("token %1, %2 · id %3 · %4")
      .arg(locale.toString(static_cast<qint64>(*token + 1)), t.prompt ? tr("prompt") : tr("written"),
           QString::number(t.id), loss);
}

void TokenFlow::show_cursor(std::optional<int64_t> token) {
  if (cursor_ == token) return;
  cursor_ = token;
  viewport()->update();
}

void TokenFlow::select(std::optional<int64_t> token) {
  selected_ = token;
  viewport()->update();
}

void TokenFlow::mark_difference(std::optional<int64_t> token) {
  if (difference_ == token) return;
  difference_ = token;
  viewport()->update();
}

void TokenFlow::choose(std::optional<int64_t> token) {
  if (selected_ == token) return;
  select(token);
  Q_EMIT chosen(token);
}

void TokenFlow::mouseMoveEvent(QMouseEvent* event) {
  const auto token = token_at(event->pos());
  if (token == cursor_) return;
  show_cursor(token);
  Q_EMIT pointed(token);
}

// A second click lets go of it.
void TokenFlow::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto token = token_at(event->pos());
  choose(token == selected_ ? std::nullopt : token);
}

void TokenFlow::keyPressEvent(QKeyEvent* event) {
  const bool left = event->key() == Qt::Key_Left, right = event->key() == Qt::Key_Right;
  if ((!left && !right) || tokens_.empty()) {
    QAbstractScrollArea::keyPressEvent(event);
    return;
  }
  const auto last = static_cast<int64_t>(tokens_.size()) - 1;
  choose(std::clamp<int64_t>(selected_.value_or(left ? last + 1 : -1) + (left ? -1 : 1), 0, last));
}

bool TokenFlow::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), viewport());
    return true;
  }
  if (event->type() == QEvent::Leave && cursor_) {
    show_cursor(std::nullopt);
    Q_EMIT pointed(std::nullopt);
  }
  return QAbstractScrollArea::viewportEvent(event);
}

// The line that was on top stays there, unless the newest is followed.
void TokenFlow::resizeEvent(QResizeEvent*) {
  const auto top = static_cast<size_t>(verticalScrollBar()->value() / line_height());
  const size_t first = top < lines_.size() ? lines_[top] : 0;
  if (placed_room_ != room()) place_all();
  fit_scroll_bar();
  if (!following_ && !lines_.empty()) {
    fitting_ = true;
    verticalScrollBar()->setValue(static_cast<int>(line_of(first)) * line_height());
    fitting_ = false;
  }
  newest_->adjustSize();
  newest_->move(viewport()->width() - newest_->width() - 8,
                viewport()->height() - newest_->height() - 6);
}

void TokenFlow::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), theme_->surface);
  painter.setFont(font());
  if (tokens_.empty()) {
    painter.setPen(theme_->muted);
    painter.drawText(viewport()->rect().adjusted(20, 8, -20, -8),
                     Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
    return;
  }
  const int scrolled = verticalScrollBar()->value();
  for (auto line = static_cast<size_t>(scrolled / line_height()); line < lines_.size(); ++line) {
    const int y = static_cast<int>(line) * line_height() - scrolled;
    if (y > viewport()->height()) break;
    paint_line(painter, line, y);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paint_frame(painter, cursor_, theme_->muted);
  paint_frame(painter, selected_, theme_->accent);
  const QRect last = place_of(static_cast<int64_t>(tokens_.size()) - 1);
  painter.fillRect(QRect(last.right() + 2, last.top(), 2, last.height()), theme_->accent);
}

// The bar in the gutter tells the prompt (thin, grey) from what was written (wide, accent).
void TokenFlow::paint_line(QPainter& painter, size_t line, int y) const {
  const int height = line_height() - kLineSpace + 2;
  const size_t begin = lines_[line], end = line_end(line);
  const bool written = !tokens_[end - 1].prompt;
  painter.fillRect(QRect(written ? 0 : 1, y, written ? 3 : 1, line_height()),
                   written ? theme_->accent : theme_->axis);
  for (size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    const QRect place(kGutter + places_[i].x, y, std::min(places_[i].width, room()), height);
    painter.fillRect(place, loss_color(*theme_, token.loss));
    paint_token_text(painter, text_of(token, painter.fontMetrics()), place, *theme_);
    if (i > 0 && tokens_[i - 1].prompt && !token.prompt) {
      painter.fillRect(QRect(place.left() - 1, y, 2, height), theme_->accent);
    }
    if (difference_ && static_cast<size_t>(*difference_) == i) {
      painter.fillRect(QRect(place.left(), y + height - 1, room() - places_[i].x, 2),
                       theme_->warning);
    }
  }
}

void TokenFlow::paint_frame(QPainter& painter, std::optional<int64_t> token,
                            const QColor& color) const {
  if (!token || static_cast<size_t>(*token) >= places_.size()) return;
  painter.setPen(QPen(color, 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(place_of(*token)).adjusted(-0.75, -0.75, 0.75, 0.75), 2, 2);
}

}  // namespace farstate::desktop
