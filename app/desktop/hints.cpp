// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/hints.h"

#include <QEvent>
#include <QLocale>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/plots/position_plot.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/callout.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace std::chrono_literals;

Hints::Hints(PositionPlot* plot, InitialStatePanel* start, QWidget* window)
    : QObject(window), plot_(plot), panel_(start), window_(window), wanted_(hints_wanted()) {
  limit_ = new Callout(window);
  begin_ = new Callout(window);
  second_.setSingleShot(true);
  set_pause(4s);
  connect(&second_, &QTimer::timeout, this, &Hints::show_second);
  for (Callout* hint : {limit_, begin_}) {
    connect(hint, &Callout::unwanted, this, [this] { set_wanted(false); });
  }
  connect(limit_, &Callout::closed, this, [this] {
    limit_open_ = false;
    if (ended_) show_second();
  });
  // Who has read the last one needs none at the next start; the menu brings them back.
  connect(begin_->close_button(), &QToolButton::clicked, this, [] { remember_hints_wanted(false); });
  connect(plot_->canvas(), &QCustomPlot::afterReplot, this, &Hints::place);
  for (QWidget* moved : {static_cast<QWidget*>(plot), static_cast<QWidget*>(start), window}) {
    moved->installEventFilter(this);
  }
  worded(this, [this] { say(); });
}

void Hints::say() {
  limit_->set_text(tr("It was trained only up to here: T = %1").arg(QLocale().toString(qint64(context_))),
                   tr("To the right the model reads on, from states that training never showed it."));
  begin_->set_text(tr("Change how it starts"),
                   tr("Training began each text from a state of zeros. Choose another beginning and "
                      "see what becomes of the curve."));
}

void Hints::set_theme(const Theme& theme) {
  limit_->set_theme(theme);
  begin_->set_theme(theme);
}

void Hints::set_wanted(bool wanted) {
  if (wanted_ == wanted) return;
  wanted_ = wanted;
  remember_hints_wanted(wanted);
  if (!wanted) person_acted();
  done_ = first_shown_ = ended_ = false;
  Q_EMIT wanted_changed(wanted);
}

void Hints::sweep_passed(int64_t context) {
  if (!wanted_ || done_ || first_shown_ || context <= 0) return;
  first_shown_ = true;
  context_ = context;
  limit_open_ = true;
  say();
  place();
  second_.start();
}

void Hints::sweep_ended() { ended_ = true; }

// The second one waits for the end of the sweep, however long that takes.
void Hints::show_second() {
  if (!wanted_ || done_) return;
  if (!ended_ || !plot_->isVisible()) return second_.start();  // it speaks of the curve
  second_.stop();
  done_ = true;
  begin_->open();
  place();
  panel_->pulse();
}

void Hints::person_acted() {
  done_ = true;
  limit_open_ = false;
  second_.stop();
  limit_->close_hint();
  begin_->close_hint();
}

// Beside the line at T, and beside the choices as far as the scrolled column shows them.
void Hints::place() {
  const std::optional<QPoint> point = plot_->limit_point();
  if (limit_open_ && point && plot_->isVisible()) {
    limit_->point_at(plot_->mapTo(window_, *point));
    if (limit_->isHidden()) limit_->open();
  } else if (!limit_->isHidden()) {
    limit_->withdraw();
  }
  if (begin_->isHidden()) return;
  const QRect rows = panel_->choices();
  const QPoint from = panel_->mapTo(window_, rows.topRight());
  const int bottom = std::min(from.y() + rows.height(), window_->height());
  begin_->point_at({from.x() + 4, (std::max(from.y(), 0) + bottom) / 2});
}

bool Hints::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::Hide && watched == plot_) begin_->close_hint();
  if (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Hide) place();
  return QObject::eventFilter(watched, event);
}

}  // namespace farstate::desktop
