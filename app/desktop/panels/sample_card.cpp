// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/sample_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "app/desktop/task_words.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/choice_box.h"
#include "app/desktop/widgets/probability_bar.h"
#include "app/desktop/widgets/ramp_legend.h"
#include "app/desktop/widgets/sample_view.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kJoinQuestions = 50ms;
constexpr auto kPatience = 2s;
constexpr auto kRefresh = 1s;  // between answers of weights that go on changing
constexpr int kDepthSteps = 100;
constexpr qsizetype kLongestOutput = 160;  // letters

QString from(const std::string& text) { return QString::fromStdString(text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

// Line feeds would tear the line apart.
QString quoted(const std::string& output) {
  QString text = from(output);
  text.replace(u'\n', u'⏎');
  if (text.size() > kLongestOutput) text = text.left(kLongestOutput) + u'…';
  return u"“%1”"_s.arg(text);
}

QWidget* row_of(const Words& name, std::initializer_list<QWidget*> fields, QWidget* parent) {
  auto* row = new QWidget(parent);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  QLabel* label = muted_label(name, row);
  layout->addWidget(label);
  for (QWidget* field : fields) {
    layout->addWidget(field);
    name.tell(field, [field](const QString& said) { field->setAccessibleName(said); });
  }
  label->setBuddy(*fields.begin());
  return row;
}

}  // namespace

SampleCard::SampleCard(QWidget* parent)
    : Card([] { return tr("A sample"); }, parent),
      face_(&task_faces().front()),
      theme_(&theme_for(ThemeMode::kLight)) {
  marks_ = muted_label({}, this);
  set_text(marks_, TextSize::kSmall);
  next_ = with_text(new QPushButton(this), [] { return tr("Next sample"); });
  next_->setProperty("role", u"small"_s);
  next_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    next_->setToolTip(tr("Another sample of the same length, depth and kind, drawn from the seed"));
  });
  add_to_header(marks_);
  add_to_header(next_);
  body()->addLayout(make_choices());
  text_ = new SampleView(this);
  text_->setMinimumHeight(60);
  body()->addWidget(text_, 1);
  body()->addWidget(make_answer());
  body()->addStretch(0);
  for (QTimer* timer : {&join_, &patience_, &refresh_}) timer->setSingleShot(true);
  join_.setInterval(kJoinQuestions);
  patience_.setInterval(kPatience);
  refresh_.setInterval(kRefresh);
  connect(&join_, &QTimer::timeout, this, &SampleCard::ask);
  connect(&patience_, &QTimer::timeout, this, [this] {
    waits_ = false;
    ask();
  });
  connect(&refresh_, &QTimer::timeout, this, [this] {
    if (trial_ == nullptr || trial_->step == step_) return;
    due_ = true;
    ask();
  });
  connect(lengths_, &QComboBox::activated, this, &SampleCard::want);
  connect(kinds_, &QComboBox::activated, this, &SampleCard::want);
  connect(depth_, &QSlider::valueChanged, this, &SampleCard::want);
  connect(next_, &QPushButton::clicked, this, [this] {
    ++sample_;
    want();
  });
  show_task({});
  worded(this, [this] { say_again(); });
}

QLayout* SampleCard::make_choices() {
  lengths_ = new ChoiceBox(this);
  lengths_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  kinds_ = new ChoiceBox(this);
  kinds_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  kinds_->setMinimumContentsLength(12);
  depth_ = new QSlider(Qt::Horizontal, this);
  depth_->setRange(0, kDepthSteps);
  depth_->setValue(kDepthSteps / 2);
  worded(this, [this] {
    depth_->setToolTip(tr("Where in the text the evidence stands: 0 its start, 1 its end"));
  });
  depth_value_ = new QLabel(this);
  with_font_of(depth_value_, [this] {
    depth_value_->setMinimumWidth(depth_value_->fontMetrics().horizontalAdvance(u"0.00"_s));
  });
  auto* row = new QHBoxLayout;
  row->setSpacing(16);
  row->addWidget(row_of([] { return tr("length"); }, {lengths_}, this));
  kind_row_ = row_of([] { return tr("kind"); }, {kinds_}, this);
  row->addWidget(kind_row_);
  depth_row_ = row_of([] { return tr("depth"); }, {depth_, depth_value_}, this);
  row->addWidget(depth_row_, 1);
  row->addStretch(0);
  return row;
}

