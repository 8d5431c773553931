// SPDX-License-Identifier: GPL-3.0-or-later
// The scores in numbers: a row for each arm and place.
#pragma once

#include <QAbstractTableModel>

#include "app/desktop/models/data_table.h"
#include "app/desktop/models/score_book.h"

namespace farstate::desktop {

class ScoreTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kArm, kLength, kDepth, kAccuracy, kInterval, kTrials, kColumns };
  enum Role { kLawRole = Qt::UserRole };

  explicit ScoreTable(QObject* parent = nullptr);

  void show(const std::vector<ScoreLayer>& layers, const ScoreFilter& filter);
  QString as_text() const;  // for a letter: columns of spaces
  DataTable numbers() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString name, tip;
    std::optional<Intervention> law;
    bool digitised = false;
    ScorePoint point;
  };
  QString text_of(const Row& row, int column) const;

  std::vector<Row> rows_;
};

}  // namespace farstate::desktop
