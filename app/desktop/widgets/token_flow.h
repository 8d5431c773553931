// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <span>
#include <vector>

#include "core/session/generation.h"

class QToolButton;

namespace farstate::desktop {

struct Theme;

// A text of tokens as it grows, each on a ground that says its loss. It keeps to the newest line
// until a person scrolls up. Any length: what is appended is placed once, and only the lines that
// can be seen are painted.
class TokenFlow : public QAbstractScrollArea {
  Q_OBJECT
 public:
  struct Token {
    QString text;
    int64_t id = 0;
    float loss = 0;  // nats; NaN: nothing predicted it
    bool prompt = false;
  };

  explicit TokenFlow(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_placeholder(const QString& text);  // shown while there is no token
  void clear();
  void append(std::span<const GeneratedToken> tokens);
  const std::vector<Token>& tokens() const { return tokens_; }

  // By index in the text, from 0.
  void show_cursor(std::optional<int64_t> token);
  std::optional<int64_t> pointed_token() const { return cursor_; }
  void select(std::optional<int64_t> token);
  std::optional<int64_t> selected() const { return selected_; }
  void mark_difference(std::optional<int64_t> token);  // where another text went another way

  bool following() const { return following_; }
  void follow();

  QRect place_of(int64_t token) const;  // in the viewport
  std::optional<int64_t> token_at(const QPoint& at) const;
  QString tip_at(const QPoint& at) const;
  int64_t placements() const { return placements_; }  // how often a token was given its place

 Q_SIGNALS:
  void pointed(std::optional<int64_t> token);
  void chosen(std::optional<int64_t> token);  // by a click

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  struct Place {
    int x = 0, width = 0;
  };

  void place(size_t token);
  void place_all();
  void fit_scroll_bar();
  int room() const;
  int line_height() const;
  size_t line_of(size_t token) const;
  size_t line_end(size_t line) const;  // one past its last token
  void paint_line(QPainter& painter, size_t line, int y) const;
  void paint_frame(QPainter& painter, std::optional<int64_t> token, const QColor& color) const;
  void choose(std::optional<int64_t> token);

  const Theme* theme_;
  QString placeholder_;
  std::vector<Token> tokens_;
  std::vector<Place> places_;
  std::vector<size_t> lines_;  // first token of each
  int pen_ = 0;                // where the next token goes in the last line
  size_t word_ = 0;            // first token of the last word, which stays in one piece
  int64_t placements_ = 0;
  int placed_room_ = 0;        // width that the lines were made for
  std::optional<int64_t> cursor_, selected_, difference_;
  bool following_ = true, fitting_ = false;
  QToolButton* newest_;
};

}  // namespace farstate::desktop
