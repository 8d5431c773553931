// SPDX-License-Identifier: GPL-3.0-or-later
// The one place from which plots and tables leave the window: as files and over the clipboard.
#pragma once

#include <QObject>
#include <QPointer>
#include <QSize>
#include <functional>

#include "app/desktop/models/data_table.h"
#include "app/desktop/rendering.h"
#include "app/desktop/theme.h"

class QMenu;
class QTableView;

namespace farstate::desktop {

class ExportSheet;
class LivePlot;

enum class ExportFormat { kPng, kSvg, kPdf, kCsv };
QString suffix_of(ExportFormat format);  // "png"

struct ExportChoice {
  ExportFormat format = ExportFormat::kPng;
  QSize size{960, 420};  // of a picture, in pixels of a screen
  int scale = 2;         // of a PNG: its pixels for each of those
  bool dark = false;
  bool in_view = false;  // of the numbers: only what the plot shows
};

class Exporter : public QObject {
  Q_OBJECT
 public:
  using Numbers = std::function<DataTable()>;

  // recipe: the one that made what a plot or a table shows, as JSON.
  Exporter(QWidget* window, std::function<QString(const QWidget*)> recipe);

  // Each gets its entries in the context menu.
  void add(LivePlot* plot);
  void add(QTableView* table, Numbers numbers = {});  // without: as the model has them
  void add(QWidget* view, Numbers numbers);
  void set_theme(ThemeMode mode);

  QList<QWidget*> seen() const;  // what of them can be seen now, from top to bottom
  QWidget* meant() const;        // with the keyboard, else under the mouse, else the first; or null
  static QString title_of(const QWidget* view);

  QByteArray file_of(QWidget* view, const ExportChoice& choice);
  // Adds the ending where the path has none. Returns the path; throws Error and leaves an old file
  // as it is.
  QString write(QWidget* view, const ExportChoice& choice, const QString& path);

  void copy_image(QWidget* view);
  void copy_numbers(QWidget* view);
  void open_sheet(QWidget* view);  // null: the one that is meant
  ExportSheet* sheet() const { return sheet_; }
  void set_path(const QString& path) { path_ = path; }  // instead of asking a person for one

 Q_SIGNALS:
  void theme_wanted(farstate::desktop::ThemeMode mode);  // at once: a picture is taken in it
  void said(const QString& sentence);
  void failed(const QString& sentence);

 private:
  struct View {
    QPointer<QWidget> widget;
    Numbers numbers;
  };
  void fill(QMenu* menu, QWidget* view);
  DataTable numbers_of(const QWidget* view) const;
  QWidget* part_of(QWidget* view) const;
  QByteArray picture_of(QWidget* view, const ExportChoice& choice);
  QByteArray csv_of(const QWidget* view, bool in_view) const;
  void save();
  QString ask_path(const QString& name);

  QWidget* window_;
  std::function<QString(const QWidget*)> recipe_;
  ThemeMode theme_ = ThemeMode::kLight;
  QList<View> views_;
  ExportSheet* sheet_ = nullptr;
  QString path_;
};

}  // namespace farstate::desktop
