// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/story/facts.h"

namespace farstate::desktop {

class MainWindow;

// The window's session as facts. It changes nothing.
class SessionFacts : public Facts {
 public:
  explicit SessionFacts(const MainWindow& window) : window_(window) {}

  std::optional<FactValue> fact(const QString& name) const override;

 private:
  std::optional<FactValue> of_session(const QString& name) const;
  std::optional<FactValue> of_model(const QString& name) const;
  std::optional<FactValue> of_focus(const QString& name) const;
  std::optional<FactValue> of_curves(const QString& name) const;
  std::optional<FactValue> of_tasks(const QString& name) const;
  std::optional<FactValue> of_story(const QString& name) const;

  const MainWindow& window_;
};

}  // namespace farstate::desktop