QWidget* SampleCard::make_answer() {
  answer_ = new QWidget(this);
  auto* column = new QVBoxLayout(answer_);
  column->setContentsMargins(0, 5, 0, 0);
  column->setSpacing(4);
  auto* said = new QHBoxLayout;
  said->setSpacing(8);
  verdict_ = new QLabel(answer_);
  set_text(verdict_, TextSize::kBody, QFont::DemiBold);
  verdict_->setTextFormat(Qt::PlainText);
  output_ = new QLabel(answer_);
  output_->setTextFormat(Qt::PlainText);
  output_->setWordWrap(true);
  output_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  verdict_->setWordWrap(false);
  said->addWidget(verdict_, 0, Qt::AlignTop);
  said->addWidget(output_, 1, Qt::AlignTop);
  column->addLayout(said);
  bar_ = new ProbabilityBar(answer_);
  bar_row_ = new QWidget(answer_);
  auto* bar_row = new QHBoxLayout(bar_row_);
  bar_row->setContentsMargins(0, 0, 0, 0);
  bar_row->setSpacing(8);
  bar_row->addWidget(muted_label([] { return tr("probability of the right answer"); }, bar_row_));
  bar_row->addWidget(bar_, 1);
  column->addWidget(bar_row_);
  auto* low = new QHBoxLayout;
  origin_ = muted_label({}, answer_);
  set_text(origin_, TextSize::kSmall);
  ramp_ = new RampLegend(answer_);
  ramp_->set_ends(QLocale().toString(0), QLocale().toString(1));
  worded(this, [this] {
    ramp_->setToolTip(tr("An answer's ground: the probability that the model gives to it"));
  });
  low->addWidget(origin_, 1);
  low->addWidget(ramp_);
  column->addLayout(low);
  return answer_;
}

void SampleCard::set_theme(const Theme& theme) {
  theme_ = &theme;
  text_->set_theme(theme);
  bar_->set_theme(theme);
  ramp_->set_theme(theme);
  ramp_->set_ramp([t = &theme](double share) { return probability_color(*t, share); });
  show_marks();
  show_answer();
}

void SampleCard::show_marks() {
  const auto chip = [](const QColor& color, const QString& text) {
    return u"<span style='background:%1'>&nbsp;&nbsp;&nbsp;</span> %2"_s.arg(color.name(), text);
  };
  marks_->setText(chip(theme_->loss_some, tr("evidence")) + u"&nbsp;&nbsp; "_s +
                  chip(theme_->accent_soft, tr("right answer")));
}

// The same choices in another language.
void SampleCard::say_again() {
  for (int i = 0; i < kinds_->count(); ++i) {
    const std::string kind = kinds_->itemData(i).toString().toStdString();
    kinds_->setItemText(i, kind.empty() ? tr("any") : kind_name(kind));
  }
  const std::vector<int64_t> lengths = std::exchange(known_lengths_, {});
  show_lengths(lengths, limit_);
  show_marks();
  show_answer();
}

void SampleCard::show_task(const TaskConfig& task) {
  if (task == task_ && kinds_->count() > 0) return;
  task_ = task;
  face_ = &task_face(task.name);
  sample_ = 0;
  forget_answer();
  const bool asks_kinds = task.name == "babilong";
  kinds_->clear();
  kinds_->addItem(tr("any"), QString());
  if (asks_kinds) {
    for (const std::string& kind : task.questions) kinds_->addItem(kind_name(kind), from(kind));
  }
  kind_row_->setVisible(asks_kinds);
  depth_row_->setVisible(face_->depths);
  bar_row_->setVisible(!face_->many_answers);
  ramp_->setVisible(face_->many_answers);
  const std::vector<int64_t> lengths = known_lengths_;
  known_lengths_.clear();
  show_lengths(lengths, limit_);
  show_answer();
  want();
}

void SampleCard::show_lengths(const std::vector<int64_t>& lengths, int64_t limit) {
  if (lengths == known_lengths_ && limit == limit_) return;
  const int64_t before = lengths_->currentData().toLongLong();
  known_lengths_ = lengths;
  limit_ = limit;
  const QSignalBlocker blocker(lengths_);
  lengths_->clear();
  for (const int64_t length : lengths) {
    QString text = length_text(length, *face_);
    if (limit > 0 && length == limit) text = tr("%1 = T").arg(text);
    if (limit > 0 && length > limit && length % limit == 0) {
      text = tr("%1 = %2T").arg(text).arg(length / limit);
    }
    lengths_->addItem(text, static_cast<qlonglong>(length));
  }
  int at = lengths_->findData(static_cast<qlonglong>(before));
  if (at < 0) at = lengths_->findData(static_cast<qlonglong>(limit));
  lengths_->setCurrentIndex(std::max(at, 0));
  if (lengths_->currentData().toLongLong() != before) want();
}

void SampleCard::forget_answer() {
  trial_.reset();
  first_ = questions_ + 1;
  waits_ = false;
  due_ = changed_ = true;
}

TaskQuestion SampleCard::question() const {
  TaskQuestion question;
  question.number = questions_;
  question.task = task_;
  question.length = lengths_->currentData().toLongLong();
  if (face_->depths) question.depth = static_cast<double>(depth_->value()) / kDepthSteps;
  question.kind = kinds_->currentData().toString().toStdString();
  question.sample = sample_;
  return question;
}

