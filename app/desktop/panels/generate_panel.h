// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <memory>
#include <optional>

#include "app/desktop/models/norm_history.h"
#include "core/session/runner.h"

class QLabel;
class QSplitter;

namespace farstate::desktop {

class Card;
class LivePlot;
class NextTokenView;
class NormMap;
class RampLegend;
class SamplingPanel;
class Segmented;
class StateShelf;
class TextCard;
struct Theme;

// Inference, live: a text is read and gone on with, with the state that it leaves in view and at
// hand. Sends its commands to the runner itself.
class GeneratePanel : public QFrame {
  Q_OBJECT
 public:
  // The runner outlives what a person can do here: the window hides before it ends.
  explicit GeneratePanel(Runner* runner, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_update(const RunnerUpdate& update);
  QList<LivePlot*> plots() const;  // for the paint coordinator

  void read(const QString& prompt);  // and go on from it, as Start does
  void show_request(const GenerationRequest& request);  // without sending it
  GenerationRequest request() const;  // what Start would send
  TextCard* text() const { return text_; }
  SamplingPanel* sampling() const { return sampling_; }
  NextTokenView* next_token() const { return next_; }
  NormMap* map() const { return map_; }
  const NormHistory& norms() const { return norms_; }
  StateShelf* shelf() const { return shelf_; }
  QString entropy_text() const;
  QString divergence_text() const;  // of the prediction before an edit; empty: there was none

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_right_column();
  Card* make_map_card();
  Card* make_next_card();
  void connect_parts();
  void connect_shelf();

  void show_model(const std::shared_ptr<const ModelInfo>& model);
  void begin(const Generation& generation);
  void forget();
  void append(const std::vector<GeneratedToken>& tokens);
  void show_generation();
  void show_thinning();
  void show_scale();
  QString token_text(int64_t position) const;

  Runner* runner_;
  uint64_t epoch_ = 0;
  std::shared_ptr<const ModelInfo> model_;
  std::shared_ptr<const Generation> generation_;
  NormHistory norms_;
  TextCard* text_;
  SamplingPanel* sampling_;
  NextTokenView* next_;
  QLabel *entropy_, *divergence_;
  NormMap* map_;
  RampLegend* map_legend_;
  Segmented* map_scale_;
  QLabel* thinned_;
  StateShelf* shelf_;
};

}  // namespace farstate::desktop
