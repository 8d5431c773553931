// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <optional>

#include "app/desktop/widgets/card.h"
#include "core/results/experiment.h"

class QTableView;
class QToolButton;

namespace farstate::desktop {

class ArmTable;
class ElidedLabel;
class SampleDelegate;
struct Theme;

// The comparison in numbers, to be read and to be copied.
class ArmTableCard : public Card {
  Q_OBJECT
 public:
  explicit ArmTableCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // `at` empty: the newest of each run.
  void show(const Experiment* experiment, std::optional<int64_t> at, const QSet<QString>& hidden);
  ArmTable* model() const { return model_; }
  QTableView* view() const { return view_; }

 private:
  void fit_height();
  void copy(const QString& text);

  ArmTable* model_;
  QTableView* view_;
  SampleDelegate* names_;
  ElidedLabel* when_;
  QToolButton* copy_;
};

}  // namespace farstate::desktop
