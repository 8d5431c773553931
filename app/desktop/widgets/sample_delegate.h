// SPDX-License-Identifier: GPL-3.0-or-later
// How cells that name an arm, and those that say how far it is, are drawn.
#pragma once

#include <QStyledItemDelegate>

#include "app/desktop/theme.h"

namespace farstate::desktop {

// The arm's line before its name. law_role gives the law as a number, -1 the base, nothing: no
// line.
class SampleDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  SampleDelegate(int law_role, int faint_role, QObject* parent);

  void set_theme(const Theme& theme) { theme_ = &theme; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  int law_role_, faint_role_;
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
