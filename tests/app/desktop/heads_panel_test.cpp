// SPDX-License-Identifier: GPL-3.0-or-later
// The table of heads: sorting, filtering, choosing.
#include <gmock/gmock.h>

#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <cmath>

#include "app/desktop/models/heads_model.h"
#include "app/desktop/panels/heads_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "tests/app/desktop/window_fixture.h"

namespace farstate::desktop {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Series curve(const char* name, int64_t layer, int64_t head, std::vector<double> x,
             std::vector<double> y) {
  Series s;
  s.name = name;
  s.x_name = "position";
  s.layer = layer;
  s.head = head;
  s.x = std::move(x);
  s.y = std::move(y);
  return s;
}

// Four heads that drift by these factors from position 64 to 1,024; the last was never measured
// that far.
Measurement four_heads() {
  Measurement m;
  m.complete = true;
  m.id = 1;
  const double drift[] = {2, 0.1, 10.5, kNaN};
  for (int64_t h = 0; h < 4; ++h) {
    const int64_t layer = h / 2, head = h % 2;
    m.series.push_back(
        curve("state_norm", layer, head, {64, 256, 1024}, {10, 11, 10 * drift[h]}));
    m.series.push_back(curve("state_drift", layer, head, {64, 256, 1024}, {1, 1.1, drift[h]}));
    m.series.push_back(curve("half_life", layer, head, {64, 1024}, {5, 100.0 - 9 * double(h)}));
  }
  return m;
}

class HeadsPanelTest : public WindowTest {
 protected:
  void open_with_heads(const Measurement& m) {
    open();
    auto model = std::make_shared<ModelInfo>();
    model->trained_context = 64;
    RunnerUpdate u = update(RunState::kReady);
    u.model = model;
    auto shared = std::make_shared<Measurement>(m);
    shared->epoch = 1;
    u.measurements = {shared};
    deliver(u);
    window_->plots()->results()->tabs()->setCurrentIndex(2);
  }

  HeadsPanel* panel() const { return window_->plots()->results()->heads(); }

  std::vector<double> column(HeadsModel::Column c) const {
    std::vector<double> out;
    for (int r = 0; r < panel()->filter()->rowCount(); ++r) {
      out.push_back(panel()->model()->value(
          panel()->filter()->mapToSource(panel()->filter()->index(r, 0)).row(), c));
    }
    return out;
  }
  std::vector<HeadIndex> heads() const {
    std::vector<HeadIndex> out;
    for (int r = 0; r < panel()->filter()->rowCount(); ++r) {
      out.push_back(panel()->model()->head(
          panel()->filter()->mapToSource(panel()->filter()->index(r, 0)).row()));
    }
    return out;
  }
};

using H = HeadIndex;

TEST_F(HeadsPanelTest, BeginsWithTheLargestChangeInEitherDirection) {
  open_with_heads(four_heads());
  // log 10.5 > -log 0.1 > log 2; what was not measured comes last.
  EXPECT_THAT(heads(), ElementsAre(H{1, 0}, H{0, 1}, H{0, 0}, H{1, 1}));
  EXPECT_EQ(column(HeadsModel::kRank)[1], 2);
}

TEST_F(HeadsPanelTest, SortsNumbersAsNumbersAndMissingOnesLastInBothDirections) {
  open_with_heads(four_heads());
  QTableView* table = panel()->table();
  table->sortByColumn(HeadsModel::kNorm, Qt::AscendingOrder);
  EXPECT_THAT(heads(), ElementsAre(H{0, 1}, H{0, 0}, H{1, 0}, H{1, 1}));  // 1, 20, 105, –
  table->sortByColumn(HeadsModel::kNorm, Qt::DescendingOrder);
  EXPECT_THAT(heads(), ElementsAre(H{1, 0}, H{0, 0}, H{0, 1}, H{1, 1}));
  table->sortByColumn(HeadsModel::kHalfLife, Qt::AscendingOrder);
  EXPECT_THAT(column(HeadsModel::kHalfLife), ElementsAre(73, 82, 91, 100));  // not 100 first
}

TEST_F(HeadsPanelTest, AClickOnATitleSortsAndTheTitleSaysSo) {
  open_with_heads(four_heads());
  QHeaderView* header = panel()->table()->horizontalHeader();
  const QPoint norm(header->sectionViewportPosition(HeadsModel::kNorm) + 20, 8);
  QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, norm);
  EXPECT_EQ(panel()->filter()->sortColumn(), HeadsModel::kNorm);
  const QString title =
      panel()->filter()->headerData(HeadsModel::kNorm, Qt::Horizontal, Qt::DisplayRole).toString();
  EXPECT_TRUE(title.endsWith(QStringLiteral("↑")) || title.endsWith(QStringLiteral("↓")));
}

TEST_F(HeadsPanelTest, FiltersByWordsPlacesAndComparisons) {
  open_with_heads(four_heads());
  const auto shown = [&](const char* text) {
    panel()->filter_field()->setText(QString::fromUtf8(text));
    return heads();
  };
  EXPECT_THAT(shown("layer 1"), ElementsAre(H{1, 0}, H{1, 1}));
  EXPECT_THAT(shown("layer 1, head 0"), ElementsAre(H{1, 0}));
  EXPECT_THAT(shown("drift>1"), ElementsAre(H{1, 0}, H{0, 0}));
  EXPECT_THAT(shown("drift < 5 half-life >= 91"), ElementsAre(H{0, 1}, H{0, 0}));
  EXPECT_THAT(shown("HEAD"), ::testing::SizeIs(4));
  EXPECT_THAT(shown("drift >"), ::testing::SizeIs(4));  // half typed
  EXPECT_THAT(shown("nothing of that name"), IsEmpty());
  shown("speed > 3");
  EXPECT_TRUE(panel()->filter()->problem().contains(QStringLiteral("speed")));
}

