// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>

#include "app/desktop/widgets/ending_notice.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using farstate::testing::AnimatedRunner;

TEST(EndingNotice, OffersToEndWhereItTakesLong) {
  EndingNotice notice;
  QSignalSpy quit(&notice, &EndingNotice::quit_wanted);
  notice.wait();
  EXPECT_FALSE(notice.isVisible());
  notice.offer_to_quit();
  EXPECT_TRUE(notice.quit_button()->isVisible());
  notice.quit_button()->click();
  EXPECT_EQ(quit.count(), 1);
}

TEST_F(WindowTest, AMinimisedWindowTrainsOn) {
  open_with<AnimatedRunner>();
  window_->load();
  for (int i = 0; i < 8; ++i) window_->pump()->drain();
  window_->run_main_action();
  window_->showMinimized();
  const int64_t before = window_->steps_done();
  for (int i = 0; i < 20; ++i) {
    window_->pump()->drain();
    Q_EMIT window_->pump()->ticked();
    QTest::qWait(5);
  }
  EXPECT_EQ(window_->steps_done(), before + 20);
}

}  // namespace
}  // namespace farstate::desktop
