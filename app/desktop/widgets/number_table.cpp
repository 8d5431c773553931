// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/number_table.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "app/desktop/plots/ticks.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kColumn = 56;

int column_width() { return text_room(kColumn); }

}  // namespace

NumberTable::NumberTable(QWidget* parent) : QWidget(parent) {
  set_text(this, TextSize::kSmall);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  worded(this, [this] { setAccessibleName(tr("Numbers")); });
}

void NumberTable::set_columns(const QVector<Column>& columns) {
  columns_ = columns;
  update();
}

void NumberTable::set_rows(const QVector<Row>& rows) {
  const bool other_size = rows.size() != rows_.size();
  rows_ = rows;
  if (other_size) updateGeometry();
  setAccessibleDescription(as_tsv(numbers()));
  update();
}

QSize NumberTable::sizeHint() const { return {text_room(260), row_height() * int(rows_.size() + 1)}; }

QRect NumberTable::place_of(int row, int column) const {
  const int from_right = int(columns_.size()) - column;
  return {width() - from_right * column_width(), (row + 1) * row_height(), column_width(), row_height()};
}

int NumberTable::row_of(const QString& name) const {
  for (qsizetype i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == name) return int(i);
  }
  return -1;
}

QStringList NumberTable::names() const {
  QStringList names;
  for (const Row& row : rows_) names.push_back(row.name);
  return names;
}

QString NumberTable::text_at(int row, int column) const {
  if (row < 0 || row >= rows_.size() || column < 0 || column >= rows_[row].cells.size()) return {};
  const double value = rows_[row].cells[column].value;
  return std::isnan(value) ? u"–"_s : value_text(value);
}

QString NumberTable::tip_at(const QPoint& at) const {
  const int row = at.y() / row_height() - 1;
  if (row >= rows_.size()) return {};
  const int column = int(columns_.size()) - 1 - (width() - 1 - at.x()) / column_width();
  if (column < 0) return row < 0 ? QString() : rows_[row].tip;
  if (row < 0) return columns_[column].tip;
  if (column >= rows_[row].cells.size()) return {};
  const Cell& cell = rows_[row].cells[column];
  return std::isnan(cell.value) ? cell.why : rows_[row].tip;
}

DataTable NumberTable::numbers() const {
  DataTable table{{QString()}, {}};
  for (const Column& column : columns_) table.columns.push_back(column.name);
  for (const Row& row : rows_) {
    std::vector<DataCell>& cells = table.rows.emplace_back();
    cells.push_back(row.name);
    for (const Cell& cell : row.cells) {
      cells.push_back(std::isnan(cell.value) ? DataCell() : DataCell(cell.value));
    }
  }
  return table;
}

bool NumberTable::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip_at(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

void NumberTable::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QColor muted = palette().color(QPalette::PlaceholderText);
  const QColor text = palette().color(QPalette::WindowText);
  for (int column = 0; column < columns_.size(); ++column) {
    painter.setPen(columns_[column].color.isValid() ? columns_[column].color : muted);
    painter.drawText(place_of(-1, column), Qt::AlignVCenter | Qt::AlignRight,
                     columns_[column].name);
  }
  for (int row = 0; row < rows_.size(); ++row) {
    const QRect line(0, (row + 1) * row_height(), width(), row_height());
    painter.setPen(text);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, rows_[row].name);
    for (int column = 0; column < rows_[row].cells.size(); ++column) {
      painter.setPen(std::isnan(rows_[row].cells[column].value) ? muted : text);
      painter.drawText(place_of(row, column), Qt::AlignVCenter | Qt::AlignRight,
                       text_at(row, column));
    }
  }
}

}  // namespace farstate::desktop
