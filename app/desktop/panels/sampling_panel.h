// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/widgets/card.h"
#include "core/session/generation.h"

class QDoubleSpinBox;
class QSpinBox;
class QToolButton;

namespace farstate::desktop {

struct Theme;

// How the text goes on: how far, how tokens are drawn, how fast.
class SamplingPanel : public Card {
  Q_OBJECT
 public:
  explicit SamplingPanel(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  SamplingConfig config() const;
  void show_config(const SamplingConfig& config);

 private:
  QSpinBox *tokens_, *seed_, *speed_;
  QDoubleSpinBox *temperature_, *top_p_;
  QToolButton* dice_;
};

}  // namespace farstate::desktop
