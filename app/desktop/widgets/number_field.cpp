// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/number_field.h"

#include <QLineEdit>
#include <QStyle>
#include <cmath>

#include "app/desktop/text_room.h"

namespace farstate::desktop {
namespace {

constexpr int kWidth = 78;

void prepare(QAbstractSpinBox* field) {
  field->setButtonSymbols(QAbstractSpinBox::NoButtons);
  field->setAlignment(Qt::AlignRight);
  field->setKeyboardTracking(false);
  set_text_width(field, kWidth);
  field->setGroupSeparatorShown(true);
  field->setFocusPolicy(Qt::StrongFocus);
  // A file dragged over it is meant for the window, and not to be typed into it.
  field->findChild<QLineEdit*>()->setAcceptDrops(false);
}

}  // namespace

QSpinBox* count_field(int low, int high, int step, QWidget* parent) {
  auto* field = new QSpinBox(parent);
  prepare(field);
  field->setRange(low, high);
  field->setSingleStep(step);
  return field;
}

QDoubleSpinBox* share_field(double low, double high, double step, int decimals, QWidget* parent) {
  auto* field = new QDoubleSpinBox(parent);
  prepare(field);
  field->setDecimals(decimals);
  field->setRange(low, high);
  field->setSingleStep(step);
  return field;
}

RateField::RateField(QWidget* parent) : QDoubleSpinBox(parent) {
  prepare(this);
  setDecimals(12);
  setRange(1e-9, 1e6);  // what is too large is for a person to see
}

QString RateField::textFromValue(double value) const {
  if (value <= 0) return QStringLiteral("0");
  auto exponent = static_cast<int>(std::floor(std::log10(value)));
  double mantissa = std::round(value / std::pow(10.0, exponent) * 100) / 100;
  if (mantissa >= 10) {
    mantissa /= 10;
    ++exponent;
  }
  return QStringLiteral("%1e%2").arg(mantissa, 0, 'g', 3).arg(exponent);
}

double RateField::valueFromText(const QString& text) const {
  bool read = false;
  const double value = text.trimmed().toDouble(&read);
  return read ? value : this->value();
}

QValidator::State RateField::validate(QString& text, int&) const {
  bool read = false;
  const double value = text.trimmed().toDouble(&read);
  if (read && value >= minimum() && value <= maximum()) return QValidator::Acceptable;
  for (const QChar c : text) {
    if (!QStringLiteral("0123456789.eE+- ").contains(c)) return QValidator::Invalid;
  }
  return QValidator::Intermediate;
}

void RateField::stepBy(int steps) {
  const double stepped = value() * std::pow(1.2, steps);
  setValue(valueFromText(textFromValue(stepped)));
  selectAll();
}

void set_locked(QAbstractSpinBox* field, const QString& hint) {
  field->setToolTip(hint);
  if (field->isReadOnly() == !hint.isEmpty()) return;
  field->setReadOnly(!hint.isEmpty());
  field->style()->unpolish(field);  // the style sheet shows a read-only field without its frame
  field->style()->polish(field);
}

}  // namespace farstate::desktop
