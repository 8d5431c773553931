// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

namespace farstate::desktop {

class MainWindow;

// Goes through the open story without a person: each card's Show me must complete its task. A
// machine may be slow: what is bounded is the time of one card.
class StoryCheck : public QObject {
  Q_OBJECT
 public:
  using Say = std::function<void(const QString& line)>;
  static constexpr int kSecondsPerStep = 600;

  StoryCheck(MainWindow& window, Say say, int seconds_per_step = kSecondsPerStep);
  void start();

 Q_SIGNALS:
  // Empty: every card is done. Else what is wrong, in a sentence.
  void finished(const QString& complaint);

 private:
  void begin_step();
  void watch();
  QString complaint() const;  // of the card at hand, if it can't be done any more
  void end(const QString& complaint);

  MainWindow& window_;
  Say say_;
  int seconds_;
  QTimer timer_;
  QElapsedTimer since_begin_, since_shown_;
  QString failure_;  // of Show me
};

}  // namespace farstate::desktop
