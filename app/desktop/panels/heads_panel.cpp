// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/heads_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QShortcut>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/models/heads_model.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

HeadsPanel::HeadsPanel(Focus* focus, QWidget* parent)
    : QFrame(parent),
      focus_(focus),
      model_(new HeadsModel(this)),
      filter_(new HeadsFilter(this)) {
  filter_->setSourceModel(model_);
  filter_->setDynamicSortFilter(false);  // sorted again in fill(), once for all new numbers
  make_table();
  make_tools();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(table_);
  connect(focus_, &Focus::head_changed, this, &HeadsPanel::show_focus);
  connect(focus_, &Focus::pins_changed, this, [this] {
    due_ = true;
    if (isVisible()) fill();
  });
  worded(this, [this] {
    fit_columns();
    count();
  });
}

void HeadsPanel::make_table() {
  table_ = new QTableView(this);
  table_->setModel(filter_);
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setTabKeyNavigation(false);
  table_->setWordWrap(false);
  table_->setFrameShape(QFrame::NoFrame);
  worded(this, [this] { table_->setAccessibleName(tr("Heads in numbers")); });
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  fit_rows(table_);
  QHeaderView* header = table_->horizontalHeader();
  header->setHighlightSections(false);
  header->setStretchLastSection(true);
  header->setSectionResizeMode(QHeaderView::Interactive);
  table_->setSortingEnabled(true);
  header->setSortIndicatorShown(false);  // the title says it, where nothing overlaps
  table_->sortByColumn(HeadsModel::kDrift, Qt::DescendingOrder);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &HeadsPanel::choose);
  auto* copying = new QShortcut(QKeySequence::Copy, table_);
  copying->setContext(Qt::WidgetShortcut);
  connect(copying, &QShortcut::activated, this, [this] { copy(false); });
}

void HeadsPanel::make_tools() {
  tools_ = new QWidget(this);
  field_ = new QLineEdit(tools_);
  field_->setProperty("role", u"field"_s);
  field_->setClearButtonEnabled(true);
  worded(this, [this] {
    field_->setPlaceholderText(tr("layer 3, drift > 2"));
    field_->setAccessibleName(tr("Filter of the heads"));
    field_->setToolTip(
        tr("Words of the name or the verdict, “layer 3”, “head 7”, and comparisons of the columns "
           "rank, norm_at_t, norm, drift, std, half_life, decay, dt, written, ks, eff_rank."));
  });
  set_text_width(field_, 170);
  count_ = muted_label({}, tools_);
  copy_ = new QToolButton(tools_);
  copy_->setProperty("role", u"quiet"_s);
  worded(this, [this] {
    copy_->setAccessibleName(tr("Copy the table"));
    copy_->setToolTip(tr("Copy the heads shown, as a table separated by tabs"));
  });
  auto* row = new QHBoxLayout(tools_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  row->addWidget(count_);
  row->addWidget(field_);
  row->addWidget(copy_);
  connect(field_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filter_->set_text(text);
    count();
    show_focus();
  });
  connect(copy_, &QToolButton::clicked, this, [this] { copy(true); });
}

void HeadsPanel::set_theme(const Theme& theme) {
  copy_->setIcon(themed_icon(u"copy"_s, theme.muted, theme.faint));
  table_->viewport()->update();
}

void HeadsPanel::show_book(const MeasurementBook& book, int64_t trained_context,
                           int64_t reference) {
  measurement_ = book.shared_current();
  reference_ = trained_context > 0 ? trained_context : reference;
  due_ = true;
  if (isVisible()) fill();
}

void HeadsPanel::show_report(std::shared_ptr<const StateReport> report) {
  const QScopedValueRollback showing(showing_, true);
  model_->show_report(std::move(report));
  if (isVisible()) filter_->invalidate();
}

void HeadsPanel::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  if (due_) fill();
}

void HeadsPanel::fill() {
  due_ = false;
  const int before = model_->rowCount();
  {
    const QScopedValueRollback showing(showing_, true);
    model_->show(measurement_.get(), reference_, focus_->pins()[Focus::kB]);
    filter_->invalidate();
  }
  if (model_->rowCount() != before) {
    fit_columns();
    show_focus();
  }
  count();
}

// As wide as titles and numbers of any size need; measured once, not by thousands of cells.
void HeadsPanel::fit_columns() {
  QHeaderView* header = table_->horizontalHeader();
  for (int c = 0; c < HeadsModel::kColumns; ++c) {
    const QString title = model_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    const int number = table_->fontMetrics().horizontalAdvance(u"0,000.0"_s);
    const int words = header->fontMetrics().horizontalAdvance(tr("%1 ↓").arg(title));
    header->resizeSection(c, std::max(c == HeadsModel::kHead ? 0 : number, words) + 8);
  }
}

void HeadsPanel::count() {
  const QLocale locale;
  const int all = model_->rowCount(), shown = filter_->rowCount();
  QString words = filter_->problem();
  if (words.isEmpty() && shown == all) words = tr("%1 heads").arg(locale.toString(all));
  if (words.isEmpty()) words = tr("%1 of %2").arg(locale.toString(shown), locale.toString(all));
  count_->setText(words);
}

void HeadsPanel::show_focus() {
  const std::optional<int> row = model_->row_of(focus_->head());
  const QModelIndex wanted =
      row ? filter_->mapFromSource(model_->index(*row, HeadsModel::kHead)) : QModelIndex();
  if (showing_ || wanted.row() == table_->currentIndex().row()) return;
  const QScopedValueRollback showing(showing_, true);
  if (!wanted.isValid()) {
    table_->clearSelection();
    return table_->setCurrentIndex({});
  }
  table_->setCurrentIndex(wanted);
  table_->scrollTo(wanted);
}

void HeadsPanel::choose(const QModelIndex& current) {
  if (showing_ || !current.isValid()) return;
  focus_->set_head(model_->head(filter_->mapToSource(current).row()));
}

void HeadsPanel::copy(bool everything) const {
  std::vector<int> rows;
  for (int r = 0; r < filter_->rowCount(); ++r) {
    if (!everything && !table_->selectionModel()->isRowSelected(r)) continue;
    rows.push_back(filter_->mapToSource(filter_->index(r, 0)).row());
  }
  if (!rows.empty()) QApplication::clipboard()->setText(model_->as_tsv(rows));
}

}  // namespace farstate::desktop
