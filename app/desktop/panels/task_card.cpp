// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/task_card.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/desktop/task_buttons.h"
#include "app/desktop/task_words.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString from(const std::string& text) { return QString::fromStdString(text); }

QWidget* row_of(QLabel* name, QWidget* field) {
  auto* row = new QWidget(name->parentWidget());
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(name);
  layout->addWidget(field);
  name->setBuddy(field);
  worded(field, [field, name] { field->setAccessibleName(name->text()); });
  return row;
}

}  // namespace

TaskCard::TaskCard(QWidget* parent) : Card([] { return tr("Task"); }, parent) {
  about_ = new QLabel(this);
  about_->setWordWrap(true);
  source_ = new QPushButton(this);
  source_->setProperty("role", u"small"_s);
  source_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(source_);
  QAction* own = menu->addAction(QString(), this, [this] {
    task_.source.clear();
    show_source();
    Q_EMIT changed(task_);
  });
  with_text(own, [] { return tr("Our own, generated"); });
  with_text(menu->addAction(QString(), this, &TaskCard::choose_source),
            [] { return tr("Choose…"); });
  source_->setMenu(menu);
  source_name_ = muted_label({}, this);
  source_row_ = row_of(source_name_, source_);
  shots_ = count_field(0, 20, 1, this);
  set_text_width(shots_, 46);
  worded(this, [this] { shots_->setToolTip(tr("Worked examples before the question")); });
  shots_row_ = row_of(muted_label([] { return tr("worked examples"); }, this), shots_);
  keys_ = count_field(2, 100000, 8, this);
  keys_row_ = row_of(muted_label([] { return tr("keys"); }, this), keys_);
  train_ = new QPushButton(this);
  train_->setFocusPolicy(Qt::TabFocus);
  readiness_ = muted_label({}, this);
  readiness_->setWordWrap(true);
  set_text(readiness_, TextSize::kSmall);
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  row->addWidget(source_row_);
  row->addWidget(shots_row_);
  row->addWidget(keys_row_);
  row->addStretch(1);
  row->addWidget(train_);
  body()->addWidget(about_);
  body()->addLayout(row);
  body()->addWidget(readiness_);
  connect(shots_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int shots) {
    task_.shots = shots;
    Q_EMIT changed(task_);
  });
  connect(keys_, qOverload<int>(&QSpinBox::valueChanged), this, [this](int keys) {
    task_.keys = keys;
    Q_EMIT changed(task_);
  });
  connect(train_, &QPushButton::clicked, this, [this] { Q_EMIT train_wanted(!trains_); });
}

void TaskCard::show_task(const TaskConfig& task) {
  task_ = task;
  set_title(task_title(task.name));
  about_->setText(task_about(task.name));
  const bool passkey = task.name == "passkey", babilong = task.name == "babilong";
  source_name_->setText(passkey ? tr("filler") : tr("facts and texts"));
  source_->setAccessibleName(source_name_->text());
  source_row_->setVisible(passkey || babilong);
  shots_row_->setVisible(babilong);
  keys_row_->setVisible(task.name == "register");
  const QSignalBlocker blockers[] = {QSignalBlocker(shots_), QSignalBlocker(keys_)};
  shots_->setValue(static_cast<int>(task.shots));
  keys_->setValue(static_cast<int>(task.keys));
  show_source();
}

void TaskCard::show_source() {
  const QString source = from(task_.source);
  source_->setText(source.isEmpty() ? tr("generated") : QFileInfo(source).fileName());
  source_->setToolTip(source.isEmpty() ? tr("Made by this program from the seed") : source);
}

void TaskCard::choose_source() {
  const QString path =
      task_.name == "passkey"
          ? QFileDialog::getOpenFileName(this, tr("A text to hide the key in"))
          : QFileDialog::getExistingDirectory(this, tr("The folder with the benchmark's files"));
  if (path.isEmpty()) return;
  task_.source = path.toStdString();
  show_source();
  Q_EMIT changed(task_);
}

void TaskCard::show_state(const TaskButtons& may, const ModelInfo* model, const RunConfig* recipe) {
  trains_ = recipe != nullptr && recipe->task.name == task_.name;
  train_->setEnabled(may.train);
  train_->setText(trains_ ? tr("Back to the text") : tr("Train on this task"));
  train_->setToolTip(
      trains_ ? tr("Load the recipe's own text again. The model is loaded again as it was.")
              : tr("Make this task's text the one that is open: Post-training and Experiment then "
                   "train on it, and curves by position are measured on it. The model is loaded "
                   "again as it was; training that was not saved ends."));
  readiness_->setText(readiness_words(model, recipe, task_.name));
  readiness_->setVisible(!readiness_->text().isEmpty());
}

QString TaskCard::readiness() const { return readiness_->text(); }

}  // namespace farstate::desktop
