// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/status_row.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <cmath>

#include "app/desktop/core_words.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

StateDot::StateDot(QWidget* parent) : QWidget(parent) { setFixedSize(9, 9); }

void StateDot::show_state(RunState state, const Theme& theme) {
  const bool live = state == RunState::kRunning || state == RunState::kEvaluating ||
                    state == RunState::kExperimenting || state == RunState::kLoading;
  const QColor color = state == RunState::kFailed                                   ? theme.danger
                       : live                                                       ? theme.good
                       : state == RunState::kPaused || state == RunState::kStopping ? theme.warning
                                                                                    : theme.faint;
  if (color == color_) return;
  color_ = color;
  update();
}

void StateDot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color_);
  painter.drawEllipse(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

StatusRow::StatusRow(QWidget* parent) : QFrame(parent) {
  setObjectName(u"statusbar"_s);
  setProperty("role", u"bar"_s);
  worded(this, [this] { setAccessibleName(tr("Status")); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Theme::kPad + 2, 0, Theme::kPad + 2, 0);
  row->setSpacing(22);
  with_font_of(this, [this] { setFixedHeight(text_room(28)); });
  dot_ = new StateDot(this);
  state_ = new QLabel(this);
  set_text(state_, TextSize::kBody, QFont::DemiBold);
  phase_ = muted_label({}, this);
  auto* head = new QHBoxLayout;
  head->setSpacing(7);
  head->addWidget(dot_);
  head->addWidget(state_);
  head->addWidget(phase_);
  row->addLayout(head);
  for (QLabel** label : {&step_, &loss_, &rate_, &memory_, &threads_}) {
    *label = muted_label({}, this);
    (*label)->hide();
    row->addWidget(*label);
  }
  row->addStretch(1);
  display_ = muted_label({}, this);
  row->addWidget(display_);
  saying_.setSingleShot(true);
  saying_.setInterval(2500ms);
  connect(&saying_, &QTimer::timeout, this, &StatusRow::show_phase);
  worded(this, [this] {
    show_phase();
    show_display_rate(display_rate_);
    if (shown_loss_) show_loss(*shown_loss_);
  });
}

// The label's figures stand out in the text colour; empty text gives the room to the others.
void StatusRow::set_number(QLabel* label, const QString& text) {
  if (label->text() == text) return;
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

void StatusRow::show_update(const RunnerUpdate& u, const Theme& theme) {
  ink_ = theme.text.name();
  const auto strong = [this](const QString& text) { return strong_text(text); };
  const QLocale locale;
  dot_->show_state(u.state, theme);
  state_->setText(state_text(u.state));
  const bool rests = u.state == RunState::kFailed || u.state == RunState::kPaused;
  phase_text_ = rests ? QString() : core_words(u.phase);
  show_phase();
  // Of a comparison the page says where it is; the step is that of the training before it.
  const bool compares = u.state == RunState::kExperimenting;
  const QString step = strong(locale.toString(qint64(u.step)));
  set_number(step_, compares      ? QString()
                    : u.steps > 0 ? tr("step %1 / %2").arg(step, locale.toString(qint64(u.steps)))
                    : u.step > 0  ? tr("step %1").arg(step)
                                  : QString());
  const bool training = u.state == RunState::kRunning && u.tokens_per_second > 0;
  set_number(
      rate_,
      training
          ? tr("%1 tokens/s").arg(strong(short_number(std::round(u.tokens_per_second / 100) * 100)))
          : QString());
  set_number(
      memory_,
      u.memory_bytes > 0
          ? tr("memory %1 MB").arg(strong(locale.toString(qint64(u.memory_bytes / 1000000))))
          : QString());
  set_number(threads_, u.threads > 0
                           ? tr("CPU threads %1").arg(strong(locale.toString(qint64(u.threads))))
                           : QString());
  if (shown_loss_) show_loss(*shown_loss_);
  loss_->setVisible(shown_loss_ && !compares);
}

QString StatusRow::strong_text(const QString& text) const {
  return u"<b style=\"color:%1\">%2</b>"_s.arg(ink_, text.toHtmlEscaped());
}

void StatusRow::show_loss(double loss) {
  shown_loss_ = loss;
  set_number(loss_, tr("loss %1").arg(strong_text(value_text(loss))));
}

void StatusRow::clear_loss() {
  shown_loss_.reset();
  set_number(loss_, {});
}

void StatusRow::show_display_rate(int hz) {
  display_rate_ = hz;
  display_->setText(tr("display %1 Hz").arg(hz));
}

void StatusRow::say(const Words& words) {
  said_ = words;
  saying_.start();
  show_phase();
}

void StatusRow::show_phase() { phase_->setText(saying_.isActive() ? said_() : phase_text_); }

QString time_left_text(double seconds) {
  if (seconds < 0) return {};
  const auto tr = [](const char* text) {
    return QCoreApplication::translate("farstate::desktop", text);
  };
  if (seconds < 90) return tr("%1 s left").arg(std::max(1, int(std::ceil(seconds))));
  if (seconds < 5400) return tr("%1 min left").arg(std::lround(seconds / 60));
  return tr("%1 h left").arg(QLocale().toString(seconds / 3600, 'f', 1));
}

}  // namespace farstate::desktop
