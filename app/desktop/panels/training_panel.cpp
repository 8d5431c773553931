// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/training_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QRandomGenerator>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <tuple>

#include "app/desktop/core_words.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/widgets/switch.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBarParts = 1000;
constexpr int kLongest = 1 << 24;

int clipped(int64_t value) { return static_cast<int>(std::clamp<int64_t>(value, 0, kLongest)); }

}  // namespace

TrainingPanel::TrainingPanel(QWidget* parent)
    : Card([] { return tr("Post-training"); }, parent), theme_(&theme_for(ThemeMode::kLight)) {
  steps_ = count_field(1, 1000000, 50, this);
  context_ = count_field(1, kLongest, 16, this);
  batch_ = count_field(1, 65536, 8, this);
  seed_ = count_field(0, std::numeric_limits<int>::max(), 1, this);
  seed_->setGroupSeparatorShown(false);
  rate_ = new RateField(this);
  dice_ = new QToolButton(this);
  dice_->setProperty("role", u"quiet"_s);
  dice_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    dice_->setAccessibleName(tr("Draw a new seed"));
    dice_->setToolTip(tr("Draw a new seed"));
  });
  body()->addLayout(field_row(muted_label([] { return tr("steps"); }, this), steps_));
  body()->addLayout(
      field_row(muted_label([] { return tr("context T (tokens)"); }, this), context_));
  body()->addLayout(field_row(muted_label([] { return tr("batch (rows)"); }, this), batch_));
  body()->addLayout(field_row(muted_label([] { return tr("learning rate"); }, this), rate_));
  QHBoxLayout* seed_row = field_row(muted_label([] { return tr("seed"); }, this), seed_);
  seed_row->insertWidget(2, dice_);
  body()->addLayout(seed_row);
  add_measuring();
  bar_ = new QProgressBar(this);
  bar_->setRange(0, kBarParts);
  bar_->setTextVisible(false);
  worded(this, [this] { bar_->setAccessibleName(tr("Progress")); });
  done_ = new ElidedLabel(this);
  done_->setProperty("role", u"muted"_s);
  left_ = new QLabel(this);
  body()->addSpacing(4);
  body()->addWidget(bar_);
  auto* words = new QHBoxLayout;
  words->addWidget(done_, 1);
  words->addWidget(left_);
  body()->addLayout(words);
  for (QSpinBox* field : {steps_, context_, batch_, seed_, length_, sequences_, effrem_}) {
    connect(field, qOverload<int>(&QSpinBox::valueChanged), this, [this] { edit(); });
  }
  connect(rate_, qOverload<double>(&QDoubleSpinBox::valueChanged), this, [this] { edit(); });
  connect(dice_, &QToolButton::clicked, this, [this] {
    seed_->setValue(static_cast<int>(QRandomGenerator::global()->bounded(1, 100000)));
  });
  show_config({});
}

void TrainingPanel::add_measuring() {
  fold_ = new QToolButton(this);
  fold_->setProperty("role", u"quiet"_s);
  worded(this, [this] { fold_->setText(tr("Measuring")); });
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setCheckable(true);
  fold_->setFocusPolicy(Qt::TabFocus);
  body()->addWidget(fold_);
  measuring_ = new QWidget(this);
  auto* column = new QVBoxLayout(measuring_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(body()->spacing());
  length_ = count_field(64, kLongest, 1024, measuring_);
  sequences_ = count_field(1, 4096, 1, measuring_);
  effrem_ = count_field(0, kLongest, 1024, measuring_);
  worded(this, [this] { effrem_->setSpecialValueText(tr("as length")); });
  column->addLayout(field_row(muted_label([] { return tr("length N (tokens)"); }, this), length_));
  column->addLayout(field_row(muted_label([] { return tr("sequences"); }, this), sequences_));
  column->addLayout(field_row(muted_label([] { return tr("remembrance over"); }, this), effrem_));
  add_probes(column);
  body()->addWidget(measuring_);
  measuring_->hide();
  connect(fold_, &QToolButton::toggled, this, [this](bool open) {
    measuring_->setVisible(open);
    fold_->setIcon(themed_icon(open ? u"chevron_down"_s : u"chevron_right"_s, theme_->muted));
  });
}

// Perplexity and the state are what the window is about and are always measured.
void TrainingPanel::add_probes(QVBoxLayout* column) {
  const std::tuple<const char*, Words, Words> choices[] = {
      {"effrem", [] { return tr("remembrance"); },
       [] { return tr("How much of the text's beginning the end remembers."); }},
      {"dynamics", [] { return tr("dynamics of heads"); },
       [] { return tr("Half-life, decay, dt and share written per head."); }},
      {"distribution", [] { return tr("distributions"); },
       [] {
         return tr(
             "Distance of every head's elements to training, and their effective rank. Takes "
             "as long again as the rest.");
       }}};
  for (const auto& [name, label, tip] : choices) {
    auto* on = new Switch(measuring_);
    tip.tell(on, [on](const QString& said) { on->setToolTip(said); });
    column->addLayout(field_row(muted_label(label, measuring_), on));
    connect(on, &Switch::toggled, this, [this] { edit(); });
    probes_.push_back({name, on});
  }
}

// Others that the recipe names stay, in the order that the recipe has.
void TrainingPanel::read_probes() {
  std::vector<std::string>& probes = config_.measure.probes;
  for (const ProbeChoice& choice : probes_) {
    const bool has = config_.measure.wants(choice.name);
    if (has && !choice.on->isChecked()) std::erase(probes, choice.name);
    if (!has && choice.on->isChecked()) probes.emplace_back(choice.name);
  }
}

void TrainingPanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  for (const ProbeChoice& choice : probes_) choice.on->set_theme(theme);
  dice_->setIcon(themed_icon(u"dice"_s, theme.muted, theme.faint));
  fold_->setIcon(
      themed_icon(fold_->isChecked() ? u"chevron_down"_s : u"chevron_right"_s, theme.muted));
}

