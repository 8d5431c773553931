// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/state_shelf.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStyle>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/core_words.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

enum Column { kName, kPosition, kNorm, kColumns };

QPushButton* small_button(const Words& text, const Words& tip, QWidget* parent) {
  QPushButton* button = with_text(new QPushButton(parent), text);
  button->setProperty("role", u"small"_s);
  set_text(button, TextSize::kSmall, QFont::Medium);
  button->setFocusPolicy(Qt::TabFocus);
  tip.tell(button, [button](const QString& said) { button->setToolTip(said); });
  return button;
}

QLineEdit* line_field(const Words& name, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setProperty("role", u"field"_s);
  name.tell(field, [field](const QString& said) { field->setAccessibleName(said); });
  return field;
}

QString file_filter() {
  return StateShelf::tr("States (*.safetensors);;All files (*)");
}

}  // namespace

StateShelf::StateShelf(QWidget* parent) : Card([] { return tr("State"); }, parent) {
  where_ = new ElidedLabel(this);
  where_->setProperty("role", u"muted"_s);
  where_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  add_to_header(where_);
  add_keeping();
  add_table();
  body()->addSpacing(6);
  add_changing();
  show_generation(nullptr);
  show_buttons({});
  worded(this, [this] {
    read_heads_field();
    suggest_name();
    if (read_ == 0) where_->setText(tr("none yet"));
  });
}

void StateShelf::add_keeping() {
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  name_ = line_field([] { return tr("Name for the state"); }, this);
  keep_ = small_button([] { return tr("Keep"); }, {}, this);
  row->addWidget(name_, 1);
  row->addWidget(keep_);
  body()->addLayout(row);
  connect(keep_, &QPushButton::clicked, this, &StateShelf::keep);
  connect(name_, &QLineEdit::returnPressed, keep_, &QPushButton::click);
  connect(name_, &QLineEdit::textChanged, this, &StateShelf::show_enabled);
}

