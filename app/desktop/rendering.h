// SPDX-License-Identifier: GPL-3.0-or-later
// Plots as files: the pictures of results without a window, on a machine without a display.
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>

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
// The recipe is the text "recipe".
QByteArray png_of(const QImage& image, const Picture& picture);
// A card, drawn anew with `scale` pixels for each of the screen's.
QByteArray png_of(QWidget& card, const Picture& picture, double scale);
// Curves as curves and text as text. The recipe is the description.
QByteArray svg_of(QWidget& card, const Picture& picture);

// Curves as curves and text as text, at the painter's place.
void paint_card(QCPPainter& painter, QWidget& card);
// Gives a card that nobody sees this size, and lets its plots draw what they were given.
void lay_out(QWidget& card, const QSize& size);

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
