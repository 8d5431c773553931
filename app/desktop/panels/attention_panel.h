// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/data_table.h"
#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"

class QLabel;
class QScrollArea;
class QStackedWidget;

namespace farstate::desktop {

class ElidedLabel;
class LivePlot;
class MatrixView;
class SignedBar;
class TokenView;
struct Theme;

// Which tokens the head in focus attends to before the last pin, and which the prediction leans on.
class AttentionPanel : public QFrame {
  Q_OBJECT
 public:
  explicit AttentionPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_report(std::shared_ptr<const StateReport> report);
  QList<LivePlot*> plots() const;  // for the paint coordinator

  ElidedLabel* title() const { return title_; }
  QLabel* older() const { return older_; }
  QLabel* sentence() const { return sentence_; }
  QLabel* empty() const { return empty_; }
  MatrixView* matrix() const { return matrix_; }
  TokenView* tokens() const { return tokens_; }
  bool shows_attention() const;
  // A row per token: what of it is from before the window, what it reads from each of the others,
  // and how much the prediction leans on it.
  DataTable numbers() const;

 private:
  QWidget* make_matrix();
  QWidget* make_text();
  void follow_focus();
  void show_attention();
  void show_matrix(const AttentionReport& attention);
  void show_leaning(const AttentionReport& attention);
  void mark(std::optional<int64_t> token);

  Focus* focus_;
  const Theme* theme_;
  std::shared_ptr<const StateReport> report_;

  QStackedWidget* pages_;
  ElidedLabel *title_, *matrix_caption_;
  QLabel *empty_, *older_, *sentence_, *legend_;
  MatrixView* matrix_;
  SignedBar* bar_;
  TokenView* tokens_;
};

}  // namespace farstate::desktop
