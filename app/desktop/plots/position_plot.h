// SPDX-License-Identifier: GPL-3.0-or-later
// A plot over the position in the text: log or linear axis, the line at the training context T,
// what lies beyond it shaded and named, and what the plots of this kind share: the cursor, the
// range and two pins that a click sets and a drag of their badges moves.
#pragma once

#include "app/desktop/models/focus.h"
#include "app/desktop/plots/live_plot.h"

class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;

namespace farstate::desktop {

class PositionPlot : public LivePlot {
  Q_OBJECT
 public:
  explicit PositionPlot(QWidget* parent = nullptr);

  void set_trained_context(int64_t context);  // 0: not known
  std::optional<int64_t> sample_near(double position) const;
  void point_at(std::optional<double> position) { pointed(position); }  // as the mouse does
  // Shows the cursor and the range of another plot over position.
  void follow_cursor(std::optional<double> position);
  void follow_range(double low, double high) { hold_x({low, high}); }
  void set_log_x(bool log);
  // Where the line at T stands, at the middle of the axes' height; empty: it is not in sight.
  std::optional<QPoint> limit_point() const;
  bool log_x() const { return log_x_; }
  void show_pins(const Focus::Pins& pins);
  // The measured positions, rising: pins are set on these and nowhere else.
  void set_samples(const std::vector<double>& positions) { samples_ = positions; }
  // Hides what lies past a position, under words that say so; empty: hides nothing.
  void set_cover(std::optional<double> from, const QString& words);
  // An older measurement is still shown beyond; empty: all is of one.
  void set_front(std::optional<double> position);

 Q_SIGNALS:
  void pointed_at(std::optional<double> position);
  void pin_wanted(farstate::desktop::Focus::Pin pin, std::optional<int64_t> position);

 protected:
  void recolor() override;
  bool covered(double x) const override { return cover_from_ && x > *cover_from_; }
  QString cover_said_;  // where there is room for it
  std::optional<double> cover() const { return cover_from_; }
  void pointed(std::optional<double> x) override;
  void clicked(const QPoint& pixel, Qt::KeyboardModifiers modifiers) override;
  void double_clicked(const QPoint& pixel) override;
  bool take_hold(const QPoint& pixel) override;
  void drag_held(const QPoint& pixel) override;
  void placed() override { place_pins(); }
  void add_to_menu(QMenu& menu, const QPoint& pixel) override;
  void keyPressEvent(QKeyEvent* event) override;

  virtual QString limit_name() const;  // "T = %1"
  int64_t trained_context() const { return context_; }
  std::optional<double> front() const { return front_; }
  void be_terse() { terse_ = true; }  // a small plot: the line and the shade say enough
  void set_line_colors(const QColor& limit, const QColor& front);  // over coloured ground

 private:
  void make_cover();
  void mark_context();
  void place_limit();
  bool is_free_beyond(double t) const;  // for the words beside the limit
  void place_front();
  void place_cover();
  void place_pins();
  void step_pin(Focus::Pin pin, int by);

  QCPItemRect* beyond_;
  QCPItemStraightLine* limit_;
  QCPItemText* never_;
  QCPItemText* context_label_;
  QCPItemStraightLine* front_line_;
  QCPItemRect* cover_;
  QCPItemText* cover_words_;
  int64_t context_ = 0;
  bool log_x_ = true, terse_ = false;
  std::optional<double> front_, cover_from_;
  std::vector<double> samples_;
  Focus::Pins pins_;
  std::optional<Focus::Pins> pins_before_click_;
  Focus::Pin held_pin_ = Focus::kA;
};

}  // namespace farstate::desktop
