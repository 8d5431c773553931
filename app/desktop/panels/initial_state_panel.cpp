// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/initial_state_panel.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <QVariantAnimation>

#include "app/desktop/help/definitions.h"
#include "app/desktop/settings.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/switch.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kRadio = 14;  // diameter
constexpr int kIndent = 8;  // of a row's content
constexpr int kSpace = 8;
constexpr int kPulseMs = 1400;

QFont name_font() { return text_font(TextSize::kBody, QFont::Medium); }
QFont detail_font() { return text_font(TextSize::kSmall); }

}  // namespace

InterventionRow::InterventionRow(Intervention kind, QWidget* parent)
    : QRadioButton(parent), kind_(kind), theme_(&theme_for(ThemeMode::kLight)) {
  worded(this, [this] {
    setText(intervention_name(kind_));
    setAccessibleName(text());
    setAccessibleDescription(
        tr("%1. Key %2.").arg(intervention_detail(kind_)).arg(intervention_key(kind_)));
  });
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_Hover);
}

void InterventionRow::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void InterventionRow::set_glow(qreal glow) {
  glow_ = glow;
  update();
}

QSize InterventionRow::sizeHint() const {
  const QFontMetrics name(name_font()), detail(detail_font());
  const int text = std::max(name.horizontalAdvance(intervention_name(kind_)),
                            detail.horizontalAdvance(intervention_detail(kind_)));
  return {2 * kIndent + kRadio + kLineSampleWidth + 3 * kSpace + text + 14,
          name.height() + detail.height() + 9};
}

void InterventionRow::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  if (isChecked() || underMouse() || hasFocus()) {
    p.setPen(isChecked() || hasFocus() ? QPen(theme_->accent, 1) : QPen(Qt::NoPen));
    p.setBrush(isChecked() ? theme_->accent_soft : theme_->hover);
    p.drawRoundedRect(frame, 5, 5);
  }
  if (glow_ > 0) {
    QColor rim = theme_->accent;
    rim.setAlphaF(static_cast<float>(glow_));
    p.setPen(QPen(rim, 2));
    p.setBrush(Qt::NoBrush);
    p.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  }
  const QRectF radio(kIndent, (height() - kRadio) / 2.0, kRadio, kRadio);
  p.setBrush(theme_->surface);
  p.setPen(QPen(isChecked() ? theme_->accent : theme_->muted, isChecked() ? 4.4 : 1.1));
  const qreal inset = isChecked() ? 2.2 : 0.6;
  p.drawEllipse(radio.adjusted(inset, inset, -inset, -inset));
  const int line_x = kIndent + kRadio + kSpace;
  paint_line_sample(p, QRectF(line_x, 0, kLineSampleWidth, height()),
                    intervention_line(kind_, theme_->dark));
  const int text_x = line_x + kLineSampleWidth + kSpace;
  const QFontMetrics name(name_font()), detail(detail_font());
  const int top = (height() - name.height() - detail.height()) / 2;
  p.setFont(name_font());
  p.setPen(isEnabled() ? theme_->text : theme_->faint);
  p.drawText(text_x, top + name.ascent(), intervention_name(kind_));
  p.setFont(detail_font());
  p.setPen(isEnabled() ? theme_->muted : theme_->faint);
  p.drawText(text_x, top + name.height() + detail.ascent(), intervention_detail(kind_));
  const QRectF key(width() - kIndent - 17.5, height() / 2 - 8.5, 17, 17);
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(theme_->border, 1));
  p.drawRoundedRect(key, 3.5, 3.5);
  p.setPen(theme_->muted);
  p.drawText(key, Qt::AlignCenter, locale().toString(intervention_key(kind_)));
}

InitialStatePanel::InitialStatePanel(QWidget* parent)
    : Card([] { return tr("Initial state h₋₁"); }, parent), theme_(&theme_for(ThemeMode::kLight)) {
  body()->setSpacing(1);
  for (const Intervention kind : kInterventions) {
    auto* row = new InterventionRow(kind, this);
    rows_[static_cast<size_t>(kind)] = row;
    body()->addWidget(row);
    connect(row, &QRadioButton::clicked, this, [this, kind] { choose(kind); });
  }
  body()->addSpacing(4);
  add_mixture();
  sigma_ = share_field(0, 100, 0.1, 2, this);
  zero_probability_ = share_field(0, 1, 0.05, 2, this);
  rank_ = count_field(0, 64, 1, this);
  convolution_ = new Switch(this);
  sigma_row_ = add_setting([] { return tr("standard deviation σ"); }, sigma_);
  rank_row_ = add_setting([] { return tr("rank"); }, rank_);
  worded(this, [this] {
    rank_row_->setToolTip(tr(
        "Directions of each head's state that vary together; beside them every element has noise "
        "of its own."));
  });
  zero_row_ = add_setting([] { return tr("P(zero state)"); }, zero_probability_);
  worded(this, [this] {
    zero_row_->setToolTip(tr("Probability that a row starts from the zero state after all."));
  });
  convolution_row_ = add_setting([] { return tr("pass convolution context"); }, convolution_);
  worded(this, [this] {
    convolution_row_->setToolTip(tr("Also pass on the last inputs of the convolution."));
  });
  add_fit();
  bind(sigma_, &InterventionConfig::sigma);
  bind(zero_probability_, &InterventionConfig::zero_probability);
  bind(rank_, &InterventionConfig::fitted_rank);
  connect(convolution_, &Switch::toggled, this, [this](bool on) {
    InterventionConfig c = config_;
    c.pass_conv_context = on;
    edit(c);
  });
  show_config({});
}