TEST_F(HeadsPanelTest, SelectionAndFocusFollowEachOther) {
  open_with_heads(four_heads());
  QTableView* table = panel()->table();
  window_->focus()->set_head({0, 1});
  EXPECT_EQ(table->currentIndex().row(), 1);
  EXPECT_TRUE(table->selectionModel()->isRowSelected(1, {}));
  table->selectRow(0);
  EXPECT_EQ(window_->focus()->head(), (H{1, 0}));
  // New numbers move the row, and the selection with it.
  Measurement m = four_heads();
  m.id = 2;
  for (Series& s : m.series) {
    if (s.name == "state_drift" && s.layer == 1 && s.head == 0) s.y.back() = 1.01;
  }
  RunnerUpdate u = update(RunState::kReady);
  auto shared = std::make_shared<Measurement>(m);
  shared->epoch = 1;
  u.measurements = {shared};
  deliver(u);
  EXPECT_EQ(window_->focus()->head(), (H{1, 0}));
  EXPECT_EQ(heads()[static_cast<size_t>(table->currentIndex().row())], (H{1, 0}));
}

TEST_F(HeadsPanelTest, ShowsTheValuesAtTheSecondPin) {
  open_with_heads(four_heads());
  EXPECT_EQ(panel()->model()->value(0, HeadsModel::kNorm), 20);
  window_->focus()->set_pin(Focus::kB, 256);
  EXPECT_EQ(panel()->model()->value(0, HeadsModel::kNorm), 11);
  EXPECT_EQ(panel()->model()->value(0, HeadsModel::kNormAtT), 10);
}

TEST_F(HeadsPanelTest, SaysWhichProbeMeasuresWhatIsMissing) {
  open_with_heads(four_heads());
  const QModelIndex dt = panel()->model()->index(0, HeadsModel::kDt);
  EXPECT_EQ(dt.data().toString(), QStringLiteral("–"));
  EXPECT_TRUE(dt.data(Qt::ToolTipRole).toString().contains(QStringLiteral("dynamics")));
  const QModelIndex ks = panel()->model()->index(0, HeadsModel::kDistance);
  EXPECT_TRUE(ks.data(Qt::ToolTipRole).toString().contains(QStringLiteral("distribution")));
}

TEST_F(HeadsPanelTest, TakesVerdictsAndDistancesFromACloseLook) {
  open_with_heads(four_heads());
  window_->focus()->set_pin(Focus::kB, 1024);
  auto report = std::make_shared<StateReport>();
  report->epoch = 1;
  report->positions = {64, 1024};
  for (int64_t h = 0; h < 4; ++h) {
    HeadReport head;
    head.index = {h / 2, h % 2};
    head.at.resize(2);
    head.at[1].ks_distance = 0.25;
    head.at[1].effective_rank = 7;
    if (h == 2) {
      head.law.emplace();
      head.law->law = "dependent";
    }
    report->heads.push_back(head);
  }
  RunnerUpdate u = update(RunState::kReady);
  u.states = report;
  deliver(u);
  EXPECT_EQ(panel()->model()->value(0, HeadsModel::kDistance), 0.25);
  panel()->filter_field()->setText(QStringLiteral("depend"));
  EXPECT_THAT(heads(), ElementsAre(H{1, 0}));
}

TEST_F(HeadsPanelTest, CopiesTheTableForASpreadsheet) {
  open_with_heads(four_heads());
  panel()->table()->selectRow(2);
  window_->activateWindow();
  panel()->table()->setFocus();
  ASSERT_TRUE(QTest::qWaitFor([&] { return panel()->table()->hasFocus(); }));
  QTest::keyClick(panel()->table(), Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QApplication::clipboard()->text().split(QLatin1Char('\n'));
  ASSERT_EQ(lines.size(), 3);  // header, row, and the end of the last line
  EXPECT_TRUE(lines[0].startsWith(QStringLiteral("rank\tlayer\thead\tnorm_at_t")));
  EXPECT_TRUE(lines[1].startsWith(QStringLiteral("3\t0\t0\t10\t20\t2")));
}

TEST_F(HeadsPanelTest, TakesThousandsOfHeads) {
  Measurement m;
  m.complete = true;
  for (int64_t i = 0; i < 3072; ++i) {
    const double drift = 1 + double((i * 1009) % 3072) / 100;
    m.series.push_back(
        curve("state_norm", i / 64, i % 64, {64, 1024}, {10, 10 * drift}));
  }
  open_with_heads(m);
  ASSERT_EQ(panel()->filter()->rowCount(), 3072);
  const std::vector<double> drift = column(HeadsModel::kDrift);
  EXPECT_TRUE(std::is_sorted(drift.rbegin(), drift.rend()));
  panel()->filter_field()->setText(QStringLiteral("layer 47"));
  EXPECT_EQ(panel()->filter()->rowCount(), 64);
}

}  // namespace
}  // namespace farstate::desktop
