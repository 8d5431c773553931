// SPDX-License-Identifier: GPL-3.0-or-later
// How cells that name an arm, and those that say how far it is, are drawn.
#pragma once

#include <QStyledItemDelegate>

#include "app/desktop/intervention_style.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

// The arm's line before its name, and before that a box where the model has one. law_role gives the
// law as a number, -1 the base, nothing: no line; variant_role, where it is not 0, which of its
// variants.
class SampleDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  SampleDelegate(int law_role, int faint_role, QObject* parent, int variant_role = 0);

  void set_theme(const Theme& theme) { theme_ = &theme; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  LineStyle line_of(const QModelIndex& index) const;
  QRect box_of(const QStyleOptionViewItem& option, const QModelIndex& index) const;

  int law_role_, faint_role_, variant_role_;
  const Theme* theme_;
};

// A small bar before the words.
class StageDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void set_theme(const Theme& theme) { theme_ = &theme; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;

 private:
  const Theme* theme_ = &theme_for(ThemeMode::kLight);
};

}  // namespace farstate::desktop
