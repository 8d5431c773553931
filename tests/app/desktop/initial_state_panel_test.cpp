// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/initial_state_panel.h"

#include <gtest/gtest.h>

#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {
namespace {

class InitialStatePanelTest : public ::testing::Test {
 protected:
  InitialStatePanelTest() {
    panel.resize(280, 700);
    panel.show();
  }

  // The field beside a name, if it is shown.
  template <class Field>
  Field* field(const char* name) {
    for (QLabel* label : panel.findChildren<QLabel*>()) {
      if (label->text() == QString::fromUtf8(name) && label->isVisible()) {
        return qobject_cast<Field*>(label->buddy());
      }
    }
    return nullptr;
  }
  bool shows(const char* name) { return field<QWidget>(name) != nullptr; }
  void open_fit() { panel.findChild<QToolButton*>()->setChecked(true); }

  InitialStatePanel panel;
};

TEST_F(InitialStatePanelTest, ShowsWhatTheChosenLawReads) {
  for (const Intervention kind : kInterventions) {
    panel.choose(kind);
    const std::string law = to_string(kind);
    EXPECT_EQ(panel.config().kind, kind);
    EXPECT_EQ(shows("P(zero state)"), kind != Intervention::kZero) << law;
    EXPECT_EQ(shows("standard deviation σ"), kind == Intervention::kRandomNoise) << law;
    EXPECT_EQ(shows("rank"), kind == Intervention::kCorrelatedNoise) << law;
    EXPECT_EQ(shows("Zero state"), kind == Intervention::kMixture) << law;
    EXPECT_FALSE(shows("momentum")) << law << ": the fit's settings are folded";
  }
}

TEST_F(InitialStatePanelTest, TheFitUnfolds) {
  panel.choose(Intervention::kFittedNoise);
  open_fit();
  EXPECT_TRUE(shows("states"));
  EXPECT_TRUE(shows("momentum"));
  EXPECT_FALSE(shows("burn-in (tokens)"));
  QSignalSpy changed(&panel, &InitialStatePanel::changed);
  Q_EMIT field<Segmented>("states")->changed(1);
  EXPECT_EQ(panel.config().fitted_from, "all");
  ASSERT_TRUE(shows("burn-in (tokens)"));
  field<QSpinBox>("burn-in (tokens)")->setValue(16);
  EXPECT_EQ(panel.config().fitted_burn_in, 16);
  field<QSpinBox>("windows")->setValue(128);
  EXPECT_EQ(panel.config().fitted_windows, 128);
  EXPECT_FALSE(shows("momentum")) << "a fixed set has none";
  EXPECT_EQ(changed.count(), 3);

  panel.choose(Intervention::kCorrelatedNoise);
  EXPECT_EQ(panel.config().fitted_from, "final") << "the only states that it can be fitted to";
  EXPECT_FALSE(shows("states"));
}

TEST_F(InitialStatePanelTest, AMixtureIsAlwaysOneThatCanBeDrawnFrom) {
  panel.choose(Intervention::kMixture);
  EXPECT_EQ(panel.config().mixture,
            (std::map<std::string, double>{{"fitted-noise", 0.5}, {"state-passing", 0.5}}));
  field<QDoubleSpinBox>("Random noise")->setValue(0.25);
  EXPECT_TRUE(shows("standard deviation σ")) << "a law of the mixture reads it";
  field<QDoubleSpinBox>("Truncated BPTT")->setValue(1);
  EXPECT_EQ(panel.config().mixture,
            (std::map<std::string, double>{{"fitted-noise", 0.5}, {"random-noise", 0.25}, {"tbtt", 1}}))
      << "state passing can't be beside truncated BPTT";
  EXPECT_EQ(field<QDoubleSpinBox>("State passing")->value(), 0);
  for (const char* law : {"Fitted noise", "Random noise", "Truncated BPTT"}) {
    field<QDoubleSpinBox>(law)->setValue(0);
  }
  EXPECT_EQ(panel.config().mixture, (std::map<std::string, double>{{"tbtt", 1}}))
      << "the last law stays";
  EXPECT_EQ(field<QDoubleSpinBox>("Truncated BPTT")->value(), 1);
}

TEST_F(InitialStatePanelTest, ShowsAConfigWithoutSayingSo) {
  InterventionConfig config;
  config.kind = Intervention::kMixture;
  config.mixture = {{"correlated-noise", 2}, {"zero", 1}};
  config.fitted_rank = 16;
  QSignalSpy changed(&panel, &InitialStatePanel::changed);
  panel.show_config(config);
  EXPECT_EQ(field<QDoubleSpinBox>("Correlated noise")->value(), 2);
  EXPECT_EQ(field<QSpinBox>("rank")->value(), 16);
  EXPECT_EQ(changed.count(), 0);
  EXPECT_EQ(panel.config(), config);
}

}  // namespace
}  // namespace farstate::desktop
