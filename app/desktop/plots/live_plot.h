// SPDX-License-Identifier: GPL-3.0-or-later
// What every plot of the window shares: theme, axes, the home range that follows the data until a
// person zooms, the cursor and its tip. A plot never draws by itself when data comes: it says
// dirtied(), and the paint coordinator calls refresh() when its turn has come.
#pragma once

#include <QWidget>
#include <optional>

#include "app/desktop/intervention_style.h"
#include "app/desktop/models/data_table.h"
#include "app/desktop/plots/plot_overlay.h"
#include "app/desktop/plots/plot_sanitizer.h"
#include "app/desktop/plots/tip_box.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/wording.h"

class QCPAxis;
class QCustomPlot;
class QMenu;
class QToolButton;

namespace farstate::desktop {

class OriginChip;
class Segmented;

enum class AxisKind { kLinear, kLog, kOctaves };

class LivePlot : public QWidget {
  Q_OBJECT
 public:
  explicit LivePlot(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void refresh();
  double replot_ms() const;  // what the last replots cost, averaged

  // Held: a person zoomed or dragged, and new data no longer moves the view.
  bool held() const { return held_; }
  void follow();

  Extent x_range() const;
  Extent y_range() const;
  Extent x_home() const { return x_home_; }
  std::optional<double> cursor_x() const { return cursor_x_; }
  const Tip* shown_tip() const;  // null: none
  TipBox* tip_box() const { return tip_box_; }
  // In the room above the axes; without a text it is not shown.
  OriginChip* origin() const { return origin_; }
  void show_origin(bool live, const QString& text, const QString& tip);
  QCustomPlot* canvas() const { return plot_; }

  // Of a picture or a file of it: says what is shown also where a choice beside the plot says it.
  virtual QString title() const { return accessibleName(); }
  // As measured, also what the axes cannot show.
  virtual DataTable numbers() const = 0;
  // Of what no header names; the others have theirs beside them.
  virtual QVector<CurveLegend::Entry> legend() const { return {}; }
  // For a picture: without what mouse and keyboard have left on it.
  void set_posing(bool posing);
  // A choice beside the plot, such as the scale of an axis, is in its menu too.
  void offer(Segmented* choice) { offered_.push_back(choice); }
  QToolButton* follow_chip() const { return follow_chip_; }  // seen while the view is held
  QString note() const { return overlay_->note(); }  // what of the curves cannot be shown
  QSize minimumSizeHint() const override { return {200, 90}; }

 Q_SIGNALS:
  void dirtied();
  void held_changed(bool held);
  void x_range_held(double low, double high);  // by a person, in this plot
  void menu_opened(QMenu* menu);               // for what others can do with it

 protected:
  static constexpr int kTop = 20;  // room for what is written above the axes

  virtual void rebuild() = 0;          // data into graphs, and the home range
  virtual void recolor() {}            // what the subclass coloured itself
  virtual void bottom_changed(int) {}  // a low plot goes without the name of its x axis
  virtual std::optional<Tip> tip_at(const QPoint& pixel) = 0;  // empty: nothing near
  virtual bool covered(double) const { return false; }  // x, of what nothing may be told now
  // The x under the mouse, snapped to a real sample; empty: nothing there.
  virtual std::optional<double> snapped_x(const QPoint& pixel) const = 0;
  virtual void pointed(std::optional<double> x) { show_cursor(x); }
  // A press and release without a drag between them.
  virtual void clicked(const QPoint&, Qt::KeyboardModifiers) {}
  virtual void double_clicked(const QPoint&) { follow(); }
  // What a person may do at this place, before what can be done with every plot.
  virtual void add_to_menu(QMenu&, const QPoint&) {}
  // Something to take hold of lies under the pixel: dragging then moves it instead of the view.
  virtual bool take_hold(const QPoint&) { return false; }
  virtual void drag_held(const QPoint&) {}
  virtual void placed() {}  // after each replot: axes and sizes are final

  void set_axis(QCPAxis* axis, AxisKind kind, const Words& label);
  void set_margins(int left, int right, int top = kTop);  // the bottom is the same everywhere
  void set_home(const Extent& x, const Extent& y);
  void put_origin_right() { origin_right_ = true; }  // where other words begin at the left
  void hold_x(const Extent& x);
  void show_cursor(std::optional<double> x);
  // Words instead of axes while there is nothing to draw; empty: axes.
  void set_placeholder(const QString& text);
  bool posing() const { return posing_; }
  bool has_placeholder() const { return empty_; }
  // Adds the curve with its markers for what a line cannot show.
  void draw(const CleanCurve& curve, const LineStyle& line, qreal width = 1);
  // The line alone: of a curve that is drawn from one whose markers are there already.
  void draw_line(const CleanCurve& curve, const LineStyle& line, qreal width = 1);
  double to_height(double y) const;  // the pixel of a value
  void draw_band(std::span<const double> x, std::span<const double> low,
                 std::span<const double> high, const QColor& color, bool log_x, bool log_y);
  QColor ghost(const QColor& color) const;  // 40 % lighter (on dark: darker)

  const Theme& theme() const { return *theme_; }
  PlotOverlay* overlay() const { return overlay_; }
  bool is_dragging() const { return dragging_ != Dragging::kNothing; }
  QCPAxis* x_axis() const;
  QCPAxis* y_axis() const;
  QRect plot_area() const;
  double to_x(double pixel) const;
  double to_pixel(double x) const;
  void set_zoomable(Qt::Orientations orientations) { zoomable_ = orientations; }

  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  enum class Dragging { kNothing, kView, kHeld };

  void wire();
  void wire_mouse();
  void pointer_moved(const QPoint& pixel, Qt::MouseButtons buttons);
  void released(const QPoint& pixel, Qt::KeyboardModifiers modifiers);
  void update_pointer();
  void show_tip(const std::optional<Tip>& tip);
  void fit_bottom();
  void add_offered(QMenu& menu);
  void add_edge_markers(const CleanCurve& curve, const QColor& color);
  void make_follow_chip();
  void place_chips();
  void write_note();
  void set_held(bool held);
  void show_home();
  bool in_sight() const { return isVisible() && !window()->isMinimized(); }
  void redraw();  // at once if it can be seen, else when it is
  void keep_in_bounds(QCPAxis* axis, const Extent& home);
  bool eventFilter(QObject* watched, QEvent* event) override;

  QCustomPlot* plot_;
  PlotOverlay* overlay_;
  OriginChip* origin_;
  QToolButton* follow_chip_;
  TipBox* tip_box_ = nullptr;  // of the window, made when first needed
  const Theme* theme_;
  Words x_label_;
  QVector<Segmented*> offered_;
  QMargins margins_;  // left, top and right, of text of scale 1
  Extent x_home_{0, 1}, y_home_{0, 1};
  std::optional<QPoint> pointer_, pressed_;
  std::optional<double> cursor_x_;
  Dragging dragging_ = Dragging::kNothing;
  bool holds_ = false;  // what take_hold() found under the press
  Qt::Orientations zoomable_ = Qt::Horizontal | Qt::Vertical;
  bool held_ = false;
  bool empty_ = false;
  bool clamping_ = false;
  bool origin_right_ = false;
  bool posing_ = false;
  // Of what was drawn since the last rebuild.
  int64_t nonpositive_ = 0, nonfinite_ = 0, outliers_ = 0;
  std::optional<double> first_bad_x_;
};

}  // namespace farstate::desktop
