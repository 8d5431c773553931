// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <vector>

#include "app/desktop/story/session_actions.h"
#include "app/desktop/story/story.h"

namespace farstate::desktop {

// Does a card's task step by step: each action when the session allows it, each wait until it is
// over. The window answers in the meantime.
class ShowMe : public QObject {
  Q_OBJECT
 public:
  ShowMe(SessionActions* actions, const Facts* facts, QObject* parent);

  void start(const std::vector<StoryCommand>& commands);
  void cancel();
  bool busy() const { return timer_.isActive(); }
  QString waits_for() const;  // in words; empty: nothing

  bool can_undo() const { return memory_.has_value(); }
  void undo();
  void forget();  // nothing to undo any more

 Q_SIGNALS:
  void changed();  // busy() or can_undo()
  void failed(const QString& sentence);

 private:
  void advance();
  bool do_next();

  SessionActions* actions_;
  const Facts* facts_;
  QTimer timer_;
  std::vector<StoryCommand> commands_;
  size_t next_ = 0;
  std::optional<SessionActions::Memory> memory_;
};

}  // namespace farstate::desktop
