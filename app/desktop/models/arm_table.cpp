// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/arm_table.h"

#include <QFont>
#include <QLocale>
#include <algorithm>

#include "app/desktop/plots/ticks.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

QVector<ArmTable::Row> ArmTable::rows_of(const Experiment& experiment, std::optional<int64_t> at,
                                         const QSet<QString>& hidden) const {
  QVector<Row> rows;
  const std::vector<TablePosition> columns = table_positions(experiment.context);
  Row base{tr("Base, as loaded"), "base", {}, 0, {}};
  for (const TablePosition& column : columns) {
    const auto value = experiment.base
                           ? value_at(*experiment.base, "perplexity", column.position, {})
                           : std::nullopt;
    base.cells.push_back(value ? std::optional(SeedSpread{*value, 0, *value, *value, 1})
                               : std::nullopt);
  }
  rows.push_back(base);
  for (const ArmGroup& group : arm_groups(experiment)) {
    if (hidden.contains(group.key())) continue;
    Row row{group.is_control() ? tr("%1 (control)").arg(group.name) : group.name,
            group.arm,
            group.law,
            group.variant,
            {}};
    for (const TablePosition& column : columns) {
      row.cells.push_back(spread_at(group, column.position, at));
    }
    rows.push_back(row);
  }
  return rows;
}

void ArmTable::show(const Experiment* experiment, std::optional<int64_t> at,
                    const QSet<QString>& hidden) {
  QVector<Row> rows;
  std::vector<TablePosition> columns;
  if (experiment != nullptr) {
    const QVector<Row> all = rows_of(*experiment, at, hidden);
    const std::vector<TablePosition> wanted = table_positions(experiment->context);
    for (const Row& row : all) rows.push_back({row.name, row.arm, row.law, row.variant, {}});
    for (qsizetype i = 0; i < static_cast<qsizetype>(wanted.size()); ++i) {
      if (std::none_of(all.begin(), all.end(),
                       [i](const Row& row) { return row.cells[i].has_value(); })) {
        continue;
      }
      columns.push_back(wanted[static_cast<size_t>(i)]);
      for (qsizetype r = 0; r < all.size(); ++r) rows[r].cells.push_back(all[r].cells[i]);
    }
  }
  const bool same = rows.size() == rows_.size() && columns.size() == columns_.size();
  if (!same) beginResetModel();
  rows_ = rows;
  columns_ = columns;
  if (!same) return endResetModel();
  if (rows_.isEmpty()) return;
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int ArmTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ArmTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 1 + static_cast<int>(columns_.size());
}

bool ArmTable::is_best(int row, int column) const {
  const auto& cell = rows_[row].cells[column];
  if (!cell || rows_.size() < 2) return false;
  return std::none_of(rows_.begin(), rows_.end(), [&](const Row& other) {
    return other.cells[column] && other.cells[column]->mean < cell->mean;
  });
}

QString ArmTable::cell_text(int row, int column) const {
  const auto& cell = rows_[row].cells[column];
  if (!cell) return tr("–");
  return cell->seeds > 1 ? interval_text(cell->mean, cell->std) : value_text(cell->mean);
}

QString ArmTable::tip_of(const std::optional<SeedSpread>& cell, bool best) const {
  if (!cell) return tr("not measured");
  QString tip = cell->seeds > 1 ? tr("%1 seeds, from %2 to %3")
                                      .arg(cell->seeds)
                                      .arg(value_text(cell->low), value_text(cell->high))
                                : tr("one run, so no spread");
  if (best) tip = tr("smallest of this column; %1").arg(tip);
  return tip;
}

QVariant ArmTable::data(const QModelIndex& at, int role) const {
  if (!at.isValid() || at.row() >= rows_.size()) return {};
  const Row& row = rows_[at.row()];
  const int column = at.column() - 1;
  const bool best = column >= 0 && is_best(at.row(), column);
  switch (role) {
    case kLawRole:
      return column >= 0 ? QVariant() : row.law ? int(*row.law) : -1;
    case kVariantRole:
      return row.variant;
    case kBestRole:
      return best;
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<Qt::Alignment>(Qt::AlignVCenter |
                                                (column < 0 ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::FontRole:
      return best ? QVariant(text_font(TextSize::kBody, QFont::Bold)) : QVariant();
    case Qt::DisplayRole:
      return column < 0 ? row.name : cell_text(at.row(), column);
    case Qt::ToolTipRole:
      return column < 0 ? row.name + u'\n' + QString::fromStdString(row.arm)
                        : tip_of(row.cells[column], best);
    case Qt::AccessibleTextRole:
      return column >= 0 && best ? tr("%1, smallest").arg(cell_text(at.row(), column)) : QVariant();
    default:
      return {};
  }
}

QVariant ArmTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(Qt::AlignVCenter |
                                              (section == 0 ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  if (section == 0) return tr("arm");
  const TablePosition& column = columns_[static_cast<size_t>(section - 1)];
  return tr("%1\n%2", "8T, its position")
      .arg(QString::fromStdString(column.name),
           QLocale().toString(static_cast<qint64>(column.position)));
}

QString ArmTable::as_text() const {
  QVector<QStringList> lines{{headerData(0, Qt::Horizontal, Qt::DisplayRole).toString()}};
  for (int c = 1; c < columnCount(); ++c) {
    lines.front().push_back(headerData(c, Qt::Horizontal, Qt::DisplayRole)
                                .toString()
                                .replace(QLatin1Char('\n'), QLatin1String(" = ")));
  }
  for (int r = 0; r < rowCount(); ++r) {
    QStringList line;
    for (int c = 0; c < columnCount(); ++c) line.push_back(index(r, c).data().toString());
    lines.push_back(line);
  }
  QVector<qsizetype> widths(columnCount());
  for (const QStringList& line : lines) {
    for (qsizetype c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  QString text;
  for (const QStringList& line : lines) {
    text += line.front().leftJustified(widths.front());
    for (qsizetype c = 1; c < line.size(); ++c) {
      text += QLatin1String("  ") + line[c].rightJustified(widths[c]);
    }
    text += u'\n';
  }
  return text;
}

DataTable ArmTable::numbers() const {
  DataTable table{{u"name"_s, u"arm"_s, u"at"_s, u"position"_s, u"mean"_s, u"std"_s, u"low"_s,
                   u"high"_s, u"seeds"_s},
                  {}};
  for (const Row& row : rows_) {
    for (size_t c = 0; c < columns_.size(); ++c) {
      const auto& cell = row.cells[static_cast<qsizetype>(c)];
      if (!cell) continue;
      table.rows.push_back({row.name, QString::fromStdString(row.arm),
                            QString::fromStdString(columns_[c].name),
                            static_cast<double>(columns_[c].position), cell->mean,
                            cell->seeds > 1 ? DataCell(cell->std) : DataCell(), cell->low,
                            cell->high, static_cast<double>(cell->seeds)});
    }
  }
  return table;
}

}  // namespace farstate::desktop
