// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers behind a plot or a table, and how another program reads them: a point for the decimals
// whatever the language, and as many figures as give the same number back.
#pragma once

#include <QString>
#include <QStringList>
#include <variant>
#include <vector>

#include "app/desktop/plots/plot_sanitizer.h"

class QAbstractItemModel;

namespace farstate::desktop {

// Nothing: not measured there. A number that was measured and is none is NaN.
using DataCell = std::variant<std::monostate, double, QString>;

struct DataTable {
  QStringList columns;
  std::vector<std::vector<DataCell>> rows;
};

struct DataCurve {
  QString name;
  std::vector<double> x, y;
};
// The first column is x: a row for each place that any of the curves has a sample at, rising.
DataTable table_of(const QString& x_name, const std::vector<DataCurve>& curves);
// As shown, but numbers where the model has them for Qt::EditRole.
DataTable table_of(const QAbstractItemModel& model);
// The rows whose first number lies within.
DataTable within(DataTable table, const Extent& range);

QString as_csv(const DataTable& table);
QString as_tsv(const DataTable& table);

}  // namespace farstate::desktop
