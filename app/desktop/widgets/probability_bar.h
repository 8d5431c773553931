// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

namespace farstate::desktop {

struct Theme;

QString probability_text(double probability);  // "0.93", "< 0.0001"

// A share from 0 to 1 as a bar with its number.
class ProbabilityBar : public QWidget {
  Q_OBJECT
 public:
  explicit ProbabilityBar(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // Empty: not known. faint: it is of a question that was asked before.
  void show_probability(std::optional<double> probability, bool faint);
  std::optional<double> probability() const { return probability_; }
  bool faint() const { return faint_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_;
  std::optional<double> probability_;
  bool faint_ = false;
};

}  // namespace farstate::desktop
