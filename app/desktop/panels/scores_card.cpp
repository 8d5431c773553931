// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/scores_card.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <set>

#include "app/desktop/models/score_table.h"
#include "app/desktop/panels/score_setup.h"
#include "app/desktop/plots/score_plot.h"
#include "app/desktop/task_words.h"
#include "app/desktop/widgets/accuracy_map.h"
#include "app/desktop/widgets/choice_box.h"
#include "app/desktop/widgets/curve_legend.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/widgets/sample_delegate.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

enum Page { kPlot, kMaps, kTable, kEmpty };
constexpr int kNarrowestCell = 30, kMapLeft = 40;
constexpr int kPlotHeight = 190;

const std::vector<std::string>& modes_of_tasks() {
  static const std::vector<std::string> modes = {"generated", "predicted"};
  return modes;
}

bool has_mode(const std::vector<ScoreLayer>& layers, const std::string& mode) {
  for (const ScoreLayer& layer : layers) {
    for (const auto& cells : layer.seeds) {
      for (const TaskCell& cell : cells) {
        if (cell.mode == mode) return true;
      }
    }
  }
  return false;
}

QString detail_of(const ScorePoint& p, bool digitised) {
  if (digitised) return share_text(p.share);
  return p.seeds > 1 ? ScorePlot::tr("%1, %2 seeds %3 to %4")
                           .arg(share_text(p.share))
                           .arg(p.seeds)
                           .arg(share_text(p.low), share_text(p.high))
                     : ScorePlot::tr("%1, %2 of %3")
                           .arg(share_text(p.share))
                           .arg(p.correct)
                           .arg(p.trials);
}

ScorePlot::Curve curve_of(const ScoreLayer& layer, const ScoreFilter& filter, const Theme& theme) {
  using Source = ScoreLayer::Source;
  const bool digitised = layer.source == Source::kPaper;
  ScorePlot::Curve curve{layer.name,
                         layer.line(theme),
                         digitised                         ? ScorePlot::Rank::kReference
                         : layer.source == Source::kEarlier ? ScorePlot::Rank::kEarlier
                                                            : ScorePlot::Rank::kNow,
                         {},
                         {},
                         {},
                         {},
                         {}};
  for (const ScorePoint& p : points_by_length(layer, filter)) {
    if (p.length <= 0) continue;  // an axis of octaves has no place for it
    curve.x.push_back(static_cast<double>(p.length));
    curve.y.push_back(p.share);
    if (!digitised) {
      curve.low.push_back(p.low);
      curve.high.push_back(p.high);
    }
    curve.details.push_back(detail_of(p, digitised));
  }
  return curve;
}

// Where the paper's figures come from; those of no stated length, which no axis can hold, as well.
QString paper_words(const std::vector<ScoreLayer>& paper) {
  QStringList without_length;
  for (const ScoreLayer& layer : paper) {
    const std::vector<ScorePoint> points = points_by_length(layer, {});
    if (points.size() == 1 && points.front().length == 0) {
      without_length.push_back(
          ScoresCard::tr("%1 %2").arg(layer.name, share_text(points.front().share)));
    }
  }
  QString words = ScoresCard::tr("%1. Other models and another training: no values to be met.")
                      .arg(paper.front().tip);
  if (!without_length.isEmpty()) {
    words += ScoresCard::tr(" At lengths that it does not state: %1.")
                 .arg(without_length.join(QStringLiteral(", ")));
  }
  return words;
}

}  // namespace

// A map with its arm's name.
class ScoreMapTile : public QWidget {
 public:
  explicit ScoreMapTile(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    sample_ = new CurveLegend(this);
    sample_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    name_ = new ElidedLabel(this);
    set_text(name_, TextSize::kSmall, QFont::DemiBold);
    note_ = muted_label({}, this);
    set_text(note_, TextSize::kSmall);
    head->addWidget(sample_);
    head->addWidget(name_, 1);
    head->addWidget(note_);
    column->addLayout(head);
    map_ = new AccuracyMap(this);
    column->addWidget(map_);
    column->addStretch(1);
  }

  void show_layer(const ScoreLayer& layer, const Theme& theme) {
    sample_->set_entries({{layer.line(theme), QString()}});
    name_->setText(layer.name);
    note_->setText(layer.source == ScoreLayer::Source::kPaper     ? ScoresCard::tr("digitised")
                   : layer.running                                ? ScoresCard::tr("scoring…")
                   : layer.source == ScoreLayer::Source::kEarlier ? ScoresCard::tr("earlier weights")
                                                                  : QString());
    setToolTip(layer.tip);
    map_->setAccessibleName(layer.name);
  }

