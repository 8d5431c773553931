// SPDX-License-Identifier: GPL-3.0-or-later
// A task's sample as text: evidence and answers stand out, what lies far from them is left out.
// Answers may carry the probability that a model gives them, as their ground and in their tips.
#pragma once

#include <QTextEdit>
#include <vector>

#include "app/desktop/task_words.h"

namespace farstate::desktop {

struct Theme;

// The ground of an answer: from the surface's colour at 0 to the accent's.
QColor probability_color(const Theme& theme, double probability);

class SampleView : public QTextEdit {
  Q_OBJECT
 public:
  explicit SampleView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // by_answer: one probability for each answer; empty: none are shown.
  void show_pieces(const std::vector<TextPiece>& pieces, const std::vector<double>& by_answer);
  void show_words(const QString& text);  // in place of a sample

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void rebuild();
  void fit_height();
  QTextCharFormat format_of(const TextPiece& piece) const;

  const Theme* theme_;
  std::vector<TextPiece> pieces_;
  std::vector<double> by_answer_;
  QString words_;
};

}  // namespace farstate::desktop
