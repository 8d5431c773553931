// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/preset_sheet.h"

#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <exception>

#include "app/desktop/core_words.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/wording.h"
#include "core/base/error.h"

namespace farstate::desktop {

namespace {

constexpr int kRowsInSight = 12;

QString from(const std::string& text) { return QString::fromStdString(text); }

QString known_word(const std::string& known) {
  if (known == "stated") return PresetSheet::tr("stated");
  if (known == "inferred") return PresetSheet::tr("inferred");
  if (known == "second-hand") return PresetSheet::tr("second-hand");
  if (known == "unknown") return PresetSheet::tr("not known: our choice");
  return known == "changed" ? PresetSheet::tr("changed by you") : from(known);
}

// JSON's quotes say nothing to a person.
QString value_word(const std::string& json) {
  QString value = from(json);
  const bool quoted = value.size() >= 2 && value.startsWith(u'"') && value.endsWith(u'"');
  return quoted ? value.mid(1, value.size() - 2) : value;
}

}  // namespace

PresetSheet::PresetSheet(QWidget* over) : Sheet([] { return tr("Use"); }, over) {
  table_ = new QTableWidget(0, kColumns, this);
  show_plainly(table_);
  worded(table_, [this] { table_->setAccessibleName(tr("Values of the preset")); });
  table_->setEditTriggers(QAbstractItemView::AllEditTriggers);
  table_->setWordWrap(false);
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(kSource, QHeaderView::Stretch);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  body()->addWidget(table_);
  worded(this, [this] {
    if (isHidden()) return;
    say();
    check();
  });
  connect(table_, &QTableWidget::itemChanged, this, [this](QTableWidgetItem* item) {
    if (item->column() != kValue) return;
    PresetValue& value = preset_.values[static_cast<size_t>(item->row())];
    const bool text = !value.value.empty() && value.value.front() == '"';
    const QString typed = item->text().trimmed();
    value.value = (text ? u'"' + typed + u'"' : typed).toStdString();
    value.known = "changed";
    value.source.clear();
    fill();
    check();
  });
}

void PresetSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  fill();
}

void PresetSheet::ask(const Preset& preset, const RunConfig& recipe) {
  preset_ = preset;
  recipe_ = recipe;
  say();
  const int rows = std::min<int>(table_->rowCount(), kRowsInSight);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() + 2);
  open();
  check();
}

void PresetSheet::say() {
  set_title(core_words(preset_.title), core_words(preset_.about));
  table_->setHorizontalHeaderLabels(
      {tr("setting"), tr("value"), tr("how well known"), tr("from where")});
  fill();
}

void PresetSheet::fill() {
  const QSignalBlocker blocker(table_);
  QFont strong;
  strong.setWeight(QFont::DemiBold);  // and the table's size
  table_->setRowCount(static_cast<int>(preset_.values.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const PresetValue& value = preset_.values[static_cast<size_t>(row)];
    const QString cells[] = {from(value.key), value_word(value.value), known_word(value.known),
                             core_words(value.source)};
    for (int column = 0; column < kColumns; ++column) {
      QTableWidgetItem* item = table_->item(row, column);
      if (item == nullptr) table_->setItem(row, column, item = new QTableWidgetItem);
      item->setText(cells[column]);
      item->setToolTip(column == kValue ? tr("Click to change it") : cells[column]);
      if (column != kValue) item->setFlags(Qt::ItemIsEnabled);
      const bool open = column == kKnown && value.known == "unknown";
      const bool quiet = column == kKey || column == kSource;
      item->setForeground(open ? theme().warning : quiet ? theme().muted : theme().text);
      if (column == kValue) item->setFont(strong);
    }
  }
}

// A value that can't be is said at once; the others stay as they are.
void PresetSheet::check() {
  try {
    validate(with_preset(recipe_, preset_));
    set_stage(Stage::kReady);
  } catch (const Error& error) {
    set_stage(Stage::kRefused, from(error.what()));
  } catch (const std::exception&) {  // of the JSON
    set_stage(Stage::kRefused,
              tr("A value can't be read: numbers are written as 0.1 or 1e-4, yes and "
                 "no as true and false."));
  }
}

Preset PresetSheet::preset() const { return preset_; }

}  // namespace farstate::desktop
