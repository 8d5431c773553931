// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/plots/live_plot.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "app/desktop/plots/axis_ticker.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/widgets/origin_chip.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {
namespace {

// Markers on the bottom edge belong to a second, hidden y axis from 0 to 1, so that they stay there
// whatever the first one shows.
constexpr double kFloor = 0.02;
constexpr int kBottom = 36, kLowBottom = 20;  // with and without the name of the axis
constexpr int kLow = 140;                     // a plot lower than this does without
constexpr int kDragSlack = 4;                 // pixels before a press becomes a drag
constexpr qsizetype kFewSamples = 512;

Extent extent_of(const QCPRange& range) { return {range.lower, range.upper}; }

QColor blended(const QColor& color, const QColor& towards, double share) {
  const auto mix = [share](int a, int b) {
    return static_cast<int>(std::lround((1 - share) * a + share * b));
  };
  return {mix(color.red(), towards.red()), mix(color.green(), towards.green()),
          mix(color.blue(), towards.blue())};
}

void add_markers(QCustomPlot* plot, const QVector<double>& x, const QVector<double>& y,
                 const QCPScatterStyle& style) {
  if (x.isEmpty()) return;
  QCPGraph* graph = plot->addGraph();
  graph->setLineStyle(QCPGraph::lsNone);
  graph->setScatterStyle(style);
  graph->setData(x, y);
}

// A plot that does not zoom gives the wheel to what scrolls it. QCustomPlot keeps it from its
// parents, and Qt passes on what comes from the mouse alone: so each is asked in turn.
void hand_on(const QWidget* from, QEvent* event) {
  event->ignore();
  for (QWidget* to = from->parentWidget(); to != nullptr && !event->isAccepted();
       to = to->parentWidget()) {
    QCoreApplication::sendEvent(to, event);
  }
}

}  // namespace

LivePlot::LivePlot(QWidget* parent)
    : QWidget(parent), plot_(new QCustomPlot(this)), theme_(&theme_for(ThemeMode::kLight)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  overlay_ = new PlotOverlay(this);
  overlay_->raise();
  origin_ = new OriginChip(this);
  make_follow_chip();
  setFocusPolicy(Qt::StrongFocus);
  plot_->setNoAntialiasingOnDrag(true);
  plot_->setMinimumSize(1, 1);  // QCustomPlot can't paint into nothing
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot_->setPlottingHint(QCP::phCacheLabels, true);
  plot_->axisRect()->setAutoMargins(QCP::msNone);
  plot_->axisRect()->setMinimumMargins(QMargins());
  plot_->plotLayout()->setRowSpacing(0);
  plot_->yAxis2->setRange(0, 1);
  plot_->xAxis2->setRange(0, 1);
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
    axis->setTickLength(0, 0);
    axis->setSubTicks(false);
    axis->setTickLabelPadding(5);
    axis->grid()->setSubGridVisible(false);
  }
  wire();
}

void LivePlot::wire() {
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
  wire_mouse();
  connect(plot_, &QCustomPlot::afterReplot, this, [this] {
    overlay_->set_plot_area(plot_area());
    place_chips();
    show_cursor(cursor_x_);
    placed();
    update_pointer();
  });
  const auto changed = qOverload<const QCPRange&>(&QCPAxis::rangeChanged);
  connect(plot_->xAxis, changed, this, [this] {
    keep_in_bounds(plot_->xAxis, x_home_);
    if (held_ && !clamping_) {
      Q_EMIT x_range_held(plot_->xAxis->range().lower, plot_->xAxis->range().upper);
    }
  });
  connect(plot_->yAxis, changed, this, [this] { keep_in_bounds(plot_->yAxis, y_home_); });
}

