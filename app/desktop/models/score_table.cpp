// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/score_table.h"

#include <QLocale>
#include <algorithm>

#include "app/desktop/task_words.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

}  // namespace

ScoreTable::ScoreTable(QObject* parent) : QAbstractTableModel(parent) {
  worded(this, [this] { Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1); });
}

void ScoreTable::show(const std::vector<ScoreLayer>& layers, const ScoreFilter& filter) {
  std::vector<Row> rows;
  for (const ScoreLayer& layer : layers) {
    for (const ScorePoint& point : points_of(layer, filter)) {
      rows.push_back({layer.name, layer.tip, layer.law,
                      layer.source == ScoreLayer::Source::kPaper, point});
    }
  }
  const bool same = rows.size() == rows_.size();
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  if (!same) return endResetModel();
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int ScoreTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ScoreTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString ScoreTable::text_of(const Row& row, int column) const {
  const ScorePoint& p = row.point;
  switch (column) {
    case kArm:
      return row.name;
    case kLength:
      return row.digitised && p.length == 0 ? tr("not stated") : count(p.length);
    case kDepth:
      return p.depth < 0 ? tr("–") : QLocale().toString(p.depth, 'g', 3);
    case kAccuracy:
      return share_text(p.share);
    case kInterval:
      return row.digitised ? tr("–") : tr("%1 – %2").arg(share_text(p.low), share_text(p.high));
    case kTrials:
      return row.digitised  ? tr("not stated")
             : p.complete() ? count(p.trials)
                            : tr("%1, so far").arg(count(p.trials));
    default:
      return {};
  }
}

QVariant ScoreTable::data(const QModelIndex& at, int role) const {
  if (!at.isValid() || at.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<size_t>(at.row())];
  switch (role) {
    case kLawRole:
      return at.column() != kArm ? QVariant() : row.law ? int(*row.law) : -1;
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<Qt::Alignment>(
          Qt::AlignVCenter | (at.column() == kArm ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::DisplayRole:
      return text_of(row, at.column());
    case Qt::ToolTipRole:
      if (at.column() == kArm) return row.tip;
      if (at.column() != kInterval || row.digitised) return {};
      return row.point.seeds > 1 ? tr("lowest and highest of %1 seeds").arg(row.point.seeds)
                                 : tr("Wilson's 95 % interval over the trials");
    default:
      return {};
  }
}

QVariant ScoreTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(
        Qt::AlignVCenter | (section == kArm ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("arm"),      tr("length"), tr("depth"),
                           tr("accuracy"), tr("range"),  tr("trials")};
  return names[section];
}

QString ScoreTable::as_text() const {
  std::vector<QStringList> lines(1);
  for (int c = 0; c < kColumns; ++c) {
    lines.front().push_back(headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
  }
  for (const Row& row : rows_) {
    QStringList line;
    for (int c = 0; c < kColumns; ++c) line.push_back(text_of(row, c));
    lines.push_back(line);
  }
  QVector<qsizetype> widths(kColumns);
  for (const QStringList& line : lines) {
    for (qsizetype c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], line[c].size());
  }
  QString text;
  for (const QStringList& line : lines) {
    text += line.front().leftJustified(widths.front());
    for (qsizetype c = 1; c < kColumns; ++c) {
      text += QLatin1String("  ") + line[c].rightJustified(widths[c]);
    }
    text += u'\n';
  }
  return text;
}

DataTable ScoreTable::numbers() const {
  DataTable table{{u"arm"_s, u"length"_s, u"depth"_s, u"accuracy"_s, u"low"_s, u"high"_s,
                   u"seeds"_s, u"correct"_s, u"trials"_s, u"samples"_s, u"planned"_s},
                  {}};
  for (const Row& row : rows_) {
    const ScorePoint& p = row.point;
    const auto known = [&row](auto value) {
      return row.digitised ? DataCell() : DataCell(static_cast<double>(value));
    };
    table.rows.push_back({row.name, static_cast<double>(p.length),
                          p.depth < 0 ? DataCell() : DataCell(p.depth), p.share, known(p.low),
                          known(p.high), known(p.seeds), known(p.correct), known(p.trials),
                          known(p.samples), known(p.planned)});
  }
  return table;
}

}  // namespace farstate::desktop
