// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/sheet.h"

class QPlainTextEdit;

namespace farstate::desktop {

class MarkdownText;

// Something to read over the window: running text in Markdown, or lines whose columns matter. The
// action copies it.
class ReadingSheet : public Sheet {
  Q_OBJECT
 public:
  explicit ReadingSheet(QWidget* over);

  void set_theme(const Theme& theme) override;
  void show_markdown(const Words& title, const Words& markdown);  // opens
  void show_lines(const Words& title, const Words& lines);        // opens
  QString text() const;  // as it is copied

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_part(QWidget* part, const Words& title, const Words& words);
  void say();

  Words title_, words_;
  MarkdownText* running_;
  QPlainTextEdit* lines_;
};

}  // namespace farstate::desktop