void StateShelf::add_table() {
  table_ = new QTableWidget(0, kColumns, this);
  worded(this, [this] { table_->setAccessibleName(tr("Kept states")); });
  worded(this, [this] {
    table_->setHorizontalHeaderLabels({tr("kept"), tr("token"), tr("norm")});
  });
  set_text(table_, TextSize::kSmall);
  set_text(table_->horizontalHeader(), TextSize::kSmall);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(kName, QHeaderView::Stretch);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeaderItem(kName)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  for (const int column : {kPosition, kNorm}) {
    table_->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  table_->verticalHeader()->hide();
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setTabKeyNavigation(false);
  fit_rows(table_);
  with_font_of(table_, [this] {
    table_->setMinimumHeight(4 * table_->verticalHeader()->defaultSectionSize() + 4);
  });
  body()->addWidget(table_, 1);
  empty_ = muted_label([] { return tr("None yet: Keep puts the state that the text has come to here."); },
                       table_);
  empty_->setWordWrap(true);
  empty_->setAttribute(Qt::WA_TransparentForMouseEvents);
  empty_->setAlignment(Qt::AlignCenter);
  auto* over = new QVBoxLayout(table_);
  over->setContentsMargins(0, table_->horizontalHeader()->sizeHint().height(), 0, 0);
  over->addWidget(empty_);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  start_from_ = small_button([] { return tr("Start from"); },
                             [] { return tr("The next start begins with this state"); }, this);
  save_ = small_button([] { return tr("Save…"); }, [] { return tr("Put this state into a file"); },
                       this);
  forget_ =
      small_button([] { return tr("Forget"); }, [] { return tr("Let go of this state"); }, this);
  load_ = small_button([] { return tr("Load…"); },
                       [] { return tr("A state from a file, to keep here"); }, this);
  for (QPushButton* button : {start_from_, save_, forget_}) row->addWidget(button);
  row->addStretch(1);
  row->addWidget(load_);
  body()->addLayout(row);
  connect(table_, &QTableWidget::itemSelectionChanged, this, &StateShelf::show_enabled);
  connect(start_from_, &QPushButton::clicked, this,
          [this] { Q_EMIT start_from_wanted(chosen_name()); });
  connect(forget_, &QPushButton::clicked, this, [this] { Q_EMIT forget_wanted(chosen_name()); });
  connect(save_, &QPushButton::clicked, this, &StateShelf::save);
  connect(load_, &QPushButton::clicked, this, &StateShelf::load);
}

void StateShelf::add_changing() {
  auto* head = new QHBoxLayout;
  auto* title = with_text(new QLabel(this), [] { return tr("Change"); });
  set_text(title, TextSize::kBody, QFont::DemiBold);
  target_ = new Segmented([] { return tr("What is changed"); },
                          {[] { return tr("the state now"); }, [] { return tr("the next start"); }},
                          this);
  worded(this, [this] {
    target_->setToolTip(
        tr("At once and where the text is, or before the first token of the next "
           "start"));
  });
  head->addWidget(title);
  head->addStretch(1);
  head->addWidget(target_);
  body()->addLayout(head);
  heads_field_ = line_field([] { return tr("Heads to change"); }, this);
  worded(this, [this] {
    heads_field_->setPlaceholderText(tr("all heads; or 0.2, 1.*, or click in the map"));
  });
  body()->addWidget(heads_field_);
  factor_ = share_field(-1000, 1000, 0.1, 2, this);
  factor_->setValue(0.5);
  sigma_ = share_field(0, 1000, 0.1, 2, this);
  sigma_->setValue(1);
  scale_ = small_button([] { return tr("Scale"); },
                        [] { return tr("Multiply the state of the heads"); }, this);
  zero_ = small_button([] { return tr("Set to zero"); },
                       [] { return tr("The heads forget everything that was read"); }, this);
  noise_ =
      small_button([] { return tr("Add noise"); },
                   [] { return tr("As many standard deviations of the head's own state"); }, this);
  auto* grid = new QGridLayout;
  grid->setSpacing(6);
  grid->setColumnStretch(2, 1);
  grid->addWidget(factor_, 0, 0);
  grid->addWidget(scale_, 0, 1);
  grid->addWidget(sigma_, 1, 0);
  grid->addWidget(noise_, 1, 1);
  grid->addWidget(zero_, 0, 3);
  worded(this, [this] { factor_->setPrefix(tr("× ")); });
  worded(this, [this] { sigma_->setPrefix(tr("σ ")); });
  worded(this, [this] { factor_->setAccessibleName(tr("Factor")); });
  worded(this, [this] { sigma_->setAccessibleName(tr("Noise, in standard deviations")); });
  body()->addLayout(grid);
  connect(heads_field_, &QLineEdit::textChanged, this, &StateShelf::read_heads_field);
  connect(target_, &Segmented::changed, this, &StateShelf::show_enabled);
  using Kind = StateEdit::Kind;
  connect(scale_, &QPushButton::clicked, this, [this] { change(Kind::kScale, factor_->value()); });
  connect(zero_, &QPushButton::clicked, this, [this] { change(Kind::kZero, 0); });
  connect(noise_, &QPushButton::clicked, this, [this] { change(Kind::kNoise, sigma_->value()); });
}

void StateShelf::set_model(int64_t layers, int64_t heads) {
  layers_ = layers;
  heads_per_layer_ = heads;
  heads_field_->clear();
  read_heads_field();
}

void StateShelf::read_heads_field() {
  heads_ = read_heads(heads_field_->text(), layers_, heads_per_layer_);
  heads_field_->setProperty("wrong", !heads_.problem.isEmpty());
  heads_field_->setToolTip(heads_.problem);
  heads_field_->style()->unpolish(heads_field_);
  heads_field_->style()->polish(heads_field_);
  show_enabled();
  Q_EMIT heads_changed();
}

void StateShelf::toggle_head(HeadIndex head) {
  std::vector<HeadIndex> heads = heads_.heads;
  const auto found = std::find(heads.begin(), heads.end(), head);
  if (found == heads.end()) {
    heads.push_back(head);
  } else {
    heads.erase(found);
  }
  heads_field_->setText(heads_text(heads, heads_per_layer_));
}

void StateShelf::show_generation(const Generation* generation) {
  read_ = generation != nullptr ? generation->read : 0;
  const QString where = generation != nullptr ? stage_text(*generation) : QString();
  where_->setText(where.isEmpty() ? tr("none yet") : where);
  show_kept(generation != nullptr ? generation->kept : std::vector<KeptState>());
  suggest_name();
}

void StateShelf::show_kept(const std::vector<KeptState>& kept) {
  const auto same = [](const KeptState& a, const KeptState& b) {
    return a.name == b.name && a.norm == b.norm && a.position == b.position && a.origin == b.origin;
  };
  if (std::equal(kept.begin(), kept.end(), kept_.begin(), kept_.end(), same)) return;
  const QString chosen = chosen_name();
  kept_ = kept;
  table_->setRowCount(static_cast<int>(kept.size()));
  empty_->setVisible(kept.empty());
  for (int row = 0; row < table_->rowCount(); ++row) {
    const KeptState& state = kept[static_cast<size_t>(row)];
    const QString position =
        state.position > 0 ? QLocale().toString(static_cast<qint64>(state.position)) : tr("–");
    const QString texts[] = {QString::fromStdString(state.name), position, value_text(state.norm)};
    for (int column = 0; column < kColumns; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(core_words(state.origin));
      if (column != kName) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(row, column, item);
    }
    if (texts[kName] == chosen) table_->selectRow(row);
  }
  show_enabled();
}

void StateShelf::select_token(std::optional<int64_t> token) {
  token_ = token;
  suggest_name();
}

// Until a person writes a name of their own.
void StateShelf::suggest_name() {
  const int64_t position = token_ ? *token_ + 1 : read_;
  const QString number = QLocale().toString(static_cast<qint64>(position));
  keep_->setToolTip(token_ ? tr("Keep the state after token %1, which is selected").arg(number)
                           : tr("Keep the state as it is now, after token %1").arg(number));
  if (name_->isModified() && !name_->text().isEmpty()) return;
  const QString name = position > 0 ? free_name(tr("after %1").arg(number)) : QString();
  if (name_->text() != name) name_->setText(name);
}

QString StateShelf::free_name(const QString& wanted) const {
  const auto taken = [this](const QString& name) {
    return std::any_of(kept_.begin(), kept_.end(), [&](const KeptState& state) {
      return QString::fromStdString(state.name) == name;
    });
  };
  QString name = wanted;
  for (int i = 2; taken(name); ++i) name = tr("%1 (%2)").arg(wanted).arg(i);
  return name;
}

void StateShelf::keep() {
  const QString name = name_->text().trimmed();
  if (name.isEmpty() || !keep_->isEnabled()) return;
  Q_EMIT keep_wanted(free_name(name), token_ ? *token_ + 1 : -1);
  name_->setModified(false);
  suggest_name();
}

void StateShelf::edit_next_start(bool next) {
  target_->choose(next ? 1 : 0);
  show_enabled();
}

void StateShelf::change(StateEdit::Kind kind, double amount) {
  const StateEdit edit{.kind = kind, .amount = amount, .heads = heads_.heads};
  if (target_->chosen() == 1) {
    Q_EMIT start_edit_wanted(edit);
  } else {
    Q_EMIT edit_wanted(edit);
  }
}

void StateShelf::show_buttons(const GenerateButtons& allowed) {
  allowed_ = allowed;
  show_enabled();
}

void StateShelf::show_enabled() {
  const bool chosen = !chosen_name().isEmpty();
  const bool heads = heads_.problem.isEmpty() && layers_ > 0;
  const bool change = heads && (target_->chosen() == 1 ? allowed_.shelf : allowed_.edit);
  keep_->setEnabled(allowed_.keep && !name_->text().trimmed().isEmpty());
  start_from_->setEnabled(chosen && allowed_.shelf);
  save_->setEnabled(chosen && allowed_.shelf);
  forget_->setEnabled(chosen && allowed_.shelf);
  load_->setEnabled(allowed_.shelf);
  for (QPushButton* button : {scale_, zero_, noise_}) button->setEnabled(change);
}

QString StateShelf::chosen_name() const {
  const auto rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? QString() : table_->item(rows.front().row(), kName)->text();
}

void StateShelf::save() {
  const QString name = chosen_name();
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Save the state"), name + u".safetensors"_s,
                                   file_filter());
  if (!path.isEmpty()) Q_EMIT save_wanted(name, path);
}

void StateShelf::load() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Load a state"), {}, file_filter());
  if (!path.isEmpty()) {
    Q_EMIT load_wanted(free_name(QFileInfo(path).completeBaseName()), path);
  }
}

}  // namespace farstate::desktop
