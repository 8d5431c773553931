// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/score_setup.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "app/desktop/core_words.h"
#include "app/desktop/task_words.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int64_t kLongest = int64_t{1} << 40;  // beyond any text that is read in a lifetime

QLineEdit* list_field(const Words& placeholder, int width, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setProperty("role", u"field"_s);
  placeholder.tell(field, [field](const QString& said) { field->setPlaceholderText(said); });
  with_font_of(field, [field, width] { field->setMinimumWidth(text_room(width)); });
  return field;
}

// "4096" or "4k" or "1M"; negative: neither.
int64_t length_from(QString text) {
  int64_t unit = 1;
  if (text.endsWith(u'k', Qt::CaseInsensitive)) unit = 1024;
  if (text.endsWith(u'M', Qt::CaseInsensitive)) unit = 1024 * 1024;
  if (unit > 1) text.chop(1);
  bool read = false;
  const int64_t value = text.toLongLong(&read);
  return read && value > 0 && value <= kLongest / unit ? value * unit : -1;
}

QStringList items_of(const QLineEdit* field) {
  static const QRegularExpression between(u"[,;\\s]+"_s);
  return field->text().split(between, Qt::SkipEmptyParts);
}

QString lengths_text(const std::vector<int64_t>& lengths) {
  QStringList out;
  for (const int64_t length : lengths) out.push_back(QString::number(length));
  return out.join(u", "_s);
}

QString depths_text(const std::vector<double>& depths) {
  QStringList out;
  for (const double depth : depths) out.push_back(QString::number(depth, 'g', 4));
  return out.join(u", "_s);
}

void set_wrong(QLineEdit* field, bool wrong) {
  if (field->property("wrong").toBool() == wrong) return;
  field->setProperty("wrong", wrong);
  field->style()->unpolish(field);
  field->style()->polish(field);
}

}  // namespace

ScoreSetup::ScoreSetup(QWidget* parent) : QWidget(parent) {
  lengths_ = list_field([] { return tr("the task's own"); }, 100, this);
  worded(this, [this] {
    lengths_->setToolTip(
        tr("Lengths to score at, such as 64, 512, 4k. Empty: those that the task has "
           "for T"));
  });
  lengths_name_ = muted_label({}, this);
  lengths_name_->setBuddy(lengths_);
  depths_row_ = new QWidget(this);
  depths_ = list_field(u"0.1, 0.5, 0.9"_s, 92, depths_row_);
  with_font_of(depths_, [this] { depths_->setMaximumWidth(text_room(130)); });
  worded(this, [this] {
    depths_->setAccessibleName(tr("depths"));
    depths_->setToolTip(tr("Where the key stands: 0 at the start, 1 at the end"));
  });
  auto* depths = new QHBoxLayout(depths_row_);
  depths->setContentsMargins(0, 0, 0, 0);
  depths->setSpacing(8);
  depths->addWidget(muted_label([] { return tr("depths"); }, depths_row_));
  depths->addWidget(depths_);
  trials_ = count_field(1, 10000, 5, this);
  worded(this, [this] {
    trials_->setAccessibleName(tr("trials"));
    trials_->setToolTip(tr("Samples for each cell: more of them make the interval narrower"));
  });
  button_ = new QPushButton(this);
  button_->setFocusPolicy(Qt::TabFocus);
  button_->setProperty("role", u"primary"_s);
  set_text(button_, TextSize::kBody, QFont::DemiBold);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setRange(0, 1000);
  words_ = new ElidedLabel(this);
  words_->setProperty("role", u"muted"_s);
  set_text(words_, TextSize::kSmall);
  auto* where = new QHBoxLayout;
  where->setSpacing(8);
  where->addWidget(lengths_name_);
  where->addWidget(lengths_, 1);
  where->addWidget(depths_row_);
  auto* start = new QHBoxLayout;
  start->setSpacing(8);
  start->addStretch(1);
  start->addWidget(muted_label([] { return tr("trials"); }, this));
  start->addWidget(trials_);
  start->addWidget(button_);
  fields_ = new QBoxLayout(QBoxLayout::LeftToRight);
  fields_->setSpacing(8);
  fields_->addLayout(where, 1);
  fields_->addLayout(start);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(4);
  column->addLayout(fields_);
  column->addWidget(progress_);
  column->addWidget(words_);
  for (QLineEdit* field : {lengths_, depths_}) {
    connect(field, &QLineEdit::textChanged, this, &ScoreSetup::update_words);
  }
  connect(button_, &QPushButton::clicked, this, [this] {
    if (may_.stop) {
      Q_EMIT stop_wanted();
    } else {
      Q_EMIT score_wanted(config());
    }
  });
  show_config({});
}

