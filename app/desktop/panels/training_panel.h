// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/run_buttons.h"
#include "app/desktop/widgets/card.h"

class QProgressBar;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace farstate::desktop {

class ElidedLabel;
class RateField;
class Switch;
struct Theme;

// How post-training and measuring are done, and how far they are.
class TrainingPanel : public Card {
  Q_OBJECT
 public:
  explicit TrainingPanel(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_config(const RunConfig& config);  // without saying changed()
  void show_update(const RunnerUpdate& update);

 Q_SIGNALS:
  void changed(const RunConfig& config);  // the parts shown here; others as in show_config

 private:
  struct ProbeChoice {
    const char* name;
    Switch* on;
  };

  void add_measuring();
  void add_probes(QVBoxLayout* column);
  void read_probes();
  void edit();
  void show_progress(const RunnerUpdate& update);

  RunConfig config_;
  QSpinBox *steps_, *context_, *batch_, *seed_, *length_, *sequences_, *effrem_;
  QVector<ProbeChoice> probes_;
  RateField* rate_;
  QToolButton *dice_, *fold_;
  QWidget* measuring_;
  QProgressBar* bar_;
  ElidedLabel* done_;
  QLabel* left_;
  const Theme* theme_;
};

}  // namespace farstate::desktop
