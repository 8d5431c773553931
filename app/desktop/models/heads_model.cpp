// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/heads_model.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "app/desktop/plots/ticks.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct ColumnInfo {
  const char* key;    // in filters and files
  const char* title;  // of the column
  const char* tip;
  const char* probe;  // that measures it; null: none is needed
  const char* series;
};

const ColumnInfo& info(HeadsModel::Column column) {
  static constexpr ColumnInfo all[HeadsModel::kColumns] = {
      {"rank", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "#"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Rank by drift: 1 has changed most since T."),
       "state", nullptr},
      {"layer", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "layer"), "", nullptr, nullptr},
      {"head", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "head"), "", nullptr, nullptr},
      {"norm_at_t", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "norm at T"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "Euclidean norm of h after T tokens."),
       "state", nullptr},
      {"norm", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "norm"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "Euclidean norm of h."), "state",
       "state_norm"},
      {"drift", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "drift"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Norm relative to the one at T. Sorted by how far it is "
                         "from 1, in either direction."),
       "state", "state_drift"},
      {"std", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "std"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Standard deviation of the elements of h."),
       "state", "state_std"},
      {"half_life", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "half-life"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Tokens after which half of the state is left."),
       "dynamics", "half_life"},
      {"decay", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "decay"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Factor that a token leaves of the state, exp(dt A)."),
       "dynamics", "decay_mean"},
      {"dt", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "dt"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "Step of a token."), "dynamics",
       "dt_mean"},
      {"written", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "written"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Share of the state that a token replaces."),
       "dynamics", "write_share"},
      {"ks", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "KS"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Kolmogorov-Smirnov distance of the elements to those in training."),
       "distribution", "ks_distance"},
      {"eff_rank", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "eff. rank"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "Effective rank of h as a matrix."),
       "distribution", "effective_rank"},
      {"verdict", QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel", "verdict"),
       QT_TRANSLATE_NOOP("farstate::desktop::HeadsModel",
                         "Which noise could stand in for the state; looked for when "
                         "a head is in focus and a position is pinned."),
       nullptr, nullptr}};
  return all[column];
}

QString law_words(const std::string& law) {
  if (law == "one-variance") return HeadsModel::tr("one variance suffices");
  if (law == "variance-per-head") return HeadsModel::tr("a fit per head suffices");
  if (law == "gaussian-per-element") return HeadsModel::tr("elements differ");
  if (law == "not-gaussian") return HeadsModel::tr("not Gaussian");
  if (law == "dependent") return HeadsModel::tr("elements depend on each other");
  return QString::fromStdString(law);
}

std::optional<HeadsModel::Column> column_of(const std::string& series) {
  for (int c = 0; c < HeadsModel::kColumns; ++c) {
    const char* name = info(static_cast<HeadsModel::Column>(c)).series;
    if (name != nullptr && series == name) return static_cast<HeadsModel::Column>(c);
  }
  return std::nullopt;
}

// Distances and ranks are measured at few positions, so the nearest one is taken; its position is
// told in the tip.
std::optional<size_t> sample_for(const Series& series, std::optional<double> position) {
  const size_t count = std::min(series.x.size(), series.y.size());
  if (count == 0) return std::nullopt;
  if (!position) return count - 1;
  if (const auto in_bin = sample_at(series, *position)) return in_bin;
  const auto nearest = nearest_sample(series.x, *position, true);
  return nearest && *nearest < count ? nearest : std::nullopt;
}

QString position_text(double position) {
  return QLocale().toString(qint64(std::llround(position)));
}

// With all its digits, for other programs.
QString number_text(double value) {
  return std::isnan(value) ? QString()
                           : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

}  // namespace

HeadsModel::HeadsModel(QObject* parent) : QAbstractTableModel(parent) {
  worded(this, [this] { publish(); });
}

QString HeadsModel::key(Column column) { return QString::fromLatin1(info(column).key); }

