// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/position_plot.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/desktop/models/measurement_book.h"
#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/widgets/origin_chip.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

namespace {

QCPItemStraightLine* vertical_line(QCustomPlot* canvas) {
  using P = QCPItemPosition;
  auto* line = new QCPItemStraightLine(canvas);
  line->setLayer(QStringLiteral("overlay"));
  for (P* point : {line->point1, line->point2}) {
    point->setTypeX(P::ptPlotCoords);
    point->setTypeY(P::ptAxisRectRatio);
  }
  return line;
}

void place_vertical(QCPItemStraightLine* line, double x) {
  line->point1->setCoords(x, 0);
  line->point2->setCoords(x, 1);
}

}  // namespace

PositionPlot::PositionPlot(QWidget* parent) : LivePlot(parent) {
  set_axis(x_axis(), AxisKind::kOctaves, [] { return tr("position (tokens)"); });
  using P = QCPItemPosition;
  beyond_ = new QCPItemRect(canvas());
  beyond_->setLayer(QStringLiteral("background"));
  beyond_->setPen(Qt::NoPen);
  beyond_->topLeft->setTypeX(P::ptPlotCoords);
  beyond_->topLeft->setTypeY(P::ptAxisRectRatio);
  beyond_->bottomRight->setType(P::ptAxisRectRatio);
  beyond_->bottomRight->setCoords(1, 1);
  limit_ = vertical_line(canvas());
  front_line_ = vertical_line(canvas());
  never_ = new QCPItemText(canvas());
  context_label_ = new QCPItemText(canvas());
  for (QCPItemText* text : {never_, context_label_}) {
    text->setText({});
    text->setClipToAxisRect(false);
    text->position->setTypeX(P::ptPlotCoords);
    text->position->setTypeY(P::ptAxisRectRatio);
    text->setPadding(QMargins());
  }
  worded(this, [this] { never_->setText(tr("never trained here")); });
  never_->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  never_->setPadding(QMargins(6, 0, 0, 4));
  context_label_->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
  context_label_->setPadding(QMargins(0, 5, 0, 0));
  make_cover();
  connect(canvas(), &QCustomPlot::beforeReplot, this, [this] {
    place_limit();
    place_front();
    place_cover();
  });
}

// On a layer above the curves, which are made anew again and again.
void PositionPlot::make_cover() {
  using P = QCPItemPosition;
  canvas()->addLayer(QStringLiteral("cover"), canvas()->layer(QStringLiteral("main")));
  cover_ = new QCPItemRect(canvas());
  cover_words_ = new QCPItemText(canvas());
  for (QCPAbstractItem* item : {static_cast<QCPAbstractItem*>(cover_),
                                static_cast<QCPAbstractItem*>(cover_words_)}) {
    item->setLayer(QStringLiteral("cover"));
    item->setVisible(false);
  }
  cover_->topLeft->setTypeX(P::ptPlotCoords);
  cover_->topLeft->setTypeY(P::ptAxisRectRatio);
  cover_->bottomRight->setType(P::ptAxisRectRatio);
  cover_->bottomRight->setCoords(1, 1);
  cover_words_->setText({});
  cover_words_->position->setType(P::ptAbsolute);
  cover_words_->setPositionAlignment(Qt::AlignCenter);
}

void PositionPlot::set_cover(std::optional<double> from, const QString& words) {
  if (cover_from_ == from && cover_said_ == words) return;
  cover_from_ = from;
  cover_said_ = words;
  Q_EMIT dirtied();
}

void PositionPlot::place_cover() {
  const bool seen = cover_from_ && !has_placeholder() && *cover_from_ < x_range().high;
  cover_->setVisible(seen);
  cover_words_->setVisible(seen);
  if (!seen) return;
  const double left = std::max(*cover_from_, x_range().low);
  const QRect area = plot_area();
  cover_->topLeft->setCoords(left, 0);
  const double room = area.right() - to_pixel(left);
  const bool fits = QFontMetrics(cover_words_->font()).horizontalAdvance(cover_said_) < room;
  cover_words_->setText(fits ? cover_said_ : QString());
  cover_words_->position->setCoords((to_pixel(left) + area.right()) / 2.0, area.center().y());
}

