// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/notice_banner.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/event_log.h"
#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

NoticeBanner::NoticeBanner(QWidget* parent) : QFrame(parent) {
  setObjectName(u"notice"_s);
  worded(this, [this] { setAccessibleName(tr("Notice")); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Theme::kPad + 2, 7, Theme::kPad, 7);
  row->setSpacing(10);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  count_label_ = new QLabel(this);
  set_text(count_label_, TextSize::kBody, QFont::DemiBold);
  details_ = with_text(new QToolButton(this), [] { return tr("Details"); });
  worded(this, [this] { details_->setToolTip(tr("All errors and warnings so far")); });
  copy_ = new QToolButton(this);
  worded(this, [this] {
    copy_->setToolTip(tr("Copy this message"));
    copy_->setAccessibleName(tr("Copy this message"));
  });
  close_ = new QToolButton(this);
  worded(this, [this] {
    close_->setToolTip(tr("Dismiss"));
    close_->setAccessibleName(tr("Dismiss"));
  });
  row->addWidget(text_, 1);
  row->addWidget(count_label_);
  for (QToolButton* button : {details_, copy_, close_}) {
    button->setProperty("role", u"quiet"_s);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
  }
  connect(details_, &QToolButton::clicked, this, &NoticeBanner::details_wanted);
  connect(copy_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(text_->text()); });
  connect(close_, &QToolButton::clicked, this, &NoticeBanner::dismiss);
  hide();
}

void NoticeBanner::set_theme(const Theme& theme) {
  copy_->setIcon(themed_icon(u"copy"_s, theme.muted));
  close_->setIcon(themed_icon(u"close"_s, theme.muted));
}

QString NoticeBanner::text() const { return text_->text(); }

void NoticeBanner::show_notice(Severity severity, const QString& text) {
  remember(severity, text);
  // A warning does not push an error aside.
  const bool keeps_error =
      count_ > 0 && severity_ == Severity::kError && severity == Severity::kWarning;
  ++count_;
  if (!keeps_error) {
    severity_ = severity;
    text_->setText(text);
  }
  count_label_->setText(tr("×%1").arg(QLocale().toString(count_)));
  count_label_->setVisible(count_ > 1);
  const QString name = severity_ == Severity::kError ? u"error"_s : u"warning"_s;
  if (property("severity").toString() != name) {
    setProperty("severity", name);
    style()->unpolish(this);
    style()->polish(this);
  }
  show();
}

void NoticeBanner::remember(Severity severity, const QString& text) {
  log_line(severity == Severity::kError ? LogLevel::kError : LogLevel::kWarning, text);
  const auto same = std::find_if(said_.begin(), said_.end(),
                                 [&text](const Said& said) { return said.text == text; });
  Said now = same == said_.end() ? Said{severity, text, 0, {}} : *same;
  if (same != said_.end()) said_.erase(same);
  ++now.times;
  now.last = QDateTime::currentDateTime();
  if (said_.size() == kRemembered) said_.erase(said_.begin());
  said_.push_back(std::move(now));
}

QString NoticeBanner::history() const {
  QString lines;
  for (auto said = said_.rbegin(); said != said_.rend(); ++said) {
    const QString kind = said->severity == Severity::kError ? tr("error") : tr("warning");
    QString text = said->text;
    lines += tr("%1  %2  ×%3  %4", "time, kind, count, text")
                 .arg(QLocale().toString(said->last.time(), QLocale::ShortFormat), kind,
                      QLocale().toString(said->times), text.replace(u'\n', u' ')) +
             u'\n';
  }
  return lines;
}

void NoticeBanner::dismiss() {
  count_ = 0;
  text_->clear();
  hide();
}

}  // namespace farstate::desktop