  AccuracyMap* map() const { return map_; }
  QString title() const { return name_->text(); }

 private:
  CurveLegend* sample_;
  ElidedLabel* name_;
  QLabel* note_;
  AccuracyMap* map_;
};

ScoresCard::ScoresCard(QWidget* parent)
    : Card([] { return tr("Scores"); }, parent),
      theme_(&theme_for(ThemeMode::kLight)),
      face_(&task_faces().front()) {
  make_header();
  legend_ = new CurveLegend(this);
  legend_->set_wrapping(true);
  reference_words_ = muted_label({}, this);
  set_text(reference_words_, TextSize::kSmall);
  reference_words_->setWordWrap(true);
  pages_ = new QStackedWidget(this);
  plot_ = new ScorePlot(pages_);
  plot_->setMinimumHeight(kPlotHeight);
  empty_ = muted_label({}, pages_);
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  pages_->addWidget(plot_);
  pages_->addWidget(make_maps());
  pages_->addWidget(make_table());
  pages_->addWidget(empty_);
  words_ = new QLabel(this);
  words_->setProperty("role", u"verdict"_s);
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  worded(this, [this] { words_->setAccessibleName(tr("What the scores show")); });
  setup_ = new ScoreSetup(this);
  body()->addWidget(legend_);
  body()->addWidget(pages_, 1);
  body()->addWidget(reference_words_);
  body()->addWidget(words_);
  body()->addWidget(setup_);
  show_contents();
}

void ScoresCard::make_header() {
  kinds_ = new ChoiceBox(this);
  worded(this, [this] { kinds_->setAccessibleName(tr("Kind of question")); });
  kinds_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  kinds_->setMinimumContentsLength(12);
  modes_ = new Segmented([] { return tr("How it is scored"); },
                         {[] { return mode_name(modes_of_tasks()[0]); },
                          [] { return mode_name(modes_of_tasks()[1]); }},
                         this);
  worded(this, [this] {
    modes_->setToolTip(
        tr("Free-running: what the model writes when it goes on from its own letters. "
           "Text given: the likeliest token at each place, the right text before it"));
  });
  reference_ = new QToolButton(this);
  reference_->setProperty("role", u"quiet"_s);
  reference_->setProperty("switch", true);
  reference_->setCheckable(true);
  worded(this, [this] { reference_->setText(tr("Paper")); });
  reference_->setFocusPolicy(Qt::TabFocus);
  view_ = new Segmented([] { return tr("How the scores are shown"); },
                        {[] { return tr("plot"); }, [] { return tr("table"); }}, this);
  view_->setObjectName(QStringLiteral("view.scores"));
  auto* menu = new QMenu(this);
  with_text(menu->addAction(QString(), this, [this] { copy(table_->as_text()); }),
            [] { return tr("Table as text"); });
  with_text(menu->addAction(QString(), this, [this] { copy(as_csv(table_->numbers())); }),
            [] { return tr("Table as CSV"); });
  menu->addSeparator();
  with_text(menu->addAction(QString(), this, &ScoresCard::save_wanted),
            [] { return tr("Save as JSON…"); });
  copy_ = new QToolButton(this);
  copy_->setProperty("role", u"quiet"_s);
  worded(this, [this] { copy_->setText(tr("Copy")); });
  copy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  copy_->setMenu(menu);
  copy_->setPopupMode(QToolButton::InstantPopup);
  copy_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] { copy_->setToolTip(tr("Copy the table, or save the scores")); });
  for (QWidget* widget : std::initializer_list<QWidget*>{kinds_, modes_, reference_, copy_, view_}) {
    add_to_header(widget);
  }
  connect(kinds_, &QComboBox::activated, this, &ScoresCard::show_contents);
  connect(modes_, &Segmented::changed, this, &ScoresCard::show_contents);
  connect(view_, &Segmented::changed, this, &ScoresCard::show_contents);
  connect(reference_, &QToolButton::toggled, this, &ScoresCard::show_contents);
}

QWidget* ScoresCard::make_maps() {
  field_ = new QWidget;
  grid_ = new QGridLayout(field_);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(18);
  grid_->setVerticalSpacing(8);
  scroll_ = new QScrollArea(this);
  scroll_->setProperty("role", u"inner"_s);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(field_);
  field_->setAutoFillBackground(false);  // the card's ground, which setWidget() hid
  scroll_->viewport()->setAutoFillBackground(false);
  return scroll_;
}

