// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/data_table.h"

#include <QAbstractItemModel>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString number_text(double value) {
  if (std::isnan(value)) return u"NaN"_s;
  if (std::isinf(value)) return value > 0 ? u"Inf"_s : u"-Inf"_s;
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

// What would end a field inside of it, or what tabs cannot be told from, is quoted or replaced.
QString field(const DataCell& cell, QChar separator) {
  if (const auto* number = std::get_if<double>(&cell)) return number_text(*number);
  const auto* text = std::get_if<QString>(&cell);
  if (text == nullptr) return {};
  if (separator == u'\t') return QString(*text).replace(u'\t', u' ').replace(u'\n', u' ');
  const bool plain = std::none_of(text->begin(), text->end(), [](QChar c) {
    return c == u',' || c == u'"' || c == u'\n' || c == u'\r';
  });
  return plain ? *text : u'"' + QString(*text).replace(u"\""_s, u"\"\""_s) + u'"';
}

QString written(const DataTable& table, QChar separator) {
  QString out;
  QStringList line;
  for (const QString& name : table.columns) line.push_back(field(name, separator));
  out += line.join(separator) + u'\n';
  for (const std::vector<DataCell>& row : table.rows) {
    line.clear();
    for (const DataCell& cell : row) line.push_back(field(cell, separator));
    out += line.join(separator) + u'\n';
  }
  return out;
}

DataCell cell_of(const QModelIndex& index) {
  const QVariant exact = index.data(Qt::EditRole);
  if (exact.isValid() && exact.typeId() != QMetaType::QString) {
    bool number = false;
    const double value = exact.toDouble(&number);
    if (number) return value;
  }
  return index.data(Qt::DisplayRole).toString();
}

}  // namespace

DataTable table_of(const QString& x_name, const std::vector<DataCurve>& curves) {
  DataTable table{{x_name}, {}};
  std::vector<double> places;
  for (const DataCurve& curve : curves) {
    table.columns.push_back(curve.name);
    std::copy_if(curve.x.begin(), curve.x.end(), std::back_inserter(places),
                 [](double x) { return !std::isnan(x); });
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  table.rows.assign(places.size(), std::vector<DataCell>(curves.size() + 1));
  for (size_t row = 0; row < places.size(); ++row) table.rows[row][0] = places[row];
  for (size_t c = 0; c < curves.size(); ++c) {
    for (size_t i = 0; i < std::min(curves[c].x.size(), curves[c].y.size()); ++i) {
      const auto at = std::lower_bound(places.begin(), places.end(), curves[c].x[i]);
      if (at == places.end() || std::isnan(curves[c].x[i])) continue;
      table.rows[static_cast<size_t>(at - places.begin())][c + 1] = curves[c].y[i];
    }
  }
  return table;
}

DataTable table_of(const QAbstractItemModel& model) {
  DataTable table;
  for (int c = 0; c < model.columnCount(); ++c) {
    table.columns.push_back(
        model.headerData(c, Qt::Horizontal).toString().replace(u'\n', u' '));
  }
  for (int r = 0; r < model.rowCount(); ++r) {
    std::vector<DataCell>& row = table.rows.emplace_back();
    for (int c = 0; c < model.columnCount(); ++c) row.push_back(cell_of(model.index(r, c)));
  }
  return table;
}

DataTable within(DataTable table, const Extent& range) {
  std::erase_if(table.rows, [&](const std::vector<DataCell>& row) {
    const auto* x = row.empty() ? nullptr : std::get_if<double>(&row.front());
    return x != nullptr && (*x < range.low || *x > range.high);
  });
  return table;
}

QString as_csv(const DataTable& table) { return written(table, u','); }
QString as_tsv(const DataTable& table) { return written(table, u'\t'); }

}  // namespace farstate::desktop
