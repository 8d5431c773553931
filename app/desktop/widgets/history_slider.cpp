// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/history_slider.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/own_keys.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kBeat = 250ms;

}  // namespace

HistorySlider::HistorySlider(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  play_ = new QToolButton(this);
  play_->setProperty("role", u"quiet"_s);
  play_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    play_->setToolTip(tr("Play how the curves changed over training"));
    play_->setAccessibleName(tr("Play"));
  });
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setFocusPolicy(Qt::StrongFocus);
  worded(this, [this] { slider_->setAccessibleName(tr("Step of training that is shown")); });
  slider_->installEventFilter(this);
  own_keys(slider_, {Qt::Key_Home, Qt::Key_End, Qt::Key_Space});
  label_ = muted_label({}, this);
  row->addWidget(play_);
  row->addWidget(slider_, 1);
  row->addWidget(label_);
  beat_.setInterval(kBeat);
  connect(&beat_, &QTimer::timeout, this, &HistorySlider::advance);
  connect(play_, &QToolButton::clicked, this, &HistorySlider::play);
  connect(slider_, &QSlider::valueChanged, this, [this](int index) {
    beat_.stop();
    place(index);
  });
  show_steps({}, 0, false);
  const auto fit = [this] {
    label_->setMinimumWidth(label_->fontMetrics().horizontalAdvance(
        tr("step %1 of %2, recorded").arg(u"00,000"_s, u"00,000"_s)));
  };
  with_font_of(label_, fit);
  worded(this, [this, fit] {
    fit();
    show_text();
    show_icon();
  });
}

void HistorySlider::set_theme(const Theme& theme) {
  theme_ = &theme;
  show_icon();
}

void HistorySlider::show_steps(const std::vector<int64_t>& steps, int64_t planned, bool running) {
  const std::optional<int64_t> held = step();
  steps_ = steps;
  planned_ = planned;
  running_ = running;
  const int last = std::max(0, static_cast<int>(steps_.size()) - 1);
  const QSignalBlocker blocker(slider_);
  slider_->setRange(0, last);
  slider_->setPageStep(std::max(1, last / 10));
  slider_->setEnabled(last > 0);
  play_->setEnabled(last > 0);
  if (held) {
    // The same step, wherever it now stands among those that came.
    const auto at = std::upper_bound(steps_.begin(), steps_.end(), *held);
    slider_->setValue(std::max(0, static_cast<int>(at - steps_.begin()) - 1));
  } else {
    slider_->setValue(last);
  }
  show_text();
}

std::optional<int64_t> HistorySlider::step() const {
  if (follows_ || steps_.empty()) return std::nullopt;
  return steps_[static_cast<size_t>(std::clamp(slider_->value(), 0, int(steps_.size()) - 1))];
}

void HistorySlider::go_to(std::optional<int64_t> step) {
  const auto at = step ? std::upper_bound(steps_.begin(), steps_.end(), *step) : steps_.end();
  place(std::max(0, static_cast<int>(at - steps_.begin()) - 1));
}

void HistorySlider::place(int index) {
  follows_ = index >= static_cast<int>(steps_.size()) - 1;
  const QSignalBlocker blocker(slider_);
  slider_->setValue(index);
  show_text();
  show_icon();
  Q_EMIT moved();
}

void HistorySlider::play() {
  if (beat_.isActive()) {
    beat_.stop();
  } else if (steps_.size() > 1) {
    if (slider_->value() >= slider_->maximum()) place(0);
    beat_.start();
  }
  show_icon();
}

void HistorySlider::advance() {
  if (slider_->value() + 1 >= slider_->maximum()) beat_.stop();
  place(std::min(slider_->value() + 1, slider_->maximum()));
}

QString HistorySlider::text() const {
  if (steps_.empty()) return tr("nothing recorded yet");
  const QLocale locale;
  const int64_t shown = step().value_or(steps_.back());
  if (follows_ && running_) {
    return tr("newest: step %1 of %2")
        .arg(locale.toString(qint64(shown)), locale.toString(qint64(planned_)));
  }
  return tr("step %1 of %2, recorded")
      .arg(locale.toString(qint64(shown)), locale.toString(qint64(planned_)));
}

void HistorySlider::show_text() {
  label_->setText(text());
  slider_->setAccessibleDescription(text());
}

void HistorySlider::show_icon() {
  play_->setIcon(themed_icon(plays() ? u"pause"_s : u"play"_s, theme_->muted, theme_->faint));
  play_->setAccessibleName(plays() ? tr("Hold") : tr("Play"));
}

bool HistorySlider::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    play();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace farstate::desktop
