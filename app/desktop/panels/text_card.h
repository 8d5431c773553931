// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "app/desktop/generate_buttons.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/token_flow.h"
#include "app/desktop/wording.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace farstate::desktop {

class ElidedLabel;
class PromptEdit;
class RampLegend;
class Segmented;
class StartFrom;

// The prompt, what can be done with it, and the text as it is read and goes on. The text of the
// run before stays at hand where both came from the same prompt and settings.
class TextCard : public Card {
  Q_OBJECT
 public:
  explicit TextCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_compact(bool compact);  // fewer lines for the prompt

  void begin(const Generation& generation);  // a new text
  void forget();                             // this one and the one before
  void append(std::span<const GeneratedToken> tokens);
  void show_generation(const Generation& generation);
  void show_state(RunState state, Generation::Stage stage, const ModelInfo* model);

  PromptEdit* prompt() const { return prompt_; }
  StartFrom* start_from() const { return start_from_; }
  TokenFlow* flow() const { return now_; }
  TokenFlow* flow_before() const { return before_; }
  QPushButton* start_button() const { return start_; }
  QPushButton* go_on_button() const { return go_on_; }
  QPushButton* one_button() const { return one_; }
  QPushButton* stop_button() const { return stop_; }
  QString hint() const;        // why nothing can be done, or what went wrong; empty: nothing
  QString comparison() const;  // with the run before; empty: there is none
  void show_before(bool before);
  bool shows_before() const;
  void refuse(const QString& sentence);

 Q_SIGNALS:
  void start_wanted();
  void go_on_wanted();
  void one_wanted();
  void stop_wanted();
  void pointed(std::optional<int64_t> token);
  void chosen(std::optional<int64_t> token);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QPushButton* add_button(const Words& text, const Words& tip, void (TextCard::*signal)());
  void connect_flow(TokenFlow* flow);
  void show_start();
  void show_hint();
  void compare();
  std::optional<int64_t> first_difference() const;

  PromptEdit* prompt_;
  StartFrom* start_from_;
  QPushButton *start_, *go_on_, *one_, *stop_;
  ElidedLabel* stage_;
  QLabel* hint_;
  RampLegend* legend_;
  QStackedWidget* flows_;
  TokenFlow *now_, *before_;
  Segmented* which_;
  QWidget* comparison_row_;
  QLabel* comparison_;
  QBoxLayout* controls_;  // one row, or two where there is no room
  RunState state_ = RunState::kIdle;
  GenerateButtons allowed_;
  QString waiting_, problem_;
  std::optional<GenerationRequest> request_;  // of the text that is shown
  bool comparable_ = false;
  size_t compared_ = 0;  // tokens that are the same in both texts so far
};

// Would both write the same text, if the state that they start from were the same?
bool comparable(const GenerationRequest& a, const GenerationRequest& b);

}  // namespace farstate::desktop
