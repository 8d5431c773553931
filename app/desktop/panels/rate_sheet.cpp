// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/rate_sheet.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/desktop/plots/ticks.h"
#include "app/desktop/core_words.h"
#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/rate_plot.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

namespace {

constexpr int kPlotHeight = 210;

QString rate_text(double rate) { return general_text(rate, 2); }

}  // namespace

RateSheet::RateSheet(QWidget* over) : Sheet([] { return tr("Use"); }, over) {
  plot_ = new RatePlot(this);
  plot_->setMinimumHeight(kPlotHeight);
  sentence_ = muted_label({}, this);
  sentence_->setWordWrap(true);
  body()->addWidget(plot_);
  body()->addSpacing(4);
  body()->addWidget(sentence_);
  worded(action(), [this] { name_action(); });
  worded(this, [this] {
    if (isHidden()) return;
    say();
    plot_->refresh();
  });
}

void RateSheet::name_action() {
  action()->setText(suggestion_ ? tr("Use %1").arg(rate_text(*suggestion_)) : tr("Use"));
}

void RateSheet::say() {
  set_title(tr("Find a learning rate"), tr("%1, T = %2, %3 rows a step")
                                            .arg(intervention_name(recipe_.intervention.kind),
                                                 QLocale().toString(qint64(recipe_.train.context)),
                                                 QLocale().toString(qint64(recipe_.train.batch))));
  sentence_->setText(
      suggestion_ ? core_words(shown_->sentence)
                  : tr("The checkpoint as loaded is trained once while the rate rises from step to "
                       "step, on weights of its own: nothing that is open or recorded changes. A "
                       "good rate lies well below the one at which the loss turns upward."));
}

void RateSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  plot_->set_theme(theme);
  plot_->refresh();
}

void RateSheet::begin(const RunConfig& recipe) {
  searching_ = true;
  begun_ = false;
  suggestion_.reset();
  name_action();
  plot_->show_finding({});
  plot_->refresh();
  recipe_ = recipe;
  say();
  set_stage(Stage::kAsking, tr("Reading the model…"));
  open();
}

void RateSheet::show_update(const RunnerUpdate& update) {
  if (!searching_) return;
  if (update.error) {
    searching_ = false;
    set_stage(Stage::kRefused, error_words(update.error->kind, update.error->message));
    return;
  }
  if (update.rates != nullptr && update.rates != shown_) {
    begun_ = true;
    shown_ = update.rates;
    plot_->show_finding(*shown_);
    plot_->refresh();
  }
  if (!begun_) return;
  if (update.state == RunState::kEvaluating) {
    show_progress(core_words(update.phase), update.progress);
  } else {
    end(*shown_);
  }
}

void RateSheet::end(const LrFinding& finding) {
  searching_ = false;
  suggestion_ = finding.suggestion;
  if (!suggestion_) {
    set_stage(Stage::kRefused, core_words(finding.sentence));
    return;
  }
  name_action();
  say();
  set_stage(Stage::kReady);
}

}  // namespace farstate::desktop
