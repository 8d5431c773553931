// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPushButton>

#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/loss_plot.h"
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

TEST_F(WindowTest, AMinimisedWindowTrainsOn) {
  open_with<AnimatedRunner>();
  window_->load();
  for (int i = 0; i < 8; ++i) window_->pump()->drain();
  window_->run_main_action();
  window_->pump()->drain();
  window_->showMinimized();
  QCoreApplication::processEvents();  // what was asked for before
  int replots = 0;
  for (const QCustomPlot* canvas : window_->findChildren<QCustomPlot*>()) {
    QObject::connect(canvas, &QCustomPlot::afterReplot, window_.get(), [&replots] { ++replots; });
  }
  const auto work = [this] {
    for (int i = 0; i < 120; ++i) {
      window_->pump()->drain();
      Q_EMIT window_->pump()->ticked();
      QTest::qWait(5);
    }
  };
  const int64_t before = window_->steps_done();
  work();
  EXPECT_EQ(window_->steps_done(), before + 120);
  EXPECT_EQ(replots, 0);
  window_->showNormal();
  work();
  EXPECT_GT(replots, 0);
  const LossPlot& loss = *window_->plots()->results()->loss();
  EXPECT_GE(loss.x_range().high, static_cast<double>(before + 120));
}

}  // namespace
}  // namespace farstate::desktop