void InitialStatePanel::add_mixture() {
  for (size_t i = 0; i < weights_.size(); ++i) {
    const Intervention law = kInterventions[i];
    weights_[i] = share_field(0, 1000, 0.1, 2, this);
    weight_rows_[i] = add_setting([law] { return intervention_name(law); }, weights_[i]);
    worded(this, [this, i] {
      weight_rows_[i]->setToolTip(
          tr("Weight of this law: how often a row draws it beside the others."));
    });
    connect(weights_[i], qOverload<double>(&QDoubleSpinBox::valueChanged), this,
            [this, law](double weight) { weigh(law, weight); });
  }
}

void InitialStatePanel::add_fit() {
  fit_ = new QToolButton(this);
  fit_->setProperty("role", QStringLiteral("quiet"));
  worded(this, [this] {
    fit_->setText(tr("Fit"));
    fit_->setToolTip(tr("How the noise is fitted to the states of training"));
  });
  fit_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fit_->setCheckable(true);
  fit_->setFocusPolicy(Qt::TabFocus);
  body()->addWidget(fit_);
  connect(fit_, &QToolButton::toggled, this, &InitialStatePanel::fold_fit);
  constexpr int kMost = 1 << 24;
  from_ = new Segmented([] { return tr("States that are fitted"); },
                        {[] { return tr("final"); }, [] { return tr("all"); }}, this);
  burn_in_ = count_field(0, kMost, 8, this);
  windows_ = count_field(0, kMost, 32, this);
  worded(this, [this] { windows_->setSpecialValueText(tr("running")); });
  momentum_ = share_field(0, 0.9999, 0.01, 4, this);
  from_row_ = add_setting([] { return tr("states"); }, from_);
  worded(this, [this] {
    from_row_->setToolTip(
        tr("The states that training windows end in, or all of a window's states."));
  });
  burn_in_row_ = add_setting([] { return tr("burn-in (tokens)"); }, burn_in_);
  worded(this, [this] {
    burn_in_row_->setToolTip(tr("So many tokens at a window's start are left out."));
  });
  windows_row_ = add_setting([] { return tr("windows"); }, windows_);
  worded(this, [this] {
    windows_row_->setToolTip(tr(
        "So many windows are read from the zero state before the first step, and the fit is kept; "
        "at 0 the windows that are trained on are fitted as they come."));
  });
  momentum_row_ = add_setting([] { return tr("momentum"); }, momentum_);
  bind(burn_in_, &InterventionConfig::fitted_burn_in);
  bind(windows_, &InterventionConfig::fitted_windows);
  bind(momentum_, &InterventionConfig::fitted_momentum);
  connect(from_, &Segmented::changed, this, [this](int index) {
    InterventionConfig c = config_;
    c.fitted_from = index == 1 ? "all" : "final";
    edit(c);
  });
}

QWidget* InitialStatePanel::add_setting(const Words& name, QWidget* field) {
  auto* row = new QWidget(this);
  QHBoxLayout* layout = field_row(muted_label(name, row), field);
  layout->setContentsMargins(0, 2, 0, 1);
  row->setLayout(layout);
  body()->addWidget(row);
  return row;
}

void InitialStatePanel::bind(QDoubleSpinBox* field, double InterventionConfig::* setting) {
  connect(field, qOverload<double>(&QDoubleSpinBox::valueChanged), this, [this, setting](double v) {
    InterventionConfig c = config_;
    c.*setting = v;
    edit(c);
  });
}

void InitialStatePanel::bind(QSpinBox* field, int64_t InterventionConfig::* setting) {
  connect(field, qOverload<int>(&QSpinBox::valueChanged), this, [this, setting](int v) {
    InterventionConfig c = config_;
    c.*setting = v;
    edit(c);
  });
}

// The last weight above 0 stays, and of the two laws that can't be mixed the other one goes.
void InitialStatePanel::weigh(Intervention law, double weight) {
  InterventionConfig c = config_;
  c.mixture[to_string(law)] = weight;
  const auto drop = [&](Intervention other) {
    if (weight > 0) c.mixture.erase(to_string(other));
  };
  if (law == Intervention::kTbtt) drop(Intervention::kStatePassing);
  if (law == Intervention::kStatePassing) drop(Intervention::kTbtt);
  std::erase_if(c.mixture, [](const auto& of) { return of.second == 0; });
  if (!c.mixture.empty()) edit(c);
  show_config(config_);
}

void InitialStatePanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  for (InterventionRow* row : rows_) row->set_theme(theme);
  convolution_->set_theme(theme);
  fold_fit(fit_->isChecked());
}

void InitialStatePanel::show_config(const InterventionConfig& config) {
  config_ = config;
  const QSignalBlocker sigma(sigma_), zero(zero_probability_), momentum(momentum_),
      convolution(convolution_), rank(rank_), burn_in(burn_in_), windows(windows_), from(from_);
  rows_[static_cast<size_t>(config.kind)]->setChecked(true);
  sigma_->setValue(config.sigma);
  zero_probability_->setValue(config.zero_probability);
  momentum_->setValue(config.fitted_momentum);
  convolution_->setChecked(config.pass_conv_context);
  rank_->setValue(static_cast<int>(config.fitted_rank));
  burn_in_->setValue(static_cast<int>(config.fitted_burn_in));
  windows_->setValue(static_cast<int>(config.fitted_windows));
  from_->choose(config.fitted_from == "all" ? 1 : 0);
  for (size_t i = 0; i < weights_.size(); ++i) {
    const QSignalBlocker weight(weights_[i]);
    const auto found = config.mixture.find(to_string(kInterventions[i]));
    weights_[i]->setValue(found != config.mixture.end() ? found->second : 0);
  }
  show_settings();
}

// Only what the chosen law reads, or a law of the mixture.
void InitialStatePanel::show_settings() {
  const auto draws = [this](Intervention law) { return draws_from(config_, law); };
  const bool correlated = draws(Intervention::kCorrelatedNoise);
  const bool fitted = correlated || draws(Intervention::kFittedNoise);
  const bool open = fitted && fit_->isChecked();
  for (QWidget* row : weight_rows_) row->setVisible(config_.kind == Intervention::kMixture);
  sigma_row_->setVisible(draws(Intervention::kRandomNoise));
  rank_row_->setVisible(correlated);
  zero_row_->setVisible(config_.kind != Intervention::kZero);
  convolution_row_->setVisible(draws(Intervention::kStatePassing) || draws(Intervention::kTbtt));
  fit_->setVisible(fitted);
  from_row_->setVisible(open && !correlated);  // correlated noise is of final states
  burn_in_row_->setVisible(open && config_.fitted_from == "all");
  windows_row_->setVisible(open);
  momentum_row_->setVisible(open && config_.fitted_windows == 0);
}

void InitialStatePanel::fold_fit(bool open) {
  const QString icon = open ? QStringLiteral("chevron_down") : QStringLiteral("chevron_right");
  fit_->setIcon(themed_icon(icon, theme_->muted));
  show_settings();
}

void InitialStatePanel::show_state(RunState state) {
  const bool allowed = buttons_for(state).intervention;
  const QString hint = allowed ? QString() : settings_hint(state);
  for (size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->setEnabled(allowed);
    rows_[i]->setToolTip(allowed ? intervention_definition(static_cast<Intervention>(i)) : hint);
  }
  for (QAbstractSpinBox* field : std::initializer_list<QAbstractSpinBox*>{
           sigma_, zero_probability_, momentum_, rank_, burn_in_, windows_}) {
    set_locked(field, hint);
  }
  for (QDoubleSpinBox* field : weights_) set_locked(field, hint);
  convolution_->setEnabled(allowed);
  from_->setEnabled(allowed);
}

void InitialStatePanel::pulse() {
  if (reduced_motion()) return;
  auto* animation = new QVariantAnimation(this);
  animation->setDuration(kPulseMs);
  animation->setStartValue(0.0);
  animation->setKeyValueAt(0.3, 1.0);
  animation->setEndValue(0.0);
  connect(animation, &QVariantAnimation::valueChanged, this, [this](const QVariant& glow) {
    for (InterventionRow* row : rows_) row->set_glow(glow.toReal());
  });
  animation->start(QAbstractAnimation::DeleteWhenStopped);
}

QRect InitialStatePanel::choices() const {
  return rows_.front()->geometry().united(rows_.back()->geometry());
}

void InitialStatePanel::choose(Intervention kind) {
  InterventionRow* row = rows_[static_cast<size_t>(kind)];
  if (!row->isEnabled()) return;
  row->setChecked(true);
  InterventionConfig config = config_;
  config.kind = kind;
  // To begin with, a law that keeps the states' structure and one that does not.
  if (kind == Intervention::kMixture && config.mixture.empty()) {
    config.mixture = {{to_string(Intervention::kFittedNoise), 0.5},
                      {to_string(Intervention::kStatePassing), 0.5}};
  }
  edit(config);
  show_config(config_);
}

void InitialStatePanel::edit(InterventionConfig config) {
  if (draws_from(config, Intervention::kCorrelatedNoise)) config.fitted_from = "final";
  if (config == config_) return;
  config_ = config;
  show_settings();
  Q_EMIT changed(config_);
}

}  // namespace farstate::desktop
