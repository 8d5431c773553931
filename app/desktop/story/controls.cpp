// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/controls.h"

#include <QPushButton>
#include <QTabBar>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/side_column.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/panels/training_panel.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {

QWidget* control_named(const MainWindow& window, const QString& name) {
  PlotsPanel& plots = *window.plots();
  if (name == u"state_map") return plots.card(QStringLiteral("state"));
  if (name == u"perplexity") return plots.card(QStringLiteral("perplexity"));
  if (name == u"remembrance") return plots.card(QStringLiteral("effrem"));
  if (name == u"results") return plots.results();
  if (name == u"model") return window.model_panel();
  if (name == u"initial_state") return window.initial_state();
  if (name == u"training") return window.training();
  if (name == u"run") return window.top_bar()->run_button();
  if (name == u"pages") return window.top_bar()->pages();
  if (name == u"inspect") return window.side()->tabs();
  if (name == u"tasks") return window.tasks_panel();
  return nullptr;
}

}  // namespace farstate::desktop
