// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/sample_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>

#include "app/desktop/models/arms_model.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/check_box.h"
#include "app/desktop/widgets/line_sample.h"

namespace farstate::desktop {

namespace {

constexpr int kSpace = 9;
constexpr int kWidest = 230;
constexpr int kBar = 54, kBarHeight = 5;

// The cell's ground: selected, or nothing.
void paint_ground(QPainter* painter, const QStyleOptionViewItem& option, const Theme& theme) {
  if (option.state.testFlag(QStyle::State_Selected)) {
    painter->fillRect(option.rect, theme.accent_soft);
  }
}

QString fitted(const QStyleOptionViewItem& option, const QString& text, int width) {
  return option.fontMetrics.elidedText(text, Qt::ElideRight, width);
}

}  // namespace

SampleDelegate::SampleDelegate(int law_role, int faint_role, QObject* parent, int variant_role)
    : QStyledItemDelegate(parent),
      law_role_(law_role),
      faint_role_(faint_role),
      variant_role_(variant_role),
      theme_(&theme_for(ThemeMode::kLight)) {}

LineStyle SampleDelegate::line_of(const QModelIndex& index) const {
  const int law = index.data(law_role_).toInt();
  if (law < 0) return base_line(theme_->dark);
  const int variant = variant_role_ != 0 ? index.data(variant_role_).toInt() : 0;
  return variant_line(intervention_line(static_cast<Intervention>(law), theme_->dark), variant,
                      theme_->dark);
}

// Where a click changes it, which is the style's to say.
QRect SampleDelegate::box_of(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  return style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &cell, cell.widget);
}

void SampleDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  paint_ground(painter, option, *theme_);
  const bool faint = faint_role_ != 0 && index.data(faint_role_).toBool();
  QRect rest = option.rect;
  if (const QVariant checked = index.data(Qt::CheckStateRole); checked.isValid()) {
    const QRect box = box_of(option, index);
    paint_check_box(*painter, box, checked.toInt() == Qt::Checked,
                    index.flags().testFlag(Qt::ItemIsUserCheckable), *theme_);
    rest.setLeft(box.right() + kSpace);
  }
  if (index.data(law_role_).isValid()) {
    LineStyle line = line_of(index);
    if (faint) line.color = theme_->faint;
    paint_line_sample(*painter, QRectF(rest.left(), rest.top(), kLineSampleWidth, rest.height()),
                      line);
    rest.setLeft(rest.left() + kLineSampleWidth + kSpace);
  }
  painter->setPen(faint ? theme_->faint : theme_->text);
  painter->setFont(option.font);
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                    fitted(option, index.data().toString(), rest.width()));
}

QSize SampleDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize size = QStyledItemDelegate::sizeHint(option, index);
  return {std::min(size.width() + kLineSampleWidth + kSpace + 6, text_room(kWidest)), size.height() + 5};
}

void StageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  paint_ground(painter, option, *theme_);
  const QVariant progress = index.data(ArmsModel::kProgressRole);
  const QVariant stage = index.data(ArmsModel::kStageRole);
  const bool failed = stage.isValid() && stage.toInt() == static_cast<int>(ArmStage::kFailed);
  QRectF rest = option.rect;
  if (progress.isValid()) {
    QRectF bar(rest.left(), rest.center().y() - kBarHeight / 2.0, kBar, kBarHeight);
    const QColor fill = failed                                                 ? theme_->danger
                        : stage.toInt() == static_cast<int>(ArmStage::kPaused) ? theme_->warning
                        : stage.toInt() == static_cast<int>(ArmStage::kDone)   ? theme_->good
                                                                               : theme_->accent;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme_->border);
    painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
    bar.setWidth(kBar * progress.toDouble());
    painter->setBrush(fill);
    if (bar.width() >= 1) painter->drawRoundedRect(bar, kBarHeight / 2.0, kBarHeight / 2.0);
    painter->restore();
  }
  rest.setLeft(rest.left() + kBar + kSpace);
  painter->setPen(failed                                            ? theme_->danger
                  : index.data(ArmsModel::kFaintRole).toBool()      ? theme_->faint
                  : index.parent().isValid() || !progress.isValid() ? theme_->muted
                                                                    : theme_->text);
  painter->setFont(option.font);
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                    fitted(option, index.data().toString(), static_cast<int>(rest.width())));
}

}  // namespace farstate::desktop
