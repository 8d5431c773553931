// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/rendering.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QImage>
#include <QImageWriter>
#include <QPdfWriter>
#include <QScreen>
#include <QSvgGenerator>
#include <QWidget>
#include <cmath>

#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/result_cards.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/results/results.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

// On the screen curves have one pixel, for speed, whatever its scale; a picture has the time.
class PicturePens {
 public:
  explicit PicturePens(QCustomPlot& plot) {
    // A tick of no length is a dot, which QSvgGenerator fills even without a pen, and a path of no
    // points in a PDF.
    for (QCPAxis* axis : plot.findChildren<QCPAxis*>()) {
      if (axis->tickPen().style() != Qt::NoPen) continue;
      axis->setTickPen(QPen(Qt::transparent));
      axis->setTickLength(1, 0);
    }
    for (int i = 0; i < plot.graphCount(); ++i) {
      QCPGraph* graph = plot.graph(i);
      if (graph->pen().style() == Qt::NoPen) continue;
      before_.push_back({graph, graph->pen()});
      QPen pen = graph->pen();
      pen.setCosmetic(false);
      pen.setWidthF(1.5);
      graph->setPen(pen);
    }
  }
  ~PicturePens() {
    for (const auto& [graph, pen] : before_) graph->setPen(pen);
  }
  Q_DISABLE_COPY(PicturePens)

 private:
  QList<std::pair<QCPGraph*, QPen>> before_;
};

// The widget and all in it, lowest first. Grabbing would give a plot's pixels as they are on the
// screen; here it draws itself anew, at any scale and into files of curves.
void paint(QCPPainter& painter, QWidget& widget, const QPoint& at, QWidget::RenderFlags flags) {
  painter.save();
  painter.setClipRect(QRect(at, widget.size()), Qt::IntersectClip);
  if (auto* plot = qobject_cast<QCustomPlot*>(&widget)) {
    const PicturePens pens(*plot);
    painter.save();
    painter.translate(at);
    plot->toPainter(&painter, plot->width(), plot->height());
    painter.restore();
  } else {
    widget.render(&painter, at, {}, flags);
  }
  for (QObject* object : widget.children()) {
    auto* child = qobject_cast<QWidget*>(object);
    if (child == nullptr || child->isWindow() || child->isHidden()) continue;
    paint(painter, *child, at + child->pos(), {});
  }
  painter.restore();
}

void paint(QPaintDevice& device, const Drawing& drawing) {
  QCPPainter painter(&device);
  drawing.paint(painter);
}

// As XMP, which readers of PDF show and keep.
QByteArray metadata_of(const Picture& picture) {
  return uR"(<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">%1</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">%2</rdf:li></rdf:Alt></dc:description>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
)"_s.arg(picture.title.toHtmlEscaped(), picture.recipe.toHtmlEscaped())
      .toUtf8();
}

// So that a length in pixels, and text of so many points, are what they are on the screen.
int screen_dpi() {
  return static_cast<int>(std::lround(QGuiApplication::primaryScreen()->logicalDotsPerInchX()));
}

Results read_results(const QString& path) {
  return results_from_json(read_file(path.toStdString()), path.toStdString());
}

// The recipe of one file, or the recipes of all.
QString joined_recipes(const QList<Results>& results) {
  if (results.size() == 1) return QString::fromStdString(results.front().recipe);
  QStringList recipes;
  for (const Results& one : results) {
    recipes.push_back(one.recipe.empty() ? u"null"_s : QString::fromStdString(one.recipe));
  }
  return u"[%1]"_s.arg(recipes.join(u",\n"_s));
}

// Without plots asked for, all cards. Throws where one that was asked for is not there.
QList<ResultCard> chosen(const QList<ResultCard>& cards, const QStringList& plots,
                         const QString& file) {
  QStringList names;
  for (const ResultCard& card : cards) names.push_back(card.plot);
  names.removeDuplicates();
  if (names.isEmpty()) {
    throw Error(ErrorKind::kBadInput,
                tr("%1 holds nothing that could be drawn.").arg(file).toStdString());
  }
  for (const QString& plot : plots) {
    if (names.contains(plot)) continue;
    throw Error(ErrorKind::kBadUsage, tr("There is no plot \"%1\" of %2; there are: %3.")
                                          .arg(plot, file, names.join(u", "_s))
                                          .toStdString());
  }
  QList<ResultCard> out;
  for (const ResultCard& card : cards) {
    if (plots.isEmpty() || plots.contains(card.plot)) out.push_back(card);
  }
  return out;
}

}  // namespace

void paint_card(QCPPainter& painter, QWidget& card) {
  painter.setRenderHint(QPainter::LosslessImageRendering);  // a map's colours are its numbers
  paint(painter, card, {}, QWidget::DrawWindowBackground);
}

