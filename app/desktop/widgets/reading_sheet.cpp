// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/reading_sheet.h"

#include <QApplication>
#include <QClipboard>
#include <QFontDatabase>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/markdown_text.h"

namespace farstate::desktop {

namespace {

constexpr int kLinesHeight = 420;

}  // namespace

ReadingSheet::ReadingSheet(QWidget* over) : Sheet([] { return tr("Copy"); }, over) {
  running_ = new MarkdownText(this);
  lines_ = new QPlainTextEdit(this);
  set_text(lines_, TextSize::kSmall);
  lines_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  lines_->setReadOnly(true);
  lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
  lines_->setMinimumHeight(kLinesHeight);
  body()->addWidget(running_);
  body()->addWidget(lines_);
  // A sheet's second button goes without an answer; here there is none to give.
  worded(cancel(), [this] { cancel()->setText(tr("Close")); });
  connect(this, &Sheet::accepted, this, [this] { QApplication::clipboard()->setText(text()); });
  connect(this, &Sheet::cancelled, this, &Sheet::dismiss);
}

void ReadingSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  running_->set_theme(theme);
}

void ReadingSheet::show_markdown(const QString& title, const QString& markdown) {
  running_->set_markdown(markdown);
  show_part(title, running_);
}

void ReadingSheet::show_lines(const QString& title, const QString& lines) {
  lines_->setPlainText(lines);
  lines_->setAccessibleName(title);
  show_part(title, lines_);
}

void ReadingSheet::show_part(const QString& title, QWidget* part) {
  running_->setVisible(part == running_);
  lines_->setVisible(part == lines_);
  set_title(title, {});
  set_stage(Stage::kReady);
  open();
}

QString ReadingSheet::text() const {
  return lines_->isHidden() ? running_->plain_text() : lines_->toPlainText();
}

}  // namespace farstate::desktop
