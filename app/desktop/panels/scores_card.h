// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <vector>

#include "app/desktop/models/score_book.h"
#include "app/desktop/widgets/card.h"

class QComboBox;
class QGridLayout;
class QScrollArea;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace farstate::desktop {

class AccuracyMap;
class CurveLegend;
class LivePlot;
class SampleDelegate;
class ScoreMapTile;
class ScorePlot;
class ScoreSetup;
class ScoreTable;
class Segmented;
struct TaskFace;

// A task's accuracies, as a map of depth and length for each arm or as curves over length, and the
// same in numbers behind them.
class ScoresCard : public Card {
  Q_OBJECT
 public:
  explicit ScoresCard(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_task(const TaskConfig& task);
  // limit: the length that was trained, 0: not known. planned: lengths and depths that are to come.
  void show_layers(std::vector<ScoreLayer> layers, int64_t limit, const ScoreConfig& planned);
  // The paper's figures for the task, a faint layer to be switched on; none: no switch.
  void show_reference(std::vector<ScoreLayer> layers);
  void show_hint(const QString& text);  // what to do where nothing is scored

  ScoreSetup* setup() const { return setup_; }
  ScorePlot* plot() const { return plot_; }
  ScoreTable* table() const { return table_; }
  QTableView* rows() const { return rows_; }
  Segmented* view() const { return view_; }
  Segmented* modes() const { return modes_; }
  QComboBox* kinds() const { return kinds_; }
  QToolButton* reference() const { return reference_; }
  QVector<AccuracyMap*> maps() const;  // shown
  QWidget* maps_area() const;
  QString map_title(int map) const;
  QString words() const;
  QString placeholder() const;  // empty: there is something to see

 Q_SIGNALS:
  void save_wanted();  // the scores as JSON

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_header();
  QWidget* make_maps();
  QWidget* make_table();
  ScoreFilter filter() const;
  std::vector<ScoreLayer> shown_layers() const;  // with the reference, where it is switched on
  void show_contents();
  void show_maps(const std::vector<ScoreLayer>& layers);
  void show_curves(const std::vector<ScoreLayer>& layers);
  void arrange_maps();
  void fit_columns();
  void copy(const QString& text);

  const Theme* theme_;
  TaskConfig task_;
  const TaskFace* face_;
  std::vector<ScoreLayer> layers_, paper_;
  int64_t limit_ = 0;
  ScoreConfig planned_;
  QString hint_;
  Segmented *view_, *modes_;
  QComboBox* kinds_;
  QToolButton *reference_, *copy_;
  CurveLegend* legend_;
  QStackedWidget* pages_;
  ScorePlot* plot_;
  QWidget* field_;
  QScrollArea* scroll_;
  QGridLayout* grid_;
  QVector<ScoreMapTile*> tiles_;
  int used_ = 0, columns_ = 0;
  ScoreTable* table_;
  QTableView* rows_;
  SampleDelegate* names_;
  QLabel *empty_, *words_, *reference_words_;
  ScoreSetup* setup_;
};

}  // namespace farstate::desktop