Drawing drawing_of(QWidget& card) {
  return {card.size(), [&card](QCPPainter& painter) { paint_card(painter, card); }};
}

void lay_out(QWidget& card, const QSize& size) {
  card.setAttribute(Qt::WA_DontShowOnScreen);
  card.resize(size);
  card.show();
  QCoreApplication::sendPostedEvents();
  draw_plots(card);
}

// A plot chooses its labels by its height: it draws once to know it.
void draw_plots(QWidget& part) {
  QList<LivePlot*> plots = part.findChildren<LivePlot*>();
  if (auto* plot = qobject_cast<LivePlot*>(&part)) plots.push_back(plot);
  for (LivePlot* plot : plots) {
    for (int pass = 0; pass < 2; ++pass) {
      plot->refresh();
      plot->canvas()->replot(QCustomPlot::rpImmediateRefresh);
    }
  }
}

QImage image_of(const Drawing& drawing, double scale) {
  const QSize size(static_cast<int>(std::lround(drawing.size.width() * scale)),
                   static_cast<int>(std::lround(drawing.size.height() * scale)));
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) {
    throw Error(ErrorKind::kOutOfMemory, tr("A picture of %1 x %2 pixels does not fit into memory.")
                                             .arg(size.width())
                                             .arg(size.height())
                                             .toStdString());
  }
  image.setDevicePixelRatio(scale);
  image.fill(Qt::transparent);
  paint(image, drawing);
  return image;
}

QByteArray png_of(const Drawing& drawing, const Picture& picture, double scale) {
  return png_of(image_of(drawing, scale), picture);
}

QByteArray png_of(const QImage& image, const Picture& picture) {
  // The writer's own setText() would join words that several spaces part.
  QImage described = image;
  described.setText(u"Title"_s, picture.title);
  if (!picture.recipe.isEmpty()) described.setText(u"recipe"_s, picture.recipe);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QImageWriter writer(&buffer, "png");
  if (!writer.write(described)) {
    throw Error(ErrorKind::kInternal, tr("The picture \"%1\" could not be made: %2.")
                                          .arg(picture.title, writer.errorString())
                                          .toStdString());
  }
  return bytes;
}

QByteArray svg_of(const Drawing& drawing, const Picture& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(drawing.size);
  generator.setViewBox(QRect({}, drawing.size));
  generator.setResolution(screen_dpi());  // fonts are measured in points of the screen
  generator.setTitle(picture.title.toHtmlEscaped());
  generator.setDescription(picture.recipe.toHtmlEscaped());
  paint(generator, drawing);
  // Who has not our typeface shall see one of its kind, and no wider.
  bytes.replace("font-family=\"Farstate Sans\"",
                "font-family=\"Farstate Sans, Inter, Helvetica, Arial, sans-serif\"");
  return bytes;
}

void write_picture(const QString& path, const QByteArray& bytes) {
  write_file_atomic(path.toStdString(),
                    std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
}

QByteArray pdf_of(const Drawing& drawing, const Picture& picture) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter pdf(&buffer);
    pdf.setResolution(screen_dpi());
    const double points = 72.0 / screen_dpi();
    pdf.setPageSize(QPageSize(QSizeF(drawing.size) * points, QPageSize::Point, picture.title,
                              QPageSize::ExactMatch));
    pdf.setPageMargins({});
    pdf.setTitle(picture.title);
    pdf.setCreator(u"Farstate"_s);
    pdf.setDocumentXmpMetadata(metadata_of(picture));
    paint(pdf, drawing);
  }
  return bytes;
}

QStringList render_results(QApplication& app, const RenderRequest& request) {
  QList<Results> results;
  QList<ResultsFile> files;
  for (const QString& path : request.results) {
    results.push_back(read_results(path));
    files.push_back(results_file(results.back(), path));
  }
  const Theme& theme = theme_for(request.theme);
  apply_theme(app, theme);
  const QString recipe = joined_recipes(results);
  QList<std::pair<QString, QByteArray>> pictures;
  for (const ResultCard& card : chosen(result_cards(files, theme), request.plots,
                                       request.results.join(u", "_s))) {
    lay_out(*card.widget, request.size);
    const Picture picture{card.title, recipe};
    const QString name = QDir(request.folder).filePath(card.name);
    if (request.png) pictures.push_back({name + u".png"_s, png_of(drawing_of(*card.widget), picture, request.scale)});
    if (request.svg) pictures.push_back({name + u".svg"_s, svg_of(drawing_of(*card.widget), picture)});
  }
  make_folder(request.folder.toStdString());
  QStringList written;
  for (const auto& [path, bytes] : pictures) {
    write_picture(path, bytes);
    written.push_back(path);
  }
  return written;
}

}  // namespace farstate::desktop