void TrainingPanel::show_config(const RunConfig& config) {
  config_ = config;
  const QSignalBlocker blockers[] = {QSignalBlocker(steps_),  QSignalBlocker(context_),
                                     QSignalBlocker(batch_),  QSignalBlocker(seed_),
                                     QSignalBlocker(length_), QSignalBlocker(sequences_),
                                     QSignalBlocker(rate_),   QSignalBlocker(effrem_)};
  steps_->setValue(clipped(config.train.steps));
  context_->setValue(clipped(config.train.context));
  batch_->setValue(clipped(config.train.batch));
  rate_->setValue(config.train.learning_rate);
  seed_->setValue(
      static_cast<int>(std::min<uint64_t>(config.seed, std::numeric_limits<int>::max())));
  length_->setValue(clipped(config.measure.length));
  sequences_->setValue(clipped(config.measure.sequences));
  effrem_->setValue(clipped(config.measure.effrem_length));
  for (const ProbeChoice& choice : probes_) {
    const QSignalBlocker blocker(choice.on);
    choice.on->setChecked(config.measure.wants(choice.name));
  }
}

void TrainingPanel::edit() {
  config_.train.steps = steps_->value();
  config_.train.context = context_->value();
  config_.train.batch = batch_->value();
  config_.train.learning_rate = rate_->value();
  config_.seed = static_cast<uint64_t>(seed_->value());
  config_.measure.length = length_->value();
  config_.measure.sequences = sequences_->value();
  config_.measure.effrem_length = effrem_->value();
  read_probes();
  Q_EMIT changed(config_);
}

void TrainingPanel::show_update(const RunnerUpdate& update) {
  const RunButtons allowed = buttons_for(update.state);
  const QString hint = settings_hint(update.state);
  for (QSpinBox* field : {steps_, context_, batch_, seed_, length_, sequences_, effrem_}) {
    set_locked(field, allowed.settings ? QString() : hint);
  }
  set_locked(rate_, allowed.rate ? QString() : hint);
  dice_->setEnabled(allowed.settings);
  for (const ProbeChoice& choice : probes_) choice.on->setEnabled(allowed.settings);
  show_progress(update);
}

void TrainingPanel::show_progress(const RunnerUpdate& u) {
  const bool training = u.state == RunState::kRunning || u.state == RunState::kPaused;
  const bool busy = training || u.state == RunState::kLoading || u.state == RunState::kEvaluating ||
                    u.state == RunState::kStopping;
  double share = u.progress;
  if (training && u.steps > 0) share = static_cast<double>(u.step) / static_cast<double>(u.steps);
  if (!busy) share = u.steps > 0 && u.step >= u.steps ? 1 : 0;
  bar_->setValue(static_cast<int>(kBarParts * std::clamp(share, 0.0, 1.0)));
  const QLocale locale;
  done_->setText(training && u.steps == 0  // time ends it
                     ? tr("step %1").arg(locale.toString(qint64(u.step)))
                 : u.steps > 0 || training
                     ? tr("step %1 of %2")
                           .arg(locale.toString(qint64(u.step)), locale.toString(qint64(u.steps)))
                 : busy ? core_words(u.phase)
                        : tr("not started"));
  left_->setText(busy ? time_left_text(u.seconds_left) : QString());
}

}  // namespace farstate::desktop
