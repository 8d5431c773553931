// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/theory_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/intervention_style.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/toy_view.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int kWordsWidth = 372;
constexpr auto kFrame = 40ms;
// Sliders have whole numbers: parts of the square root of the length, thousandths, hundredths.
constexpr int kLengthParts = 200;

int64_t tokens_at(int part) {
  const double share = static_cast<double>(part) / kLengthParts;
  return std::llround(share * share * static_cast<double>(TheoryPage::kMostTokens));
}

int part_of(int64_t tokens) {
  const double share = static_cast<double>(tokens) / static_cast<double>(TheoryPage::kMostTokens);
  return static_cast<int>(std::lround(std::sqrt(share) * kLengthParts));
}

// The law of the window that the toy's start stands for: its colour.
Intervention law_of(ToyStart start) {
  switch (start) {
    case ToyStart::kNoise:
      return Intervention::kRandomNoise;
    case ToyStart::kFitted:
      return Intervention::kFittedNoise;
    case ToyStart::kOwnEnds:
      return Intervention::kStatePassing;
    case ToyStart::kZero:
      break;
  }
  return Intervention::kZero;
}

// Sizes of their own would not follow the text size.
QString formula(const QString& text, const QString& size = u"x-large"_s) {
  return u"<p align=\"center\" style=\"font-size:%2; margin-top:5px; margin-bottom:5px\">%1</p>"_s
      .arg(text)
      .arg(size);
}

QString heading(const QString& text) {
  return u"<p style=\"font-weight:600; margin-top:11px; margin-bottom:2px\">%1</p>"_s.arg(text);
}

QString paragraph(const QString& text) {
  return u"<p style=\"margin-top:2px; margin-bottom:4px; line-height:125%\">%1</p>"_s.arg(text);
}

}  // namespace

TheoryPage::TheoryPage(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::kGap);
  row->addWidget(make_words());
  row->addWidget(make_toy(), 1);
  clock_.setInterval(kFrame);
  connect(&clock_, &QTimer::timeout, this, [this] {
    if (length_->value() >= kLengthParts) return play(false);
    length_->setValue(length_->value() + 1);
  });
  worded(this, [this] { say(); });
  set_settings({});
  set_tokens(settings_.context);
}

QWidget* TheoryPage::make_words() {
  words_card_ = new Card({}, this);
  words_ = new QLabel;
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::RichText);
  words_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_->setFocusPolicy(Qt::NoFocus);
  auto* scroll = new QScrollArea(words_card_);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(words_);
  words_->setAutoFillBackground(false);
  scroll->setProperty("role", u"inner"_s);
  worded(scroll, [scroll] { scroll->setAccessibleName(tr("The idea in words")); });
  words_card_->body()->addWidget(scroll, 1);
  set_text_width(words_card_, kWordsWidth);
  return words_card_;
}

QWidget* TheoryPage::make_toy() {
  toy_card_ = new Card({}, this);
  label_ = muted_label({}, toy_card_);
  label_->setWordWrap(true);
  view_ = new ToyView(toy_card_);
  finding_ = new QLabel(toy_card_);
  finding_->setWordWrap(true);
  set_text(finding_, TextSize::kBody, QFont::Medium);
  with_font_of(finding_, [this] {
    finding_->setMinimumHeight(2 * finding_->fontMetrics().lineSpacing());
  });
  finding_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  legend_ = muted_label({}, toy_card_);
  legend_->setTextFormat(Qt::RichText);
  legend_->setWordWrap(true);
  starts_ = new Segmented([] { return tr("Where training windows start"); },
                          {[] { return tr("zero"); }, [] { return tr("noise"); },
                           [] { return tr("fitted"); }, [] { return tr("own ends"); }},
                          toy_card_);
  starts_->setObjectName(QStringLiteral("view.theory-start"));
  connect(starts_, &Segmented::changed, this,
          [this](int index) { choose(static_cast<ToyStart>(index)); });
  toy_card_->add_to_header(starts_);
  auto* body = toy_card_->body();
  body->addWidget(label_);
  body->addWidget(view_, 1);
  body->addWidget(legend_);
  body->addWidget(finding_);
  auto* rows = new QHBoxLayout;
  rows->setSpacing(18);
  auto* left = new QVBoxLayout;
  auto* right = new QVBoxLayout;
  for (QVBoxLayout* column : {left, right}) column->setSpacing(4);
  add_slider(left, &length_, &length_name_, 0, kLengthParts);
  add_slider(left, &context_, &context_name_, 4, 128);
  add_slider(right, &decay_, &decay_name_, 900, 995);
  add_slider(right, &input_, &input_name_, 2, 40);
  play_ = new QToolButton(toy_card_);
  play_->setProperty("role", u"button"_s);
  play_->setProperty("square", true);
  play_->setFocusPolicy(Qt::TabFocus);
  connect(play_, &QToolButton::clicked, this, [this] { play(!playing()); });
  rows->addWidget(play_);
  rows->addLayout(left, 1);
  rows->addLayout(right, 1);
  body->addLayout(rows);
  connect(length_, &QSlider::valueChanged, this, [this](int part) {
    tokens_ = tokens_at(part);
    show_tokens();
  });
  for (QSlider* slider : {context_, decay_, input_}) {
    connect(slider, &QSlider::valueChanged, this, [this] {
      settings_.context = context_->value();
      settings_.decay = decay_->value() / 1000.0;
      settings_.input = input_->value() / 100.0;
      run_toy();
    });
  }
  return toy_card_;
}