// Measurements list the heads in the same order for each name, so each search begins where the last
// one ended.
HeadsModel::Row& HeadsModel::row_for(HeadIndex head) {
  for (size_t looked = 0; looked < measured_.size(); ++looked, ++next_) {
    if (next_ >= measured_.size()) next_ = 0;
    if (measured_[next_].index == head) return measured_[next_++];
  }
  Row row;
  row.index = head;
  row.value.fill(kNaN);
  row.position.fill(kNaN);
  row.order = kNaN;
  next_ = measured_.size() + 1;
  return measured_.emplace_back(row);
}

void HeadsModel::take(const Series& series) {
  if (!series.layer || !series.head) return;
  const std::optional<Column> column = column_of(series.name);
  if (!column) return;
  Row& row = row_for({*series.layer, *series.head});
  const auto position = position_ ? std::optional(static_cast<double>(*position_)) : std::nullopt;
  if (const auto sample = sample_for(series, position)) {
    row.value[*column] = series.y[*sample];
    row.position[*column] = series.x[*sample];
  }
  if (*column != kNorm || reference_ <= 0) return;
  if (const auto at_t = sample_at(series, static_cast<double>(reference_))) {
    row.value[kNormAtT] = series.y[*at_t];
    row.position[kNormAtT] = series.x[*at_t];
  }
}

void HeadsModel::show(const Measurement* measurement, int64_t reference,
                      std::optional<int64_t> position) {
  reference_ = reference;
  position_ = position;
  measured_.clear();
  next_ = 0;
  if (measurement != nullptr) {
    for (const Series& series : measurement->series) take(series);
  }
  std::sort(measured_.begin(), measured_.end(),
            [](const Row& a, const Row& b) { return a.index < b.index; });
  for (Row& row : measured_) {
    row.value[kLayer] = static_cast<double>(row.index.layer);
    row.value[kHead] = static_cast<double>(row.index.head);
    if (std::isnan(row.value[kDrift])) {  // without a recorded T there is no series of it
      row.value[kDrift] = row.value[kNorm] / row.value[kNormAtT];
      row.position[kDrift] = row.position[kNorm];
    }
    row.order = std::abs(std::log(row.value[kDrift]));
  }
  std::vector<Row*> by_drift;
  for (Row& row : measured_) {
    if (!std::isnan(row.order)) by_drift.push_back(&row);
  }
  std::stable_sort(by_drift.begin(), by_drift.end(),
                   [](const Row* a, const Row* b) { return a->order > b->order; });
  for (size_t i = 0; i < by_drift.size(); ++i) {
    by_drift[i]->value[kRank] = static_cast<double>(i + 1);
  }
  publish();
}

void HeadsModel::show_report(std::shared_ptr<const StateReport> report) {
  report_ = std::move(report);
  if (!report_ || report_->epoch != laws_epoch_ || report_->step != laws_step_) laws_.clear();
  if (report_) {
    laws_epoch_ = report_->epoch;
    laws_step_ = report_->step;
    for (const HeadReport& head : report_->heads) {
      if (head.law) laws_[head.index] = head.law->law;
    }
  }
  publish();
}

// What the sweep did not measure, the close look at the pinned position may have.
void HeadsModel::add_report(std::vector<Row>& rows) const {
  if (!report_ || !position_) return;
  const auto at = std::find(report_->positions.begin(), report_->positions.end(), *position_);
  if (at == report_->positions.end()) return;
  const auto which = static_cast<size_t>(at - report_->positions.begin());
  for (const HeadReport& head : report_->heads) {
    const auto row = std::lower_bound(rows.begin(), rows.end(), head.index,
                                      [](const Row& r, HeadIndex h) { return r.index < h; });
    if (row == rows.end() || row->index != head.index || head.at.size() <= which) continue;
    const auto fill = [&](Column column, double value) {
      if (!std::isnan(row->value[column])) return;
      row->value[column] = value;
      row->position[column] = static_cast<double>(*position_);
    };
    fill(kDistance, head.at[which].ks_distance);
    fill(kEffectiveRank, head.at[which].effective_rank);
  }
}

