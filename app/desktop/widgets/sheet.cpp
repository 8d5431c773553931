// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/sheet.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHash>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kWidest = 760, kMargin = 24, kPad = 20, kBarParts = 1000;
constexpr int kScrollBar = 14;  // lies in the padding at the right

}  // namespace

Sheet::Sheet(const Words& action, QWidget* over)
    : QWidget(over), theme_(&theme_for(ThemeMode::kLight)) {
  setFocusPolicy(Qt::StrongFocus);
  card_ = new QFrame(this);
  card_->setProperty("role", u"card"_s);
  auto* column = new QVBoxLayout(card_);
  column->setContentsMargins(kPad, kPad - 4, kPad - kScrollBar, kPad - 4);
  column->setSpacing(0);
  make_head(column);
  auto* content = new QWidget;
  content->setObjectName(u"sheet"_s);
  body_ = new QVBoxLayout(content);
  body_->setContentsMargins(0, 14, kScrollBar, 0);
  body_->setSpacing(14);
  scroll_ = new QScrollArea(card_);
  scroll_->setObjectName(u"sheet"_s);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(content);
  column->addWidget(scroll_);
  action_ = with_text(new QPushButton(card_), action);
  make_foot(column);
  over->installEventFilter(this);
  hide();
}

void Sheet::make_head(QVBoxLayout* column) {
  title_ = new ElidedLabel(card_);
  set_text(title_, TextSize::kHeading, QFont::DemiBold);
  title_->setTextFormat(Qt::PlainText);
  detail_ = new ElidedLabel(card_);
  detail_->setProperty("role", u"muted"_s);
  auto* lines = new QVBoxLayout;
  lines->setContentsMargins(0, 0, kScrollBar, 0);
  lines->setSpacing(2);
  lines->addWidget(title_);
  lines->addWidget(detail_);
  column->addLayout(lines);
}

void Sheet::make_foot(QVBoxLayout* column) {
  problem_ = new QFrame(card_);
  problem_->setObjectName(u"problem"_s);
  auto* row = new QHBoxLayout(problem_);
  row->setContentsMargins(12, 9, 8, 9);
  problem_text_ = new QLabel(problem_);
  problem_text_->setWordWrap(true);
  problem_text_->setTextFormat(Qt::PlainText);
  problem_text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  copy_ = new QToolButton(problem_);
  copy_->setProperty("role", u"quiet"_s);
  copy_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    copy_->setToolTip(tr("Copy this message"));
    copy_->setAccessibleName(tr("Copy this message"));
  });
  connect(copy_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(problem_text_->text()); });
  row->addWidget(problem_text_, 1);
  row->addWidget(copy_, 0, Qt::AlignTop);
  progress_ = new QWidget(card_);
  auto* lines = new QVBoxLayout(progress_);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(5);
  phase_ = new ElidedLabel(progress_);
  percent_ = muted_label({}, progress_);
  bar_ = new QProgressBar(progress_);
  bar_->setTextVisible(false);
  worded(this, [this] { bar_->setAccessibleName(tr("Progress")); });
  auto* words = new QHBoxLayout;
  words->addWidget(phase_, 1);
  words->addWidget(percent_);
  lines->addLayout(words);
  lines->addWidget(bar_);
  cancel_ = with_text(new QPushButton(card_), [] { return tr("Cancel"); });
  action_->setProperty("role", u"primary"_s);
  set_text(action_, TextSize::kBody, QFont::DemiBold);
  for (QPushButton* button : {cancel_, action_}) button->setFocusPolicy(Qt::TabFocus);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(progress_, 1);
  buttons->addStretch(0);
  buttons->addSpacing(16);
  buttons->addWidget(cancel_);
  buttons->addWidget(action_);
  auto* foot = new QVBoxLayout;
  foot->setContentsMargins(0, 14, kScrollBar, 0);
  foot->setSpacing(14);
  foot->addWidget(problem_);
  foot->addLayout(buttons);
  column->addLayout(foot);
  connect(action_, &QPushButton::clicked, this, &Sheet::accept);
  connect(cancel_, &QPushButton::clicked, this, &Sheet::cancelled);
}

void Sheet::set_theme(const Theme& theme) {
  theme_ = &theme;
  copy_->setIcon(themed_icon(u"copy"_s, theme.muted));
}

void Sheet::set_title(const QString& title, const QString& detail) {
  title_->setText(title);
  detail_->setText(detail);
  detail_->setVisible(!detail.isEmpty());
  setAccessibleName(title);
}

QString Sheet::title() const { return title_->text(); }
QString Sheet::problem() const { return problem_->isHidden() ? QString() : problem_text_->text(); }
QString Sheet::progress_text() const { return progress_->isHidden() ? QString() : phase_->text(); }

void Sheet::open() {
  if (!isVisible()) had_focus_ = QApplication::focusWidget();
  show();
  raise();
  setFocus();
  fit();
}

