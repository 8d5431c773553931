// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>

#include "app/desktop/models/focus.h"
#include "app/desktop/models/measurement_book.h"

class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace farstate::desktop {

class HeadsFilter;
class HeadsModel;
struct Theme;

// Every head as a row of numbers, to sort, filter and choose from.
class HeadsPanel : public QFrame {
  Q_OBJECT
 public:
  explicit HeadsPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // Ratios are taken at T, and where that is 0, not known, at `reference`.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference);
  void show_report(std::shared_ptr<const StateReport> report);

  QWidget* tools() const { return tools_; }  // for the row above: filter, count, copy
  HeadsModel* model() const { return model_; }
  HeadsFilter* filter() const { return filter_; }
  QTableView* table() const { return table_; }
  QLineEdit* filter_field() const { return field_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void make_table();
  void make_tools();
  void fit_columns();
  void fill();  // with what came while the table could not be seen, too
  void count();
  void show_focus();
  void choose(const QModelIndex& current);
  void copy(bool everything) const;

  Focus* focus_;
  HeadsModel* model_;
  HeadsFilter* filter_;
  QTableView* table_;
  QWidget* tools_;
  QLineEdit* field_;
  QLabel* count_;
  QToolButton* copy_;
  std::shared_ptr<const Measurement> measurement_;
  int64_t reference_ = 0;
  bool due_ = false;      // there is something to fill in
  bool showing_ = false;  // the selection follows the focus, and not the other way round
};

}  // namespace farstate::desktop