// A press moves nothing: it may become a click. Only when the mouse has left its place is it the
// drag of the view, or of what lay under the press.
void LivePlot::wire_mouse() {
  connect(plot_, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
    const Qt::Orientations one =
        event->modifiers().testFlag(Qt::ShiftModifier) ? Qt::Vertical : Qt::Horizontal;
    plot_->axisRect()->setRangeZoom(one & zoomable_);
    if ((one & zoomable_) != 0) set_held(true);
  });
  connect(plot_, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    plot_->axisRect()->setRangeDrag({});
    if (event->button() != Qt::LeftButton) return;
    pressed_ = event->pos();
    holds_ = take_hold(event->pos());
  });
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) released(event->pos(), event->modifiers());
  });
  connect(plot_, &QCustomPlot::mouseMove, this,
          [this](QMouseEvent* event) { pointer_moved(event->pos(), event->buttons()); });
  connect(plot_, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) double_clicked(event->pos());
  });
}

void LivePlot::released(const QPoint& pixel, Qt::KeyboardModifiers modifiers) {
  const bool click = pressed_ && !is_dragging() && !holds_ && plot_area().contains(pixel);
  pressed_.reset();
  dragging_ = Dragging::kNothing;
  holds_ = false;
  if (click) clicked(pixel, modifiers);
}

bool LivePlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched == plot_ && event->type() == QEvent::Leave) {
    pointer_.reset();
    update_pointer();
  }
  // QCustomPlot lets nothing of the mouse through to the widget around it.
  if (watched == plot_ && event->type() == QEvent::ContextMenu) {
    contextMenuEvent(static_cast<QContextMenuEvent*>(event));
    return true;
  }
  if (watched == plot_ && event->type() == QEvent::Wheel && zoomable_ == Qt::Orientations()) {
    hand_on(this, event);
    return true;
  }
  // QCustomPlot would draw itself at its new size, which nobody sees; refresh() makes up for it.
  if (watched == plot_ && event->type() == QEvent::Resize && window()->isMinimized()) return true;
  return QWidget::eventFilter(watched, event);
}

void LivePlot::pointer_moved(const QPoint& pixel, Qt::MouseButtons buttons) {
  pointer_ = pixel;
  if (pressed_ && buttons.testFlag(Qt::LeftButton) && !is_dragging() &&
      (pixel - *pressed_).manhattanLength() > kDragSlack) {
    dragging_ = holds_ ? Dragging::kHeld : Dragging::kView;
    if (!holds_) {
      plot_->axisRect()->setRangeDrag(zoomable_);
      set_held(true);
    }
  }
  if (dragging_ == Dragging::kHeld) drag_held(pixel);
  update_pointer();
}

// Also after each replot: under a still mouse the values go on changing.
void LivePlot::update_pointer() {
  if (!pointer_ || !plot_area().contains(*pointer_)) {
    if (shown_tip() != nullptr) {
      show_tip(std::nullopt);
      pointed(std::nullopt);
    }
    return;
  }
  std::optional<double> x = snapped_x(*pointer_);
  if (x && covered(*x)) x.reset();
  show_tip(x ? tip_at(*pointer_) : std::nullopt);
  pointed(x);
}

void LivePlot::show_tip(const std::optional<Tip>& tip) {
  if (!tip) {
    if (tip_box_ != nullptr) tip_box_->hide();
    return;
  }
  if (tip_box_ == nullptr) tip_box_ = new TipBox(window());
  tip_box_->set_theme(*theme_);
  tip_box_->show_tip(nearest_rows(*tip, pointer_->y()), plot_->mapTo(window(), *pointer_));
}

const Tip* LivePlot::shown_tip() const {
  return tip_box_ != nullptr && !tip_box_->isHidden() ? &tip_box_->tip() : nullptr;
}

void LivePlot::set_theme(const Theme& theme) {
  theme_ = &theme;
  overlay_->set_theme(theme);
  origin_->set_theme(theme);
  plot_->setBackground(theme.surface);
  for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
    axis->setBasePen(axis == plot_->xAxis ? QPen(theme.axis, 1) : QPen(Qt::NoPen));
    axis->setTickPen(Qt::NoPen);
    axis->setTickLabelColor(theme.muted);
    axis->setLabelColor(theme.muted);
    axis->setTickLabelFont(text_font(TextSize::kSmall));
    axis->setLabelFont(text_font(TextSize::kSmall));
    axis->grid()->setPen(QPen(theme.grid, 1));
    axis->grid()->setZeroLinePen(Qt::NoPen);
  }
  fit_bottom();
  place_chips();
  recolor();
  Q_EMIT dirtied();
}

