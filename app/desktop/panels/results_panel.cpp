// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/results_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QSlider>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTabBar>
#include <QTableView>
#include <QTime>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/desktop/models/comparison_model.h"
#include "app/desktop/panels/attention_panel.h"
#include "app/desktop/panels/heads_panel.h"
#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/plain_table.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kLowest = 104;  // a title and four rows of a table
constexpr int kWide = 760;  // room for the tabs, the slider's name and the scale

}  // namespace

// Draws the curve's sample before the name, in the first column.
class NameDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void set_dark(bool dark) { dark_ = dark; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const auto kind =
        static_cast<Intervention>(index.data(ComparisonModel::kInterventionRole).toInt());
    const bool base = index.data(ComparisonModel::kIsBaseRole).toBool();
    paint_line_sample(
        *painter,
        QRectF(option.rect.left(), option.rect.top(), kLineSampleWidth, option.rect.height()),
        base ? base_line(dark_) : intervention_line(kind, dark_));
    painter->setPen(option.palette.color(QPalette::Text));
    painter->setFont(option.font);
    painter->drawText(option.rect.adjusted(kLineSampleWidth + 9, 0, 0, 0),
                      Qt::AlignVCenter | Qt::AlignLeft, index.data().toString());
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width() + kLineSampleWidth + 12, size.height()};
  }

 private:
  bool dark_ = false;
};

ResultsPanel::ResultsPanel(Focus* focus, QWidget* parent) : QFrame(parent) {
  setProperty("role", QStringLiteral("card"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Theme::kPad, 4, Theme::kPad, Theme::kPad - 4);
  column->setSpacing(6);
  tabs_ = new QTabBar(this);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  set_text(tabs_, TextSize::kBody, QFont::Medium);
  const Words names[] = {[] { return tr("Training loss"); }, [] { return tr("Comparison"); },
                         [] { return tr("Heads"); }, [] { return tr("Attention"); },
                         [] { return tr("Log"); }};
  for (const Words& name : names) {
    const int tab = tabs_->addTab(QString());
    name.tell(this, [this, tab](const QString& said) { tabs_->setTabText(tab, said); });
  }
  scale_ = new Segmented([] { return tr("Scale of the loss"); },
                         {[] { return tr("linear"); }, [] { return tr("log"); }}, this);
  tabs_->setObjectName(QStringLiteral("view.results"));
  scale_->setObjectName(QStringLiteral("view.loss-scale"));
  auto* header = new QHBoxLayout;
  header->addWidget(tabs_);
  header->addStretch(1);
  smoothing_row_ = make_smoothing();
  header->addWidget(smoothing_row_);
  header->addSpacing(8);
  header->addWidget(scale_);
  column->addLayout(header);
  pages_ = new QStackedWidget(this);
  loss_ = new LossPlot(this);
  loss_->offer(scale_);
  heads_ = new HeadsPanel(focus, this);
  attention_ = new AttentionPanel(focus, this);
  log_ = new QPlainTextEdit(this);
  log_->setReadOnly(true);
  log_->setMaximumBlockCount(2000);
  log_->setFrameShape(QFrame::NoFrame);
  worded(this, [this] { log_->setAccessibleName(tr("Log")); });
  log_->setFocusPolicy(Qt::ClickFocus);
  pages_->addWidget(loss_);
  pages_->addWidget(make_table());
  pages_->addWidget(heads_);
  pages_->addWidget(attention_);
  pages_->addWidget(log_);
  column->addWidget(pages_, 1);
  header->addWidget(heads_->tools());
  heads_->tools()->hide();
  connect(tabs_, &QTabBar::currentChanged, this, [this](int page) {
    pages_->setCurrentIndex(page);
    scale_->setVisible(page == kLoss);
    smoothing_row_->setVisible(page == kLoss);
    heads_->tools()->setVisible(pages_->currentWidget() == heads_);
    fit_height();
    Q_EMIT page_changed();
  });
  with_font_of(pages_, [this] { fit_height(); });
  connect(scale_, &Segmented::changed, this, [this](int index) { loss_->set_log(index == 1); });
}

// In a low window the plots above get what this page does not need, though another would.
void ResultsPanel::fit_height() {
  pages_->setMinimumHeight(
      std::max(text_room(kLowest), pages_->currentWidget()->minimumSizeHint().height()));
}

QWidget* ResultsPanel::make_smoothing() {
  auto* row = new QWidget(this);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  smoothing_ = new QSlider(Qt::Horizontal, row);
  smoothing_->setRange(0, static_cast<int>(std::lround(100 * LossPlot::kMostSmoothing)));
  smoothing_->setFixedWidth(64);
  QLabel* name = muted_label([] { return tr("Smoothing"); }, row);
  smoothing_name_ = name;
  auto* value = muted_label({}, row);
  value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  with_font_of(value, [value] {
    value->setMinimumWidth(value->fontMetrics().horizontalAdvance(QStringLiteral("0.00")) + 2);
  });
  name->setBuddy(smoothing_);
  for (QWidget* widget : std::initializer_list<QWidget*>{name, smoothing_, value}) {
    line->addWidget(widget);
  }
  worded(this, [this, value] {
    smoothing_->setAccessibleName(tr("Smoothing of the loss"));
    smoothing_->setToolTip(tr("An exponential mean without bias at its beginning: how much of it "
                              "one step leaves. The losses themselves stay, faint."));
    value->setText(QLocale().toString(smoothing_->value() / 100.0, 'f', 2));
  });
  connect(smoothing_, &QSlider::valueChanged, this, [this, value](int hundredths) {
    value->setText(QLocale().toString(hundredths / 100.0, 'f', 2));
    loss_->set_smoothing(hundredths / 100.0);
  });
  return row;
}

QWidget* ResultsPanel::make_table() {
  comparison_ = new ComparisonModel(this);
  names_ = new NameDelegate(this);
  table_ = new QTableView(this);
  table_->setModel(comparison_);
  table_->setItemDelegateForColumn(0, names_);
  table_->setShowGrid(false);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setFocusPolicy(Qt::ClickFocus);
  table_->setFrameShape(QFrame::NoFrame);
  worded(this, [this] { table_->setAccessibleName(tr("Comparison of perplexities")); });
  table_->verticalHeader()->hide();
  fit_rows(table_);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionsClickable(false);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return table_;
}

// The tabs go before the name of the slider, which its tip has too.
void ResultsPanel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  smoothing_name_->setVisible(event->size().width() >= kWide * text_scale());
}

void ResultsPanel::set_theme(const Theme& theme) {
  names_->set_dark(theme.dark);
  loss_->set_theme(theme);
  heads_->set_theme(theme);
  attention_->set_theme(theme);
  table_->viewport()->update();
}

void ResultsPanel::show_book(const MeasurementBook& book, int64_t trained_context,
                             int64_t reference, const std::string& perplexity) {
  comparison_->show(book, trained_context, reference, perplexity);
  heads_->show_book(book, trained_context, reference);
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
}

bool ResultsPanel::shows_report() const {
  const QWidget* page = pages_->currentWidget();
  return page == heads_ || page == attention_;
}

void ResultsPanel::show_report(std::shared_ptr<const StateReport> report) {
  heads_->show_report(report);
  attention_->show_report(std::move(report));
}

void ResultsPanel::log(const QString& line) {
  log_->appendPlainText(
      tr("%1  %2", "time, what happened").arg(QTime::currentTime().toString(), line));
}

}  // namespace farstate::desktop