int ScoreSetup::width_of(int part) const { return fields_->itemAt(part)->minimumSize().width(); }

// One part below the other where there is no room beside it.
QSize ScoreSetup::minimumSizeHint() const {
  return {std::max(width_of(0), width_of(1)), QWidget::minimumSizeHint().height()};
}

void ScoreSetup::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool one_row = event->size().width() >= width_of(0) + fields_->spacing() + width_of(1);
  fields_->setDirection(one_row ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ScoreSetup::show_task(const TaskFace& face) {
  depths_row_->setVisible(face.depths);
  lengths_name_->setText(std::string_view(face.unit) == "letters" ? tr("lengths (letters)")
                                                                  : tr("lengths (tokens)"));
  lengths_->setAccessibleName(lengths_name_->text());
}

void ScoreSetup::show_config(const ScoreConfig& config) {
  const QSignalBlocker blockers[] = {QSignalBlocker(lengths_), QSignalBlocker(depths_)};
  lengths_->setText(lengths_text(config.lengths));
  depths_->setText(depths_text(config.depths));
  trials_->setValue(static_cast<int>(std::min<int64_t>(config.trials, trials_->maximum())));
  update_words();
}

ScoreConfig ScoreSetup::config() const {
  ScoreConfig config;
  config.depths.clear();
  for (const QString& item : items_of(lengths_)) config.lengths.push_back(length_from(item));
  for (const QString& item : items_of(depths_)) config.depths.push_back(item.toDouble());
  std::sort(config.lengths.begin(), config.lengths.end());
  if (config.depths.empty()) config.depths = ScoreConfig().depths;
  config.trials = trials_->value();
  return config;
}

QString ScoreSetup::problem() const {
  const QString wrong = length_problem();
  return wrong.isEmpty() ? depth_problem() : wrong;
}

QString ScoreSetup::length_problem() const {
  for (const QString& item : items_of(lengths_)) {
    if (length_from(item) < 0) {
      return tr("A length is a number such as 512, 4k or 1M, and there is \"%1\".").arg(item);
    }
  }
  return {};
}

QString ScoreSetup::depth_problem() const {
  for (const QString& item : items_of(depths_)) {
    bool read = false;
    const double depth = item.toDouble(&read);
    if (!read || !(depth >= 0 && depth <= 1)) {
      return tr("A depth is a number from 0 to 1, and there is \"%1\".").arg(item);
    }
  }
  return {};
}

void ScoreSetup::show_state(const TaskButtons& may, const QString& hint, const TaskScores* scores,
                            bool began) {
  may_ = may;
  hint_ = hint;
  began_ = began;
  const bool running = scores != nullptr && scores->running;
  progress_->setVisible(running);
  phase_.clear();
  if (running) {
    progress_->setValue(static_cast<int>(1000 * std::clamp(scores->progress, 0.0, 1.0)));
    phase_ = core_words(scores->phase);
    const QString left = time_left_text(scores->seconds_left);
    if (!left.isEmpty()) phase_ = tr("%1 · %2", "phase, time left").arg(phase_, left);
  }
  update_words();
}

void ScoreSetup::update_words() {
  const QString wrong = problem();
  set_wrong(lengths_, !length_problem().isEmpty());
  set_wrong(depths_, !depth_problem().isEmpty());
  button_->setText(may_.stop ? tr("Stop") : began_ ? tr("Score again") : tr("Score"));
  button_->setToolTip(may_.stop ? tr("End scoring; the cells that are scored are kept")
                      : began_  ? tr("Go on where scoring ended, or score what is set up now besides")
                                : tr("Let the weights on screen answer the task's samples"));
  button_->setEnabled(may_.stop || (may_.score && wrong.isEmpty()));
  words_->setText(!phase_.isEmpty() ? phase_ : !wrong.isEmpty() ? wrong : hint_);
  words_->setVisible(!words_->text().isEmpty());
}

QString ScoreSetup::words() const { return words_->isHidden() ? QString() : words_->text(); }

}  // namespace farstate::desktop
