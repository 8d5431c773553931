// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/responsiveness.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QMouseEvent>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/rate_sheet.h"
#include "app/desktop/panels/sampling_panel.h"
#include "app/desktop/startup_times.h"
#include "app/desktop/widgets/segmented.h"
#include "core/base/process.h"
#include "core/probes/position_bins.h"

namespace farstate::desktop {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kBeat = 5ms;
constexpr size_t kClicks = 100;
constexpr double kBetweenClicks = 250;  // ms
constexpr int kStopsOfEach = 5;
constexpr double kWorkBeforeStop = 400;  // ms
constexpr double kNothingHappens = 60000;  // ms
constexpr double kBetweenSamples = 2;    // s
constexpr double kWarmUp = 0.2;          // of the soak: what is filled once is no leak
constexpr double kShortestSoak = 300;    // s: in less, what is filled once hides the rest
// What is wanted of a window that feels immediate.
constexpr double kWantedPaint = 1000, kWantedCurve = 10000;                // ms
constexpr double kWantedClick = 100, kWantedStop = 500, kWantedGap = 150;  // ms
constexpr double kWantedGrowth = 5;                                        // MB/h
constexpr double kWantedReplot = 1.5;  // cost of a replot at the end, to that at the beginning

// Least squares, per unit of x.
double slope(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [px, py] : points) x += px, y += py;
  const auto n = static_cast<double>(points.size());
  x /= n, y /= n;
  for (const auto& [px, py] : points) xx += (px - x) * (px - x), xy += (px - x) * (py - y);
  return xx > 0 ? xy / xx : 0;
}

}  // namespace

Responsiveness::Responsiveness(MainWindow& window, int soak_seconds, Say say)
    : QObject(&window), window_(window), say_(std::move(say)), paint_ms_(milliseconds_since_start()) {
  clock_.start();
  phases_.push_back({tr("loading and the first sweep"), [] {}, [this] { return measured_live(); }});
  add_clicks();
  add_stop(tr("training"), [this] { window_.run_main_action(); });
  add_stop(tr("measuring"), [this] { window_.actions().measure->trigger(); });
  add_stop(tr("a text"), [this] {
    SamplingConfig endless;
    endless.tokens = 1000000;
    window_.generate_panel()->sampling()->show_config(endless);
    window_.generate(u"\nRoom kettle"_s);
  });
  add_stop(tr("a search for a rate"), [this] {
    window_.show_page(u"experiment"_s);
    if (auto* sheet = window_.experiment_panel()->rate_sheet()) sheet->dismiss();
    window_.experiment_panel()->setup()->find_rate()->click();
  });
  add_stop(tr("a comparison"), [this] {
    window_.start_experiment({{"zero", "state-passing"}, 1, "", true});
  });
  add_soak(soak_seconds);
  beats_.setTimerType(Qt::PreciseTimer);
  beats_.setInterval(kBeat);
  connect(&beats_, &QTimer::timeout, this, &Responsiveness::beat);
  beats_.start();
}

double Responsiveness::now_ms() const { return static_cast<double>(clock_.nsecsElapsed()) * 1e-6; }

bool Responsiveness::measured_live() {
  const Measurement* current = window_.book().current();
  if (!idle() || current == nullptr || !current->complete || current->recorded) return false;
  if (curve_ms_ == 0) curve_ms_ = milliseconds_since_start();
  return true;
}

bool Responsiveness::idle() const { return window_.state() == RunState::kReady; }

void Responsiveness::add_clicks() {
  phases_.push_back({tr("clicks while it trains"),
                     [this] {
                       window_.show_page(u"measure"_s);
                       const QList<Segmented*> all = window_.plots()->findChildren<Segmented*>();
                       clicked_ = all.front()->findChildren<QAbstractButton*>().front();
                       qApp->installEventFilter(this);
                       window_.run_main_action();
                     },
                     [this] {
                       const double now = now_ms();
                       const bool waits = clicked_at_ >= 0;
                       if (!waits && now - phase_began_ > kBetweenClicks * double(click_ms_.size() + 1)) {
                         click();
                       }
                       if (click_ms_.size() < kClicks) return false;
                       qApp->removeEventFilter(this);
                       window_.actions().stop->trigger();
                       return true;
                     }});
}

// The other button of the switch, so that each click has something to show.
void Responsiveness::click() {
  for (QAbstractButton* button :
       clicked_->parentWidget()->findChildren<QAbstractButton*>()) {
    if (!button->isChecked()) clicked_ = button;
  }
  clicked_at_ = now_ms();
  const QPointF at = QRectF(clicked_->rect()).center();
  for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    const Qt::MouseButtons held = type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton;
    QCoreApplication::postEvent(clicked_, new QMouseEvent(type, at, clicked_->mapToGlobal(at),
                                                          Qt::LeftButton, held, Qt::NoModifier));
  }
}

bool Responsiveness::eventFilter(QObject* watched, QEvent* event) {
  const auto* button = qobject_cast<const QAbstractButton*>(watched);
  if (event->type() == QEvent::Paint && clicked_at_ >= 0 && watched == clicked_ &&
      button->isChecked()) {
    click_ms_.push_back(now_ms() - clicked_at_);
    clicked_at_ = -1;
  }
  return false;
}

