// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/plain_table.h"

#include <QHeaderView>
#include <QTableView>

namespace farstate::desktop {

void show_plainly(QTableView* table) {
  table->setShowGrid(false);
  table->setSelectionMode(QAbstractItemView::NoSelection);
  table->setFrameShape(QFrame::NoFrame);
  table->verticalHeader()->hide();
  table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 6);
  table->verticalHeader()->setMinimumSectionSize(10);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setSectionsClickable(false);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

}  // namespace farstate::desktop
