// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/export/export_sheet.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/desktop/settings.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/choice_box.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

constexpr int kLeast = 200, kMost = 4000, kStep = 20;
constexpr int kField = 84;

QWidget* row_of(const Words& name, QWidget* field, QWidget* parent) {
  auto* row = new QWidget(parent);
  QHBoxLayout* line = field_row(muted_label(name, row), field);
  line->setContentsMargins(0, 0, 0, 0);
  row->setLayout(line);
  return row;
}

}  // namespace

ExportSheet::ExportSheet(QWidget* over) : Sheet([] { return tr("Save…"); }, over) {
  views_ = new ChoiceBox(this);
  views_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  formats_ = new Segmented([] { return tr("Format"); },
                           {u"PNG"_s, u"SVG"_s, u"PDF"_s, u"CSV"_s}, this);
  scales_ = new Segmented([] { return tr("Pixels of the picture"); },
                          {u"1×"_s, u"2×"_s, u"3×"_s}, this);
  themes_ = new Segmented([] { return tr("Ground of the picture"); },
                          {[] { return tr("light"); }, [] { return tr("dark"); }}, this);
  ranges_ = new Segmented([] { return tr("Which data"); },
                          {[] { return tr("all"); }, [] { return tr("what is in view"); }}, this);
  body()->setSpacing(9);
  body()->addWidget(row_of([] { return tr("Plot or table"); }, views_, this));
  body()->addWidget(row_of([] { return tr("Format"); }, formats_, this));
  of_picture_ = {row_of([] { return tr("Width and height"); }, make_size(), this),
                 row_of([] { return tr("Ground of the picture"); }, themes_, this)};
  of_png_ = {row_of([] { return tr("Resolution"); }, scales_, this)};
  of_numbers_ = {row_of([] { return tr("Which data"); }, ranges_, this)};
  for (QWidget* row : of_picture_ + of_png_ + of_numbers_) body()->addWidget(row);
  QLabel* inside = muted_label([] { return tr("The recipe is written into the file."); }, this);
  body()->addWidget(inside);
  connect(views_, &QComboBox::currentIndexChanged, this, &ExportSheet::show_view);
  connect(formats_, &Segmented::changed, this, &ExportSheet::show_format);
  connect(this, &Sheet::accepted, this, &ExportSheet::remember);
  worded(this, [this] {
    if (!isHidden()) say();
  });
}

QWidget* ExportSheet::make_size() {
  auto* size = new QWidget(this);
  auto* line = new QHBoxLayout(size);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  width_ = count_field(kLeast, kMost, kStep, size);
  height_ = count_field(kLeast, kMost, kStep, size);
  for (QSpinBox* field : {width_, height_}) set_text_width(field, kField);
  worded(size, [this] {
    width_->setAccessibleName(tr("Width of the picture"));
    height_->setAccessibleName(tr("Height of the picture"));
  });
  line->addWidget(width_);
  line->addWidget(muted_label(u"×"_s, size));
  line->addWidget(height_);
  size->setFocusProxy(width_);
  return size;
}

void ExportSheet::ask(const QList<View>& views, QWidget* chosen, bool dark) {
  shown_ = views;
  views_->clear();
  int at = 0;
  for (const View& view : views) {
    if (view.widget == chosen) at = views_->count();
    views_->addItem({});  // said below
  }
  const auto settings = open_settings();
  formats_->choose(std::clamp(settings->value(u"export/format"_s, 0).toInt(), 0, 3));
  scales_->choose(std::clamp(settings->value(u"export/scale"_s, 2).toInt(), 1, 3) - 1);
  themes_->choose(dark ? 1 : 0);
  ranges_->choose(0);
  views_->setCurrentIndex(at);
  say();
  show_view();
  open();
}

void ExportSheet::say() {
  set_title(tr("Export"), tr("A plot or a table of this page, as a file"));
  for (int i = 0; i < shown_.size(); ++i) {
    views_->setItemText(i, Exporter::title_of(shown_[i].widget));
  }
  set_stage(shown_.isEmpty() ? Stage::kRefused : Stage::kReady,
            shown_.isEmpty() ? tr("There is no plot and no table on this page.") : QString());
}

void ExportSheet::show_view() {
  const int at = views_->currentIndex();
  if (at >= 0 && at < shown_.size()) {
    width_->setValue(shown_[at].size.width());
    height_->setValue(shown_[at].size.height());
  }
  show_format();
}

void ExportSheet::show_format() {
  const auto format = static_cast<ExportFormat>(formats_->chosen());
  const int at = views_->currentIndex();
  const bool zooms = at >= 0 && at < shown_.size() && shown_[at].zooms;
  for (QWidget* row : of_picture_) row->setVisible(format != ExportFormat::kCsv);
  for (QWidget* row : of_png_) row->setVisible(format == ExportFormat::kPng);
  for (QWidget* row : of_numbers_) row->setVisible(format == ExportFormat::kCsv && zooms);
  fit();
}

QWidget* ExportSheet::view() const { return shown_[views_->currentIndex()].widget; }

ExportChoice ExportSheet::choice() const {
  ExportChoice choice;
  choice.format = static_cast<ExportFormat>(formats_->chosen());
  choice.size = {width_->value(), height_->value()};
  choice.scale = scales_->chosen() + 1;
  choice.dark = themes_->chosen() == 1;
  choice.in_view = ranges_->chosen() == 1;
  return choice;
}

void ExportSheet::remember() const {
  const auto settings = open_settings();
  settings->setValue(u"export/format"_s, formats_->chosen());
  settings->setValue(u"export/scale"_s, scales_->chosen() + 1);
}

}  // namespace farstate::desktop
