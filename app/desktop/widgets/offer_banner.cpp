// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/offer_banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <utility>

#include "app/desktop/theme.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

OfferBanner::OfferBanner(QWidget* parent) : QFrame(parent) {
  setObjectName(u"offer"_s);
  worded(this, [this] { setAccessibleName(tr("Offer")); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Theme::kPad + 2, 6, Theme::kPad, 6);
  row->setSpacing(10);
  text_ = new QLabel(this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  accept_ = new QPushButton(this);
  accept_->setProperty("role", u"small"_s);
  accept_->setFocusPolicy(Qt::TabFocus);
  close_ = new QToolButton(this);
  close_->setProperty("role", u"quiet"_s);
  close_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    close_->setToolTip(tr("Not now"));
    close_->setAccessibleName(tr("Not now"));
  });
  row->addWidget(text_, 1);
  row->addWidget(accept_);
  row->addWidget(close_);
  connect(accept_, &QPushButton::clicked, this, [this] {
    const std::function<void()> act = std::exchange(act_, {});
    hide();
    if (act) act();
  });
  connect(close_, &QToolButton::clicked, this, &OfferBanner::dismiss);
  hide();
}

void OfferBanner::set_theme(const Theme& theme) {
  close_->setIcon(themed_icon(u"close"_s, theme.muted));
}

void OfferBanner::show_offer(const QString& text, const QString& action,
                             std::function<void()> accept) {
  text_->setText(text);
  accept_->setText(action);
  act_ = std::move(accept);
  show();
}

void OfferBanner::dismiss() {
  act_ = {};
  hide();
}

QString OfferBanner::text() const { return text_->text(); }

}  // namespace farstate::desktop
