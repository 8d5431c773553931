// SPDX-License-Identifier: GPL-3.0-or-later
// A token's text as the window writes it: spaces, tabs and line feeds are marks, which are drawn
// and not written, so that no typeface has to have them.
#pragma once

#include <QFontMetrics>
#include <QString>
#include <vector>

class QPainter;
class QRect;

namespace farstate::desktop {

struct Theme;

struct TokenText {
  enum class Mark { kNone, kSpace, kTab, kLineFeed, kControl };
  enum class Spaces { kMarked, kPlain };  // plain: as in a text that is to be read
  struct Piece {
    Mark mark = Mark::kNone;
    QString text;  // of kNone and kControl
    int width = 0;
  };

  std::vector<Piece> pieces;
  int width = 0;
  bool ends_line = false;
};

TokenText token_text(const QString& text, const QFontMetrics& metrics,
                     TokenText::Spaces spaces = TokenText::Spaces::kMarked);

// From the left edge of `place`, in the painter's font.
void paint_token_text(QPainter& painter, const TokenText& token, const QRect& place,
                      const Theme& theme);

}  // namespace farstate::desktop