void LivePlot::refresh() {
  nonpositive_ = nonfinite_ = outliers_ = 0;
  first_bad_x_.reset();
  plot_->setViewport(plot_->rect());
  rebuild();
  write_note();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

double LivePlot::replot_ms() const { return plot_->replotTime(true); }

void LivePlot::follow() {
  set_held(false);
  show_home();
  redraw();
}

void LivePlot::redraw() {
  if (in_sight()) {
    plot_->replot(QCustomPlot::rpQueuedReplot);
  } else {
    Q_EMIT dirtied();
  }
}

void LivePlot::set_held(bool held) {
  if (held_ == held) return;
  held_ = held;
  follow_chip_->setVisible(held && !posing_);
  place_chips();
  Q_EMIT held_changed(held);
}

void LivePlot::set_home(const Extent& x, const Extent& y) {
  x_home_ = x;
  y_home_ = y;
  if (!held_) show_home();
}

void LivePlot::show_home() {
  clamping_ = true;
  plot_->xAxis->setRange(x_home_.low, x_home_.high);
  plot_->yAxis->setRange(y_home_.low, y_home_.high);
  clamping_ = false;
}

void LivePlot::hold_x(const Extent& x) {
  set_held(true);
  clamping_ = true;
  plot_->xAxis->setRange(x.low, x.high);
  clamping_ = false;
  redraw();
}

void LivePlot::keep_in_bounds(QCPAxis* axis, const Extent& home) {
  if (!held_ || clamping_) return;
  const Extent now = extent_of(axis->range());
  const Extent kept = clamped(now, home, axis->scaleType() == QCPAxis::stLogarithmic);
  clamping_ = true;
  if (std::abs(kept.low - now.low) > 1e-9 * std::abs(now.low) ||
      std::abs(kept.high - now.high) > 1e-9 * std::abs(now.high)) {
    axis->setRange(kept.low, kept.high);
  }
  clamping_ = false;
}

void LivePlot::set_axis(QCPAxis* axis, AxisKind kind, const Words& label) {
  axis->setScaleType(kind == AxisKind::kLinear ? QCPAxis::stLinear : QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<AxisTicker>::create(axis, kind));
  if (axis != plot_->xAxis) return;
  x_label_ = label;
  fit_bottom();
}

void LivePlot::set_margins(int left, int right, int top) {
  margins_ = QMargins(left, top, right, 0);
  fit_bottom();
}

void LivePlot::fit_bottom() {
  const bool low = height() < kLow * text_scale();
  QMargins margins = margins_;
  margins.setBottom(low ? kLowBottom : kBottom);
  margins *= text_scale();
  plot_->axisRect()->setMargins(margins);
  plot_->xAxis->setLabel(low ? QString() : x_label_());
  bottom_changed(margins.bottom());
}

void LivePlot::show_origin(bool live, const QString& text, const QString& tip) {
  origin_->show_origin(live, text, tip);
  place_chips();
}

void LivePlot::make_follow_chip() {
  follow_chip_ = new QToolButton(this);
  follow_chip_->setProperty("role", QStringLiteral("segment"));
  follow_chip_->setProperty("place", QStringLiteral("only"));
  set_text(follow_chip_, TextSize::kSmall, QFont::Medium);
  follow_chip_->setFocusPolicy(Qt::TabFocus);
  follow_chip_->setCursor(Qt::ArrowCursor);
  worded(follow_chip_, [this] {
    follow_chip_->setText(tr("View held · Follow"));
    follow_chip_->setToolTip(tr("New data does not move this view. Shows all data again, as a "
                                "double-click does."));
    place_chips();
  });
  follow_chip_->hide();
  connect(follow_chip_, &QToolButton::clicked, this, [this] { follow(); });
}

void LivePlot::place_chips() {
  const QMargins margins = plot_->axisRect()->margins();
  const int x = origin_right_ ? width() - margins.right() - origin_->width() : margins.left();
  origin_->move(x, std::max(0, margins.top() - origin_->height() - 3));
  follow_chip_->adjustSize();
  const QRect area = plot_area();
  follow_chip_->move(std::max(0, area.right() - follow_chip_->width() - 3), area.top() + 4);
}

// Nothing that was measured is left out in silence.
void LivePlot::write_note() {
  QStringList parts;
  if (nonpositive_ > 0) {
    parts.push_back(tr("%Ln point(s) at or below 0: ▲ at the edge", nullptr,
                       static_cast<int>(nonpositive_)));
  }
  if (nonfinite_ > 0 && first_bad_x_) {
    parts.push_back(tr("%Ln value(s) not finite, the first at %1", nullptr,
                       static_cast<int>(nonfinite_))
                        .arg(QLocale().toString(*first_bad_x_, 'g', 6)));
  }
  if (outliers_ > 0) {
    parts.push_back(tr("%Ln value(s) far outside", nullptr, static_cast<int>(outliers_)));
  }
  overlay_->set_note(empty_ ? QString() : parts.join(QStringLiteral(" · ")));
}

void LivePlot::set_posing(bool posing) {
  posing_ = posing;
  overlay_->set_bare(posing);
  follow_chip_->setVisible(held_ && !posing);
  // What was live when a picture was taken is not when it is looked at; recorded stays recorded.
  origin_->setVisible(!origin_->text().isEmpty() && !(posing && origin_->live()));
}

void LivePlot::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  add_to_menu(*menu, event->reason() == QContextMenuEvent::Mouse ? event->pos() : QPoint(-1, -1));
  if (!menu->isEmpty()) menu->addSeparator();
  add_offered(*menu);
  menu->addAction(tr("Show all data"), this, [this] { follow(); })->setEnabled(held_);
  Q_EMIT menu_opened(menu);
  menu->popup(event->reason() == QContextMenuEvent::Mouse ? event->globalPos()
                                                          : mapToGlobal(plot_area().center()));
}