void Sheet::dismiss() {
  if (isHidden()) return;
  hide();
  (had_focus_ != nullptr ? had_focus_.data() : parentWidget())->setFocus();
}

void Sheet::set_stage(Stage stage, const QString& sentence) {
  stage_ = stage;
  const bool wrong = stage == Stage::kRefused || stage == Stage::kFailed;
  const bool busy =
      stage == Stage::kAsking || stage == Stage::kLoading || stage == Stage::kCancelling;
  problem_->setVisible(wrong && !sentence.isEmpty());
  if (wrong) problem_text_->setText(sentence);
  progress_->setVisible(busy);
  if (busy) show_progress(sentence, -1);
  // A button that goes takes the keyboard with it: the sheet keeps it.
  const bool acts = stage == Stage::kReady || stage == Stage::kFailed;
  if (!acts && action_->hasFocus()) setFocus();
  action_->setEnabled(acts);
  action_->setVisible(stage != Stage::kLoading && stage != Stage::kCancelling);
  cancel_->setEnabled(stage != Stage::kCancelling);
  fit();
}

void Sheet::show_progress(const QString& phase, double share) {
  phase_->setText(phase);
  bar_->setRange(0, share < 0 ? 0 : kBarParts);  // 0 to 0: busy, for how long is not known
  bar_->setValue(static_cast<int>(kBarParts * std::clamp(share, 0.0, 1.0)));
  percent_->setText(
      share < 0 ? QString()
                : tr("%1 %", "percent").arg(QLocale().toString(int(std::floor(100 * share)))));
}

// As high as the contents, but never higher than what it covers: then they scroll.
void Sheet::fit() {
  if (!isVisible()) return;
  setGeometry(parentWidget()->rect());
  const int width = std::min(kWidest, this->width() - 2 * kMargin);
  const int inner = width - 2 * kPad + kScrollBar - 2;
  QWidget* content = scroll_->widget();
  content->layout()->activate();
  const bool flows = content->layout()->hasHeightForWidth();
  const int wanted = flows ? content->layout()->totalHeightForWidth(inner)
                           : content->layout()->totalSizeHint().height();
  scroll_->setFixedHeight(wanted);
  card_->layout()->activate();
  const auto height_at = [&] {
    QLayout* all = card_->layout();
    return all->hasHeightForWidth() ? all->totalHeightForWidth(width) : all->totalSizeHint().height();
  };
  const int room = this->height() - 2 * kMargin;
  const int excess = height_at() - room;
  if (excess > 0) scroll_->setFixedHeight(std::max(60, wanted - excess));
  const int height = std::min(height_at(), room);
  card_->setGeometry((this->width() - width) / 2, std::max(kMargin, (this->height() - height) * 2 / 5),
                     width, height);
}

void Sheet::accept() {
  if (stage_ == Stage::kReady || stage_ == Stage::kFailed) Q_EMIT accepted();
}

bool Sheet::event(QEvent* event) {
  // The window's single-key shortcuts would otherwise act behind the sheet.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

bool Sheet::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) fit();
  return QWidget::eventFilter(watched, event);
}

bool Sheet::focusNextPrevChild(bool next) {
  QWidget* start = QApplication::focusWidget();
  if (start == nullptr || !(start == this || isAncestorOf(start))) start = this;
  QWidget* at = start;
  do {
    at = next ? at->nextInFocusChain() : at->previousInFocusChain();
    if (isAncestorOf(at) && at->isVisible() && at->isEnabled() &&
        (at->focusPolicy() & Qt::TabFocus) != 0) {
      at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
      scroll_->ensureWidgetVisible(at);
      return true;
    }
  } while (at != start);
  return true;
}

void Sheet::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    if (cancel_->isEnabled()) Q_EMIT cancelled();
  } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget());
    if (button != nullptr && isAncestorOf(button)) {
      button->click();
    } else {
      accept();
    }
  } else {
    scroll_by_key(event->key());
  }
  event->accept();
}

void Sheet::scroll_by_key(int key) {
  using Action = QAbstractSlider::SliderAction;
  static const QHash<int, Action> actions = {{Qt::Key_Up, Action::SliderSingleStepSub},
                                             {Qt::Key_Down, Action::SliderSingleStepAdd},
                                             {Qt::Key_PageUp, Action::SliderPageStepSub},
                                             {Qt::Key_PageDown, Action::SliderPageStepAdd},
                                             {Qt::Key_Home, Action::SliderToMinimum},
                                             {Qt::Key_End, Action::SliderToMaximum}};
  scroll_->verticalScrollBar()->triggerAction(actions.value(key, Action::SliderNoAction));
}

void Sheet::mousePressEvent(QMouseEvent*) { setFocus(); }

void Sheet::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->veil);
}

}  // namespace farstate::desktop
