// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/markdown_text.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextList>
#include <QTextTable>
#include <cmath>

namespace farstate::desktop {
namespace {

constexpr double kLineHeight = 132;  // percent
constexpr double kBetween = 7;       // pixels after a paragraph
constexpr int kUsualWidth = 260;

// Markdown has no table without a head: an empty one is none.
bool has_empty_head(const QTextTable& table) {
  for (int column = 0; column < table.columns(); ++column) {
    QTextCursor cell = table.cellAt(0, column).firstCursorPosition();
    cell.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    if (!cell.selectedText().trimmed().isEmpty()) return false;
  }
  return true;
}

void show_plainly(QTextTable& table) {
  if (table.rows() > 1 && has_empty_head(table)) table.removeRows(0, 1);
  QTextTableFormat format = table.format();
  format.setBorder(0);
  format.setCellPadding(0);
  format.setCellSpacing(0);
  format.setColumnWidthConstraints({QTextLength(QTextLength::PercentageLength, 36),
                                    QTextLength(QTextLength::PercentageLength, 64)});
  format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
  table.setFormat(format);
}

}  // namespace

MarkdownText::MarkdownText(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  document_.setDocumentMargin(0);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void MarkdownText::set_theme(const Theme& theme) {
  theme_ = &theme;
  lay_out();
}

void MarkdownText::set_markdown(const QString& markdown) {
  if (markdown == markdown_) return;
  markdown_ = markdown;
  lay_out();
}

void MarkdownText::lay_out() {
  document_.setDefaultFont(font());
  document_.setMarkdown(markdown_);
  QTextBlock block = document_.begin();
  for (; block.isValid(); block = block.next()) {
    QTextBlockFormat format = block.blockFormat();
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(0);
    const bool list = block.textList() != nullptr;
    format.setBottomMargin(!block.next().isValid() ? 0 : list ? kBetween / 2 : kBetween);
    QTextCursor(block).setBlockFormat(format);
  }
  for (QTextFrame* frame : document_.rootFrame()->childFrames()) {
    if (auto* table = qobject_cast<QTextTable*>(frame)) show_plainly(*table);
  }
  setAccessibleName(document_.toPlainText());
  updateGeometry();
  update();
}

int MarkdownText::heightForWidth(int width) const {
  document_.setTextWidth(width);
  return static_cast<int>(std::ceil(document_.size().height()));
}

QSize MarkdownText::sizeHint() const {
  return {kUsualWidth, heightForWidth(width() > 60 ? width() : kUsualWidth)};
}

void MarkdownText::paintEvent(QPaintEvent*) {
  document_.setTextWidth(width());
  QPainter painter(this);
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette();
  context.palette.setColor(QPalette::Text, theme_->text);
  context.palette.setColor(QPalette::Link, theme_->accent);
  document_.documentLayout()->draw(&painter, context);
}

void MarkdownText::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) lay_out();
}

}  // namespace farstate::desktop
