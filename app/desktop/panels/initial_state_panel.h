// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRadioButton>
#include <array>

#include "app/desktop/run_buttons.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/wording.h"

class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace farstate::desktop {

class Segmented;
class Switch;
struct Theme;

// One initial state to choose: its curve, its name, what it is, its key.
class InterventionRow : public QRadioButton {
  Q_OBJECT
 public:
  InterventionRow(Intervention kind, QWidget* parent);

  void set_theme(const Theme& theme);
  Intervention kind() const { return kind_; }
  void set_glow(qreal glow);  // 0 to 1: a rim that asks to be looked at
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool hitButton(const QPoint& pos) const override { return rect().contains(pos); }

 private:
  Intervention kind_;
  const Theme* theme_;
  qreal glow_ = 0;
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
  void pulse();  // the choices glow up once; nothing moves where reduced motion is wanted
  QRect choices() const;  // where the rows are, in this widget

 Q_SIGNALS:
  void changed(const InterventionConfig& config);

 private:
  void add_fit();
  void add_mixture();
  QWidget* add_setting(const Words& name, QWidget* field);
  void bind(QDoubleSpinBox* field, double InterventionConfig::* setting);
  void bind(QSpinBox* field, int64_t InterventionConfig::* setting);
  void show_settings();
  void fold_fit(bool open);
  void weigh(Intervention law, double weight);
  void edit(InterventionConfig config);

  InterventionConfig config_;
  const Theme* theme_;
  std::array<InterventionRow*, kInterventionCount> rows_{};
  // In the mixture: of every law but itself.
  std::array<QDoubleSpinBox*, kInterventionCount - 1> weights_{};
  std::array<QWidget*, kInterventionCount - 1> weight_rows_{};
  QDoubleSpinBox *sigma_, *zero_probability_, *momentum_;
  QSpinBox *rank_, *burn_in_, *windows_;
  Segmented* from_;
  Switch* convolution_;
  QToolButton* fit_;  // opens the estimator's settings
  QWidget *sigma_row_, *zero_row_, *convolution_row_, *rank_row_;
  QWidget *from_row_, *burn_in_row_, *windows_row_, *momentum_row_;  // of the estimator
};

}  // namespace farstate::desktop
