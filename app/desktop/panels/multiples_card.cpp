// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/multiples_card.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <algorithm>
#include <cmath>

#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/history_slider.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

namespace {

constexpr int kNarrowest = 208, kLowest = 148;  // of a tile
constexpr int kRowsInSight = 2;

}  // namespace

// A small plot with its arm's name and the step that it shows.
class ArmTile : public QWidget {
 public:
  explicit ArmTile(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    sample_ = new CurveLegend(this);
    sample_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    name_ = new ElidedLabel(this);
    set_text(name_, TextSize::kSmall, QFont::DemiBold);
    step_ = muted_label({}, this);
    set_text(step_, TextSize::kSmall);
    head->addWidget(sample_);
    head->addWidget(name_, 1);
    head->addWidget(step_);
    column->addLayout(head);
    plot_ = new ArmPlot(this);
    column->addWidget(plot_, 1);
    setMinimumSize(kNarrowest - 40, kLowest);
    resize(kNarrowest, kLowest);
  }

  void show_head(const ArmGroup& group, const QString& step, bool dark) {
    sample_->set_entries({{group.line(dark), QString()}});
    sample_->setAccessibleName(group.name);
    name_->setText(group.name);
    step_->setText(step);
    plot_->setAccessibleName(group.name);
  }

  ArmPlot* plot() const { return plot_; }
  QString title() const { return name_->text() + QStringLiteral(" · ") + step_->text(); }

 private:
  CurveLegend* sample_;
  ElidedLabel* name_;
  QLabel* step_;
  ArmPlot* plot_;
};

