// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/export/pose.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QSplitter>

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/history_slider.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {
namespace {

constexpr int kHeadSpace = 4;

QFont title_font() { return text_font(TextSize::kTitle, QFont::DemiBold); }

QList<LivePlot*> plots_in(QWidget& part) {
  QList<LivePlot*> plots = part.findChildren<LivePlot*>();
  if (auto* plot = qobject_cast<LivePlot*>(&part)) plots.push_back(plot);
  return plots;
}

bool is_control(const QWidget* widget) {
  return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const Segmented*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr ||
         qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const HistorySlider*>(widget) != nullptr;
}

// The layouts answer to what was shown and hidden now, and not when the picture is done.
void settle_layouts() { QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); }

}  // namespace

Pose::Pose(QWidget& part, const QString& title, const QVector<CurveLegend::Entry>& legend,
           const QSize& size, const Theme& theme)
    : part_(part),
      card_(qobject_cast<Card*>(&part)),
      title_(title),
      size_(size),
      theme_(theme),
      before_(part.geometry()) {
  part_.window()->setUpdatesEnabled(false);
  for (QSplitter* splitter : part_.window()->findChildren<QSplitter*>()) {
    splitters_.push_back({splitter, splitter->sizes()});
  }
  if (card_ == nullptr && !legend.isEmpty()) {
    legend_ = std::make_unique<CurveLegend>();
    legend_->set_wrapping(true);
    legend_->set_entries(legend);
    legend_->resize(size_.width() - 2 * Theme::kPad, legend_->height());
  }
  for (LivePlot* plot : plots_in(part_)) plot->set_posing(true);
  hide_controls();
  if (card_ != nullptr) {
    title_before_ = card_->title();
    card_->set_title(title);
  }
  settle_layouts();
  const int side = card_ != nullptr ? 0 : 2 * Theme::kPad;
  part_.resize(size_ - QSize(side, head_height() + (card_ != nullptr ? 0 : Theme::kPad / 2)));
  draw_plots(part_);
}

// A title is cut to the room that it has, and until that is done its card asks for more: the
// splitters must not give it.
Pose::~Pose() {
  for (QWidget* control : hidden_) control->show();
  for (LivePlot* plot : plots_in(part_)) plot->set_posing(false);
  if (card_ != nullptr) card_->set_title(title_before_);
  const QSize most = part_.maximumSize();
  part_.setMaximumSize(before_.size());
  part_.setGeometry(before_);
  settle_layouts();
  part_.setMaximumSize(most);
  settle_layouts();
  for (const auto& [splitter, sizes] : splitters_) splitter->setSizes(sizes);
  settle_layouts();
  draw_plots(part_);
  part_.window()->setUpdatesEnabled(true);
}

void Pose::hide_controls() {
  for (QWidget* widget : part_.findChildren<QWidget*>()) {
    if (!is_control(widget) || widget->isHidden()) continue;
    widget->hide();
    hidden_.push_back(widget);
  }
}

int Pose::head_height() const {
  if (card_ != nullptr) return 0;
  return Theme::kPad / 2 + QFontMetrics(title_font()).height() + kHeadSpace +
         (legend_ != nullptr ? legend_->height() + kHeadSpace : 0);
}

void Pose::paint_head(QCPPainter& painter) const {
  painter.fillRect(QRect({}, size_), theme_.surface);
  painter.setPen(theme_.text);
  painter.setFont(title_font());
  const QRect line(Theme::kPad, Theme::kPad / 2, size_.width() - 2 * Theme::kPad,
                   QFontMetrics(title_font()).height());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(title_, Qt::ElideRight, line.width()));
  if (legend_ != nullptr) {
    legend_->render(&painter, line.bottomLeft() + QPoint(0, kHeadSpace), {}, {});
  }
}

Drawing Pose::drawing() const {
  if (card_ != nullptr) return drawing_of(part_);
  return {size_, [this](QCPPainter& painter) {
            paint_head(painter);
            painter.translate(Theme::kPad, head_height());
            paint_card(painter, part_);
          }};
}

}  // namespace farstate::desktop
