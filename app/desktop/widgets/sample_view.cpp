// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/sample_view.h"

#include <QScrollBar>
#include <QTextCursor>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/probability_bar.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

QColor probability_color(const Theme& theme, double probability) {
  // Half of the accent at most, so that text stays readable on it.
  const double share = std::isfinite(probability) ? 0.5 * std::clamp(probability, 0.0, 1.0) : 0;
  const auto mix = [share](int from, int to) {
    return static_cast<int>(std::lround(from + share * (to - from)));
  };
  const QColor &from = theme.surface, &to = theme.accent;
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

SampleView::SampleView(QWidget* parent)
    : QTextEdit(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setReadOnly(true);
  setFrameShape(QFrame::NoFrame);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setTabChangesFocus(true);
  worded(this, [this] { setAccessibleName(tr("The sample")); });
  document()->setDocumentMargin(0);
  viewport()->setAutoFillBackground(false);
}

void SampleView::set_theme(const Theme& theme) {
  theme_ = &theme;
  rebuild();
}

void SampleView::show_pieces(const std::vector<TextPiece>& pieces,
                             const std::vector<double>& by_answer) {
  if (pieces == pieces_ && by_answer == by_answer_) return;
  const bool other = pieces != pieces_;
  pieces_ = pieces;
  by_answer_ = by_answer;
  words_.clear();
  rebuild();
  if (other) verticalScrollBar()->setValue(0);
}

void SampleView::show_words(const QString& text) {
  if (pieces_.empty() && words_ == text) return;
  pieces_.clear();
  by_answer_.clear();
  words_ = text;
  rebuild();
}

QTextCharFormat SampleView::format_of(const TextPiece& piece) const {
  QTextCharFormat format;
  format.setForeground(theme_->text);
  switch (piece.kind) {
    case TextPiece::Kind::kPlain:
      format.setForeground(theme_->muted);
      break;
    case TextPiece::Kind::kEvidence:
      format.setBackground(theme_->loss_some);
      break;
    case TextPiece::Kind::kGap:
      format.setForeground(theme_->accent);
      format.setToolTip(tr("Left out here; the model reads it."));
      break;
    case TextPiece::Kind::kAnswer: {
      const auto at = static_cast<size_t>(piece.answer);
      if (at < by_answer_.size()) {
        format.setBackground(probability_color(*theme_, by_answer_[at]));
        format.setToolTip(tr("right answer %1, probability %2")
                              .arg(piece.answer + 1)
                              .arg(probability_text(by_answer_[at])));
        // What the model would not say is told without colour, too.
        if (by_answer_[at] < 0.5) {
          format.setUnderlineStyle(QTextCharFormat::DotLine);
          format.setUnderlineColor(theme_->danger);
        }
      } else {
        format.setBackground(theme_->accent_soft);
        format.setFontWeight(QFont::DemiBold);
      }
      break;
    }
  }
  return format;
}

void SampleView::rebuild() {
  const int scrolled = verticalScrollBar()->value();
  clear();
  QTextCursor cursor(document());
  QTextCharFormat faint;
  faint.setForeground(theme_->muted);
  if (!words_.isEmpty()) cursor.insertText(words_, faint);
  for (const TextPiece& piece : pieces_) cursor.insertText(piece.text, format_of(piece));
  fit_height();
  verticalScrollBar()->setValue(scrolled);
}

// No higher than its text, so that the answer stands right below; less where there is no room.
void SampleView::fit_height() {
  setMaximumHeight(std::max(minimumHeight(), static_cast<int>(document()->size().height()) + 6));
}

void SampleView::resizeEvent(QResizeEvent* event) {
  QTextEdit::resizeEvent(event);
  fit_height();
}

}  // namespace farstate::desktop