void SampleCard::want() {
  depth_value_->setText(share_text(static_cast<double>(depth_->value()) / kDepthSteps));
  due_ = changed_ = true;
  join_.start();
  show_origin();
}

void SampleCard::ask() {
  if (!due_ || waits_ || !can_ask_ || !isVisible() || join_.isActive() || lengths_->count() == 0) {
    return;
  }
  due_ = false;
  waits_ = true;
  ++questions_;
  patience_.start();
  Q_EMIT asked(question());
  show_origin();
}

void SampleCard::show_state(bool can_ask, const QString& hint, uint64_t epoch, int64_t step) {
  if (epoch != epoch_) {  // an answer that was on its way went with the model
    forget_answer();
    show_answer();
  }
  const bool could = can_ask_;
  const bool same = epoch == epoch_ && step == step_ && hint == hint_ && could == can_ask;
  epoch_ = epoch;
  step_ = step;
  hint_ = hint;
  can_ask_ = can_ask;
  if (could && !can_ask) waits_ = false;
  if (trial_ != nullptr && trial_->step != step && !refresh_.isActive()) refresh_.start();
  next_->setEnabled(can_ask);
  if (can_ask && due_ && !join_.isActive()) ask();
  if (!same) show_answer();
}

void SampleCard::show_trial(std::shared_ptr<const TaskTrial> trial) {
  if (trial == trial_ || trial == nullptr) return;
  if (trial->number < first_ || trial->number > questions_) return;  // of another task or model
  if (trial->number == questions_) {
    waits_ = false;
    if (!due_) changed_ = false;
    patience_.stop();
  }
  trial_ = std::move(trial);
  show_answer();
  ask();
}

QString SampleCard::empty_words() const {
  if (!hint_.isEmpty()) return hint_;
  if (trial_ == nullptr) return tr("The sample and the model's answer come here.");
  return tr("This model can't be asked that. Choose another task or length, or open a model whose "
            "tokenizer knows the words.") +
         u"\n\n"_s + from(trial_->problem);
}

void SampleCard::show_answer() {
  const bool answered = trial_ != nullptr && trial_->problem.empty();
  answer_->setVisible(answered);
  marks_->setVisible(answered);
  if (!answered) {
    text_->show_words(empty_words());
    verdict_->clear();
    output_->clear();
    return;
  }
  const TaskTrial& trial = *trial_;
  text_->show_pieces(pieces_of(trial.sample, trial.prompt_tokens),
                     face_->many_answers ? trial.by_answer : std::vector<double>());
  verdict_->setText(verdict(trial, *face_));
  QString said = tr("It goes on with %1").arg(quoted(trial.output));
  if (trial.output.empty()) said.clear();
  if (!is_right(trial) && !face_->many_answers) {
    const std::string wanted =
        !trial.sample.target.empty() ? trial.sample.target
        : trial.sample.answers.empty()
            ? std::string()
            : trial.sample.text.substr(
                  static_cast<size_t>(trial.sample.answers.front().begin),
                  static_cast<size_t>(trial.sample.answers.front().end -
                                      trial.sample.answers.front().begin));
    said = tr("%1; right is %2").arg(said, quoted(wanted));
  }
  output_->setText(said);
  show_origin();
}

// Which question and which weights the answer belongs to. Another's is paler and says so.
void SampleCard::show_origin() {
  if (trial_ == nullptr) return;
  const TaskTrial& trial = *trial_;
  const bool pending = changed_;
  const bool older = trial.step != step_;
  QString text = face_->many_answers ? tr("answered")
                                     : tr("%1 tokens read").arg(count(trial.prompt_tokens));
  text += trial.step == 0 ? tr(" by the weights as loaded")
                          : tr(" by the weights of step %1").arg(count(trial.step));
  if (older) text += tr(", which have changed since");
  if (pending && can_ask_) text = tr("reading the sample that is chosen now…");
  if (pending && !can_ask_) text = tr("of the sample before; the chosen one waits");
  origin_->setText(text);
  for (QLabel* label : {verdict_, output_}) label->setEnabled(!pending);
  bar_->show_probability(trial.problem.empty() ? std::optional(trial.probability) : std::nullopt,
                         pending || older);
}

void SampleCard::showEvent(QShowEvent* event) {
  Card::showEvent(event);
  if (due_) join_.start();
}

QString SampleCard::verdict_text() const { return trial_ ? verdict_->text() : QString(); }
QString SampleCard::output_text() const { return trial_ ? output_->text() : QString(); }
QString SampleCard::origin_text() const { return trial_ ? origin_->text() : QString(); }

}  // namespace farstate::desktop
