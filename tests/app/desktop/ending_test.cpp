// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>

#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/plots/perplexity_plot.h"
#include "app/desktop/plots/qcp.h"
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

TEST_F(WindowTest, AMinimisedWindowTrainsOnAndPaintsNothing) {
  open_with<AnimatedRunner>();
  window_->load();
  for (int i = 0; i < 8; ++i) window_->pump()->drain();
  window_->run_main_action();
  window_->showMinimized();
  QTest::qWait(100);  // what was due before it was minimised
  QSignalSpy painted(window_->plots()->perplexity()->canvas(), &QCustomPlot::afterReplot);
  const int64_t before = window_->steps_done();
  for (int i = 0; i < 20; ++i) {
    window_->pump()->drain();
    Q_EMIT window_->pump()->ticked();
    QTest::qWait(5);
  }
  EXPECT_EQ(window_->steps_done(), before + 20);
  EXPECT_EQ(painted.count(), 0);
}

}  // namespace
}  // namespace farstate::desktop
