// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>

#include "app/desktop/models/arm_curves.h"
#include "app/desktop/widgets/card.h"

class QGridLayout;
class QScrollArea;

namespace farstate::desktop {

class ArmTile;
class HistorySlider;
class Segmented;

// One small plot per arm, all on the same axes, and the slider through training below them.
class MultiplesCard : public Card {
  Q_OBJECT
 public:
  explicit MultiplesCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show(std::shared_ptr<const Experiment> experiment);  // null: none
  void set_hidden(const QSet<QString>& arms);               // by the names of their groups
  void choose(ArmQuantity what);

  std::optional<int64_t> step() const;  // that is shown; empty: the newest
  HistorySlider* slider() const { return slider_; }
  Segmented* whats() const { return whats_; }
  QList<ArmPlot*> plots() const;  // in sight, in the order of the arms
  QString title_of(int tile) const;

 Q_SIGNALS:
  void plot_added(farstate::desktop::LivePlot* plot);
  void step_changed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_scales();
  void update_tiles();
  void show_contents();
  void arrange();
  void add_tile();
  void link(ArmPlot* plot);
  std::vector<const ArmGroup*> shown_groups() const;

  std::shared_ptr<const Experiment> experiment_;
  std::vector<ArmGroup> groups_;
  QSet<QString> hidden_;
  ArmQuantity what_ = ArmQuantity::kPerplexity;
  const Theme* theme_;
  Segmented *whats_, *x_scale_, *y_scale_;
  QScrollArea* scroll_;
  QWidget* field_;
  QGridLayout* grid_;
  QList<ArmTile*> tiles_;  // those beyond the arms are hidden
  int used_ = 0, columns_ = 0;
  HistorySlider* slider_;
  bool linking_ = false;
};

}  // namespace farstate::desktop
