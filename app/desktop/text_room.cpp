// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/text_room.h"

#include <QEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

constexpr char kTextWidth[] = "textWidth";

class FontWatch : public QObject {
 public:
  FontWatch(QWidget* widget, std::function<void()> fit) : QObject(widget), fit_(std::move(fit)) {
    widget->installEventFilter(this);
    fit_();
  }
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == parent() && event->type() == QEvent::FontChange) fit_();
    return false;
  }

 private:
  std::function<void()> fit_;
};

}  // namespace

int text_room(int pixels) {
  return static_cast<int>(std::ceil(pixels * std::max(1.0, text_scale())));
}

void set_text_width(QWidget* widget, int pixels) {
  const auto fit = [widget] {
    widget->setFixedWidth(text_room(widget->property(kTextWidth).toInt()));
  };
  const bool watched = widget->property(kTextWidth).isValid();
  widget->setProperty(kTextWidth, pixels);
  watched ? fit() : with_font_of(widget, fit);
}

void with_font_of(QWidget* widget, std::function<void()> fit) { new FontWatch(widget, std::move(fit)); }

}  // namespace farstate::desktop