void TheoryPage::add_slider(QVBoxLayout* column, QSlider** slider, QLabel** name, int low,
                            int high) {
  *slider = new QSlider(Qt::Horizontal, toy_card_);
  (*slider)->setRange(low, high);
  (*slider)->setFocusPolicy(Qt::TabFocus);
  *name = muted_label({}, toy_card_);
  with_font_of(*name, [label = *name] { label->setMinimumWidth(text_room(118)); });
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(*name);
  row->addWidget(*slider, 1);
  column->addLayout(row);
}

void TheoryPage::say() {
  words_card_->set_title(tr("Theory"));
  toy_card_->set_title(tr("Where states go"));
  label_->setText(tr("An analogy: two numbers instead of thousands; not measured on a model."));
  const QString h = u"<i>h<sub>t</sub></i>"_s;
  QString text = paragraph(
      tr("A recurrent model reads a text token by token. All that it keeps of it is a state %1 of "
         "fixed size: a function makes the next state, another one the prediction.")
          .arg(h));
  text += formula(u"<i>h<sub>t</sub></i> = <i>f</i> (<i>h</i><sub><i>t</i>−1</sub>, "
                  "<i>x<sub>t</sub></i>)"_s);
  text += formula(u"<i>y<sub>t</sub></i> = <i>g</i> (<i>h<sub>t</sub></i>, <i>x<sub>t</sub></i>)"_s);
  text += heading(tr("States that training never explored"));
  text += paragraph(
      tr("Training reads windows of %1 tokens, each from a state of zeros. The model meets the "
         "states that so few tokens lead to, and no others. A longer text leads on to states in "
         "which nothing ever taught it what to predict.")
          .arg(u"<i>T</i>"_s));
  text += heading(tr("What of the past still counts"));
  text += formula(u"EffRem<sub><i>T</i></sub>(<i>t</i>) = <i>d</i> ( <i>p</i>(· | "
                  "<i>x</i><sub>0…<i>T</i>−1</sub>), <i>p</i>(· | <i>x</i><sub><i>t</i>…<i>T</i>−1"
                  "</sub>) )"_s,
                  u"large"_s);
  text += paragraph(
      tr("Effective remembrance: how far the prediction moves when the first %1 tokens are dropped. "
         "Near zero, what was dropped no longer counted.")
          .arg(u"<i>t</i>"_s));
  text += heading(tr("Starting somewhere else"));
  text += paragraph(tr("A little more training repairs the model if its windows start from other "
                       "states:"));
  const auto law = [](Intervention kind, const QString& what) {
    return u"<p style=\"margin-top:1px; margin-bottom:1px; margin-left:8px\"><b>%1</b>: %2</p>"_s
        .arg(intervention_name(kind), what);
  };
  text += law(Intervention::kRandomNoise,
              u"<i>h</i><sub>−1</sub> ~ N(0, <i>σ</i>²)"_s);
  text += law(Intervention::kFittedNoise, tr("noise as large as real final states"));
  text += law(Intervention::kStatePassing, tr("the state that another window ended in"));
  text += law(Intervention::kTbtt, tr("the state that this text has come to"));
  words_->setText(text);
  play(playing());
  show_tokens();
}

