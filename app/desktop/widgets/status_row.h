// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

#include "app/desktop/wording.h"
#include "core/session/runner.h"

class QLabel;

namespace farstate::desktop {

struct Theme;

// A dot in the colour of the state: green while numbers come, amber while held, red after an error.
class StateDot : public QWidget {
  Q_OBJECT
 public:
  explicit StateDot(QWidget* parent = nullptr);
  void show_state(RunState state, const Theme& theme);
  QSize sizeHint() const override { return {9, 9}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QColor color_;
};

// The bottom row: what the runner does and what it costs.
class StatusRow : public QFrame {
  Q_OBJECT
 public:
  explicit StatusRow(QWidget* parent = nullptr);

  void show_update(const RunnerUpdate& update, const Theme& theme);
  void show_loss(double loss);
  void clear_loss();
  void show_display_rate(int hz);
  void say(const Words& words);  // for some seconds, in place of the phase

 private:
  void show_phase();
  void set_number(QLabel* label, const QString& text);
  QString strong_text(const QString& text) const;  // as HTML, in the ink of the theme

  StateDot* dot_;
  QLabel *state_, *phase_, *step_, *loss_, *rate_, *memory_, *threads_, *display_;
  int display_rate_ = 30;
  std::optional<double> shown_loss_;
  QString ink_;
  Words said_;
  QTimer saying_;
  QString phase_text_;
};

// "10 s left", "3 min left"; empty for a negative number.
QString time_left_text(double seconds);

}  // namespace farstate::desktop
