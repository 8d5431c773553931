// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/export/exporter.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTableView>
#include <algorithm>

#include "app/desktop/export/export_sheet.h"
#include "app/desktop/export/pose.h"
#include "app/desktop/plots/live_plot.h"
#include "app/desktop/widgets/card.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

constexpr double kClipboardScale = 2;
constexpr int kLeastTable = 640;  // wide, where nothing else is chosen

// JSON on one line: its texts hold no line breaks.
QString on_one_line(const QString& json) {
  QStringList lines;
  for (const QString& line : json.split(u'\n')) lines.push_back(line.trimmed());
  return lines.join(QString());
}

// "Perplexity by position" becomes "perplexity-by-position".
QString file_name(const QString& title) {
  QString name;
  for (const QChar c : title.toLower()) {
    if (c.isLetterOrNumber()) {
      name += c;
    } else if (!name.isEmpty() && !name.endsWith(u'-')) {
      name += u'-';
    }
  }
  while (name.endsWith(u'-')) name.chop(1);
  return name.isEmpty() ? u"farstate"_s : name;
}

Card* card_around(const QWidget* view) {
  for (QWidget* up = view->parentWidget(); up != nullptr; up = up->parentWidget()) {
    if (auto* card = qobject_cast<Card*>(up)) return card;
  }
  return nullptr;
}

QPoint place_in_window(const QWidget* view) { return view->mapTo(view->window(), QPoint()); }

}  // namespace

QString suffix_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::kSvg:
      return u"svg"_s;
    case ExportFormat::kPdf:
      return u"pdf"_s;
    case ExportFormat::kCsv:
      return u"csv"_s;
    case ExportFormat::kPng:
      break;
  }
  return u"png"_s;
}

Exporter::Exporter(QWidget* window, std::function<QString(const QWidget*)> recipe)
    : QObject(window), window_(window), recipe_(std::move(recipe)) {}

void Exporter::add(LivePlot* plot) {
  views_.push_back({plot, [plot] { return plot->numbers(); }});
  connect(plot, &LivePlot::menu_opened, this, [this, plot](QMenu* menu) { fill(menu, plot); });
}

void Exporter::add(QTableView* table, Numbers numbers) {
  if (!numbers) numbers = [table] { return table_of(*table->model()); };
  add(static_cast<QWidget*>(table), std::move(numbers));
}