MultiplesCard::MultiplesCard(QWidget* parent)
    : Card([] { return tr("Every arm"); }, parent), theme_(&theme_for(ThemeMode::kLight)) {
  whats_ = new Segmented([] { return tr("What the plots show"); },
                         {[] { return tr("perplexity"); }, [] { return tr("state"); },
                          [] { return tr("remembrance"); }, [] { return tr("training loss"); }},
                         this);
  whats_->setObjectName(QStringLiteral("view.experiment-plots"));
  worded(this, [this] {
    whats_->setToolTip(tr(
        "Perplexity by position; standard deviation of the state's elements by position; effective "
        "remembrance; training loss by step"));
  });
  add_to_header(whats_);
  make_scales();
  field_ = new QWidget;
  grid_ = new QGridLayout(field_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(14);
  grid_->setVerticalSpacing(4);
  scroll_ = new QScrollArea(this);
  scroll_->setProperty("role", QStringLiteral("inner"));
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(field_);
  field_->setAutoFillBackground(false);  // the card's ground, which setWidget() hid
  scroll_->viewport()->setAutoFillBackground(false);
  body()->addWidget(scroll_, 1);
  slider_ = new HistorySlider(this);
  body()->addWidget(slider_);
  connect(whats_, &Segmented::changed, this,
          [this](int what) { choose(static_cast<ArmQuantity>(what)); });
  connect(slider_, &HistorySlider::moved, this, [this] {
    show_contents();
    Q_EMIT step_changed();
  });
}

// Chosen in the menu of any of the plots.
void MultiplesCard::make_scales() {
  const std::vector<Words> choices = {[] { return tr("as usual"); }, [] { return tr("log"); },
                                      [] { return tr("linear"); }};
  x_scale_ = new Segmented([] { return tr("Scale of the x axes"); }, choices, this);
  y_scale_ = new Segmented([] { return tr("Scale of the y axes"); }, choices, this);
  x_scale_->setObjectName(QStringLiteral("view.experiment-x-scale"));
  y_scale_->setObjectName(QStringLiteral("view.experiment-y-scale"));
  for (Segmented* scale : {x_scale_, y_scale_}) {
    scale->hide();
    connect(scale, &Segmented::changed, this, &MultiplesCard::show_contents);
  }
}

void MultiplesCard::set_theme(const Theme& theme) {
  theme_ = &theme;
  slider_->set_theme(theme);
  for (ArmTile* tile : tiles_) tile->plot()->set_theme(theme);
  show_contents();
}

void MultiplesCard::choose(ArmQuantity what) {
  if (whats_->chosen() != static_cast<int>(what)) whats_->choose(static_cast<int>(what));
  what_ = what;
  show_contents();
}

std::optional<int64_t> MultiplesCard::step() const { return slider_->step(); }

void MultiplesCard::set_hidden(const QSet<QString>& arms) {
  hidden_ = arms;
  update_tiles();
}

void MultiplesCard::show(std::shared_ptr<const Experiment> experiment) {
  experiment_ = std::move(experiment);
  groups_ = experiment_ ? arm_groups(*experiment_) : std::vector<ArmGroup>();
  int64_t planned = 0;
  for (const ArmGroup& group : groups_) {
    for (const auto& run : group.runs) planned = std::max(planned, run->planned);
  }
  slider_->show_steps(experiment_ ? recorded_steps(*experiment_) : std::vector<int64_t>(), planned,
                      experiment_ && experiment_->running);
  update_tiles();
}

std::vector<const ArmGroup*> MultiplesCard::shown_groups() const {
  std::vector<const ArmGroup*> shown;
  for (const ArmGroup& group : groups_) {
    if (!hidden_.contains(group.key())) shown.push_back(&group);
  }
  return shown;
}

void MultiplesCard::update_tiles() {
  const int wanted = static_cast<int>(shown_groups().size());
  while (tiles_.size() < wanted) add_tile();
  if (wanted != used_) {
    used_ = wanted;
    columns_ = 0;
    arrange();
  }
  show_contents();
}

void MultiplesCard::add_tile() {
  auto* tile = new ArmTile(field_);
  tile->plot()->set_theme(*theme_);
  tile->plot()->offer(x_scale_);
  tile->plot()->offer(y_scale_);
  tiles_.push_back(tile);
  link(tile->plot());
  Q_EMIT plot_added(tile->plot());
}

// A zoom or the cursor of one is that of all.
void MultiplesCard::link(ArmPlot* plot) {
  const auto others = [this, plot](auto&& act) {
    if (linking_) return;
    linking_ = true;
    for (ArmTile* tile : tiles_) {
      if (tile->plot() != plot) act(tile->plot());
    }
    linking_ = false;
  };
  connect(plot, &LivePlot::x_range_held, this, [others](double low, double high) {
    others([&](ArmPlot* other) { other->follow_range(low, high); });
  });
  connect(plot, &LivePlot::held_changed, this, [others](bool held) {
    if (!held) others([](ArmPlot* other) { other->follow(); });
  });
  connect(plot, &PositionPlot::pointed_at, this, [others](std::optional<double> x) {
    others([&](ArmPlot* other) { other->follow_cursor(x); });
  });
}

void MultiplesCard::show_contents() {
  if (experiment_ == nullptr) return;
  const std::vector<const ArmGroup*> shown = shown_groups();
  const std::optional<int64_t> at = step();
  QVector<ArmPlot::Content> contents;
  std::optional<Extent> x, y;
  for (const ArmGroup* group : shown) {
    contents.push_back(arm_content(*experiment_, *group, what_, at, theme_->dark));
    if (x_scale_->chosen() > 0) contents.back().log_x = x_scale_->chosen() == 1;
    if (y_scale_->chosen() > 0) contents.back().log_y = y_scale_->chosen() == 1;
    x = united(x, ArmPlot::x_extent(contents.back()));
    y = united(y, ArmPlot::y_extent(contents.back()));
  }
  for (qsizetype i = 0; i < contents.size(); ++i) {
    const ArmGroup& group = *shown[static_cast<size_t>(i)];
    tiles_[i]->show_head(group, what_ == ArmQuantity::kLoss ? QString() : recorded_text(group, at),
                         theme_->dark);
    ArmPlot* plot = tiles_[i]->plot();
    if (plot->content() != contents[i] || !plot->has_axes(x, y)) plot->show(contents[i], x, y);
    plot->set_trained_context(contents[i].over == ArmPlot::Over::kPosition ? experiment_->context
                                                                           : 0);
  }
}

void MultiplesCard::arrange() {
  const int room = std::max(1, scroll_->viewport()->width() / kNarrowest);
  const int rows = (used_ + room - 1) / std::max(1, room);
  const int columns = rows > 0 ? (used_ + rows - 1) / rows : 1;
  if (columns == columns_) return;
  columns_ = columns;
  for (qsizetype i = 0; i < tiles_.size(); ++i) {
    grid_->removeWidget(tiles_[i]);
    const auto place = static_cast<int>(i);
    tiles_[i]->setVisible(place < used_);
    if (place < used_) grid_->addWidget(tiles_[i], place / columns, place % columns);
  }
  for (int c = 0; c < grid_->columnCount(); ++c) grid_->setColumnStretch(c, c < columns ? 1 : 0);
  for (int r = 0; r < grid_->rowCount(); ++r) grid_->setRowStretch(r, r < rows ? 1 : 0);
  const int in_sight = std::clamp(rows, 1, kRowsInSight);
  scroll_->setMinimumHeight(in_sight * kLowest + (in_sight - 1) * grid_->verticalSpacing());
}

void MultiplesCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  arrange();
}

QList<ArmPlot*> MultiplesCard::plots() const {
  QList<ArmPlot*> plots;
  for (int i = 0; i < used_; ++i) plots.push_back(tiles_[i]->plot());
  return plots;
}

QString MultiplesCard::title_of(int tile) const { return tiles_[tile]->title(); }

}  // namespace farstate::desktop
