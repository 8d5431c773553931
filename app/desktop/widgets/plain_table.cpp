// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/plain_table.h"

#include <QHeaderView>
#include <QTableView>

#include "app/desktop/text_room.h"

namespace farstate::desktop {

void fit_rows(QTableView* table) {
  table->verticalHeader()->setMinimumSectionSize(10);
  with_font_of(table, [table] {
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 5);
  });
}

void show_plainly(QTableView* table) {
  table->setShowGrid(false);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  table->setFrameShape(QFrame::NoFrame);
  table->verticalHeader()->hide();
  fit_rows(table);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionsClickable(false);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

}  // namespace farstate::desktop
