// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for numbers: right-aligned, without arrows (wheel and arrow keys still step), reporting a
// value once it is finished and not at every keystroke.
#pragma once

#include <QDoubleSpinBox>
#include <QSpinBox>

namespace farstate::desktop {

QSpinBox* count_field(int low, int high, int step, QWidget* parent);
QDoubleSpinBox* share_field(double low, double high, double step, int decimals, QWidget* parent);

// Rates over several decades: shows "5e-4", steps by a fifth of the value.
class RateField : public QDoubleSpinBox {
  Q_OBJECT
 public:
  explicit RateField(QWidget* parent = nullptr);

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
  void stepBy(int steps) override;
};

// A field that cannot change now is read-only and its tip says when it can; hint empty: it can.
void set_locked(QAbstractSpinBox* field, const QString& hint);

}  // namespace farstate::desktop
