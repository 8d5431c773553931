// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/inspector_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/desktop/core_words.h"
#include "app/desktop/head_name.h"
#include "app/desktop/panels/law_card.h"
#include "app/desktop/panels/state_numbers.h"
#include "app/desktop/plots/histogram_plot.h"
#include "app/desktop/plots/qq_plot.h"
#include "app/desktop/sample_style.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/number_table.h"
#include "app/desktop/widgets/sample_legend.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/token_view.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHistogram = 130;
constexpr int kQq = 146;
constexpr int kEdge = 3;  // between the scroll bar and the card's border

constexpr Sample kPins[] = {kAtA, kAtB};

QString number(int64_t value) { return QLocale().toString(qint64(value)); }

QLabel* section_title(const Words& text, QWidget* parent) {
  QLabel* label = with_text(new QLabel(parent), text);
  set_text(label, TextSize::kTitle, QFont::DemiBold);
  return label;
}

QLabel* small_muted(QWidget* parent) {
  QLabel* label = muted_label(QString(), parent);
  label->setTextFormat(Qt::PlainText);
  set_text(label, TextSize::kSmall);
  label->setWordWrap(true);
  return label;
}

QHBoxLayout* titled(QLabel* title, QWidget* right) {
  auto* row = new QHBoxLayout;
  row->addWidget(title);
  row->addStretch(1);
  row->addWidget(right);
  return row;
}

}  // namespace

InspectorPanel::InspectorPanel(Focus* focus, QWidget* parent)
    : QFrame(parent), focus_(focus), theme_(&theme_for(ThemeMode::kLight)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::kPad, 8, kEdge, 4);
  column->setSpacing(4);
  make_header(column);
  pages_ = new QStackedWidget(this);
  empty_ = muted_label(QString(), this);
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setContentsMargins(12, 0, 12 + Theme::kPad - kEdge, 0);
  scroll_ = new QScrollArea(this);
  scroll_->setProperty("role", u"inner"_s);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(make_content());
  scroll_->widget()->setAutoFillBackground(false);
  pages_->addWidget(empty_);
  pages_->addWidget(scroll_);
  column->addWidget(pages_, 1);
  connect(scroll_->verticalScrollBar(), &QScrollBar::rangeChanged, this,
          [this] { balance_margins(); });
  connect(focus_, &Focus::head_changed, this, &InspectorPanel::show_all);
  connect(focus_, &Focus::pins_changed, this, &InspectorPanel::show_all);
  worded(this, [this] { show_all(); });
}

void InspectorPanel::make_header(QVBoxLayout* column) {
  title_ = section_title(QString(), this);
  rank_ = muted_label(QString(), this);
  set_text(rank_, TextSize::kSmall);
  worded(this, [this] {
    rank_->setToolTip(
        tr("by how much the norm of the head's state has changed from T to the end of "
           "what was measured, up or down"));
  });
  QHBoxLayout* row = titled(title_, rank_);
  row->setContentsMargins(0, 0, Theme::kPad - kEdge, 0);
  column->addLayout(row);
  subtitle_ = small_muted(this);
  subtitle_->setContentsMargins(0, 0, Theme::kPad - kEdge, 0);
  column->addWidget(subtitle_);
}

QWidget* InspectorPanel::make_content() {
  auto* content = new QWidget;
  content_ = new QVBoxLayout(content);
  content_->setSpacing(6);
  add_distributions(content_, content);
  law_ = new LawCard(content);
  content_->addWidget(law_);
  content_->addSpacing(4);
  add_text(content_, content);
  notes_ = small_muted(content);
  notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  content_->addSpacing(4);
  content_->addWidget(notes_);
  content_->addStretch(1);
  balance_margins();
  return content;
}