void TheoryPage::set_theme(const Theme& theme) {
  theme_ = &theme;
  view_->set_theme(theme);
  run_toy();
  play(playing());
}

void TheoryPage::choose(ToyStart start) {
  start_ = start;
  starts_->choose(static_cast<int>(start));
  run_toy();
}

void TheoryPage::set_tokens(int64_t tokens) {
  length_->setValue(part_of(std::clamp<int64_t>(tokens, 0, kMostTokens)));
}

void TheoryPage::set_settings(const ToySettings& settings) {
  settings_ = settings;
  const QSignalBlocker blockers[] = {QSignalBlocker(context_), QSignalBlocker(decay_),
                                     QSignalBlocker(input_)};
  context_->setValue(static_cast<int>(settings.context));
  decay_->setValue(static_cast<int>(std::lround(1000 * settings.decay)));
  input_->setValue(static_cast<int>(std::lround(100 * settings.input)));
  run_toy();
}

void TheoryPage::play(bool on) {
  if (on && length_->value() >= kLengthParts) length_->setValue(0);
  on ? clock_.start() : clock_.stop();
  play_->setIcon(themed_icon(on ? u"pause"_s : u"play"_s, theme_->text));
  const QString words = on ? tr("Pause") : tr("Let the texts grow");
  play_->setToolTip(words);
  play_->setAccessibleName(words);
}

void TheoryPage::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  play(false);
}

void TheoryPage::run_toy() {
  const Toy toy(settings_);
  texts_ = std::make_shared<const std::vector<std::vector<ToyPoint>>>(toy.texts(kTexts, kMostTokens));
  trained_ = toy.trained(start_, kWindows);
  astray_ = Toy::astray(trained_, *texts_);
  view_->set_trained(trained_, intervention_line(law_of(start_), theme_->dark).color);
  view_->set_texts(texts_);
  show_tokens();
}

void TheoryPage::show_tokens() {
  if (texts_ == nullptr) return;
  const QLocale locale;
  covered_ = Toy::covered(trained_, *texts_, tokens_, tokens_);
  view_->set_tokens(tokens_);
  length_name_->setText(tr("length %1").arg(locale.toString(qint64(tokens_))));
  context_name_->setText(tr("trained to T = %1").arg(locale.toString(qint64(settings_.context))));
  decay_name_->setText(tr("decay %1").arg(locale.toString(settings_.decay, 'f', 3)));
  input_name_->setText(tr("input %1").arg(locale.toString(settings_.input, 'f', 2)));
  const std::pair<QSlider*, QLabel*> named[] = {{length_, length_name_}, {context_, context_name_},
                                                {decay_, decay_name_}, {input_, input_name_}};
  for (const auto& [slider, name] : named) slider->setAccessibleName(name->text());
  finding_->setText(finding());
  const QColor color = intervention_line(law_of(start_), theme_->dark).color;
  legend_->setText(tr("<span style=\"color:%1\">■</span> seen in training &nbsp; "
                      "<span style=\"color:%2\">●</span> a text's state, seen &nbsp; "
                      "<span style=\"color:%3\">●</span> never seen")
                       .arg(color.name(), theme_->text.name(), theme_->pin_b.name()));
}

QString TheoryPage::finding() const {
  const QLocale locale;
  const auto percent = [&locale](double share) { return locale.toString(100 * share, 'f', 0); };
  QString text = tr("After %1 tokens, %2 % of the texts are in states that training has seen.")
                     .arg(locale.toString(qint64(tokens_)), percent(covered_));
  if (astray_ >= 0.05) {
    text = tr("%1 But %2 % of what it saw is nowhere a text leads.", "the sentence before, percent")
               .arg(text, percent(astray_));
  }
  return text;
}

QString TheoryPage::label() const { return label_->text(); }

}  // namespace farstate::desktop
