// SPDX-License-Identifier: GPL-3.0-or-later
// A titled surface: what the columns of the window are made of.
#pragma once

#include <QFrame>

#include "app/desktop/wording.h"

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace farstate::desktop {

class ElidedLabel;

class Card : public QFrame {
  Q_OBJECT
 public:
  // A property of a widget in the header that goes where the title has no room beside it.
  static constexpr const char* kGivesWay = "givesWay";

  explicit Card(const Words& title, QWidget* parent = nullptr);

  void set_title(const QString& title);
  void set_short_title(const Words& title);  // where there is no room for the whole one
  QString title() const;
  void add_to_header(QWidget* widget);  // at the right of the title
  QVBoxLayout* body() const { return body_; }

 private:
  ElidedLabel* title_;
  QHBoxLayout* header_;
  QVBoxLayout* body_;
};

// A label of the theme's muted colour.
QLabel* muted_label(const Words& text, QWidget* parent = nullptr);

// A row "name: value": the label at the left, the field at the right, bound as buddies.
QHBoxLayout* field_row(QLabel* name, QWidget* field);

}  // namespace farstate::desktop