void PositionPlot::set_trained_context(int64_t context) {
  if (context_ == context) return;
  context_ = context;
  mark_context();
  Q_EMIT dirtied();
}

void PositionPlot::mark_context() {
  qSharedPointerCast<AxisTicker>(x_axis()->ticker())
      ->set_reference(context_ > 0 ? std::optional(static_cast<double>(context_)) : std::nullopt);
}

void PositionPlot::set_log_x(bool log) {
  if (log_x_ == log) return;
  log_x_ = log;
  set_axis(x_axis(), log ? AxisKind::kOctaves : AxisKind::kLinear,
           [] { return tr("position (tokens)"); });
  mark_context();
  follow();  // a range that suited the one axis says nothing on the other
  Q_EMIT dirtied();
}

void PositionPlot::set_front(std::optional<double> position) {
  if (front_ == position) return;
  front_ = position;
  Q_EMIT dirtied();
}

void PositionPlot::place_front() {
  const bool inside = front_ && !has_placeholder() && *front_ >= x_range().low &&
                      *front_ <= x_range().high;
  front_line_->setVisible(inside);
  if (inside) place_vertical(front_line_, *front_);
}

// The chip that says where the curves are from may reach so far in a narrow plot, and says more.
bool PositionPlot::is_free_beyond(double t) const {
  const QRect chip = origin()->geometry();
  const int left = static_cast<int>(to_pixel(t));
  const int right = left + QFontMetrics(never_->font()).horizontalAdvance(never_->text());
  return origin()->isHidden() || chip.right() < left || chip.left() > right;
}

// The limit is hidden, label and all, where a zoom has moved it out of sight.
void PositionPlot::place_limit() {
  const auto t = static_cast<double>(context_);
  const bool inside =
      context_ > 0 && !has_placeholder() && t >= x_range().low && t <= x_range().high;
  limit_->setVisible(inside);
  context_label_->setVisible(inside);
  never_->setVisible(inside && !terse_ && is_free_beyond(t));
  beyond_->setVisible(context_ > 0 && !has_placeholder() && t <= x_range().high);
  if (context_ <= 0) return;
  beyond_->topLeft->setCoords(t, 0);
  place_vertical(limit_, t);
  never_->position->setCoords(t, 0);
  context_label_->position->setCoords(t, 1);
  context_label_->setText(limit_name().arg(QLocale().toString(context_)));
}

std::optional<QPoint> PositionPlot::limit_point() const {
  if (!limit_->visible()) return std::nullopt;
  return QPoint(static_cast<int>(to_pixel(static_cast<double>(context_))), plot_area().center().y());
}

QString PositionPlot::limit_name() const { return tr("T = %1"); }

void PositionPlot::recolor() {
  beyond_->setBrush(theme().beyond);
  set_line_colors(theme().trained_limit, theme().good);
  cover_->setPen(Qt::NoPen);
  cover_->setBrush(QBrush(theme().beyond));
  cover_words_->setColor(theme().muted);
  cover_words_->setFont(text_font(TextSize::kSmall));
  never_->setColor(theme().muted);
  never_->setFont(text_font(TextSize::kSmall));
  context_label_->setColor(theme().text);
  context_label_->setFont(text_font(TextSize::kSmall, QFont::DemiBold));
}

void PositionPlot::set_line_colors(const QColor& limit, const QColor& front) {
  limit_->setPen(pen_of({limit, {4, 3}}));
  front_line_->setPen(QPen(front, 1));
}

void PositionPlot::pointed(std::optional<double> x) {
  show_cursor(x);
  Q_EMIT pointed_at(x);
}

void PositionPlot::follow_cursor(std::optional<double> position) { show_cursor(position); }

void PositionPlot::show_pins(const Focus::Pins& pins) {
  pins_ = pins;
  place_pins();
}

