// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison in numbers: one row for the untouched checkpoint and for each arm, perplexity at
// T/2, T, 2T, 8T and 64T, as mean ± standard deviation over the seeds.
#pragma once

#include <QAbstractTableModel>
#include <QSet>

#include "app/desktop/models/arm_groups.h"
#include "app/desktop/models/data_table.h"

namespace farstate::desktop {

class ArmTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kLawRole = Qt::UserRole, kBestRole, kVariantRole };

  using QAbstractTableModel::QAbstractTableModel;

  // `at` empty: the newest of each run. Positions that nothing was measured at get no column.
  void show(const Experiment* experiment, std::optional<int64_t> at, const QSet<QString>& hidden);

  QString as_text() const;  // for a letter: columns of spaces
  DataTable numbers() const;  // one row per arm and position

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString name;
    std::string arm;
    std::optional<Intervention> law;
    int variant = 0;
    QVector<std::optional<SeedSpread>> cells;  // by column
  };
  QVector<Row> rows_of(const Experiment& experiment, std::optional<int64_t> at,
                       const QSet<QString>& hidden) const;
  QString cell_text(int row, int column) const;
  QString tip_of(const std::optional<SeedSpread>& cell, bool best) const;
  bool is_best(int row, int column) const;

  std::vector<TablePosition> columns_;
  QVector<Row> rows_;
};

}  // namespace farstate::desktop
