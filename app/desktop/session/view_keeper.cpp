// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/view_keeper.h"

#include <QScopedValueRollback>
#include <QWidget>
#include <memory>
#include <utility>

#include "app/desktop/session/settings_history.h"
#include "app/desktop/session/window_views.h"
#include "app/desktop/settings.h"
#include "app/desktop/widgets/segmented.h"

namespace farstate::desktop {

ViewKeeper::ViewKeeper(QWidget& window, SettingsHistory& history)
    : QObject(&window), window_(window), history_(history) {
  for (Segmented* choice : window.findChildren<Segmented*>()) {
    if (!view_name(*choice).empty()) watch(choice);
  }
}

void ViewKeeper::watch(Segmented* choice) {
  auto last = std::make_shared<int>(choice->chosen());
  connect(choice, &Segmented::changed, this, [this, choice, last](int now) {
    const int before = std::exchange(*last, now);
    if (before == now || showing_) return;
    if (remembering_) remember_view(QString::fromStdString(view_name(*choice)), now);
    history_.record_view([choice] { return choice->accessibleName(); },
                         [choice, before] { choice->pick(before); },
                         [choice, now] { choice->pick(now); });
  });
}

void ViewKeeper::remember() {
  std::vector<SessionView> views;
  for (const Segmented* choice : window_.findChildren<Segmented*>()) {
    const std::string name = view_name(*choice);
    if (name.empty()) continue;
    views.push_back({name, remembered_view(QString::fromStdString(name), choice->chosen())});
  }
  show(views);
  remembering_ = true;
}

void ViewKeeper::show(const std::vector<SessionView>& views) {
  const QScopedValueRollback<bool> showing(showing_, true);
  show_views(window_, views);
}

}  // namespace farstate::desktop