void PositionPlot::place_pins() {
  std::array<std::optional<double>, 2> pixels;
  for (size_t i = 0; i < pixels.size(); ++i) {
    if (pins_[i] && !has_placeholder()) pixels[i] = to_pixel(static_cast<double>(*pins_[i]));
  }
  overlay()->set_pins(pixels);
}

std::optional<int64_t> PositionPlot::sample_near(double position) const {
  const auto sample = nearest_sample(samples_, position, log_x_);
  if (!sample) return std::nullopt;
  return std::llround(samples_[*sample]);
}

void PositionPlot::clicked(const QPoint& pixel, Qt::KeyboardModifiers modifiers) {
  const auto position = sample_near(to_x(pixel.x()));
  pins_before_click_ = pins_;
  if (!position) return;
  const bool second = modifiers.testFlag(Qt::ShiftModifier);
  Q_EMIT pin_wanted(second ? Focus::kB : Focus::kA, position);
}

void PositionPlot::double_clicked(const QPoint& pixel) {
  if (const std::optional<int> badge = overlay()->badge_at(pixel)) {
    Q_EMIT pin_wanted(*badge == 0 ? Focus::kA : Focus::kB, std::nullopt);
    return;
  }
  // The first half of the double click was taken for a click.
  const auto before = std::exchange(pins_before_click_, std::nullopt);
  for (const Focus::Pin pin : {Focus::kA, Focus::kB}) {
    if (before && (*before)[pin] != pins_[pin]) Q_EMIT pin_wanted(pin, (*before)[pin]);
  }
  follow();
}

bool PositionPlot::take_hold(const QPoint& pixel) {
  const std::optional<int> badge = overlay()->badge_at(pixel);
  if (badge) held_pin_ = *badge == 0 ? Focus::kA : Focus::kB;
  return badge.has_value();
}

void PositionPlot::drag_held(const QPoint& pixel) {
  const QRect area = plot_area();
  const int x = std::clamp(pixel.x(), area.left(), area.right());
  const auto position = sample_near(to_x(x));
  if (position && position != pins_[held_pin_]) Q_EMIT pin_wanted(held_pin_, position);
}

void PositionPlot::step_pin(Focus::Pin pin, int by) {
  if (samples_.empty()) return;
  const auto last = static_cast<int64_t>(samples_.size()) - 1;
  int64_t to = last / 2;
  if (pins_[pin]) {
    const auto at = nearest_sample(samples_, static_cast<double>(*pins_[pin]), log_x_);
    to = std::clamp<int64_t>(static_cast<int64_t>(*at) + by, 0, last);
  }
  Q_EMIT pin_wanted(pin, std::llround(samples_[static_cast<size_t>(to)]));
}

void PositionPlot::keyPressEvent(QKeyEvent* event) {
  const Focus::Pin pin =
      event->modifiers().testFlag(Qt::ShiftModifier) ? Focus::kB : Focus::kA;
  switch (event->key()) {
    case Qt::Key_Left:
      return step_pin(pin, -1);
    case Qt::Key_Right:
      return step_pin(pin, 1);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      Q_EMIT pin_wanted(pin, std::nullopt);
      return;
    default:
      LivePlot::keyPressEvent(event);
  }
}

void PositionPlot::add_to_menu(QMenu& menu, const QPoint& pixel) {
  const auto here = plot_area().contains(pixel) ? sample_near(to_x(pixel.x())) : std::nullopt;
  for (const Focus::Pin pin : {Focus::kA, Focus::kB}) {
    const QString name = pin == Focus::kA ? tr("A") : tr("B");
    if (here) {
      menu.addAction(tr("Pin %1 at %2").arg(name, QLocale().toString(qint64(*here))), this,
                     [this, pin, here] { Q_EMIT pin_wanted(pin, here); });
    }
    if (pins_[pin]) {
      menu.addAction(tr("Remove pin %1").arg(name), this,
                     [this, pin] { Q_EMIT pin_wanted(pin, std::nullopt); });
    }
  }
}

}  // namespace farstate::desktop
