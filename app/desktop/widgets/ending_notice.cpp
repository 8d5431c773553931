// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/ending_notice.h"

#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <chrono>

#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace std::chrono_literals;

namespace {

constexpr auto kNoticed = 300ms;
constexpr auto kTooLong = 5s;
constexpr int kMargin = 24;

}  // namespace

EndingNotice::EndingNotice() {
  setWindowTitle(tr("Farstate"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
  column->setSpacing(kMargin / 2);
  column->addWidget(with_text(new QLabel(this), [] { return tr("Farstate is finishing…"); }));
  quit_ = with_text(new QPushButton(this), [] { return tr("End now"); });
  worded(this, [this] {
    quit_->setToolTip(tr("Files stay whole; what was not saved yet is lost."));
  });
  quit_->hide();
  column->addWidget(quit_);
  connect(quit_, &QPushButton::clicked, this, &EndingNotice::quit_wanted);
}

void EndingNotice::wait() {
  QTimer::singleShot(kNoticed, this, &QWidget::show);
  QTimer::singleShot(kTooLong, this, &EndingNotice::offer_to_quit);
}

void EndingNotice::offer_to_quit() {
  quit_->show();
  show();
}

}  // namespace farstate::desktop