QWidget* ScoresCard::make_table() {
  table_ = new ScoreTable(this);
  names_ = new SampleDelegate(ScoreTable::kLawRole, 0, this);
  rows_ = new QTableView(this);
  rows_->setModel(table_);
  rows_->setItemDelegateForColumn(ScoreTable::kArm, names_);
  show_plainly(rows_);
  worded(this, [this] { rows_->setAccessibleName(tr("Accuracy, range and trials by arm")); });
  rows_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  rows_->horizontalHeader()->setSectionResizeMode(ScoreTable::kArm, QHeaderView::Stretch);
  return rows_;
}

QWidget* ScoresCard::maps_area() const { return scroll_; }

void ScoresCard::copy(const QString& text) { QApplication::clipboard()->setText(text); }

void ScoresCard::set_theme(const Theme& theme) {
  theme_ = &theme;
  plot_->set_theme(theme);
  names_->set_theme(theme);
  copy_->setIcon(themed_icon(u"copy"_s, theme.muted));
  for (ScoreMapTile* tile : tiles_) tile->map()->set_theme(theme);
  rows_->viewport()->update();
  show_contents();
}

void ScoresCard::show_task(const TaskConfig& task) {
  const bool other = task.name != task_.name;
  task_ = task;
  face_ = &task_face(task.name);
  setup_->show_task(*face_);
  const bool asks_kinds = task.name == "babilong";
  const QString kind = other ? QString() : kinds_->currentData().toString();
  kinds_->clear();
  kinds_->addItem(tr("all questions"), QString());
  for (const std::string& q : task.questions) {
    kinds_->addItem(kind_name(q), QString::fromStdString(q));
  }
  kinds_->setCurrentIndex(std::max(0, kinds_->findData(kind)));
  kinds_->setVisible(asks_kinds);
  plot_->set_letters(std::string_view(face_->unit) == "letters");
  show_contents();
}

void ScoresCard::show_reference(std::vector<ScoreLayer> layers) {
  paper_ = std::move(layers);
  reference_->setVisible(!paper_.empty());
  reference_->setToolTip(paper_.empty() ? QString() : paper_.front().tip);
  show_contents();
}

void ScoresCard::show_layers(std::vector<ScoreLayer> layers, int64_t limit,
                             const ScoreConfig& planned) {
  layers_ = std::move(layers);
  limit_ = limit;
  planned_ = planned;
  show_contents();
}

void ScoresCard::show_hint(const QString& text) {
  if (hint_ == text) return;
  hint_ = text;
  empty_->setText(text);
}

ScoreFilter ScoresCard::filter() const {
  ScoreFilter filter;
  if (task_.name == "babilong") filter.kind = kinds_->currentData().toString().toStdString();
  // One way of scoring only: then that is it.
  const auto chosen = static_cast<size_t>(std::max(0, modes_->chosen()));
  filter.mode = modes_of_tasks()[chosen];
  if (!has_mode(layers_, filter.mode)) filter.mode = modes_of_tasks()[1 - chosen];
  return filter;
}

std::vector<ScoreLayer> ScoresCard::shown_layers() const {
  std::vector<ScoreLayer> all = layers_;
  if (reference_->isChecked()) all.insert(all.end(), paper_.begin(), paper_.end());
  return all;
}

void ScoresCard::show_contents() {
  modes_->setVisible(has_mode(layers_, "generated") && has_mode(layers_, "predicted"));
  const std::vector<ScoreLayer> layers = shown_layers();
  const bool there = !layers.empty();
  const bool tabled = view_->chosen() == 1;
  for (QWidget* part : std::initializer_list<QWidget*>{copy_, view_}) part->setVisible(there);
  const QString words = score_words(*face_, layers_, filter(), limit_);
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
  const bool paper = reference_->isChecked() && !paper_.empty();
  reference_words_->setText(paper ? paper_words(paper_) : QString());
  reference_words_->setVisible(paper);
  legend_->setVisible(there && !tabled && !face_->depths);
  pages_->setCurrentIndex(!there ? kEmpty : tabled ? kTable : face_->depths ? kMaps : kPlot);
  table_->show(layers, filter());
  fit_columns();
  if (face_->depths) {
    show_maps(layers);
  } else {
    show_curves(layers);
  }
}

