// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStringList>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/desktop/widgets/token_text.h"
#include "core/results/model_report.h"

namespace farstate::desktop {

struct Theme;

// A text as a row of tokens. Neighbours have different grounds, spaces, tabs and line feeds are
// drawn as marks, and a token's id is its tip. Instead of the two grounds a token may have one that
// says something of it, and a word on that in its tip.
class TokenView : public QWidget {
  Q_OBJECT
 public:
  explicit TokenView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // `first`: place of the first one in the text, counted from 0.
  void show_tokens(const std::vector<TokenPreview>& tokens, int64_t first = 0);
  void set_grounds(const std::vector<QColor>& grounds);  // one per token; empty: the two
  void set_words(const QStringList& words);              // for the tips; empty: none
  void mark(std::optional<size_t> token, const QColor& color);  // an outline around it
  QString tip_at(const QPoint& at) const;  // empty: no token there
  QRect place_of(size_t token) const;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {400, heightForWidth(400)}; }

 Q_SIGNALS:
  void pointed(std::optional<size_t> token);  // by the mouse

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::vector<QRect> places_for(int width) const;
  QColor ground_of(size_t token) const;
  std::optional<size_t> token_at(const QPoint& at) const;
  void point(std::optional<size_t> token);

  const Theme* theme_;
  int64_t first_ = 0;
  std::vector<QColor> grounds_;
  QStringList words_;
  std::optional<size_t> marked_, pointed_;
  QColor mark_color_;
  std::vector<TokenPreview> previews_;
  std::vector<TokenText> tokens_;
  std::vector<QRect> places_;
};

}  // namespace farstate::desktop