// Where the heads are the same ones, only numbers change: selection and scrolling stay.
void HeadsModel::publish() {
  std::vector<Row> rows = measured_;
  add_report(rows);
  const bool same = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                               [](const Row& a, const Row& b) { return a.index == b.index; });
  if (!same) beginResetModel();
  rows_ = std::move(rows);
  if (!same) {
    endResetModel();
  } else if (!rows_.empty()) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  }
  Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

int HeadsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int HeadsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

std::optional<int> HeadsModel::row_of(HeadIndex head) const {
  const auto row = std::lower_bound(rows_.begin(), rows_.end(), head,
                                    [](const Row& r, HeadIndex h) { return r.index < h; });
  if (row == rows_.end() || row->index != head) return std::nullopt;
  return static_cast<int>(row - rows_.begin());
}

double HeadsModel::value(int row, Column column) const {
  return rows_[static_cast<size_t>(row)].value[column];
}

QString HeadsModel::verdict(HeadIndex head) const {
  const auto law = laws_.find(head);
  return law == laws_.end() ? QString() : law_words(law->second);
}

QString HeadsModel::text(const Row& row, Column column) const {
  if (column == kVerdict) {
    const QString words = verdict(row.index);
    return words.isEmpty() ? tr("–") : words;
  }
  const double value = row.value[column];
  if (std::isnan(value)) return tr("–");
  if (column == kRank || column == kLayer || column == kHead) return position_text(value);
  if (column == kDrift) return tr("%1×").arg(value_text(value));
  return value_text(value);
}

QString HeadsModel::tip(const Row& row, Column column) const {
  const ColumnInfo& about = info(column);
  const bool missing =
      column == kVerdict ? verdict(row.index).isEmpty() : std::isnan(row.value[column]);
  if (!missing) {
    if (std::isnan(row.position[column])) return {};
    return tr("measured at position %1").arg(position_text(row.position[column]));
  }
  if (about.probe == nullptr) return tr(about.tip);
  return tr("Not measured. The probe “%1” measures it.").arg(QString::fromLatin1(about.probe));
}

QVariant HeadsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  const auto column = static_cast<Column>(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return text(row, column);
    case Qt::ToolTipRole:
      return tip(row, column);
    case Qt::EditRole:
      return column == kVerdict ? QVariant() : QVariant(row.value[column]);
    case kSortRole:
      if (column == kVerdict) return verdict(row.index);
      return column == kDrift ? row.order : row.value[column];
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<Qt::Alignment>(
          Qt::AlignVCenter | (column == kVerdict ? Qt::AlignLeft : Qt::AlignRight));
    default:
      return {};
  }
}

QVariant HeadsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto column = static_cast<Column>(section);
  const ColumnInfo& about = info(column);
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(
        Qt::AlignVCenter | (column == kVerdict ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role == Qt::ToolTipRole) {
    if (about.series == nullptr) return tr(about.tip);
    if (!position_) return tr("%1 At the end of the text.").arg(tr(about.tip));
    return tr("%1 At position %2, pin B.")
        .arg(tr(about.tip), position_text(static_cast<double>(*position_)));
  }
  if (role != Qt::DisplayRole) return {};
  if (column == kNorm) return position_ ? tr("norm at B") : tr("norm at end");
  return tr(about.title);
}

QString HeadsModel::as_tsv(const std::vector<int>& rows) const {
  QStringList lines;
  QStringList header;
  for (int c = 0; c < kColumns; ++c) header.push_back(key(static_cast<Column>(c)));
  lines.push_back(header.join(u'\t'));
  for (const int r : rows) {
    const Row& row = rows_[static_cast<size_t>(r)];
    QStringList cells;
    for (int c = 0; c < kVerdict; ++c) {
      cells.push_back(number_text(row.value[static_cast<size_t>(c)]));
    }
    cells.push_back(verdict(row.index));
    lines.push_back(cells.join(u'\t'));
  }
  return lines.join(u'\n') + u'\n';
}

