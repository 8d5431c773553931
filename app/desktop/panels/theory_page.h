// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include "app/desktop/models/toy_state.h"

class QLabel;
class QSlider;
class QToolButton;
class QVBoxLayout;

namespace farstate::desktop {

class Card;
class Segmented;
class ToyView;
struct Theme;

// What the program is about, in a few formulas, and an analogy to play with: a state of two numbers
// whose reach grows with the length of a text.
class TheoryPage : public QWidget {
  Q_OBJECT
 public:
  explicit TheoryPage(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void choose(ToyStart start);
  void set_tokens(int64_t tokens);  // read of each text: the slider
  void set_settings(const ToySettings& settings);
  void play(bool on);

  static constexpr int64_t kMostTokens = 512;
  static constexpr int64_t kTexts = 120, kWindows = 640;

  const ToySettings& settings() const { return settings_; }
  ToyStart start() const { return start_; }
  int64_t tokens() const { return tokens_; }
  bool playing() const { return clock_.isActive(); }
  double covered() const { return covered_; }  // of the states after `tokens`, as is said
  double astray() const { return astray_; }
  QString finding() const;
  QString label() const;  // that it is an analogy

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* make_words();
  QWidget* make_toy();
  void add_slider(QVBoxLayout* column, QSlider** slider, QLabel** name, int low, int high);
  void say();
  void run_toy();
  void show_tokens();

  const Theme* theme_;
  ToySettings settings_;
  ToyStart start_ = ToyStart::kZero;
  int64_t tokens_ = 0;
  double covered_ = 0, astray_ = 0;
  ToyGrid trained_{1};
  std::shared_ptr<const std::vector<std::vector<ToyPoint>>> texts_;
  QTimer clock_;
  QLabel* words_;
  Card *words_card_, *toy_card_;
  ToyView* view_;
  Segmented* starts_;
  QToolButton* play_;
  QSlider *length_, *decay_, *input_, *context_;
  QLabel *length_name_, *decay_name_, *input_name_, *context_name_, *finding_, *label_, *legend_;
};

}  // namespace farstate::desktop
