// SPDX-License-Identifier: GPL-3.0-or-later
// The table behind the perplexity plot: one row per measurement, one column per chosen position.
#pragma once

#include <QAbstractTableModel>
#include <QVector>
#include <optional>

#include "app/desktop/models/measurement_book.h"

namespace farstate::desktop {

class ComparisonModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kIsBaseRole = Qt::UserRole, kInterventionRole, kIsCurrentRole };

  using QAbstractTableModel::QAbstractTableModel;

  // Copies the values at T/2, T, 2T, 8T and 64T out of the book; positions that no measurement
  // reaches get no column. trained_context 0: not known, the columns are multiples of `reference`.
  // `perplexity` is the name of the series.
  void show(const MeasurementBook& book, int64_t trained_context, int64_t reference,
            const std::string& perplexity = "perplexity");

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Cell {
    double value = 0, position = 0;  // the real sample's
    std::optional<double> half_width;
  };
  struct Row {
    bool is_base = false, is_current = false;
    Intervention kind = Intervention::kZero;
    int64_t step = 0;
    QVector<std::optional<Cell>> cells;
  };
  static Row row_of(const Measurement& m, const std::string& perplexity, bool is_base,
                    bool is_current, const QVector<int64_t>& positions);
  QString name_of(const Row& row) const;

  QVector<int64_t> positions_;
  QVector<Row> rows_;
  int64_t trained_context_ = 0;
};

}  // namespace farstate::desktop
