// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/segmented.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

#include "app/desktop/theme.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

Segmented::Segmented(const Words& name, const std::vector<Words>& labels, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)) {
  name.tell(this, [this](const QString& said) { setAccessibleName(said); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);  // half a word says nothing
  const auto last = static_cast<int>(labels.size()) - 1;
  for (int i = 0; i <= last; ++i) {
    auto* button = new QToolButton(this);
    button->setProperty("role", u"segment"_s);
    button->setProperty("place", i == 0 ? u"first"_s : i == last ? u"last"_s : u"middle"_s);
    set_text(button, TextSize::kSmall, QFont::Medium);
    button->setCheckable(true);
    button->setChecked(i == 0);
    labels[static_cast<size_t>(i)].tell(button, [button](const QString& said) {
      button->setText(said);
      button->setAccessibleName(said);
    });
    group_->addButton(button, i);
    row->addWidget(button);
  }
  connect(group_, &QButtonGroup::idClicked, this, &Segmented::changed);
}

int Segmented::chosen() const { return group_->checkedId(); }

void Segmented::choose(int index) {
  if (QAbstractButton* button = group_->button(index)) button->setChecked(true);
}

void Segmented::pick(int index) {
  if (index == chosen() || group_->button(index) == nullptr) return;
  choose(index);
  Q_EMIT changed(index);
}

QStringList Segmented::labels() const {
  QStringList labels;
  for (const QAbstractButton* button : group_->buttons()) labels.push_back(button->text());
  return labels;
}

}  // namespace farstate::desktop
