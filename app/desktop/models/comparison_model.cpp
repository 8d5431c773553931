// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/comparison_model.h"

#include <QColor>
#include <QLocale>
#include <algorithm>

#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/ticks.h"

namespace farstate::desktop {

ComparisonModel::Row ComparisonModel::row_of(const Measurement& m, const std::string& perplexity,
                                             bool is_base, bool is_current,
                                             const QVector<int64_t>& positions) {
  Row row{is_base, is_current, m.intervention, m.step, {}};
  row.cells.resize(positions.size());
  const Series* series = find_series(m.series, perplexity);
  if (series == nullptr) return row;
  for (qsizetype i = 0; i < positions.size(); ++i) {
    const auto sample = sample_at(*series, static_cast<double>(positions[i]));
    if (!sample) continue;
    Cell cell{series->y[*sample], series->x[*sample], {}};
    if (series->lower.size() > *sample && series->upper.size() > *sample) {
      cell.half_width = (series->upper[*sample] - series->lower[*sample]) / 2;
    }
    row.cells[i] = cell;
  }
  return row;
}

void ComparisonModel::show(const MeasurementBook& book, int64_t trained_context,
                           int64_t reference, const std::string& perplexity) {
  const int64_t t = trained_context > 0 ? trained_context : reference;
  const QVector<int64_t> wanted =
      t > 1 ? QVector<int64_t>{t / 2, t, 2 * t, 8 * t, 64 * t} : QVector<int64_t>{};
  QVector<Row> rows;
  const Measurement* current = book.current();
  if (book.base() != nullptr) {
    rows.push_back(row_of(*book.base(), perplexity, true, book.base() == current, wanted));
  }
  for (const Intervention kind : kInterventions) {
    const Measurement* m = book.last_of(kind);
    if (m != nullptr) rows.push_back(row_of(*m, perplexity, false, m == current, wanted));
  }
  QVector<int64_t> reached;
  for (qsizetype i = 0; i < wanted.size(); ++i) {
    if (std::any_of(rows.cbegin(), rows.cend(),
                    [i](const Row& r) { return r.cells[i].has_value(); })) {
      reached.push_back(wanted[i]);
    }
  }
  for (Row& row : rows) {
    QVector<std::optional<Cell>> kept;
    for (qsizetype i = 0; i < wanted.size(); ++i) {
      if (reached.contains(wanted[i])) kept.push_back(row.cells[i]);
    }
    row.cells = kept;
  }
  beginResetModel();
  positions_ = reached;
  rows_ = rows;
  trained_context_ = trained_context;
  endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 2 + static_cast<int>(positions_.size());
}

QString ComparisonModel::name_of(const Row& row) const {
  if (row.is_base) return tr("Base, as loaded");
  const QString name = intervention_name(row.kind);
  return row.is_current ? tr("%1 · now").arg(name) : name;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rows_.size()) return {};
  const Row& row = rows_[index.row()];
  const int column = index.column();
  if (role == kIsBaseRole) return row.is_base;
  if (role == kIsCurrentRole) return row.is_current;
  if (role == kInterventionRole) return static_cast<int>(row.kind);
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(Qt::AlignVCenter |
                                              (column == 0 ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role == Qt::EditRole) {
    if (column < 2) return column == 0 ? QVariant() : QVariant(qint64(row.step));
    return row.cells[column - 2] ? QVariant(row.cells[column - 2]->value) : QVariant();
  }
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  if (column == 0) return name_of(row);
  if (column == 1) return QLocale().toString(row.step);
  const std::optional<Cell>& cell = row.cells[column - 2];
  if (!cell) return role == Qt::DisplayRole ? QVariant(tr("–")) : QVariant(tr("not measured"));
  if (role == Qt::DisplayRole) return value_text(cell->value);
  const QString position = QLocale().toString(cell->position, 'g', 6);
  if (!cell->half_width) return tr("measured at position %1").arg(position);
  return tr("%1, measured at position %2")
      .arg(interval_text(cell->value, *cell->half_width), position);
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(Qt::AlignVCenter |
                                              (section == 0 ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  if (section == 0) return tr("perplexity at position");
  if (section == 1) return tr("step");
  const int64_t position = positions_[section - 2];
  const QString number = QLocale().toString(position);
  return position == trained_context_ ? tr("T = %1").arg(number) : number;
}

}  // namespace farstate::desktop
