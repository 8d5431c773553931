// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include "app/desktop/story/guess.h"

class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace farstate::desktop {

// The guess in numbers: what the handles in the plot say, for the keyboard, and the button that
// compares it with the curve.
class GuessFields : public QWidget {
  Q_OBJECT
 public:
  explicit GuessFields(QWidget* parent = nullptr);

  // factor: by which the guess was off; most: the highest value that may be guessed.
  void show_guess(const Guess& guess, std::optional<double> factor, double most, bool measured);
  QPushButton* reveal_button() const { return reveal_; }
  QString verdict() const;

 Q_SIGNALS:
  void changed(size_t place, double value);
  void reveal_wanted();

 private:
  void make_rows(const Guess& guess);

  QFormLayout* rows_;
  QVector<QDoubleSpinBox*> fields_;
  QVector<QLabel*> names_;
  std::vector<int64_t> positions_;
  QPushButton* reveal_;
  QLabel* verdict_;
};

QString guess_verdict(std::optional<double> factor);  // "On average your guess was off by …"

}  // namespace farstate::desktop