void InspectorPanel::add_distributions(QVBoxLayout* column, QWidget* parent) {
  legend_ = new SampleLegend(parent);
  histogram_ = new HistogramPlot(parent);
  with_font_of(histogram_, [this] { histogram_->setFixedHeight(text_room(kHistogram)); });
  numbers_ = new NumberTable(parent);
  against_ = new Segmented([] { return tr("Gaussian of the QQ plot"); },
                           {[] { return tr("training"); }, [] { return tr("own"); }}, parent);
  against_->setObjectName(QStringLiteral("view.qq-gaussian"));
  worded(this, [this] {
    against_->setToolTip(tr("The Gaussian fitted to training, or to each sample itself"));
  });
  qq_ = new QqPlot(parent);
  with_font_of(qq_, [this] { qq_->setFixedHeight(text_room(kQq)); });
  auto* legend_row = new QHBoxLayout;
  legend_row->addWidget(legend_, 1);
  legend_row->addWidget(make_log_switch(parent));
  column->addLayout(legend_row);
  fitted_law_ = new CurveLegend(parent);
  auto* law_row = new QHBoxLayout;
  law_row->addWidget(fitted_law_);
  law_row->addStretch(1);
  column->addLayout(law_row);
  column->addWidget(histogram_);
  column->addWidget(numbers_);
  column->addSpacing(4);
  QLabel* of = small_muted(parent);
  of->setWordWrap(false);
  worded(of, [of] { of->setText(tr("Gaussian of")); });
  QHBoxLayout* qq_header = titled(section_title([] { return tr("QQ plot"); }, parent), of);
  qq_header->addWidget(against_);
  column->addLayout(qq_header);
  column->addWidget(qq_);
  connect(legend_, &SampleLegend::chosen, this, [this](int key) {
    chosen_ = static_cast<Sample>(key);
    histogram_->set_fitted(*chosen_);
  });
  connect(against_, &Segmented::changed, this, [this](int index) {
    qq_->set_against(index == 1 ? QqPlot::Against::kOwn : QqPlot::Against::kTraining);
  });
}

QWidget* InspectorPanel::make_log_switch(QWidget* parent) {
  log_ = new QToolButton(parent);
  log_->setProperty("role", u"quiet"_s);
  log_->setProperty("switch", true);
  log_->setCheckable(true);
  worded(this, [this] { log_->setText(tr("log")); });
  set_text(log_, TextSize::kSmall, QFont::Medium);
  worded(this, [this] { log_->setToolTip(tr("Densities on a log axis, where tails show")); });
  connect(log_, &QToolButton::toggled, histogram_, &HistogramPlot::set_log);
  return log_;
}

void InspectorPanel::add_text(QVBoxLayout* column, QWidget* parent) {
  for (const Sample pin : kPins) {
    text_title_[pin] = small_muted(parent);
    text_[pin] = new TokenView(parent);
    set_text(text_[pin], TextSize::kSmall);
    worded(this, [this, pin] {
      text_[pin]->setAccessibleName(tr("Tokens around %1").arg(sample_name(pin)));
    });
    column->addWidget(text_title_[pin]);
    column->addWidget(text_[pin]);
  }
}

// The bar lies in the card's padding: what is beside it keeps its width whether it is there or not.
void InspectorPanel::balance_margins() {
  const QScrollBar* bar = scroll_->verticalScrollBar();
  const bool barred = bar->maximum() > bar->minimum();
  const int right = Theme::kPad - kEdge - (barred ? bar->sizeHint().width() : 0);
  content_->setContentsMargins(0, 2, std::max(right, 0), 6);
}

void InspectorPanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  for (LivePlot* plot : plots()) plot->set_theme(theme);
  law_->set_theme(theme);
  for (const Sample pin : kPins) text_[pin]->set_theme(theme);
  show_all();
}

QList<LivePlot*> InspectorPanel::plots() const {
  return QList<LivePlot*>{histogram_, qq_} + law_->plots();
}

bool InspectorPanel::shows_states() const { return pages_->currentWidget() == scroll_; }

void InspectorPanel::show_report(std::shared_ptr<const StateReport> report) {
  report_ = std::move(report);
  show_all();
}

void InspectorPanel::show_book(const MeasurementBook& book, int64_t trained_context, int64_t) {
  book_ = &book;
  trained_context_ = trained_context;
  show_all();
}

void InspectorPanel::show_all() {
  const PinnedStates states = pinned_states(report_, *focus_);
  title_->setText(head_title(focus_->head()));
  show_rank();
  const QString why_empty = empty_text(states);
  empty_->setText(why_empty);
  pages_->setCurrentWidget(why_empty.isEmpty() ? static_cast<QWidget*>(scroll_) : empty_);
  subtitle_->setText(why_empty.isEmpty() ? subtitle(states) : QString());
  histogram_->set_states(states);
  histogram_->set_fitted(fitted(states));
  qq_->set_states(states);
  show_numbers(states);
  law_->show_states(states);
  show_text(states);
}

void InspectorPanel::show_rank() {
  const auto rank = book_ != nullptr ? drift_rank(*book_, focus_->head()) : std::nullopt;
  rank_->setText(rank ? tr("drift rank %1 of %2").arg(number(rank->rank), number(rank->heads))
                      : QString());
}

