// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/initial_state_panel.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/switch.h"

namespace farstate::desktop {
namespace {

constexpr int kRadio = 14;  // diameter
constexpr int kIndent = 8;  // of a row's content
constexpr int kSpace = 8;

QFont name_font() { return text_font(TextSize::kBody, QFont::Medium); }
QFont detail_font() { return text_font(TextSize::kSmall); }

}  // namespace

InterventionRow::InterventionRow(Intervention kind, QWidget* parent)
    : QRadioButton(intervention_name(kind), parent),
      kind_(kind),
      theme_(&theme_for(ThemeMode::kLight)) {
  setAccessibleName(intervention_name(kind));
  setAccessibleDescription(
      tr("%1. Key %2.").arg(intervention_detail(kind)).arg(intervention_key(kind)));
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_Hover);
}

void InterventionRow::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize InterventionRow::sizeHint() const {
  const QFontMetrics name(name_font()), detail(detail_font());
  const int text = std::max(name.horizontalAdvance(intervention_name(kind_)),
                            detail.horizontalAdvance(intervention_detail(kind_)));
  return {2 * kIndent + kRadio + kLineSampleWidth + 3 * kSpace + text + 22,
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

InitialStatePanel::InitialStatePanel(QWidget* parent) : Card(tr("Initial state h₋₁"), parent) {
  body()->setSpacing(1);
  for (const Intervention kind : kInterventions) {
    auto* row = new InterventionRow(kind, this);
    rows_[static_cast<size_t>(kind)] = row;
    body()->addWidget(row);
    connect(row, &QRadioButton::clicked, this, [this, kind] { choose(kind); });
  }
  body()->addSpacing(4);
  sigma_ = share_field(0, 100, 0.1, 2, this);
  zero_probability_ = share_field(0, 1, 0.05, 2, this);
  momentum_ = share_field(0, 0.9999, 0.01, 4, this);
  convolution_ = new Switch(this);
  sigma_row_ = add_setting(tr("standard deviation σ"), sigma_);
  momentum_row_ = add_setting(tr("momentum of the fit"), momentum_);
  zero_row_ = add_setting(tr("P(zero state)"), zero_probability_);
  zero_row_->setToolTip(tr("Probability that a row starts from the zero state after all."));
  convolution_row_ = add_setting(tr("pass convolution context"), convolution_);
  convolution_row_->setToolTip(tr("Also pass on the last inputs of the convolution."));
  const auto spin = qOverload<double>(&QDoubleSpinBox::valueChanged);
  connect(sigma_, spin, this, [this](double v) {
    InterventionConfig c = config_;
    c.sigma = v;
    edit(c);
  });
  connect(zero_probability_, spin, this, [this](double v) {
    InterventionConfig c = config_;
    c.zero_probability = v;
    edit(c);
  });
  connect(momentum_, spin, this, [this](double v) {
    InterventionConfig c = config_;
    c.fitted_momentum = v;
    edit(c);
  });
  connect(convolution_, &Switch::toggled, this, [this](bool on) {
    InterventionConfig c = config_;
    c.pass_conv_context = on;
    edit(c);
  });
  show_config({});
}

QWidget* InitialStatePanel::add_setting(const QString& name, QWidget* field) {
  auto* row = new QWidget(this);
  QHBoxLayout* layout = field_row(muted_label(name, row), field);
  layout->setContentsMargins(0, 2, 0, 1);
  row->setLayout(layout);
  body()->addWidget(row);
  return row;
}

void InitialStatePanel::set_theme(const Theme& theme) {
  for (InterventionRow* row : rows_) row->set_theme(theme);
  convolution_->set_theme(theme);
}

void InitialStatePanel::show_config(const InterventionConfig& config) {
  config_ = config;
  const QSignalBlocker sigma(sigma_), zero(zero_probability_), momentum(momentum_),
      convolution(convolution_);
  rows_[static_cast<size_t>(config.kind)]->setChecked(true);
  sigma_->setValue(config.sigma);
  zero_probability_->setValue(config.zero_probability);
  momentum_->setValue(config.fitted_momentum);
  convolution_->setChecked(config.pass_conv_context);
  show_settings();
}

// Only what the chosen law reads.
void InitialStatePanel::show_settings() {
  const Intervention kind = config_.kind;
  sigma_row_->setVisible(kind == Intervention::kRandomNoise);
  momentum_row_->setVisible(kind == Intervention::kFittedNoise);
  zero_row_->setVisible(kind != Intervention::kZero);
  convolution_row_->setVisible(kind == Intervention::kStatePassing || kind == Intervention::kTbtt);
}

void InitialStatePanel::show_state(RunState state) {
  const bool allowed = buttons_for(state).intervention;
  const QString hint = allowed ? QString() : settings_hint(state);
  for (InterventionRow* row : rows_) {
    row->setEnabled(allowed);
    row->setToolTip(hint);
  }
  for (QAbstractSpinBox* field :
       std::initializer_list<QAbstractSpinBox*>{sigma_, zero_probability_, momentum_}) {
    set_locked(field, hint);
  }
  convolution_->setEnabled(allowed);
}

void InitialStatePanel::choose(Intervention kind) {
  InterventionRow* row = rows_[static_cast<size_t>(kind)];
  if (!row->isEnabled()) return;
  row->setChecked(true);
  InterventionConfig config = config_;
  config.kind = kind;
  edit(config);
  show_settings();
}

void InitialStatePanel::edit(const InterventionConfig& config) {
  if (config == config_) return;
  config_ = config;
  Q_EMIT changed(config_);
}

}  // namespace farstate::desktop
