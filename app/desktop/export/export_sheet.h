// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what of the page is exported, and how.
#pragma once

#include "app/desktop/export/exporter.h"
#include "app/desktop/widgets/sheet.h"

class QComboBox;
class QSpinBox;

namespace farstate::desktop {

class Segmented;

class ExportSheet : public Sheet {
  Q_OBJECT
 public:
  struct View {
    QWidget* widget;
    QSize size;  // of its picture, until another is chosen
    bool zooms;  // it may show a part of its data only
  };
  explicit ExportSheet(QWidget* over);

  // The rest is as it was chosen before.
  void ask(const QList<View>& views, QWidget* chosen, bool dark);
  QWidget* view() const;
  ExportChoice choice() const;

  QComboBox* views() const { return views_; }
  Segmented* formats() const { return formats_; }
  Segmented* scales() const { return scales_; }
  Segmented* themes() const { return themes_; }
  Segmented* ranges() const { return ranges_; }
  QSpinBox* width_field() const { return width_; }
  QSpinBox* height_field() const { return height_; }

 private:
  QWidget* make_size();
  void say();
  void show_view();
  void show_format();
  void remember() const;

  QList<View> shown_;
  QComboBox* views_;
  Segmented *formats_, *scales_, *themes_, *ranges_;
  QSpinBox *width_, *height_;
  QList<QWidget*> of_picture_, of_png_, of_numbers_;  // rows that only these formats have
};

}  // namespace farstate::desktop