bool HeadsFilter::Comparison::holds(double found) const {
  if (std::isnan(found)) return false;
  if (sign == u"<") return found < value;
  if (sign == u"<=") return found <= value;
  if (sign == u">") return found > value;
  if (sign == u">=") return found >= value;
  return found == value;
}

// The table does not go blank while "drift > 2" is being typed.
bool HeadsFilter::begins_comparison(const QString& word) {
  return u"<=>"_s.contains(word) || word == u">=" || column_named(word).has_value();
}

std::optional<HeadsModel::Column> HeadsFilter::column_named(QString name) {
  name = name.toLower().replace(u'-', u'_').remove(u'.');
  for (int c = 0; c < HeadsModel::kVerdict; ++c) {
    if (HeadsModel::key(static_cast<HeadsModel::Column>(c)) == name) {
      return static_cast<HeadsModel::Column>(c);
    }
  }
  return std::nullopt;
}

void HeadsFilter::set_text(const QString& text) {
  static const QRegularExpression term(
      u"(?<name>[a-z][a-z_.-]*)\\s*(?<sign><=|>=|<|>|=)\\s*(?<value>[^\\s,;]+)"
      u"|(?<place>layer|head)\\s+(?<number>\\d+)|(?<word>[^\\s,;]+)"_s,
      QRegularExpression::CaseInsensitiveOption);
  comparisons_.clear();
  words_.clear();
  problem_.clear();
  for (auto match = term.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch part = match.next();
    if (const QString word = part.captured(u"word"_s); !word.isEmpty()) {
      if (!begins_comparison(word)) words_.push_back(word);
      continue;
    }
    const bool place = !part.captured(u"place"_s).isEmpty();
    const QString number = part.captured(place ? u"number"_s : u"value"_s);
    bool is_number = false;
    double value = QLocale().toDouble(number, &is_number);
    if (!is_number) value = number.toDouble(&is_number);
    const QString name = part.captured(place ? u"place"_s : u"name"_s);
    const std::optional<HeadsModel::Column> column = column_named(name);
    if (!column) problem_ = tr("There is no column “%1”.").arg(name);
    if (!is_number) problem_ = tr("“%1” is no number.").arg(number);
    if (column && is_number) {
      comparisons_.push_back({*column, place ? u"="_s : part.captured(u"sign"_s), value});
    }
  }
  invalidate();  // sorts those that come back, too
}

QVariant HeadsFilter::headerData(int section, Qt::Orientation orientation, int role) const {
  const QVariant plain = QSortFilterProxyModel::headerData(section, orientation, role);
  if (role != Qt::DisplayRole || section != sortColumn()) return plain;
  return (sortOrder() == Qt::AscendingOrder ? tr("%1 ↑") : tr("%1 ↓")).arg(plain.toString());
}

bool HeadsFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const auto* heads = static_cast<const HeadsModel*>(sourceModel());
  for (const Comparison& comparison : comparisons_) {
    if (!comparison.holds(heads->value(row, comparison.column))) return false;
  }
  if (words_.isEmpty()) return true;
  const HeadIndex head = heads->head(row);
  const QString name = tr("layer %1 head %2 %3")
                           .arg(head.layer)
                           .arg(head.head)
                           .arg(heads->index(row, HeadsModel::kVerdict).data().toString());
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    return name.contains(word, Qt::CaseInsensitive);
  });
}

bool HeadsFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(HeadsModel::kSortRole), b = right.data(HeadsModel::kSortRole);
  const auto missing = [](const QVariant& value) {
    return value.typeId() == QMetaType::QString ? value.toString().isEmpty()
                                                : std::isnan(value.toDouble());
  };
  if (missing(a) || missing(b)) {
    return missing(a) != missing(b) && missing(b) == (sortOrder() == Qt::AscendingOrder);
  }
  if (left.column() == HeadsModel::kVerdict) {
    return a.toString().localeAwareCompare(b.toString()) < 0;
  }
  return a.toDouble() < b.toDouble();
}

}  // namespace farstate::desktop
