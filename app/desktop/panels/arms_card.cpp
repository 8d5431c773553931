// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/arms_card.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QResizeEvent>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "app/desktop/models/arms_model.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/own_keys.h"
#include "app/desktop/widgets/sample_delegate.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowsInSight = 9;
constexpr int kUnfoldUpTo = 8;  // rows in all

QString from(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

ArmsCard::ArmsCard(QWidget* parent) : Card([] { return tr("Runs"); }, parent) {
  summary_ = muted_label({}, this);
  make_filter();
  add_to_header(summary_);
  make_rows();
  make_actions();
}

void ArmsCard::make_filter() {
  filter_ = new QLineEdit(this);
  filter_->setProperty("role", u"field"_s);
  filter_->setClearButtonEnabled(true);
  filter_->hide();
  set_text_width(filter_, 150);
  worded(this, [this] {
    filter_->setPlaceholderText(tr("filter arms"));
    filter_->setAccessibleName(tr("Filter of the arms"));
    filter_->setToolTip(tr("Words of the name: other arms leave the list, the plots and the table."));
  });
  connect(filter_, &QLineEdit::textChanged, this, [this] {
    if (apply_filter()) hide_in_plots();
  });
  add_to_header(filter_);
}

void ArmsCard::make_rows() {
  model_ = new ArmsModel(this);
  names_ =
      new SampleDelegate(ArmsModel::kLawRole, ArmsModel::kFaintRole, this, ArmsModel::kVariantRole);
  stages_ = new StageDelegate(this);
  rows_ = new QTreeView(this);
  rows_->setModel(model_);
  own_keys(rows_, {Qt::Key_Space});  // which sets a box here
  rows_->setItemDelegateForColumn(ArmsModel::kArm, names_);
  rows_->setItemDelegateForColumn(ArmsModel::kStage, stages_);
  rows_->setFrameShape(QFrame::NoFrame);
  rows_->setUniformRowHeights(true);
  rows_->setIndentation(16);
  rows_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  rows_->setAllColumnsShowFocus(true);
  rows_->setExpandsOnDoubleClick(true);
  worded(this, [this] { rows_->setAccessibleName(tr("Runs of the experiment")); });
  rows_->setContextMenuPolicy(Qt::CustomContextMenu);
  rows_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QHeaderView* header = rows_->header();
  header->setStretchLastSection(false);
  header->setSectionsClickable(false);
  header->setSectionsMovable(false);
  header->setHighlightSections(false);
  header->setSectionResizeMode(QHeaderView::Fixed);
  header->setSectionResizeMode(ArmsModel::kArm, QHeaderView::Stretch);
  const std::pair<int, int> widths[] = {{ArmsModel::kSeed, 74},
                                        {ArmsModel::kStep, 100},
                                        {ArmsModel::kLoss, 118},
                                        {ArmsModel::kLeft, 84}};
  body()->addWidget(rows_);
  connect(rows_, &QWidget::customContextMenuRequested, this, &ArmsCard::show_menu);
  connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ArmsCard::update_actions);
  connect(model_, &ArmsModel::box_clicked, this, [this](const QString& arm, bool shown) {
    set_shown(arm, shown);
    hide_in_plots();
  });
  connect(rows_, &QTreeView::expanded, this, &ArmsCard::fit_height);
  connect(rows_, &QTreeView::collapsed, this, &ArmsCard::fit_height);
  with_font_of(header, [this, header, widths = std::to_array(widths)] {
    for (const auto& [column, width] : widths) header->resizeSection(column, text_room(width));
    fit_height();
  });
}

QAction* ArmsCard::add_action(const Words& text, const QKeySequence& key,
                              void (ArmsCard::*slot)()) {
  QAction* action = with_text(new QAction(rows_), text);
  action->setShortcut(key);
  action->setShortcutContext(Qt::WidgetShortcut);
  action->setShortcutVisibleInContextMenu(true);
  connect(action, &QAction::triggered, this, slot);
  rows_->addAction(action);
  return action;
}