// Work that has ended before it was asked to is begun again, and asked sooner. A run that is stopped
// is measured where it is: that is honoured once it no longer trains.
void Responsiveness::add_stop(const QString& name, std::function<void()> begin) {
  for (int i = 0; i < kStopsOfEach; ++i) {
    phases_.push_back({name, begin, [this, name, begin, wait = kWorkBeforeStop, asked = -1.0,
                                     at_work = RunState::kReady]() mutable {
                         const double now = now_ms();
                         const RunState state = window_.state();
                         if (asked < 0) {
                           if (at_work != RunState::kReady && idle()) {
                             at_work = RunState::kReady;
                             wait /= 2;
                             phase_began_ = now;
                             begin();
                           } else if (!idle()) {
                             at_work = state;
                             if (now - phase_began_ < wait) return false;
                             asked = now;
                             window_.actions().stop->trigger();
                           }
                           return false;
                         }
                         if (state == at_work || state == RunState::kStopping) return false;
                         stop_ms_[name].push_back(now - asked);
                         if (auto* sheet = window_.experiment_panel()->rate_sheet()) sheet->dismiss();
                         return true;
                       }});
  }
}

void Responsiveness::add_soak(int seconds) {
  phases_.push_back({tr("training for long"), [this] { window_.show_page(u"measure"_s); },
                     [this, seconds] { return soaked(seconds); }});
}

double Responsiveness::replot_ms() const {
  double sum = 0;
  for (const LivePlot* plot : window_.plots()->findChildren<LivePlot*>()) {
    if (plot->isVisible()) sum += plot->replot_ms();
  }
  return sum;
}

// A run that is over is begun again from the loaded weights: the record of one run grows with its
// steps, by 40 bytes each, and that is no leak.
bool Responsiveness::soaked(int seconds) {
  const double now = (now_ms() - phase_began_) * 1e-3;
  if (now >= seconds) return true;
  if (samples_.empty() || now - samples_.back().seconds >= kBetweenSamples) {
    samples_.push_back({now, static_cast<double>(resident_memory()) * 1e-6, replot_ms()});
  }
  if (!idle()) return false;
  if (window_.steps_done() > 0) {
    window_.actions().reset->trigger();
  } else if (measured_live()) {
    window_.run_main_action();
  }
  return false;
}

void Responsiveness::beat() {
  const double now = now_ms();
  const double gap = now - last_beat_;
  last_beat_ = now;
  if (window_.error()) {
    beats_.stop();
    Q_EMIT failed(QString::fromStdString(window_.error()->message));
    return;
  }
  if (phases_.empty()) {
    beats_.stop();
    report();
    return;
  }
  if (!idle()) last_busy_ = now;
  Phase& phase = phases_.front();
  double& longest = longest_gap_ms_[phase.name];
  longest = std::max(longest, gap);
  const RunState state = window_.state();
  const bool free = state == RunState::kReady || state == RunState::kPaused;
  const bool first = longest_gap_ms_.size() == 1;  // begins before the window is idle
  if (!begun_ && (free || first)) {
    begun_ = true;
    phase_began_ = now;
    phase.begin();
  } else if (begun_ && phase.done()) {
    phases_.pop_front();
    begun_ = false;
  } else if (now - last_busy_ > kNothingHappens) {
    beats_.stop();
    Q_EMIT failed(tr("Nothing happens: %1").arg(phase.name));
  }
}

void Responsiveness::line(const QString& what, double found, const QString& unit, double wanted) {
  const bool met = found <= wanted;
  all_met_ = all_met_ && met;
  say_(u"%1  %2 %3 %4 (%5 %6)"_s.arg(met ? u"yes"_s : u"NO "_s, what.leftJustified(52))
           .arg(found, 0, 'f', found < 10 ? 1 : 0)
           .arg(unit, tr("at most"))
           .arg(wanted));
}

void Responsiveness::report() {
  line(tr("the window is seen, after the start of the program"), paint_ms_, u"ms"_s, kWantedPaint);
  line(tr("the first curves are measured, after that start"), curve_ms_, u"ms"_s, kWantedCurve);
  line(tr("a click is answered, 99 of %1").arg(click_ms_.size()), quantile(click_ms_, 0.99), u"ms"_s,
       kWantedClick);
  for (const auto& [name, times] : stop_ms_) {
    line(tr("Stop is honoured: %1").arg(name), quantile(times, 1), u"ms"_s, kWantedStop);
  }
  for (const auto& [name, gap] : longest_gap_ms_) {
    line(tr("longest time without an answer: %1").arg(name), gap, u"ms"_s, kWantedGap);
  }
  std::vector<std::pair<double, double>> memory;
  std::vector<double> early, late;
  const double whole = samples_.empty() ? 0 : samples_.back().seconds;
  for (const Sample& sample : samples_) {
    if (sample.seconds < kWarmUp * whole) continue;
    memory.emplace_back(sample.seconds / 3600, sample.megabytes);
    (sample.seconds < (1 + kWarmUp) / 2 * whole ? early : late).push_back(sample.replot_ms);
  }
  if (whole >= kShortestSoak && !early.empty() && !late.empty()) {
    line(tr("memory grows, over %1 s").arg(std::lround(whole)), slope(memory), tr("MB/h"),
         kWantedGrowth);
    line(tr("drawing in the end, to that in the beginning"),
         quantile(late, 0.5) / std::max(quantile(early, 0.5), 1e-3), {}, kWantedReplot);
  }
  if (all_met_) {
    Q_EMIT ended();
  } else {
    Q_EMIT failed(tr("Not all figures are as wanted."));
  }
}

}  // namespace farstate::desktop