void LivePlot::add_offered(QMenu& menu) {
  for (Segmented* choice : offered_) {
    QMenu* one = menu.addMenu(choice->accessibleName());
    auto* group = new QActionGroup(one);
    const QStringList labels = choice->labels();
    for (int i = 0; i < labels.size(); ++i) {
      QAction* action = one->addAction(labels[i], choice, [choice, i] { choice->pick(i); });
      action->setCheckable(true);
      action->setActionGroup(group);
      action->setChecked(i == choice->chosen());
    }
  }
}

// Outlined when the keyboard led here; after a click what it changed says enough.
void LivePlot::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  overlay_->set_focused(event->reason() == Qt::TabFocusReason ||
                        event->reason() == Qt::BacktabFocusReason);
}

void LivePlot::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  overlay_->set_focused(false);
}

void LivePlot::show_cursor(std::optional<double> x) {
  cursor_x_ = x;
  overlay_->set_cursor_x(x ? std::optional(std::round(to_pixel(*x)) + 0.5) : std::nullopt);
}

// One pixel, whatever the theme: thicker antialiased pens cost 30 times as much per replot. Short
// curves may have more.
void LivePlot::draw_line(const CleanCurve& curve, const LineStyle& line, qreal width) {
  QCPGraph* graph = plot_->addGraph();
  // In pixels of the device: on a fine screen one is too thin to be followed.
  graph->setPen(pen_of(line, curve.x.size() > kFewSamples ? 1 : width * devicePixelRatioF()));
  graph->setData(curve.x, curve.y);
}

