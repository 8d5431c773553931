// SPDX-License-Identifier: GPL-3.0-or-later
// Plots as files: the pictures of results without a window, on a machine without a display.
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>

#include "app/desktop/theme.h"

class QApplication;
class QCPPainter;
class QImage;
class QWidget;

namespace farstate::desktop {

// What a picture's file says of it.
struct Picture {
  QString title;
  QString recipe;  // JSON; empty: none
};
// Something that can be drawn at any scale, curves as curves and text as text.
struct Drawing {
  QSize size;  // in pixels of a screen
  std::function<void(QCPPainter&)> paint;
};
Drawing drawing_of(QWidget& card);  // with all in it, at the size it has

QImage image_of(const Drawing& drawing, double scale);  // pixels for each of the screen's
// The recipe is the text "recipe".
QByteArray png_of(const QImage& image, const Picture& picture);
QByteArray png_of(const Drawing& drawing, const Picture& picture, double scale);
// The recipe is the description.
QByteArray svg_of(const Drawing& drawing, const Picture& picture);
// One page of the drawing's size. The recipe is the description in its metadata.
QByteArray pdf_of(const Drawing& drawing, const Picture& picture);

void write_picture(const QString& path, const QByteArray& bytes);  // whole or not at all; throws Error

// At the painter's place.
void paint_card(QCPPainter& painter, QWidget& card);
// Gives a card that nobody sees this size, and lets its plots draw what they were given.
void lay_out(QWidget& card, const QSize& size);
// Lets the plots in a part of the window draw what they were given, at the size they have.
void draw_plots(QWidget& part);

struct RenderRequest {
  QStringList results;  // files of farstate.results/1: the base, then what is drawn over it
  QString folder;       // made where it is not there
  bool png = true, svg = false;
  QStringList plots;  // "state", "perplexity", …; empty: all that there is something of
  ThemeMode theme = ThemeMode::kLight;
  QSize size{960, 420};  // of each card
  double scale = 2;      // of PNGs
};

// Returns the files that were written. Throws Error, and then has written none.
QStringList render_results(QApplication& app, const RenderRequest& request);

}  // namespace farstate::desktop
