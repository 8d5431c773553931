// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/sampling_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QRandomGenerator>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>

#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kField = 60;
constexpr int kMostTokens = 100'000'000;

int clipped(double value, int most) {
  return static_cast<int>(std::clamp(value, 0.0, static_cast<double>(most)));
}

}  // namespace

SamplingPanel::SamplingPanel(QWidget* parent) : Card([] { return tr("Continuation"); }, parent) {
  tokens_ = count_field(1, kMostTokens, 50, this);
  temperature_ = share_field(0, 10, 0.1, 2, this);
  top_p_ = share_field(0.01, 1, 0.05, 2, this);
  seed_ = count_field(0, std::numeric_limits<int>::max(), 1, this);
  seed_->setGroupSeparatorShown(false);
  speed_ = count_field(0, 100'000, 5, this);
  worded(this, [this] { speed_->setSpecialValueText(tr("max")); });
  worded(this, [this] { tokens_->setToolTip(tr("How many tokens Start and Go on write")); });
  worded(this, [this] { temperature_->setToolTip(tr("0: always the most likely token")); });
  worded(this, [this] {
    top_p_->setToolTip(
        tr("Tokens are drawn from the likeliest ones that together have this share"));
  });
  worded(this,
         [this] { speed_->setToolTip(tr("Tokens per second at most; max: as fast as it goes")); });
  dice_ = new QToolButton(this);
  dice_->setProperty("role", u"quiet"_s);
  dice_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    dice_->setAccessibleName(tr("Draw a new seed"));
    dice_->setToolTip(tr("Draw a new seed"));
  });
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(6);
  grid->setVerticalSpacing(4);
  grid->setColumnMinimumWidth(2, 4);
  grid->setColumnStretch(2, 1);
  const auto add = [&](int row, int column, const Words& name, QAbstractSpinBox* field) {
    QLabel* label = muted_label(name, this);
    label->setBuddy(field);
    name.tell(field, [field](const QString& said) { field->setAccessibleName(said); });
    set_text_width(field, kField);
    grid->addWidget(label, row, column);
    grid->addWidget(field, row, column + 1);
  };
  add(
      0, 0, [] { return tr("tokens"); }, tokens_);
  add(
      0, 3, [] { return tr("temperature"); }, temperature_);
  add(
      1, 0, [] { return tr("seed"); }, seed_);
  grid->addWidget(dice_, 1, 2, Qt::AlignLeft);
  add(
      1, 3, [] { return tr("top-p"); }, top_p_);
  add(
      2, 3, [] { return tr("tokens/s"); }, speed_);
  body()->addLayout(grid);
  connect(dice_, &QToolButton::clicked, this, [this] {
    seed_->setValue(static_cast<int>(QRandomGenerator::global()->bounded(1, 100000)));
  });
  show_config({});
}

void SamplingPanel::set_theme(const Theme& theme) {
  dice_->setIcon(themed_icon(u"dice"_s, theme.muted, theme.faint));
}

SamplingConfig SamplingPanel::config() const {
  return {.tokens = tokens_->value(),
          .temperature = temperature_->value(),
          .top_p = top_p_->value(),
          .seed = static_cast<uint64_t>(seed_->value()),
          .tokens_per_second = static_cast<double>(speed_->value())};
}

void SamplingPanel::show_config(const SamplingConfig& config) {
  tokens_->setValue(clipped(static_cast<double>(config.tokens), kMostTokens));
  temperature_->setValue(config.temperature);
  top_p_->setValue(config.top_p);
  seed_->setValue(clipped(static_cast<double>(config.seed), std::numeric_limits<int>::max()));
  speed_->setValue(clipped(std::round(config.tokens_per_second), 100'000));
}

}  // namespace farstate::desktop
