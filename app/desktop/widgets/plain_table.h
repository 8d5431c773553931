// SPDX-License-Identifier: GPL-3.0-or-later
// The look of a table in a card whose rows are read and not chosen.
#pragma once

class QTableView;

namespace farstate::desktop {

void fit_rows(QTableView* table);  // as high as a line of its text needs

// Such rows, no grid, no selection, and no bar: the columns are to fit the card.
void show_plainly(QTableView* table);

}  // namespace farstate::desktop
