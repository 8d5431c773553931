// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRadioButton>
#include <array>

#include "app/desktop/run_buttons.h"
#include "app/desktop/widgets/card.h"

class QDoubleSpinBox;

namespace farstate::desktop {

class Switch;
struct Theme;

// One initial state to choose: its curve, its name, what it is, its key.
class InterventionRow : public QRadioButton {
  Q_OBJECT
 public:
  InterventionRow(Intervention kind, QWidget* parent);

  void set_theme(const Theme& theme);
  Intervention kind() const { return kind_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool hitButton(const QPoint& pos) const override { return rect().contains(pos); }

 private:
  Intervention kind_;
  const Theme* theme_;
};

// The law of the state that training starts from, and its settings.
class InitialStatePanel : public Card {
  Q_OBJECT
 public:
  explicit InitialStatePanel(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_config(const InterventionConfig& config);  // without saying changed()
  void show_state(RunState state);
  void choose(Intervention kind);  // as a person would; ignored while not allowed
  const InterventionConfig& config() const { return config_; }

 Q_SIGNALS:
  void changed(const InterventionConfig& config);

 private:
  QWidget* add_setting(const QString& name, QWidget* field);
  void show_settings();
  void edit(const InterventionConfig& config);

  InterventionConfig config_;
  std::array<InterventionRow*, kInterventionCount> rows_{};
  QDoubleSpinBox *sigma_, *zero_probability_, *momentum_;
  Switch* convolution_;
  QWidget *sigma_row_, *zero_row_, *momentum_row_, *convolution_row_;
};

}  // namespace farstate::desktop