void ArmsCard::make_actions() {
  Actions& a = actions_;
  a.pause = add_action([] { return tr("Pause"); }, Qt::Key_P, &ArmsCard::pause);
  a.resume = add_action([] { return tr("Resume"); }, Qt::Key_U, &ArmsCard::resume);
  a.stop = add_action([] { return tr("Stop and measure"); }, Qt::Key_S, &ArmsCard::stop);
  a.extend = add_action([] { return tr("Extend by…"); }, Qt::Key_E, &ArmsCard::ask_extension);
  a.only = add_action([] { return tr("Show only this arm"); }, Qt::Key_O, &ArmsCard::show_only);
  a.hide = add_action([] { return tr("Hide this arm"); }, Qt::Key_H, &ArmsCard::toggle_hidden);
  a.all = add_action([] { return tr("Show all arms"); }, Qt::Key_A, &ArmsCard::show_all);
  a.recipe = add_action([] { return tr("Copy recipe of the run"); }, QKeySequence::Copy,
                        &ArmsCard::copy_recipe);
  a.folder = add_action([] { return tr("Open its folder"); }, {}, &ArmsCard::open_folder);
  a.terminal = add_action([] { return tr("Copy the command that resumes it"); }, {},
                          &ArmsCard::copy_command);
  auto* fork_key = add_action([] { return tr("Fork"); }, Qt::Key_F, &ArmsCard::open_fork_menu);
  menu_ = new QMenu(rows_);
  a.fork = new QMenu(menu_);
  worded(this, [this] { actions_.fork->setTitle(tr("Fork with")); });
  connect(a.fork, &QMenu::aboutToShow, this, &ArmsCard::fill_fork_menu);
  connect(a.fork->menuAction(), &QAction::changed, fork_key,
          [fork_key, this] { fork_key->setEnabled(actions_.fork->isEnabled()); });
  menu_->addActions({a.pause, a.resume, a.stop, a.extend});
  menu_->addMenu(a.fork);
  menu_->addSeparator();
  menu_->addActions({a.only, a.hide, a.all});
  menu_->addSeparator();
  menu_->addActions({a.recipe, a.folder, a.terminal});
  worded(this, [this] {
    fill_fork_menu();
    update_actions();
  });
}

void ArmsCard::set_theme(const Theme& theme) {
  names_->set_theme(theme);
  stages_->set_theme(theme);
  rows_->viewport()->update();
}

void ArmsCard::show(std::shared_ptr<const Experiment> experiment, RunState state) {
  state_ = state;
  const int before = model_->rowCount();
  model_->show(experiment);
  if (experiment == nullptr) {
    hidden_.clear();
    filter_->clear();
    return;
  }
  filter_->setVisible(model_->groups().size() >= kFilterFrom || !filter_->text().isEmpty());
  if (apply_filter()) hide_in_plots();
  int all = model_->rowCount();
  for (const ArmGroup& group : model_->groups()) {
    all += group.runs.size() > 1 ? static_cast<int>(group.runs.size()) : 0;
  }
  if (before == 0 && all <= kUnfoldUpTo) rows_->expandAll();
  QString text = stages_text(count_stages(experiment->runs));
  if (experiment->running && experiment->seconds_left >= 0) {
    text = tr("%1 · %2", "stages, time left").arg(text, time_left_text(experiment->seconds_left));
  }
  summary_->setText(text);
  fit_height();
  update_actions();
}

// Names are longer than stages. Where there is little room, the title says how much time is left.
void ArmsCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  rows_->setColumnHidden(ArmsModel::kLeft, event->size().width() < text_room(600));
  int room = rows_->width();
  for (const int column :
       {ArmsModel::kSeed, ArmsModel::kStep, ArmsModel::kLoss, ArmsModel::kLeft}) {
    room -= rows_->columnWidth(column);
  }
  rows_->header()->resizeSection(ArmsModel::kStage, std::clamp(room * 2 / 5, 126, 300));
}

// As high as its rows, up to some; then it scrolls.
void ArmsCard::fit_height() {
  int rows = 0;
  for (int row = 0; row < model_->rowCount(); ++row) {
    if (rows_->isRowHidden(row, {})) continue;
    const QModelIndex arm = model_->index(row, 0);
    rows += 1 + (rows_->isExpanded(arm) ? model_->rowCount(arm) : 0);
  }
  const int row_height = rows_->sizeHintForRow(0) > 0 ? rows_->sizeHintForRow(0) : 20;
  rows_->setFixedHeight(rows_->header()->sizeHint().height() +
                        std::clamp(rows, 1, kRowsInSight) * row_height + 2);
}

std::vector<std::shared_ptr<const ArmRun>> ArmsCard::selected() const {
  std::vector<std::shared_ptr<const ArmRun>> runs;
  for (const QModelIndex& row : rows_->selectionModel()->selectedRows()) {
    for (const auto& run : model_->runs_of(row)) {
      if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
    }
  }
  return runs;
}

std::vector<const ArmGroup*> ArmsCard::selected_groups() const {
  std::vector<const ArmGroup*> groups;
  for (const QModelIndex& row : rows_->selectionModel()->selectedRows()) {
    const ArmGroup* group = model_->group_of(row);
    if (group != nullptr && std::find(groups.begin(), groups.end(), group) == groups.end()) {
      groups.push_back(group);
    }
  }
  return groups;
}

void ArmsCard::update_actions() {
  const auto runs = selected();
  const ArmActions may = arm_actions(state_, count_stages(runs));
  const Actions& a = actions_;
  a.pause->setEnabled(may.pause);
  a.resume->setEnabled(may.resume);
  a.stop->setEnabled(may.stop);
  a.extend->setEnabled(may.extend);
  a.fork->setEnabled(may.fork);
  const auto groups = selected_groups();
  a.only->setEnabled(!groups.empty());
  a.hide->setEnabled(!groups.empty());
  const bool all_hidden =
      !groups.empty() && std::all_of(groups.begin(), groups.end(), [this](const ArmGroup* group) {
        return hidden_.contains(group->key());
      });
  a.hide->setText(all_hidden ? tr("Show this arm") : tr("Hide this arm"));
  a.all->setEnabled(!hidden().isEmpty());
  const bool one = runs.size() == 1;
  a.recipe->setEnabled(one && !runs.front()->recipe.empty());
  a.folder->setEnabled(one && !runs.front()->saved_in.empty());
  a.terminal->setEnabled(a.folder->isEnabled());
}