QString InspectorPanel::empty_text(const PinnedStates& states) const {
  if (!states.pinned[kAtA] && !states.pinned[kAtB]) {
    return tr("Click the state map to pin a position; Shift+click pins a second one.");
  }
  if (report_ == nullptr) return tr("The states at the pins have not been read yet.");
  if (states.head == nullptr) {
    return tr("The answer holds no states of %1.").arg(head_name(states.index));
  }
  return {};
}

QString InspectorPanel::subtitle(const PinnedStates& states) const {
  const QString older = older_text(states);
  if (!older.isEmpty()) return older;
  const QString weights = report_->step == 0
                              ? tr("weights as loaded")
                              : tr("weights after %1 steps").arg(number(report_->step));
  return tr("%1 sequences, %2").arg(number(report_->sequences), weights);
}

// In what the answer at hand is not about the pins, or not about the newest weights.
QString InspectorPanel::older_text(const PinnedStates& states) const {
  QStringList parts;
  for (const Sample pin : kPins) {
    if (states.older(pin)) {
      parts.push_back(tr("%1 is now at %2.").arg(sample_name(pin), number(*states.pinned[pin])));
    } else if (states.missing(pin)) {
      parts.push_back(tr("%1 has no numbers yet.").arg(sample_name(pin)));
    }
  }
  const Measurement* measured = book_ != nullptr ? book_->current() : nullptr;
  const auto age = [](const auto& of) { return std::pair(of->epoch, of->step); };
  if (measured != nullptr && measured->complete && age(report_) < age(measured)) {
    parts.push_back(tr("Weights of step %1, the newest are of step %2.")
                        .arg(number(report_->step), number(measured->step)));
  }
  if (parts.isEmpty()) return {};
  return tr("Older: %1 Reading anew.").arg(parts.join(QLatin1Char(' ')));
}

// The later pin is the one that is compared with the rest.
Sample InspectorPanel::fitted(const PinnedStates& states) const {
  if (chosen_ && states.elements[*chosen_] != nullptr) return *chosen_;
  if (states.elements[kAtB] != nullptr) return kAtB;
  return states.elements[kAtA] != nullptr ? kAtA : kTraining;
}

void InspectorPanel::show_numbers(const PinnedStates& states) {
  QVector<SampleLegend::Entry> entries;
  HalfLives half_lives;
  for (const Sample sample : kSamples) {
    const bool there = states.elements[sample] != nullptr;
    if (there || states.pinned[sample]) {
      entries.push_back(
          {sample, sample_name(sample, states), sample_color(sample, *theme_), there});
    }
    const std::optional<int64_t> position =
        sample != kTraining      ? states.pinned[sample]
        : trained_context_ > 0 ? std::optional(trained_context_)
                               : std::nullopt;
    // A pin that has moved shows the states of its old place, and so its half-life there.
    const std::optional<int64_t> at = states.shown[sample] ? states.shown[sample] : position;
    if (book_ != nullptr && at) half_lives[sample] = half_life(*book_, states.index, *at);
  }
  const auto law = fitted_law_line(states, *theme_);
  fitted_law_->setVisible(law.has_value());
  if (law) fitted_law_->set_entries({{*law, fitted_law_name(states)}});
  legend_->set_entries(entries);
  legend_->set_chosen(fitted(states));
  numbers_->set_columns(state_columns(states, *theme_));
  numbers_->set_rows(state_rows(states, half_lives));
}

void InspectorPanel::show_text(const PinnedStates& states) {
  for (const Sample pin : kPins) {
    const TextAround* around = states.text[pin];
    const bool shown = around != nullptr && !around->tokens.empty();
    text_title_[pin]->setVisible(shown);
    text_[pin]->setVisible(shown);
    if (!shown) continue;
    text_title_[pin]->setText(tr("Around %1, in the first sequence")
                                  .arg(sample_name(pin, states)));
    text_[pin]->show_tokens(around->tokens, around->first);
    const int64_t last = around->position - 1 - around->first;  // the token read last
    const bool inside = last >= 0 && last < static_cast<int64_t>(around->tokens.size());
    text_[pin]->mark(inside ? std::optional(static_cast<size_t>(last)) : std::nullopt,
                     sample_color(pin, *theme_));
  }
  QStringList lines;
  if (report_ != nullptr) {
    for (const std::string& note : report_->notes) lines.push_back(core_words(note));
  }
  notes_->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace farstate::desktop
