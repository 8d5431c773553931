// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the texts of a window that have less room than they need. What is shortened on purpose
// (ElidedLabel, ElidedButton) shows the whole in its tip and is no fault.
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QStringList>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/number_table.h"
#include "app/desktop/widgets/sample_legend.h"

namespace farstate::testing {

// Sizes of text are rounded up to whole pixels and rooms are not.
inline constexpr int kRounding = 1;

class ClippedText {
 public:
  explicit ClippedText(const QWidget& window) : window_(window) {}

  // One line for each text that is cut: what it is, its text, the room it needs and has.
  QStringList find() {
    for (QWidget* widget : window_.findChildren<QWidget*>()) {
      if (!widget->isVisibleTo(&window_)) continue;
      look_at(*widget);
      look_at_edge(*widget);
    }
    return found_;
  }

 private:
  void check(const QWidget& widget, const QString& text, int needs, int has) {
    if (needs <= has + kRounding) return;
    found_.push_back(QStringLiteral("%1 %2 “%3” needs %4 and has %5")
                         .arg(QString::fromLatin1(widget.metaObject()->className()),
                              widget.accessibleName(), text.left(60))
                         .arg(needs)
                         .arg(has));
  }

  // A page that does not scroll sideways loses what is beyond its edge.
  void look_at_edge(const QWidget& widget) {
    const bool says = qobject_cast<const QLabel*>(&widget) != nullptr ||
                      qobject_cast<const QAbstractButton*>(&widget) != nullptr;
    const QScrollArea* area = nullptr;
    for (const QWidget* at = &widget; at != nullptr && area == nullptr; at = at->parentWidget()) {
      area = qobject_cast<const QScrollArea*>(at->parentWidget());
    }
    if (!says || area == nullptr || !area->isAncestorOf(&widget)) return;
    if (area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff) return;
    const int right = widget.mapTo(area->viewport(), widget.rect().topRight()).x();
    check(widget, QStringLiteral("beyond the edge: ") + text_of(widget), right,
          area->viewport()->width());
  }
  static QString text_of(const QWidget& widget) {
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return label != nullptr ? label->text() : static_cast<const QAbstractButton&>(widget).text();
  }

  static int width_of(const QWidget& widget, QString text) {
    return widget.fontMetrics().size(Qt::TextShowMnemonic, text.remove(u'&')).width();
  }

  void look_at(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      look_at_label(*label);
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      look_at_button(*button);
    } else if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
      check(widget, combo->currentText(), width_of(widget, combo->currentText()),
            combo->width() - kArrow);
    } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
      look_at_field(*spin->findChild<QLineEdit*>(), spin->text());
      look_at_field(*spin->findChild<QLineEdit*>(), spin->specialValueText());
    } else if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) {
      if (field->text().isEmpty()) look_at_field(*field, field->placeholderText());
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
      const bool scrolls = tabs->sizeHint().width() > tabs->width() && tabs->usesScrollButtons();
      for (int i = 0; !scrolls && i < tabs->count(); ++i) {
        check(widget, tabs->tabText(i), width_of(widget, tabs->tabText(i)),
              tabs->tabRect(i).intersected(tabs->rect()).width());
      }
    } else if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) {
      look_at_header(*header);
    } else if (qobject_cast<const desktop::SampleLegend*>(&widget) != nullptr) {
      check(widget, widget.accessibleDescription(), widget.sizeHint().width(), widget.width());
    } else if (const auto* table = qobject_cast<const desktop::NumberTable*>(&widget)) {
      for (const QString& name : table->names()) {
        check(widget, name, width_of(widget, name), table->place_of(0, 0).left());
      }
    }
  }

  void look_at_label(const QLabel& label) {
    if (label.text().isEmpty()) return;
    if (const auto* elided = qobject_cast<const desktop::ElidedLabel*>(&label)) {
      const bool title = qobject_cast<const desktop::Card*>(label.parentWidget()) != nullptr;
      const QString shown = elided->shown();
      // The title of a card is none of a person's names or paths: it has a short form instead.
      check(label, label.text(), title && shown.contains(u'…') ? label.width() + 1 : 0,
            label.width());
      return;
    }
    if (label.wordWrap()) {
      check(label, label.text(), label.heightForWidth(label.width()), label.height());
    } else {
      check(label, label.text(), label.sizeHint().width(), label.width());
      check(label, label.text(), label.sizeHint().height(), label.height());
    }
  }

  // Padding may give way to the text, but not the text to the padding.
  void look_at_button(const QAbstractButton& button) {
    if (qobject_cast<const desktop::ElidedButton*>(&button) != nullptr) return;
    if (qobject_cast<const QRadioButton*>(&button) != nullptr ||
        qobject_cast<const QCheckBox*>(&button) != nullptr) {
      check(button, button.text(), button.minimumSizeHint().width(), button.width());
      return;
    }
    if (button.text().isEmpty()) return;
    const int icon = button.icon().isNull() ? 0 : button.iconSize().width() + kIconGap;
    check(button, button.text(), width_of(button, button.text()) + icon + 2 * kFrame,
          button.width());
    check(button, button.text(), button.fontMetrics().height(), button.height());
  }

  void look_at_field(const QLineEdit& field, const QString& text) {
    check(*field.parentWidget(), text, width_of(field, text) + 2 * kFrame,
          field.contentsRect().width());
  }

  // A section whose title does not fit may say it in its tip.
  void look_at_header(const QHeaderView& header) {
    const QAbstractItemModel* model = header.model();
    for (int i = 0; model != nullptr && i < header.count(); ++i) {
      if (header.orientation() != Qt::Horizontal || header.isSectionHidden(i)) continue;
      const QString title = model->headerData(i, Qt::Horizontal).toString();
      const bool told = !model->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty();
      if (!told) check(header, title, width_of(header, title), header.sectionSize(i));
    }
  }

  static constexpr int kArrow = 22;  // of a combo box, with its frame
  static constexpr int kIconGap = 4;
  static constexpr int kFrame = 2;

  const QWidget& window_;
  QStringList found_;
};

inline QStringList clipped_texts(const QWidget& window) { return ClippedText(window).find(); }

}  // namespace farstate::testing
