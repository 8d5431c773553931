// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_label.h"

namespace farstate::desktop {
namespace {

// Is shortened only where what stands beside it has no room else; a legend gives way first.
class CardTitle : public ElidedLabel {
 public:
  CardTitle(QHBoxLayout* header, QWidget* card) : ElidedLabel(card), header_(header) {
    card->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* card, QEvent* event) override {
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (card == parent() && moved) fit();
    return false;
  }

 private:
  void fit() {
    int others = 0;
    std::vector<QWidget*> yielding;  // the last goes first
    for (int i = 1; i < header_->count(); ++i) {
      QWidget* widget = header_->itemAt(i)->widget();
      if (widget != nullptr && widget->property(Card::kGivesWay).toBool()) {
        yielding.push_back(widget);
        continue;
      }
      if (widget == nullptr || widget->isHidden()) continue;
      const bool fixed = widget->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed;
      others +=
          header_->spacing() + (fixed ? widget->sizeHint() : widget->minimumSizeHint()).width();
    }
    int room = parentWidget()->width() - 2 * Theme::kPad - others - header_->spacing();
    for (QWidget* widget : yielding) {
      const int its = widget->sizeHint().width() + header_->spacing();
      widget->setVisible(room - its >= least_width());
      if (!widget->isHidden()) room -= its;
    }
    setMinimumWidth(std::clamp(room, 1, sizeHint().width()));
  }

  QHBoxLayout* header_;
};

}  // namespace

Card::Card(const Words& title, QWidget* parent) : QFrame(parent) {
  setProperty("role", QStringLiteral("card"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(Theme::kPad, Theme::kPad - 3, Theme::kPad, Theme::kPad - 2);
  outer->setSpacing(5);
  header_ = new QHBoxLayout;
  header_->setSpacing(10);
  title_ = with_text(new CardTitle(header_, this), title);
  set_text(title_, TextSize::kTitle, QFont::DemiBold);
  header_->addWidget(title_);
  header_->addStretch(1);
  outer->addLayout(header_);
  body_ = new QVBoxLayout;
  body_->setSpacing(4);
  outer->addLayout(body_, 1);
}

void Card::set_title(const QString& title) { title_->setText(title); }

void Card::set_short_title(const Words& title) {
  title.tell(title_, [this](const QString& said) { title_->set_short_text(said); });
}

QString Card::title() const { return title_->text(); }

void Card::add_to_header(QWidget* widget) { header_->addWidget(widget); }

QLabel* muted_label(const Words& text, QWidget* parent) {
  QLabel* label = with_text(new QLabel(parent), text);
  label->setProperty("role", QStringLiteral("muted"));
  return label;
}

QHBoxLayout* field_row(QLabel* name, QWidget* field) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(name);
  row->addStretch(1);
  row->addWidget(field);
  name->setBuddy(field);
  worded(field, [field, name] { field->setAccessibleName(name->text()); });
  return row;
}

}  // namespace farstate::desktop
