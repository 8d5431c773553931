// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/desktop/widgets/token_text.h"
#include "core/results/model_report.h"

namespace farstate::desktop {

struct Theme;

// A text as a row of tokens. Neighbours have different grounds, spaces, tabs and line feeds are
// drawn as marks, and a token's id is its tip.
class TokenView : public QWidget {
  Q_OBJECT
 public:
  explicit TokenView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_tokens(const std::vector<TokenPreview>& tokens);
  QString tip_at(const QPoint& at) const;  // empty: no token there
  QRect place_of(size_t token) const;

  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {400, heightForWidth(400)}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  std::vector<QRect> places_for(int width) const;

  const Theme* theme_;
  std::vector<TokenPreview> previews_;
  std::vector<TokenText> tokens_;
  std::vector<QRect> places_;
};

}  // namespace farstate::desktop
