// SPDX-License-Identifier: GPL-3.0-or-later
// The table of heads: what was measured of each at one position, and the verdicts on their states.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "app/desktop/models/measurement_book.h"
#include "core/results/state_report.h"

namespace farstate::desktop {

class HeadsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    kRank,  // by drift, from 1
    kLayer,
    kHead,
    kNormAtT,
    kNorm,
    kDrift,
    kStd,
    kHalfLife,
    kDecay,
    kDt,
    kWritten,
    kDistance,
    kEffectiveRank,
    kVerdict,
    kColumns
  };
  // A number, NaN: not measured; of the verdict its words.
  enum Role { kSortRole = Qt::UserRole };

  explicit HeadsModel(QObject* parent = nullptr);

  // Values of the newest measurement: at the position, or at its end where that is empty; ratios to
  // `reference`.
  void show(const Measurement* measurement, int64_t reference, std::optional<int64_t> position);
  // Verdicts stay until the model has changed, since a report has them for few heads.
  void show_report(std::shared_ptr<const StateReport> report);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  HeadIndex head(int row) const { return rows_[static_cast<size_t>(row)].index; }
  std::optional<int> row_of(HeadIndex head) const;
  double value(int row, Column column) const;  // NaN: not measured
  // Heads, sorted as given, with a header, separated by tabs; numbers in full.
  QString as_tsv(const std::vector<int>& rows) const;

  static QString key(Column column);  // as a filter and a table file name it: "half_life"

 private:
  struct Row {
    HeadIndex index;
    std::array<double, kColumns> value;     // NaN: not measured
    std::array<double, kColumns> position;  // where it was measured
    double order = 0;                       // |log drift|; NaN: not measured
  };

  void publish();
  void take(const Series& series);
  Row& row_for(HeadIndex head);
  void add_report(std::vector<Row>& rows) const;
  QString text(const Row& row, Column column) const;
  QString tip(const Row& row, Column column) const;
  QString verdict(HeadIndex head) const;

  std::vector<Row> measured_;  // without the report
  std::vector<Row> rows_;
  size_t next_ = 0;  // where row_for() looks first
  std::optional<int64_t> position_;
  int64_t reference_ = 0;
  std::shared_ptr<const StateReport> report_;
  std::map<HeadIndex, std::string> laws_;
  uint64_t laws_epoch_ = 0;
  int64_t laws_step_ = 0;
};

// Rows that a text allows, sorted by number, and by nothing measured last in either direction.
// "layer 3", "head 7", comparisons of columns ("drift > 2", "half_life<100") and words, which the
// head's name or verdict must hold; all of them must be true.
class HeadsFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

  void set_text(const QString& text);
  QString problem() const { return problem_; }  // what was not understood; empty: all was
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  struct Comparison {
    HeadsModel::Column column;
    QString sign;
    double value;
    bool holds(double found) const;
  };
  static std::optional<HeadsModel::Column> column_named(QString name);
  static bool begins_comparison(const QString& word);

  std::vector<Comparison> comparisons_;
  QStringList words_;
  QString problem_;
};

}  // namespace farstate::desktop
