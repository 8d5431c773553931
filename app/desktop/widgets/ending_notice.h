// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace farstate::desktop {

// A small window that outlives the large one: it says that work is coming to its end and, where
// that takes long, offers to end at once.
class EndingNotice : public QWidget {
  Q_OBJECT
 public:
  EndingNotice();

  void wait();         // shows itself when it can be noticed, and the choice later
  void offer_to_quit();
  QPushButton* quit_button() const { return quit_; }

 Q_SIGNALS:
  void quit_wanted();

 private:
  QPushButton* quit_;
};

}  // namespace farstate::desktop