void Exporter::add(QWidget* view, Numbers numbers) {
  views_.push_back({view, std::move(numbers)});
  view->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(view, &QWidget::customContextMenuRequested, this, [this, view](const QPoint& at) {
    auto* menu = new QMenu(view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(menu, view);
    const auto* area = qobject_cast<QAbstractScrollArea*>(view);
    menu->popup((area != nullptr ? area->viewport() : view)->mapToGlobal(at));
  });
}

void Exporter::set_theme(ThemeMode mode) {
  theme_ = mode;
  if (sheet_ != nullptr) sheet_->set_theme(theme_for(mode));
}

void Exporter::fill(QMenu* menu, QWidget* view) {
  if (!menu->isEmpty()) menu->addSeparator();
  menu->addAction(tr("Copy image"), this, [this, view] { copy_image(view); });
  menu->addAction(tr("Copy data"), this, [this, view] { copy_numbers(view); });
  menu->addAction(tr("Export…"), this, [this, view] { open_sheet(view); });
}

QList<QWidget*> Exporter::seen() const {
  QList<QWidget*> seen;
  for (const View& view : views_) {
    if (view.widget != nullptr && view.widget->isVisible()) seen.push_back(view.widget);
  }
  std::stable_sort(seen.begin(), seen.end(), [](const QWidget* a, const QWidget* b) {
    const QPoint left = place_in_window(a), right = place_in_window(b);
    return std::pair(left.y(), left.x()) < std::pair(right.y(), right.x());
  });
  return seen;
}

QWidget* Exporter::meant() const {
  const QList<QWidget*> all = seen();
  for (const QWidget* at : {QApplication::focusWidget(), QApplication::widgetAt(QCursor::pos())}) {
    for (QWidget* view : all) {
      if (at != nullptr && (at == view || view->isAncestorOf(at))) return view;
    }
  }
  return all.value(0);
}

QString Exporter::title_of(const QWidget* view) {
  if (const auto* plot = qobject_cast<const LivePlot*>(view)) return plot->title();
  const Card* card = card_around(view);
  return card != nullptr ? card->title() : view->accessibleName();
}

DataTable Exporter::numbers_of(const QWidget* view) const {
  const auto found = std::find_if(views_.begin(), views_.end(),
                                  [view](const View& one) { return one.widget == view; });
  return found != views_.end() ? found->numbers() : DataTable();
}

// Its card, which names its curves, unless there is more in that.
QWidget* Exporter::part_of(QWidget* view) const {
  Card* card = card_around(view);
  if (card == nullptr) return view;
  // A card's header has room for the names of some curves, a picture names them all.
  const auto* plot = qobject_cast<const LivePlot*>(view);
  if (plot != nullptr && !plot->legend().isEmpty()) return view;
  const QList<QWidget*> all = seen();
  const auto inside =
      std::count_if(all.begin(), all.end(), [card](QWidget* one) { return card->isAncestorOf(one); });
  return inside == 1 ? card : view;
}

QByteArray Exporter::file_of(QWidget* view, const ExportChoice& choice) {
  if (choice.format == ExportFormat::kCsv) return csv_of(view, choice.in_view);
  const ThemeMode before = theme_;
  const bool other = theme_for(before).dark != choice.dark;
  const auto put_back = qScopeGuard([&] {
    if (!other) return;
    Q_EMIT theme_wanted(before);
    draw_plots(*part_of(view));  // which was last drawn on the other ground
  });
  if (other) Q_EMIT theme_wanted(choice.dark ? ThemeMode::kDark : ThemeMode::kLight);
  return picture_of(view, choice);
}

QByteArray Exporter::picture_of(QWidget* view, const ExportChoice& choice) {
  const auto* plot = qobject_cast<const LivePlot*>(view);
  const QString title = title_of(view);
  const Picture picture{title, recipe_(view)};
  const Pose pose(*part_of(view), title,
                  plot != nullptr ? plot->legend() : QVector<CurveLegend::Entry>(), choice.size,
                  theme_for(theme_));
  if (choice.format == ExportFormat::kSvg) return svg_of(pose.drawing(), picture);
  if (choice.format == ExportFormat::kPdf) return pdf_of(pose.drawing(), picture);
  return png_of(pose.drawing(), picture, choice.scale);
}

QByteArray Exporter::csv_of(const QWidget* view, bool in_view) const {
  DataTable table = numbers_of(view);
  const auto* plot = qobject_cast<const LivePlot*>(view);
  if (in_view && plot != nullptr) table = within(std::move(table), plot->x_range());
  QString text = u"# %1\n"_s.arg(title_of(view));
  const QString recipe = on_one_line(recipe_(view));
  if (!recipe.isEmpty()) text += u"# recipe %1\n"_s.arg(recipe);
  return (text + as_csv(table)).toUtf8();
}

QString Exporter::write(QWidget* view, const ExportChoice& choice, const QString& path) {
  const QString ending = suffix_of(choice.format);
  const bool ended = QFileInfo(path).suffix().compare(ending, Qt::CaseInsensitive) == 0;
  const QString whole = ended ? path : path + u'.' + ending;
  write_picture(whole, file_of(view, choice));
  return whole;
}

void Exporter::copy_image(QWidget* view) {
  if (view == nullptr) return;
  QWidget* part = part_of(view);
  const auto* plot = qobject_cast<const LivePlot*>(view);
  const Pose pose(*part, title_of(view),
                  plot != nullptr ? plot->legend() : QVector<CurveLegend::Entry>(), part->size(),
                  theme_for(theme_));
  QApplication::clipboard()->setImage(image_of(pose.drawing(), kClipboardScale));
  Q_EMIT said(tr("Image copied: %1").arg(title_of(view)));
}

void Exporter::copy_numbers(QWidget* view) {
  if (view == nullptr) return;
  QApplication::clipboard()->setText(as_tsv(numbers_of(view)));
  Q_EMIT said(tr("Data copied: %1").arg(title_of(view)));
}

void Exporter::open_sheet(QWidget* view) {
  if (sheet_ == nullptr) {
    sheet_ = new ExportSheet(window_);
    connect(sheet_, &Sheet::cancelled, sheet_, &Sheet::dismiss);
    connect(sheet_, &Sheet::accepted, this, &Exporter::save);
  }
  if (view == nullptr) view = meant();
  sheet_->set_theme(theme_for(theme_));
  QList<ExportSheet::View> views;
  for (QWidget* one : seen()) {
    const bool plot = qobject_cast<LivePlot*>(one) != nullptr;
    const QSize least = plot ? ExportChoice().size : QSize(kLeastTable, 0);
    views.push_back({one, part_of(one)->size().expandedTo(least), plot});
  }
  sheet_->ask(views, view, theme_for(theme_).dark);
}

void Exporter::save() {
  QWidget* view = sheet_->view();
  const ExportChoice choice = sheet_->choice();
  const QString suggested = file_name(title_of(view)) + u'.' + suffix_of(choice.format);
  const QString path = path_.isEmpty() ? ask_path(suggested) : path_;
  if (path.isEmpty()) return;
  sheet_->dismiss();
  try {
    Q_EMIT said(tr("Written: %1").arg(QDir::toNativeSeparators(write(view, choice, path))));
  } catch (const Error& error) {
    Q_EMIT failed(QString::fromStdString(error.what()));
  }
}

// The dialog adds the ending itself, so that it also asks before an old file is written over.
QString Exporter::ask_path(const QString& name) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString ending = QFileInfo(name).suffix();
  QFileDialog dialog(window_, tr("Export"), QDir(folder).filePath(name),
                     tr("%1 (*.%2)").arg(ending.toUpper(), ending));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(ending);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace farstate::desktop
