// SPDX-License-Identifier: GPL-3.0-or-later
// A slider through what was recorded during training: one place per recorded step, the newest at
// its end. It follows the newest until it is moved, and again once it is moved back to the end.
#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>
#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace farstate::desktop {

struct Theme;

class HistorySlider : public QWidget {
  Q_OBJECT
 public:
  explicit HistorySlider(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // running: more is to come; planned: of the longest run.
  void show_steps(const std::vector<int64_t>& steps, int64_t planned, bool running);
  std::optional<int64_t> step() const;  // empty: follows the newest
  void go_to(std::optional<int64_t> step);
  void play();  // from here, or from the start where it is at the end; again: holds
  bool plays() const { return beat_.isActive(); }
  QString text() const;  // "step 40 of 200, recorded"
  QSlider* slider() const { return slider_; }
  QToolButton* play_button() const { return play_; }

 Q_SIGNALS:
  void moved();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place(int index);
  void advance();
  void show_text();
  void show_icon();

  std::vector<int64_t> steps_;
  int64_t planned_ = 0;
  bool running_ = false, follows_ = true;
  QTimer beat_;
  QSlider* slider_;
  QToolButton* play_;
  QLabel* label_;
  const Theme* theme_;
};

}  // namespace farstate::desktop
