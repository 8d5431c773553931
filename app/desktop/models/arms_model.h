// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of an experiment as rows: the untouched checkpoint, then each arm, and beneath an arm of
// several seeds one row for each. An arm of one seed is that run's row. The box of an arm says
// whether the plots show it.
#pragma once

#include <QAbstractItemModel>
#include <QSet>

#include "app/desktop/experiment_buttons.h"
#include "app/desktop/models/arm_groups.h"

namespace farstate::desktop {

class ArmsModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { kArm, kSeed, kStage, kStep, kLoss, kLeft, kColumns };
  // kLawRole: int of the law, -1 for none; kVariantRole: which arm of that law; kProgressRole: 0 to
  // 1; kStageRole: int of the stage, -1 where the runs of a row differ.
  enum Role { kLawRole = Qt::UserRole, kProgressRole, kStageRole, kFaintRole, kVariantRole };

  explicit ArmsModel(QObject* parent = nullptr);

  void show(std::shared_ptr<const Experiment> experiment);  // null: none
  void set_hidden(const QSet<QString>& arms);               // by the keys of their groups

  const std::vector<ArmGroup>& groups() const { return groups_; }
  // What a row stands for: nothing for the base, all seeds for an arm.
  std::vector<std::shared_ptr<const ArmRun>> runs_of(const QModelIndex& index) const;
  const ArmGroup* group_of(const QModelIndex& index) const;  // null: the base

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& = {}) const override { return kColumns; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 Q_SIGNALS:
  void box_clicked(const QString& arm, bool shown);  // the key of its group

 private:
  QVariant text_of(const QModelIndex& index) const;
  QVariant base_text(int column) const;
  QString tip_of(const QModelIndex& index) const;

  std::shared_ptr<const Experiment> experiment_;
  std::vector<ArmGroup> groups_;
  QSet<QString> hidden_;
};

}  // namespace farstate::desktop
