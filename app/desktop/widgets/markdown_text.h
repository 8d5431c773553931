// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextDocument>
#include <QWidget>

#include "app/desktop/theme.h"

namespace farstate::desktop {

// Markdown as running text in the theme's type and colours, as high as it needs to be.
class MarkdownText : public QWidget {
  Q_OBJECT
 public:
  explicit MarkdownText(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_markdown(const QString& markdown);
  QString plain_text() const { return document_.toPlainText(); }

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {40, 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void lay_out();

  const Theme* theme_;
  QString markdown_;
  mutable QTextDocument document_;
};

}  // namespace farstate::desktop
