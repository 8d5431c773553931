// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/reading_sheet.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/markdown_text.h"

namespace farstate::desktop {

namespace {

constexpr int kLinesHeight = 420, kAroundLines = 220;

}  // namespace

ReadingSheet::ReadingSheet(QWidget* over) : Sheet([] { return tr("Copy"); }, over) {
  running_ = new MarkdownText(this);
  lines_ = new QPlainTextEdit(this);
  set_text(lines_, TextSize::kSmall);
  lines_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  lines_->setReadOnly(true);
  lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
  body()->addWidget(running_);
  body()->addWidget(lines_);
  // A sheet's second button goes without an answer; here there is none to give.
  worded(cancel(), [this] { cancel()->setText(tr("Close")); });
  // Later, since what it says may be read off other parts, such as the menus.
  worded(this, [this] {
    QMetaObject::invokeMethod(this, [this] {
      if (!isHidden()) say();
    }, Qt::QueuedConnection);
  });
  connect(this, &Sheet::accepted, this, [this] { QApplication::clipboard()->setText(text()); });
  connect(this, &Sheet::cancelled, this, &Sheet::dismiss);
}

void ReadingSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  running_->set_theme(theme);
}

void ReadingSheet::show_markdown(const Words& title, const Words& markdown) {
  show_part(running_, title, markdown);
}

void ReadingSheet::show_lines(const Words& title, const Words& lines) {
  show_part(lines_, title, lines);
}

void ReadingSheet::show_part(QWidget* part, const Words& title, const Words& words) {
  title_ = title;
  words_ = words;
  running_->setVisible(part == running_);
  lines_->setVisible(part == lines_);
  say();
  set_stage(Stage::kReady);
  open();
}

void ReadingSheet::say() {
  set_title(title_(), {});
  if (lines_->isHidden()) return running_->set_markdown(words_());
  lines_->setPlainText(words_());
  lines_->setAccessibleName(title_());
}

// The lines scroll by themselves, so the sheet need not.
void ReadingSheet::resizeEvent(QResizeEvent* event) {
  Sheet::resizeEvent(event);
  lines_->setFixedHeight(std::clamp(height() - kAroundLines, 120, kLinesHeight));
}

QString ReadingSheet::text() const {
  return lines_->isHidden() ? running_->plain_text() : lines_->toPlainText();
}

}  // namespace farstate::desktop
