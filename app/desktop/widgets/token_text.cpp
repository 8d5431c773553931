// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/token_text.h"

#include <QPainter>

#include "app/desktop/theme.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

using Mark = TokenText::Mark;

void paint_arrow(QPainter& painter, const QRectF& in, bool line_feed) {
  const double y = in.center().y() + (line_feed ? 2 : 0);
  const double left = in.left() + 2.5, right = in.right() - 2.5;
  const QPointF tip(line_feed ? left : right, y);
  const double back = line_feed ? 3 : -3;
  painter.drawLine(QPointF(left, y), QPointF(right, y));
  if (line_feed) painter.drawLine(QPointF(right, y), QPointF(right, y - 6));
  painter.drawPolyline(QPolygonF{tip + QPointF(back, -3), tip, tip + QPointF(back, 3)});
}

}  // namespace

TokenText token_text(const QString& text, const QFontMetrics& metrics, TokenText::Spaces spaces) {
  TokenText token;
  token.ends_line = text.endsWith(QLatin1Char('\n'));
  const bool mark_spaces = spaces == TokenText::Spaces::kMarked;
  for (const QChar letter : text) {
    const char16_t c = letter.unicode();
    TokenText::Piece piece;
    if (c == u' ' && mark_spaces) {
      piece = {Mark::kSpace, {}, metrics.horizontalAdvance(QLatin1Char('n'))};
    } else if (c == u'\t') {
      piece = {Mark::kTab, {}, 2 * metrics.horizontalAdvance(QLatin1Char('n'))};
    } else if (c == u'\n') {
      piece = {Mark::kLineFeed, {}, 2 * metrics.horizontalAdvance(QLatin1Char('n'))};
    } else if (c < 0x20 || c == 0x7f) {
      piece = {Mark::kControl, u"\\x%1"_s.arg(uint(c), 2, 16, QLatin1Char('0')), 0};
    } else if (!token.pieces.empty() && token.pieces.back().mark == Mark::kNone) {
      token.pieces.back().text += letter;
      continue;
    } else {
      piece.text = letter;
    }
    token.pieces.push_back(piece);
  }
  for (TokenText::Piece& piece : token.pieces) {
    if (!piece.text.isEmpty()) piece.width = metrics.horizontalAdvance(piece.text);
    token.width += piece.width;
  }
  return token;
}

void paint_token_text(QPainter& painter, const TokenText& token, const QRect& place,
                      const Theme& theme) {
  QRect rest = place;
  for (const TokenText::Piece& piece : token.pieces) {
    const QRect room(rest.topLeft(), QSize(piece.width, rest.height()));
    painter.setPen(piece.mark == Mark::kNone ? theme.text : theme.muted);
    if (!piece.text.isEmpty()) {
      painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, piece.text);
    } else if (piece.mark == Mark::kSpace) {
      painter.setBrush(theme.muted);
      painter.setPen(Qt::NoPen);
      painter.drawEllipse(QRectF(room).center(), 1.1, 1.1);
    } else {
      painter.setPen(QPen(theme.muted, 1.1));
      paint_arrow(painter, QRectF(room), piece.mark == Mark::kLineFeed);
    }
    rest.setLeft(rest.left() + piece.width);
  }
}

}  // namespace farstate::desktop
