// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/desktop/models/pinned_states.h"

class QLabel;

namespace farstate::desktop {

class LivePlot;
class MatrixView;
class SignedBar;
class SpectrumPlot;
struct Theme;

// Which noise could stand in for the states of the head in focus: the verdict in words, and what it
// rests on, the correlation of the elements and its spectrum.
class LawCard : public QWidget {
  Q_OBJECT
 public:
  explicit LawCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_states(const PinnedStates& states);
  QList<LivePlot*> plots() const;

  QLabel* verdict() const { return verdict_; }
  QLabel* basis() const { return basis_; }
  QLabel* caption() const { return caption_; }
  QLabel* model() const { return model_; }
  MatrixView* correlation() const { return correlation_; }

 private:
  void arrange();
  void show_law(const HeadLawReport& law);

  QLabel *verdict_, *basis_, *model_, *title_, *caption_;
  QWidget* pictures_;
  MatrixView* correlation_;
  SignedBar* bar_;
  SpectrumPlot* spectrum_;
};

}  // namespace farstate::desktop
