// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/arms_model.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/core_words.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

namespace {

using Runs = std::vector<std::shared_ptr<const ArmRun>>;

constexpr quintptr kTop = 0;  // the internal id of an arm's row; of a seed's: its arm's row

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

// What tells whether rows came or went.
QStringList rows_of(const std::vector<ArmGroup>& groups) {
  QStringList rows;
  for (const ArmGroup& group : groups) {
    rows.push_back(QString::fromStdString(group.arm));
    for (const auto& run : group.runs) rows.push_back(QString::number(run->id));
  }
  return rows;
}

double progress_of(const Runs& runs) {
  double done = 0, planned = 0;
  for (const auto& run : runs) {
    done += static_cast<double>(run->steps);
    planned += static_cast<double>(run->planned);
  }
  return planned > 0 ? std::clamp(done / planned, 0.0, 1.0) : 0;
}

// The last loss that is a number; of several runs their mean.
QString loss_of(const Runs& runs) {
  double sum = 0;
  int losses = 0;
  for (const auto& run : runs) {
    const auto last = std::find_if(run->points.rbegin(), run->points.rend(),
                                   [](const TrainPoint& p) { return std::isfinite(p.loss); });
    if (last == run->points.rend()) continue;
    sum += last->loss;
    ++losses;
  }
  return losses > 0 ? value_text(sum / losses) : QString();
}

// By the run's own pace so far.
double seconds_left(const Runs& runs) {
  double left = 0;
  for (const auto& run : runs) {
    const bool goes_on = run->stage == ArmStage::kRunning || run->stage == ArmStage::kPaused;
    const int64_t done = run->steps - run->forked_at;
    if (!goes_on || done <= 0 || run->seconds <= 0) continue;
    left += run->seconds / static_cast<double>(done) *
            static_cast<double>(std::max<int64_t>(0, run->planned - run->steps));
  }
  return left > 0 ? left : -1;
}

QString steps_of(const Runs& runs) {
  int64_t least = runs.front()->steps, most = least, planned = 0;
  for (const auto& run : runs) {
    least = std::min(least, run->steps);
    most = std::max(most, run->steps);
    planned = std::max(planned, run->planned);
  }
  const QString at =
      least == most ? count(most) : ArmsModel::tr("%1–%2").arg(count(least), count(most));
  return ArmsModel::tr("%1 of %2").arg(at, count(planned));
}

int common_stage(const Runs& runs) {
  for (const auto& run : runs) {
    if (run->stage != runs.front()->stage) return -1;
  }
  return static_cast<int>(runs.front()->stage);
}

}  // namespace

ArmsModel::ArmsModel(QObject* parent) : QAbstractItemModel(parent) {
  worded(this, [this] {
    show(experiment_);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
  });
}

void ArmsModel::show(std::shared_ptr<const Experiment> experiment) {
  std::vector<ArmGroup> groups = experiment ? arm_groups(*experiment) : std::vector<ArmGroup>();
  const bool same =
      (experiment_ == nullptr) == (experiment == nullptr) && rows_of(groups) == rows_of(groups_);
  if (!same) beginResetModel();
  experiment_ = std::move(experiment);
  groups_ = std::move(groups);
  if (!same) return endResetModel();
  if (rowCount() == 0) return;
  Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  for (int row = 0; row < rowCount(); ++row) {
    const QModelIndex arm = index(row, 0);
    const int seeds = rowCount(arm);
    if (seeds > 0) Q_EMIT dataChanged(index(0, 0, arm), index(seeds - 1, kColumns - 1, arm));
  }
}

void ArmsModel::set_hidden(const QSet<QString>& arms) {
  hidden_ = arms;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

const ArmGroup* ArmsModel::group_of(const QModelIndex& at) const {
  if (!at.isValid()) return nullptr;
  const auto row = at.internalId() == kTop ? static_cast<quintptr>(at.row()) : at.internalId();
  return row == 0 ? nullptr : &groups_[row - 1];
}

Runs ArmsModel::runs_of(const QModelIndex& at) const {
  const ArmGroup* group = group_of(at);
  if (group == nullptr) return {};
  return at.internalId() == kTop ? group->runs : Runs{group->runs[static_cast<size_t>(at.row())]};
}

QModelIndex ArmsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : kTop);
}

QModelIndex ArmsModel::parent(const QModelIndex& at) const {
  if (!at.isValid() || at.internalId() == kTop) return {};
  return createIndex(static_cast<int>(at.internalId()), 0, kTop);
}

int ArmsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return experiment_ ? 1 + static_cast<int>(groups_.size()) : 0;
  const ArmGroup* group = parent.internalId() == kTop ? group_of(parent) : nullptr;
  const size_t runs = group != nullptr && parent.column() == 0 ? group->runs.size() : 0;
  return runs > 1 ? static_cast<int>(runs) : 0;
}

QVariant ArmsModel::base_text(int column) const {
  if (column == kArm) return tr("Base, as loaded");
  const bool measured = experiment_->base != nullptr && recorded_at(*experiment_->base, {});
  if (column == kStage) return measured ? tr("measured") : tr("not measured yet");
  return {};
}

QVariant ArmsModel::text_of(const QModelIndex& at) const {
  const ArmGroup* group = group_of(at);
  if (group == nullptr) return base_text(at.column());
  const Runs runs = runs_of(at);
  const bool arm = at.internalId() == kTop;
  switch (at.column()) {
    case kArm:
      return arm ? group->name : QString();
    case kSeed:
      return runs.size() == 1 ? QString::number(runs.front()->seed)
                              : tr("%1 seeds").arg(runs.size());
    case kStage:
      return stages_text(count_stages(runs));
    case kStep:
      return steps_of(runs);
    case kLoss:
      return loss_of(runs);
    case kLeft: {
      const double left = seconds_left(runs);
      return left < 0 ? QString() : time_left_text(left);
    }
    default:
      return {};
  }
}

QString ArmsModel::tip_of(const QModelIndex& at) const {
  const ArmGroup* group = group_of(at);
  if (group == nullptr) return tr("The untouched checkpoint, which all arms start from.");
  QStringList lines;
  if (at.column() == kArm) lines = {group->name, QString::fromStdString(group->arm)};
  if (at.column() == kStage) lines.push_back(stages_text(count_stages(runs_of(at))));
  if (at.column() == kLeft) lines.push_back(tr("Of its own work, by its pace so far."));
  for (const auto& run : runs_of(at)) {
    if (!run->problem.empty()) {
      lines.push_back(tr("Seed %1: %2").arg(run->seed).arg(core_words(run->problem)));
    }
  }
  return lines.join(u'\n');
}

QVariant ArmsModel::data(const QModelIndex& at, int role) const {
  if (!at.isValid() || experiment_ == nullptr) return {};
  const ArmGroup* group = group_of(at);
  const Runs runs = runs_of(at);
  const bool top = at.internalId() == kTop;
  switch (role) {
    case Qt::DisplayRole:
      return text_of(at);
    case Qt::ToolTipRole:
      return tip_of(at);
    case Qt::AccessibleTextRole:
      return at.column() == kArm && group != nullptr && !top
                 ? tr("%1, seed %2").arg(group->name).arg(runs.front()->seed)
                 : text_of(at);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<Qt::Alignment>(
          Qt::AlignVCenter | (at.column() < kStep ? Qt::AlignLeft : Qt::AlignRight));
    case kLawRole:
      return !top ? QVariant() : group != nullptr && group->law ? int(*group->law) : -1;
    case kVariantRole:
      return group != nullptr ? group->variant : 0;
    case kProgressRole:
      return runs.empty() ? QVariant() : progress_of(runs);
    case kStageRole:
      return runs.empty() ? QVariant() : common_stage(runs);
    case Qt::CheckStateRole:
      if (!top || at.column() != kArm) return {};
      return group != nullptr && hidden_.contains(group->key()) ? Qt::Unchecked : Qt::Checked;
    case kFaintRole:
      return group != nullptr && hidden_.contains(group->key());
    default:
      return {};
  }
}

// The base is drawn beside every arm.
Qt::ItemFlags ArmsModel::flags(const QModelIndex& at) const {
  const bool can_hide = at.column() == kArm && at.internalId() == kTop && group_of(at) != nullptr;
  return QAbstractItemModel::flags(at) | (can_hide ? Qt::ItemIsUserCheckable : Qt::NoItemFlags);
}

bool ArmsModel::setData(const QModelIndex& at, const QVariant& value, int role) {
  if (role != Qt::CheckStateRole || !flags(at).testFlag(Qt::ItemIsUserCheckable)) return false;
  Q_EMIT box_clicked(group_of(at)->key(), value.toInt() == Qt::Checked);
  return true;
}

QVariant ArmsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(Qt::AlignVCenter |
                                              (section < kStep ? Qt::AlignLeft : Qt::AlignRight));
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("arm"),  tr("seed"),           tr("stage"),
                           tr("step"), tr("loss now, nats"), tr("time left")};
  return names[section];
}

}  // namespace farstate::desktop
