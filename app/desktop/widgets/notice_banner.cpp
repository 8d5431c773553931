// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/notice_banner.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QStyle>
#include <QToolButton>

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
  count_label_->setFont(text_font(TextSize::kBody, QFont::DemiBold));
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
  for (QToolButton* button : {copy_, close_}) {
    button->setProperty("role", u"quiet"_s);
    button->setFocusPolicy(Qt::TabFocus);
    row->addWidget(button);
  }
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

void NoticeBanner::dismiss() {
  count_ = 0;
  text_->clear();
  hide();
}

}  // namespace farstate::desktop
