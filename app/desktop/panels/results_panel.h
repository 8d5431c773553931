// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "app/desktop/models/measurement_book.h"

class QPlainTextEdit;
class QStackedWidget;
class QSlider;
class QTabBar;
class QTableView;

namespace farstate::desktop {

class AttentionPanel;
class ComparisonModel;
class Focus;
class HeadsPanel;
class LossPlot;
class Segmented;
struct Theme;

// Below the plots: training loss, the comparison in numbers, the heads in numbers, what the head in
// focus attends to, and what happened in words.
class ResultsPanel : public QFrame {
  Q_OBJECT
 public:
  enum Page { kLoss, kComparison, kHeads, kAttention, kLog };

  explicit ResultsPanel(Focus* focus, QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // `perplexity`: the name of the series that the comparison shows.
  void show_book(const MeasurementBook& book, int64_t trained_context, int64_t reference,
                 const std::string& perplexity);
  void show_report(std::shared_ptr<const StateReport> report);
  bool shows_report() const;  // the page in front has a use for one
  void log(const QString& line);

  LossPlot* loss() const { return loss_; }
  ComparisonModel* comparison() const { return comparison_; }
  HeadsPanel* heads() const { return heads_; }
  AttentionPanel* attention() const { return attention_; }
  QTabBar* tabs() const { return tabs_; }  // by Page
  QTableView* table() const { return table_; }
  QSlider* smoothing() const { return smoothing_; }  // in hundredths

 Q_SIGNALS:
  void page_changed();

 private:
  void resizeEvent(QResizeEvent* event) override;
  QWidget* make_table();
  void fit_height();
  QWidget* make_smoothing();

  QTabBar* tabs_;
  QStackedWidget* pages_;
  QWidget *smoothing_row_, *smoothing_name_;
  QSlider* smoothing_;
  Segmented* scale_;
  LossPlot* loss_;
  ComparisonModel* comparison_;
  QTableView* table_;
  HeadsPanel* heads_;
  AttentionPanel* attention_;
  QPlainTextEdit* log_;
  class NameDelegate* names_;
};

}  // namespace farstate::desktop
