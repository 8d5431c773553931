// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/side_column.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

enum { kStory, kInspector };

}  // namespace

SideColumn::SideColumn(QWidget* story, QWidget* inspector, QWidget* parent) : QFrame(parent) {
  setProperty("role", QStringLiteral("card"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 2, 0, 0);
  column->setSpacing(0);
  tabs_ = new QTabBar(this);
  set_text(tabs_, TextSize::kBody, QFont::Medium);
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setExpanding(false);
  tabs_->addTab(QString());
  tabs_->addTab(QString());
  worded(this, [this] {
    tabs_->setTabText(kStory, tr("Story"));
    tabs_->setTabText(kInspector, tr("Inspector"));
    tabs_->setAccessibleName(tr("The right column"));
  });
  pages_ = new QStackedWidget(this);
  for (QWidget* page : {story, inspector}) pages_->addWidget(page);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(Theme::kPad, 0, Theme::kPad, 0);
  row->addWidget(tabs_);
  row->addStretch(1);
  column->addLayout(row);
  column->addWidget(pages_, 1);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
    pages_->setCurrentIndex(index);
    Q_EMIT turned();
  });
  show_story(false);
}

void SideColumn::show_story(bool story) { tabs_->setCurrentIndex(story ? kStory : kInspector); }

bool SideColumn::shows_story() const { return tabs_->currentIndex() == kStory; }

}  // namespace farstate::desktop