void ScoresCard::show_curves(const std::vector<ScoreLayer>& layers) {
  QVector<ScorePlot::Curve> curves;
  QVector<CurveLegend::Entry> entries;
  // The reference is drawn first, so that it lies behind.
  for (const bool paper : {true, false}) {
    for (const ScoreLayer& layer : layers) {
      if ((layer.source == ScoreLayer::Source::kPaper) != paper) continue;
      ScorePlot::Curve curve = curve_of(layer, filter(), *theme_);
      if (curve.x.empty()) continue;
      curves.push_back(curve);
    }
  }
  for (const ScoreLayer& layer : layers) {
    LineStyle line = layer.line(*theme_);
    if (layer.source == ScoreLayer::Source::kPaper) line.color.setAlphaF(0.6F);  // as in the plot
    entries.push_back({line, layer.name});
  }
  legend_->set_entries(entries);
  plot_->set_trained_context(limit_);
  plot_->show_curves(curves, tr("No cell of this kind and of a length above 0 is scored yet."));
}

void ScoresCard::show_maps(const std::vector<ScoreLayer>& layers) {
  std::set<int64_t> lengths(planned_.lengths.begin(), planned_.lengths.end());
  std::set<double> depths;
  QVector<std::vector<ScorePoint>> points;
  for (const ScoreLayer& layer : layers) {
    points.push_back(points_of(layer, filter()));
    for (const auto& cells : layer.seeds) {
      for (const TaskCell& cell : cells) {
        lengths.insert(cell.length);
        depths.insert(cell.depth);
      }
    }
  }
  while (tiles_.size() < static_cast<qsizetype>(layers.size())) {
    tiles_.push_back(new ScoreMapTile(field_));
    tiles_.back()->map()->set_theme(*theme_);
  }
  for (qsizetype i = 0; i < points.size(); ++i) {
    const ScoreLayer& layer = layers[static_cast<size_t>(i)];
    const bool digitised = layer.source == ScoreLayer::Source::kPaper;
    tiles_[i]->show_layer(layer, *theme_);
    AccuracyMap::Content content{{}, {}, points[i], digitised ? 0 : limit_, digitised};
    std::set<int64_t> own;  // the paper's lengths are none of ours
    for (const ScorePoint& p : points[i]) own.insert(p.length);
    const auto& wanted = digitised ? own : lengths;
    content.lengths.assign(wanted.begin(), wanted.end());
    content.depths.assign(depths.begin(), depths.end());
    tiles_[i]->map()->show_content(std::move(content));
  }
  used_ = static_cast<int>(layers.size());
  columns_ = 0;
  arrange_maps();
}

void ScoresCard::arrange_maps() {
  int widest = 8;
  for (int i = 0; i < used_; ++i) {
    widest = std::max(widest, static_cast<int>(tiles_[i]->map()->content().lengths.size()));
  }
  const int narrowest = kMapLeft + widest * kNarrowestCell;
  const int room = std::max(1, scroll_->viewport()->width() / narrowest);
  const int columns = std::clamp(room, 1, std::max(1, std::min(used_, 2)));
  if (columns == columns_) return;
  columns_ = columns;
  for (qsizetype i = 0; i < tiles_.size(); ++i) {
    grid_->removeWidget(tiles_[i]);
    const auto place = static_cast<int>(i);
    tiles_[i]->setVisible(place < used_);
    if (place < used_) grid_->addWidget(tiles_[i], place / columns, place % columns);
  }
  for (int c = 0; c < grid_->columnCount(); ++c) grid_->setColumnStretch(c, c < columns ? 1 : 0);
  const int rows = (used_ + columns - 1) / columns;
  for (int r = 0; r < grid_->rowCount(); ++r) grid_->setRowStretch(r, 0);
  grid_->setRowStretch(rows, 1);  // what is left lies below the maps
  scroll_->setMinimumHeight(used_ > 0 ? tiles_.front()->sizeHint().height() : 0);
}

// A long name is cut before a number is.
void ScoresCard::fit_columns() {
  rows_->setColumnHidden(ScoreTable::kDepth, !face_->depths);
  for (int column = ScoreTable::kArm + 1; column < ScoreTable::kColumns; ++column) {
    rows_->resizeColumnToContents(column);
    rows_->horizontalHeader()->resizeSection(column,
                                             rows_->horizontalHeader()->sectionSize(column) + 12);
  }
}

void ScoresCard::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  arrange_maps();
}

QVector<AccuracyMap*> ScoresCard::maps() const {
  QVector<AccuracyMap*> maps;
  for (int i = 0; i < used_; ++i) maps.push_back(tiles_[i]->map());
  return maps;
}

QString ScoresCard::map_title(int map) const { return tiles_[map]->title(); }

QString ScoresCard::words() const { return words_->isHidden() ? QString() : words_->text(); }

QString ScoresCard::placeholder() const {
  return pages_->currentIndex() == kEmpty ? empty_->text() : QString();
}

}  // namespace farstate::desktop
