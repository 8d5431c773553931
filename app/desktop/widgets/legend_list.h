// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QVector>
#include <QWidget>

#include "app/desktop/intervention_style.h"

class QLineEdit;
class QMouseEvent;
class QListWidget;

namespace farstate::desktop {

struct Theme;

// A plot's legend as a list beside it: each line with its look and its name. A box hides a line, a
// click on a name chooses it, and of many lines words find some.
class LegendList : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kFilterFrom = 13;  // lines

  struct Entry {
    LineStyle line;
    QString label;
    bool area = false;      // a band instead of a line
    bool strong = false;    // in focus
    bool can_hide = false;  // has a box
  };

  explicit LegendList(QWidget* parent = nullptr);

  void set_entries(const QVector<Entry>& entries, const Theme& theme);
  const QVector<Entry>& entries() const { return entries_; }
  bool shows(int row) const;  // its box is set, and the words find it
  // As in a picture: without boxes, and what they hide is not named.
  void set_bare(bool bare);
  bool bare() const { return bare_; }

  QLineEdit* filter() const { return filter_; }
  QListWidget* list() const { return list_; }

 Q_SIGNALS:
  void shown_changed();
  void chosen(int row);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void mark_focus();
  void apply_filter();
  bool pressed(const QMouseEvent& press);

  QVector<Entry> entries_;
  QSet<int> hidden_;  // by their boxes
  bool filling_ = false, bare_ = false;
  QLineEdit* filter_;
  QListWidget* list_;
};

}  // namespace farstate::desktop
