// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/guess_fields.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/desktop/story/facts.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {

GuessFields::GuessFields(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  rows_ = new QFormLayout;
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setVerticalSpacing(4);
  rows_->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
  column->addLayout(rows_);
  reveal_ = new QPushButton(this);
  reveal_->setFocusPolicy(Qt::TabFocus);
  verdict_ = new QLabel(this);
  verdict_->setWordWrap(true);
  column->addWidget(reveal_, 0, Qt::AlignLeft);
  column->addWidget(verdict_);
  connect(reveal_, &QPushButton::clicked, this, &GuessFields::reveal_wanted);
}

void GuessFields::make_rows(const Guess& guess) {
  if (guess.positions == positions_) return;
  positions_ = guess.positions;
  while (rows_->rowCount() > 0) rows_->removeRow(0);
  fields_.clear();
  names_.clear();
  for (size_t i = 0; i < positions_.size(); ++i) {
    auto* field = new QDoubleSpinBox(this);
    field->setDecimals(1);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    field->setKeyboardTracking(false);
    set_text_width(field, 84);
    auto* name = new QLabel(this);
    name->setBuddy(field);
    rows_->addRow(name, field);
    fields_.push_back(field);
    names_.push_back(name);
    connect(field, &QDoubleSpinBox::valueChanged, this,
            [this, i](double value) { Q_EMIT changed(i, value); });
  }
}

void GuessFields::show_guess(const Guess& guess, std::optional<double> factor, double most,
                             bool measured) {
  make_rows(guess);
  for (int i = 0; i < fields_.size(); ++i) {
    QDoubleSpinBox* field = fields_[i];
    const QSignalBlocker quiet(field);
    field->setRange(1, most);
    field->setValue(guess.values[static_cast<size_t>(i)]);
    field->setReadOnly(guess.made);
    names_[i]->setText(
        tr("at position %1").arg(QLocale().toString(qint64(positions_[static_cast<size_t>(i)]))));
    field->setAccessibleName(names_[i]->text());
  }
  reveal_->setText(tr("Reveal the curve"));
  reveal_->setVisible(!guess.made);
  reveal_->setEnabled(measured);
  reveal_->setToolTip(measured ? QString() : tr("Not measured yet."));
  verdict_->setVisible(guess.made);
  verdict_->setText(guess_verdict(factor));
}

QString GuessFields::verdict() const { return verdict_->isHidden() ? QString() : verdict_->text(); }

QString guess_verdict(std::optional<double> factor) {
  if (!factor) return GuessFields::tr("The curve was not measured where you guessed.");
  const QString times = fact_text(*factor);
  if (*factor < 1.25) return GuessFields::tr("Very close: on average you were off by a factor of %1.").arg(times);
  if (*factor < 2) return GuessFields::tr("Close: on average you were off by a factor of %1.").arg(times);
  return GuessFields::tr("On average you were off by a factor of %1.").arg(times);
}

}  // namespace farstate::desktop
