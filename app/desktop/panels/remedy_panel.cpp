// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/remedy_panel.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/desktop/intervention_style.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBarParts = 1000;

}  // namespace

RemedyPanel::RemedyPanel(QWidget* parent) : Card({}, parent) {
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  bar_ = new QProgressBar(this);
  bar_->setRange(0, kBarParts);
  bar_->setTextVisible(false);
  repair_ = new QPushButton(this);
  repair_->setProperty("role", u"primary"_s);
  set_text(repair_, TextSize::kBody, QFont::DemiBold);
  base_ = new QPushButton(this);
  for (QPushButton* button : {repair_, base_}) button->setFocusPolicy(Qt::TabFocus);
  body()->setSpacing(7);
  body()->addWidget(text_);
  body()->addWidget(bar_);
  body()->addWidget(repair_);
  body()->addWidget(base_);
  connect(repair_, &QPushButton::clicked, this, &RemedyPanel::repair_wanted);
  connect(base_, &QPushButton::clicked, this, &RemedyPanel::base_wanted);
  worded(this, [this] {
    set_title(tr("Repair"));
    bar_->setAccessibleName(tr("Time of the repair"));
    base_->setText(tr("Untouched"));
    base_->setToolTip(tr("Back to the model as it was before any post-training (R)"));
    say();
  });
}

QString RemedyPanel::text() const { return text_->text(); }

void RemedyPanel::show_view(const View& view, const Repair& repair) {
  view_ = view;
  shown_ = repair;
  say();
}

void RemedyPanel::say() {
  const QLocale locale;
  const bool runs = shown_.under_way();
  text_->setText(words());
  text_->setToolTip(view_.twin ? view_.twin_recipe : QString());
  bar_->setVisible(runs);
  const double share = shown_.seconds_limit() > 0
                           ? 1 - shown_.seconds_left() / shown_.seconds_limit()
                           : 0;
  bar_->setValue(static_cast<int>(kBarParts * share));
  repair_->setText(tr("Repair it live · %1 s").arg(locale.toString(view_.seconds, 'f', 0)));
  const Intervention law =
      view_.law == Intervention::kZero ? Intervention::kStatePassing : view_.law;
  repair_->setToolTip(tr("Post-train the untouched model now, with %1. Pauses don't count.")
                          .arg(intervention_name(law).toLower()));
  repair_->setVisible(!runs);
  repair_->setEnabled(view_.allowed);
  base_->setVisible(view_.twin.has_value() && !runs);
}

QString RemedyPanel::words() const {
  const QLocale locale;
  switch (shown_.stage()) {
    case Repair::Stage::kStarting:
      return tr("Starting…");
    case Repair::Stage::kRunning:
      return tr("Training now with %1: %2")
          .arg(intervention_name(shown_.law()).toLower(), time_left_text(shown_.seconds_left()));
    case Repair::Stage::kPaused:
      return tr("Paused: %1. Step, or resume.").arg(time_left_text(shown_.seconds_left()));
    case Repair::Stage::kMeasuring:
      return tr("Measuring what came of it…");
    case Repair::Stage::kDone:
      return shown_.sentence();
    case Repair::Stage::kNone:
      break;
  }
  if (!view_.twin) return tr("Some training from other initial states repairs what fails past T.");
  const QString law = intervention_name(*view_.twin).toLower();
  if (view_.twin_steps <= 0) return tr("Shown: post-trained before, with %1.").arg(law);
  return tr("Shown: post-trained before, with %1, in %2 steps. Or do it here and now:")
      .arg(law, locale.toString(qint64(view_.twin_steps)));
}

}  // namespace farstate::desktop