void ArmsCard::show_menu(const QPoint& at) {
  update_actions();
  menu_->popup(rows_->viewport()->mapToGlobal(at));
}

void ArmsCard::open_fork_menu() {
  const QRect row = rows_->visualRect(rows_->currentIndex());
  actions_.fork->popup(rows_->viewport()->mapToGlobal(row.bottomLeft()));
}

void ArmsCard::fill_fork_menu() {
  actions_.fork->clear();
  for (const Intervention law : kInterventions) {
    QAction* action = actions_.fork->addAction(intervention_name(law));
    action->setEnabled(law != Intervention::kMixture || !recipe_.intervention.mixture.empty());
    connect(action, &QAction::triggered, this, [this, law] { fork(law); });
  }
}

ArmCommand ArmsCard::command(ArmCommand::Kind kind) const {
  ArmCommand command;
  command.kind = kind;
  for (const auto& run : selected()) command.runs.push_back(run->id);
  return command;
}

// For as many steps as the runs had left, or where they have ended as many as they took.
void ArmsCard::fork(Intervention law) {
  ArmCommand wanted = command(ArmCommand::Kind::kFork);
  int64_t left = 0, planned = 1;
  for (const auto& run : selected()) {
    left = std::max(left, run->planned - run->steps);
    planned = std::max(planned, run->planned - run->forked_at);
  }
  wanted.steps = left > 0 ? left : planned;
  wanted.arm = to_string(law);
  Q_EMIT command_wanted(wanted);
}

void ArmsCard::ask_extension() {
  auto* question = new QInputDialog(this);
  question->setAttribute(Qt::WA_DeleteOnClose);
  question->setWindowTitle(tr("Extend"));
  question->setLabelText(tr("Steps more than planned:"));
  question->setInputMode(QInputDialog::IntInput);
  question->setIntRange(1, 10000000);
  const auto runs = selected();
  question->setIntValue(
      runs.empty() ? 100 : static_cast<int>(std::max<int64_t>(1, runs.front()->planned / 2)));
  connect(question, &QInputDialog::intValueSelected, this, [this](int steps) { extend(steps); });
  question->open();
}

void ArmsCard::extend(int64_t steps) {
  ArmCommand wanted = command(ArmCommand::Kind::kExtend);
  wanted.steps = steps;
  Q_EMIT command_wanted(wanted);
}

void ArmsCard::show_only() {
  const auto groups = selected_groups();
  hidden_.clear();
  for (const ArmGroup& group : model_->groups()) {
    if (std::find(groups.begin(), groups.end(), &group) == groups.end())
      hidden_.insert(group.key());
  }
  hide_in_plots();
}

void ArmsCard::toggle_hidden() {
  const auto groups = selected_groups();
  const bool all_hidden = std::all_of(groups.begin(), groups.end(), [this](const ArmGroup* group) {
    return hidden_.contains(group->key());
  });
  for (const ArmGroup* group : groups) set_shown(group->key(), all_hidden);
  hide_in_plots();
}

void ArmsCard::show_all() {
  hidden_.clear();
  filter_->clear();
  hide_in_plots();
}

void ArmsCard::set_shown(const QString& arm, bool shown) {
  if (shown) {
    hidden_.remove(arm);
  } else {
    hidden_.insert(arm);
  }
}

bool ArmsCard::apply_filter() {
  const QString words = filter_->text().trimmed();
  QSet<QString> passed_over;
  for (size_t g = 0; g < model_->groups().size(); ++g) {
    const ArmGroup& group = model_->groups()[g];
    const bool found = words.isEmpty() || group.name.contains(words, Qt::CaseInsensitive) ||
                       group.key().contains(words, Qt::CaseInsensitive);
    if (!found) passed_over.insert(group.key());
    rows_->setRowHidden(static_cast<int>(g) + 1, {}, !found);  // below the base
  }
  fit_height();
  if (passed_over == passed_over_) return false;
  passed_over_ = std::move(passed_over);
  return true;
}

void ArmsCard::hide_in_plots() {
  model_->set_hidden(hidden_);
  update_actions();
  Q_EMIT hidden_changed();
}

void ArmsCard::copy_recipe() {
  QApplication::clipboard()->setText(from(selected().front()->recipe));
}

void ArmsCard::open_folder() {
  QDesktopServices::openUrl(QUrl::fromLocalFile(from(selected().front()->saved_in)));
}

void ArmsCard::copy_command() {
  QString folder = from(selected().front()->saved_in);
  folder.replace(u'\'', u"'\\''"_s);
  QApplication::clipboard()->setText(u"farstate train --resume '%1'"_s.arg(folder));
}

}  // namespace farstate::desktop
