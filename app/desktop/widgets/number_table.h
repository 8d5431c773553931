// SPDX-License-Identifier: GPL-3.0-or-later
// A small table of numbers: names at the left, columns of figures at the right. A number that is
// missing is a dash whose tip says why.
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>
#include <limits>

#include "app/desktop/models/data_table.h"

namespace farstate::desktop {

class NumberTable : public QWidget {
  Q_OBJECT
 public:
  struct Cell {
    double value = std::numeric_limits<double>::quiet_NaN();  // NaN: missing
    QString why;                                               // it is missing
  };
  struct Row {
    QString name, tip;
    QVector<Cell> cells;
  };
  struct Column {
    QString name, tip;
    QColor color;
  };
  explicit NumberTable(QWidget* parent = nullptr);

  void set_columns(const QVector<Column>& columns);
  void set_rows(const QVector<Row>& rows);
  QString text_at(int row, int column) const;  // as shown
  QString tip_at(const QPoint& at) const;
  QRect place_of(int row, int column) const;   // row -1: the names of the columns
  int row_of(const QString& name) const;       // -1: none
  QStringList names() const;                   // of the rows
  DataTable numbers() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  int row_height() const { return fontMetrics().height() + 4; }

  QVector<Column> columns_;
  QVector<Row> rows_;
};

}  // namespace farstate::desktop
