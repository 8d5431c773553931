// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/text_card.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QPushButton>
#include <QResizeEvent>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "app/desktop/opening.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/prompt_edit.h"
#include "app/desktop/widgets/ramp_legend.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/start_from.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kOneRow = 640;  // a card narrower than this has its controls in two rows

QString dragged_text_file(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  const QString path = urls.size() == 1 ? urls.front().toLocalFile() : QString();
  return !path.isEmpty() && kind_of(path) == Opening::Kind::kText ? path : QString();
}

}  // namespace

bool comparable(const GenerationRequest& a, const GenerationRequest& b) {
  const SamplingConfig &x = a.sampling, &y = b.sampling;
  return a.prompt == b.prompt && a.prompt_file == b.prompt_file && x.seed == y.seed &&
         x.temperature == y.temperature && x.top_p == y.top_p;
}

TextCard::TextCard(QWidget* parent) : Card([] { return tr("Text"); }, parent) {
  setAcceptDrops(true);
  legend_ = new RampLegend(this);
  worded(this, [this] { legend_->set_ends(tr("loss 0"), tr("%1 nats").arg(kLossShown)); });
  worded(this, [this] {
    legend_->setToolTip(
        tr("A token's ground is the model's own loss for it, given everything before. "
           "Prompt: thin grey bar at the left; written: accent bar."));
  });
  prompt_ = new PromptEdit(this);
  add_to_header(prompt_->held_button());
  add_to_header(prompt_->open_button());
  add_to_header(legend_);
  start_from_ = new StartFrom(this);
  body()->addWidget(prompt_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(4);
  start_ = add_button([] { return tr("Start"); },
                      [] { return tr("Read the prompt and go on from it (Ctrl+Enter)"); },
                      &TextCard::start_wanted);
  start_->setProperty("role", u"primary"_s);
  set_text(start_, TextSize::kBody, QFont::DemiBold);
  one_ = add_button([] { return tr("One token"); }, [] { return tr("Write one more token"); },
                    &TextCard::one_wanted);
  go_on_ = add_button([] { return tr("Go on"); },
                      [] { return tr("Write more, from the state as it is now"); },
                      &TextCard::go_on_wanted);
  stop_ = add_button([] { return tr("Stop"); },
                     [] { return tr("Hold after the token that is being read or written"); },
                     &TextCard::stop_wanted);
  for (QPushButton* button : {start_, one_, go_on_, stop_}) {
    button->setProperty("tight", true);
    buttons->addWidget(button);
  }
  auto* from = new QHBoxLayout;
  from->setSpacing(10);
  from->addWidget(start_from_);
  stage_ = new ElidedLabel(this);
  stage_->setProperty("role", u"muted"_s);
  stage_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  from->addWidget(stage_, 1);
  controls_ = new QBoxLayout(QBoxLayout::LeftToRight);
  controls_->setSpacing(6);
  controls_->addLayout(buttons);
  controls_->addLayout(from, 1);
  body()->addLayout(controls_);
  hint_ = new QLabel(this);
  hint_->setObjectName(u"warning"_s);
  hint_->setWordWrap(true);
  hint_->hide();
  body()->addWidget(hint_);
  body()->addSpacing(6);
  flows_ = new QStackedWidget(this);
  now_ = new TokenFlow(flows_);
  before_ = new TokenFlow(flows_);
  flows_->addWidget(now_);
  flows_->addWidget(before_);
  body()->addWidget(flows_, 1);
  comparison_row_ = new QWidget(this);
  auto* comparison = new QHBoxLayout(comparison_row_);
  comparison->setContentsMargins(0, 0, 0, 0);
  comparison_ = muted_label({}, comparison_row_);
  comparison_->setWordWrap(true);
  which_ = new Segmented([] { return tr("Which run is shown"); },
                         {[] { return tr("this run"); }, [] { return tr("run before"); }},
                         comparison_row_);
  comparison->addWidget(comparison_, 1);
  comparison->addWidget(which_);
  comparison_row_->hide();
  body()->addWidget(comparison_row_);
  connect_flow(now_);
  connect_flow(before_);
  connect(which_, &Segmented::changed, this, [this](int which) { show_before(which == 1); });
  connect(prompt_, &PromptEdit::changed, this, &TextCard::show_start);
  connect(prompt_, &PromptEdit::refused, this, &TextCard::refuse);
  connect(prompt_, &PromptEdit::submitted, start_, &QPushButton::click);
  connect(start_from_, &StartFrom::changed, this, &TextCard::show_start);
  worded(this, [this] {
    compare();
    show_start();
  });
}

QPushButton* TextCard::add_button(const Words& text, const Words& tip, void (TextCard::*signal)()) {
  QPushButton* button = with_text(new QPushButton(this), text);
  button->setFocusPolicy(Qt::TabFocus);
  tip.tell(button, [button](const QString& said) { button->setToolTip(said); });
  connect(button, &QPushButton::clicked, this, signal);
  return button;
}

// Positions are those of the run that is going on: the one before is only looked at.
void TextCard::connect_flow(TokenFlow* flow) {
  connect(flow, &TokenFlow::pointed, this, [this, flow](std::optional<int64_t> token) {
    if (flow == now_) Q_EMIT pointed(token);
  });
  connect(flow, &TokenFlow::chosen, this, [this, flow](std::optional<int64_t> token) {
    if (flow == now_) Q_EMIT chosen(token);
  });
}

void TextCard::set_theme(const Theme& theme) {
  prompt_->set_theme(theme);
  start_from_->set_theme(theme);
  now_->set_theme(theme);
  before_->set_theme(theme);
  legend_->set_theme(theme);
  legend_->set_ramp([&theme](double share) { return loss_color(theme, share * kLossShown); });
  start_->setIcon(themed_icon(u"play"_s, theme.on_accent, theme.faint));
  stop_->setIcon(themed_icon(u"stop"_s, theme.text, theme.faint));
}

void TextCard::set_compact(bool compact) { prompt_->set_lines(compact ? 2 : 3); }

void TextCard::begin(const Generation& generation) {
  comparable_ = request_ && !now_->tokens().empty() && comparable(*request_, generation.request);
  if (comparable_) {
    std::swap(now_, before_);
    before_->mark_difference(std::nullopt);
    before_->select(std::nullopt);
    before_->show_cursor(std::nullopt);
  } else {
    before_->clear();
  }
  now_->clear();
  request_ = generation.request;
  compared_ = 0;
  problem_.clear();
  show_before(false);
  compare();
}

void TextCard::forget() {
  request_.reset();
  comparable_ = false;
  now_->clear();
  before_->clear();
  stage_->clear();
  problem_.clear();
  show_before(false);
  compare();
  show_hint();
}

void TextCard::append(std::span<const GeneratedToken> tokens) {
  now_->append(tokens);
  if (comparable_) compare();
}

void TextCard::show_before(bool before) {
  which_->choose(before ? 1 : 0);
  flows_->setCurrentWidget(before ? before_ : now_);
}

bool TextCard::shows_before() const { return flows_->currentWidget() == before_; }

void TextCard::compare() {
  const auto &now = now_->tokens(), &before = before_->tokens();
  const size_t both = comparable_ ? std::min(now.size(), before.size()) : 0;
  while (compared_ < both && now[compared_].id == before[compared_].id) ++compared_;
  comparison_row_->setVisible(comparable_);
  if (!comparable_) return;
  const bool differs = compared_ < both;
  const auto index = static_cast<int64_t>(compared_);
  now_->mark_difference(differs ? std::optional(index) : std::nullopt);
  before_->mark_difference(differs ? std::optional(index) : std::nullopt);
  comparison_->setText(
      differs ? tr("Differs from token %1 on.")
                    .arg(QLocale().toString(static_cast<qint64>(index + 1)))
              : tr("The same as the run before so far."));
}

QString TextCard::comparison() const {
  return comparison_row_->isHidden() ? QString() : comparison_->text();
}

void TextCard::show_generation(const Generation& generation) {
  stage_->setText(stage_text(generation));
  problem_ = QString::fromStdString(generation.problem);
  start_from_->show_kept(generation.kept);
  show_hint();
}

void TextCard::show_state(RunState state, Generation::Stage stage, const ModelInfo* model) {
  allowed_ = generate_buttons(state, stage);
  const QString waiting = generate_hint(state, model);
  const bool runs = is_running(stage);
  if (!waiting.isEmpty() && !runs) allowed_ = {};
  waiting_ = runs ? QString() : waiting;
  go_on_->setEnabled(allowed_.go_on);
  one_->setEnabled(allowed_.go_on);
  stop_->setEnabled(allowed_.stop);
  now_->set_placeholder(waiting_.isEmpty()
                            ? tr("The text appears here, token by token, as the model reads it "
                                 "and goes on with it.")
                            : waiting_);
  show_start();
  show_hint();
}

void TextCard::show_start() {
  const bool to_read = !prompt_->empty() || start_from_->carries_text();
  start_->setEnabled(allowed_.start && to_read);
  start_->setToolTip(allowed_.start && !to_read
                         ? tr("Type or open a prompt first, or start from a kept state.")
                         : tr("Read the prompt and go on from it (Ctrl+Enter)"));
}

// While there is no text its place says why nothing can be done.
void TextCard::show_hint() {
  const QString text = !problem_.isEmpty() ? problem_ : now_->tokens().empty() ? u""_s : waiting_;
  hint_->setText(text);
  hint_->setVisible(!text.isEmpty());
}

QString TextCard::hint() const { return problem_.isEmpty() ? waiting_ : problem_; }

void TextCard::refuse(const QString& sentence) {
  problem_ = sentence;
  show_hint();
}

void TextCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  controls_->setDirection(event->size().width() < text_room(kOneRow) ? QBoxLayout::TopToBottom
                                                          : QBoxLayout::LeftToRight);
}

void TextCard::dragEnterEvent(QDragEnterEvent* event) {
  if (!dragged_text_file(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void TextCard::dropEvent(QDropEvent* event) {
  prompt_->open_file(dragged_text_file(*event->mimeData()));
  event->acceptProposedAction();
}

}  // namespace farstate::desktop
