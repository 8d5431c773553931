// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/law_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>
#include <cmath>

#include "app/desktop/core_words.h"
#include "app/desktop/plots/spectrum_plot.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/matrix_view.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kPicture = 116;
constexpr int64_t kFewestSequences = 8;  // that a law is looked for in

QString lead_of(const std::string& law) {
  if (law == "variance-per-head") return LawCard::tr("A Gaussian fitted per head suffices.");
  if (law == "gaussian-per-element") return LawCard::tr("Every element needs its own Gaussian.");
  if (law == "not-gaussian") return LawCard::tr("The elements are not Gaussian.");
  if (law == "dependent") return LawCard::tr("Elements depend on each other.");
  return {};
}

// The lead in bold, and the sentence.
QString verdict_of(const QString& lead, const QString& sentence) {
  const QString rest = sentence.startsWith(lead) ? sentence.mid(lead.size()).trimmed() : sentence;
  if (lead.isEmpty()) return rest.toHtmlEscaped();
  return QStringLiteral("<b>%1</b> %2").arg(lead.toHtmlEscaped(), rest.toHtmlEscaped());
}

QString why_missing(const PinnedStates& states) {
  const StateReport& report = *states.report;
  if (report.sequences < kFewestSequences) {
    return verdict_of(
        LawCard::tr("The law of these states was not looked for."),
        LawCard::tr("That takes at least %1 sequences, and %2 are measured. Set the number "
                    "of sequences at the left, under measuring.")
            .arg(qint64(kFewestSequences))
            .arg(qint64(report.sequences)));
  }
  const bool other = report.attention && report.attention->index != states.index;
  return verdict_of(LawCard::tr("The law of this head is not known yet."),
                    other ? LawCard::tr("The answer at hand is about another head; the one about "
                                        "this head is on its way.")
                          : QString());
}

QString percent(double share) {
  return std::isfinite(share) ? LawCard::tr("%1 %").arg(std::lround(100 * share)) : QString();
}

QString caption_of(const HeadLawReport& law) {
  if (law.components <= 0) return {};
  const QString first = law.components == 1 ? LawCard::tr("The first component holds")
                                            : LawCard::tr("The first %1 components hold")
                                                  .arg(qint64(law.components));
  return LawCard::tr("%1 %2 of the variance; of independent elements %3. Effective rank of one "
                     "state %4; if independent %5.")
      .arg(first, percent(law.leading_share), percent(law.shuffled_leading_share),
           value_text(law.rank), value_text(law.shuffled_rank));
}

QLabel* wrapped(QWidget* parent, bool muted) {
  auto* label = muted ? muted_label(QString(), parent) : new QLabel(parent);
  set_text(label, TextSize::kSmall);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setFocusPolicy(Qt::NoFocus);
  return label;
}

}  // namespace

LawCard::LawCard(QWidget* parent) : QWidget(parent) {
  verdict_ = wrapped(this, false);
  verdict_->setTextFormat(Qt::RichText);
  verdict_->setProperty("role", QStringLiteral("verdict"));
  basis_ = wrapped(this, true);
  model_ = wrapped(this, true);
  caption_ = wrapped(this, true);
  for (QLabel* label : {basis_, model_, caption_}) label->setTextFormat(Qt::PlainText);
  title_ = with_text(new QLabel(this), [] { return tr("How elements go together"); });
  set_text(title_, TextSize::kTitle, QFont::DemiBold);
  pictures_ = new QWidget(this);
  correlation_ = new MatrixView(pictures_);
  worded(this, [this] { correlation_->setAccessibleName(tr("Correlation of elements")); });
  correlation_->setFixedSize(kPicture, kPicture);
  bar_ = new SignedBar(pictures_);
  bar_->setFixedHeight(kPicture);
  spectrum_ = new SpectrumPlot(pictures_);
  spectrum_->setFixedHeight(kPicture);
  arrange();
}

void LawCard::arrange() {
  auto* row = new QHBoxLayout(pictures_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(correlation_, 0, Qt::AlignTop);
  row->addWidget(bar_, 0, Qt::AlignTop);
  row->addWidget(spectrum_, 1, Qt::AlignTop);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(verdict_);
  column->addWidget(basis_);
  column->addWidget(model_);
  column->addSpacing(4);
  column->addWidget(title_);
  column->addWidget(pictures_);
  column->addWidget(caption_);
}

void LawCard::set_theme(const Theme& theme) {
  correlation_->set_theme(theme);
  bar_->set_theme(theme);
  spectrum_->set_theme(theme);
}

QList<LivePlot*> LawCard::plots() const { return {spectrum_}; }

void LawCard::show_states(const PinnedStates& states) {
  const bool known = states.head != nullptr && states.head->law.has_value();
  for (QWidget* part : QList<QWidget*>{basis_, title_, pictures_, caption_}) {
    part->setVisible(known);
  }
  setVisible(states.report != nullptr);
  if (states.report == nullptr) return;
  model_->setText(states.report->law.empty()
                      ? QString()
                      : tr("The model: %1").arg(core_words(states.report->law)));
  model_->setVisible(!states.report->law.empty());
  if (known) {
    show_law(*states.head->law);
  } else {
    verdict_->setText(why_missing(states));
  }
}

void LawCard::show_law(const HeadLawReport& law) {
  verdict_->setText(verdict_of(lead_of(law.law), core_words(law.sentence)));
  basis_->setText(tr("From %1 states after %2 tokens.")
                      .arg(QLocale().toString(qint64(law.states)),
                           QLocale().toString(qint64(law.position))));
  const SignedScale scale{1, false};
  correlation_->set_matrix(law.side, law.correlation, scale);
  correlation_->set_tips([values = law.correlation, side = law.side](const MatrixView::Cell& c) {
    const auto at = static_cast<size_t>(c.row * side + c.column);
    return Tip{tr("elements %1 and %2 of %3").arg(c.row + 1).arg(c.column + 1).arg(side),
               {{std::nullopt, tr("correlation"), value_text(double(values[at]))}}};
  });
  bar_->set_scale(scale);
  spectrum_->set_spectrum(law.spectrum, law.shuffled_spectrum);
  caption_->setText(caption_of(law));
  caption_->setVisible(!caption_->text().isEmpty());
  const bool picture = correlation_->side() > 0;
  correlation_->setVisible(picture);
  bar_->setVisible(picture);
  pictures_->setVisible(picture || !law.spectrum.empty());
  title_->setVisible(picture || !law.spectrum.empty());
}

}  // namespace farstate::desktop
