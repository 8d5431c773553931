// SPDX-License-Identifier: GPL-3.0-or-later
// One table of colours and sizes. Widgets (Fusion, a palette, a short style sheet) and plots draw
// from it and from nothing else.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

class QApplication;
class QIcon;
class QWidget;

namespace farstate::desktop {

enum class ThemeMode { kLight, kDark, kSystem };

struct Theme {
  bool dark = false;
  QColor window, surface, field, border, hover;
  QColor text, muted, faint;  // faint: text of controls that cannot be used now
  QColor accent, accent_hover, on_accent, accent_soft;
  QColor good, warning, danger, warning_soft, danger_soft;
  QColor grid, axis, beyond, trained_limit, cursor, hatch;
  QColor training, pin_a, pin_b;  // states in training, and at the two pins
  QColor positive, negative;      // the two ends of what is zero in the middle
  QColor tip, tip_text, tip_muted;
  QColor token;  // every other token's ground; its neighbours' is accent_soft
  QColor veil;   // over what a sheet covers
  QColor loss_some, loss_high;  // a token's ground at 3 and 8 nats; surface at 0

  // Sizes in device-independent pixels.
  static constexpr int kGap = 10;  // between cards
  static constexpr int kPad = 13;  // inside a card
  static constexpr int kRadius = 6;
  static constexpr int kRow = 26;     // height of a field
  static constexpr int kButton = 32;  // height of a button in the top row
};

const Theme& theme_for(ThemeMode mode);  // system: by the lightness of the desktop's palette

enum class TextSize { kSmall, kBody, kTitle, kHeading };
QFont text_font(TextSize size, QFont::Weight weight = QFont::Normal);  // for what is painted

// The text of a widget that is not of the usual size and weight. The style sheet holds the fonts,
// since it gives a widget back the one from before its first polish each time it changes; children
// take nothing from it.
void set_text(QWidget* widget, TextSize size, QFont::Weight weight = QFont::Normal);

// One factor for all text, plots included, such as 1.4 where a class looks on. Takes effect with
// the next apply_theme() and the plots' set_theme().
double text_scale();
void set_text_scale(double factor);

// Once, after the application exists: registers the bundled typeface, picks the Fusion style.
void prepare_application(QApplication& app);
void apply_theme(QApplication& app, const Theme& theme);
void apply_theme(QWidget& part, const Theme& theme);  // to it alone

// An icon of resources/icons in one colour, with a fainter version for disabled widgets.
QIcon themed_icon(const QString& name, const QColor& color, const QColor& disabled);
QIcon themed_icon(const QString& name, const QColor& color);

}  // namespace farstate::desktop
