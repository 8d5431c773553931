// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/arm_table_card.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/models/arm_table.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/widgets/sample_delegate.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowsInSight = 10;

}  // namespace

ArmTableCard::ArmTableCard(QWidget* parent)
    : Card([] { return tr("Perplexity at a position"); }, parent) {
  model_ = new ArmTable(this);
  names_ = new SampleDelegate(ArmTable::kLawRole, 0, this, ArmTable::kVariantRole);
  when_ = new ElidedLabel(this);
  when_->setProperty("role", QStringLiteral("muted"));
  view_ = new QTableView(this);
  view_->setModel(model_);
  view_->setItemDelegateForColumn(0, names_);
  show_plainly(view_);
  worded(this, [this] {
    view_->setAccessibleName(
        tr("Perplexities of the arms, mean and standard deviation over seeds"));
  });
  view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  with_font_of(view_->horizontalHeader(), [this] { fit_height(); });
  body()->addWidget(view_);
  body()->addStretch(1);
  auto* menu = new QMenu(this);
  QAction* text = with_text(menu->addAction(QString(), this, [this] { copy(model_->as_text()); }),
                            [] { return tr("As text"); });
  with_text(menu->addAction(QString(), this, [this] { copy(as_csv(model_->numbers())); }),
            [] { return tr("As CSV"); });
  text->setShortcut(QKeySequence::Copy);
  text->setShortcutContext(Qt::WidgetShortcut);
  view_->addAction(text);
  copy_ = new QToolButton(this);
  copy_->setProperty("role", u"quiet"_s);
  worded(this, [this] { copy_->setText(tr("Copy")); });
  copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  copy_->setMenu(menu);
  copy_->setPopupMode(QToolButton::InstantPopup);
  copy_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] { copy_->setToolTip(tr("Copy the table")); });
  add_to_header(when_);
  add_to_header(copy_);
}

void ArmTableCard::copy(const QString& text) { QApplication::clipboard()->setText(text); }

void ArmTableCard::set_theme(const Theme& theme) {
  names_->set_theme(theme);
  copy_->setIcon(themed_icon(u"copy"_s, theme.muted));
  view_->viewport()->update();
}

void ArmTableCard::show(const Experiment* experiment, std::optional<int64_t> at,
                        const QSet<QString>& hidden) {
  model_->show(experiment, at, hidden);
  // A long name is cut before a number is.
  QHeaderView* header = view_->horizontalHeader();
  header->setSectionResizeMode(0, QHeaderView::Fixed);
  view_->resizeColumnToContents(0);
  header->resizeSection(0, std::min(header->sectionSize(0), view_->viewport()->width() * 3 / 10));
  when_->setText(at ? tr("at step %1, recorded").arg(QLocale().toString(qint64(*at)))
                    : tr("mean ± standard deviation over seeds"));
  fit_height();
}

void ArmTableCard::fit_height() {
  const int rows = std::clamp(model_->rowCount(), 1, kRowsInSight);
  view_->setFixedHeight(view_->horizontalHeader()->sizeHint().height() +
                        rows * view_->verticalHeader()->defaultSectionSize() + 2);
}

}  // namespace farstate::desktop