void LivePlot::draw(const CleanCurve& curve, const LineStyle& line, qreal width) {
  draw_line(curve, line, width);
  nonpositive_ += curve.nonpositive;
  nonfinite_ += curve.nonfinite;
  outliers_ += curve.outliers;
  if (curve.first_bad_x) first_bad_x_ = std::min(*curve.first_bad_x, first_bad_x_.value_or(*curve.first_bad_x));
  using Style = QCPScatterStyle;
  add_markers(plot_, curve.dot_x, curve.dot_y, Style(Style::ssDisc, line.color, 4));
  if (!curve.bad_x.isEmpty()) {
    add_markers(plot_, curve.bad_x, curve.bad_y,
                Style(Style::ssTriangle, QPen(theme_->danger), theme_->danger, 7));
  }
  if (!curve.floor_x.isEmpty()) {
    QCPGraph* floor = plot_->addGraph(plot_->xAxis, plot_->yAxis2);
    floor->setLineStyle(QCPGraph::lsNone);
    floor->setScatterStyle(Style(Style::ssTriangle, QPen(line.color), line.color, 8));
    floor->setData(curve.floor_x, QVector<double>(curve.floor_x.size(), kFloor));
  }
  if (!curve.edge_y.isEmpty()) add_edge_markers(curve, line.color);
}

// At the left edge, as those below the axis are at the bottom.
void LivePlot::add_edge_markers(const CleanCurve& curve, const QColor& color) {
  QPainterPath pointing_left;
  pointing_left.addPolygon(QPolygonF({{-4, 0}, {4, -4}, {4, 4}}));
  pointing_left.closeSubpath();
  for (const double y : curve.edge_y) {
    QCPGraph* edge =
        plot_->addGraph(plot_->xAxis2, std::isnan(y) ? plot_->yAxis2 : plot_->yAxis);
    edge->setLineStyle(QCPGraph::lsNone);
    edge->setScatterStyle(QCPScatterStyle(pointing_left, QPen(color), color));
    edge->setData({kFloor}, {std::isnan(y) ? kFloor : y});
  }
}

void LivePlot::draw_band(std::span<const double> x, std::span<const double> low,
                         std::span<const double> high, const QColor& color, bool log_x,
                         bool log_y) {
  const CleanCurve lower = sanitize(x, low, log_x, log_y);
  const CleanCurve upper = sanitize(x, high, log_x, log_y);
  if (lower.x.size() < 2 || upper.x.size() < 2) return;
  QCPGraph* floor = plot_->addGraph();
  QCPGraph* top = plot_->addGraph();
  floor->setPen(Qt::NoPen);
  top->setPen(Qt::NoPen);
  floor->setData(lower.x, lower.y);
  top->setData(upper.x, upper.y);
  QColor fill = color;
  fill.setAlphaF(theme_->dark ? 0.20F : 0.15F);
  top->setBrush(fill);
  top->setChannelFillGraph(floor);
}

void LivePlot::set_placeholder(const QString& text) {
  empty_ = !text.isEmpty();
  overlay_->set_placeholder(text);
  plot_->xAxis->setVisible(!empty_);
  plot_->yAxis->setVisible(!empty_);
}

QColor LivePlot::ghost(const QColor& color) const { return blended(color, theme_->surface, 0.4); }

QCPAxis* LivePlot::x_axis() const { return plot_->xAxis; }
QCPAxis* LivePlot::y_axis() const { return plot_->yAxis; }
QRect LivePlot::plot_area() const { return plot_->axisRect()->rect(); }
double LivePlot::to_x(double pixel) const { return plot_->xAxis->pixelToCoord(pixel); }
double LivePlot::to_height(double y) const { return plot_->yAxis->coordToPixel(y); }
double LivePlot::to_pixel(double x) const { return plot_->xAxis->coordToPixel(x); }
Extent LivePlot::x_range() const { return extent_of(plot_->xAxis->range()); }
Extent LivePlot::y_range() const { return extent_of(plot_->yAxis->range()); }

void LivePlot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  overlay_->setGeometry(rect());
  fit_bottom();
  place_chips();
  Q_EMIT dirtied();
}

void LivePlot::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Q_EMIT dirtied();
}

// What stands in the plot is said anew when it is drawn.
void LivePlot::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::LanguageChange) return;
  fit_bottom();
  Q_EMIT dirtied();
}

void LivePlot::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  pointer_.reset();
  update_pointer();
}

}  // namespace farstate::desktop
