// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/legend_list.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/check_box.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/own_keys.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBox = 11, kSpace = 6;

}  // namespace

class LegendDelegate : public QStyledItemDelegate {
 public:
  explicit LegendDelegate(LegendList* list) : QStyledItemDelegate(list), legend_(*list) {}

  void set_theme(const Theme& theme) { theme_ = &theme; }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {0, std::max(option.fontMetrics.height() + 1, kBox + 3)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const LegendList::Entry& entry = legend_.entries()[index.row()];
    const bool shown = legend_.shows(index.row());
    QRect rest = option.rect;
    if (option.state.testFlag(QStyle::State_HasFocus)) {
      painter->setPen(theme_->accent);
      painter->drawRect(rest.adjusted(0, 0, -1, -1));
    }
    if (entry.can_hide && !legend_.bare()) {
      paint_check_box(*painter, box(rest), shown, true, *theme_);
      rest.setLeft(rest.left() + kBox + kSpace);
    }
    const QRect sample(rest.topLeft(), QSize(kLineSampleWidth, rest.height()));
    LineStyle line = entry.line;
    if (!shown) line.color = theme_->faint;
    if (entry.area) {
      painter->fillRect(sample.adjusted(0, 2, 0, -2), line.color);
    } else {
      paint_line_sample(*painter, sample, line);
    }
    rest.setLeft(sample.right() + kSpace);
    painter->setFont(text_font(TextSize::kSmall, entry.strong ? QFont::DemiBold : QFont::Normal));
    painter->setPen(!shown         ? theme_->faint
                    : entry.strong ? theme_->text
                                   : theme_->muted);
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(entry.label, Qt::ElideRight, rest.width()));
  }

 protected:
  // The mouse is LegendList's: a click on a box chooses nothing.
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    return event->type() == QEvent::KeyPress &&
           QStyledItemDelegate::editorEvent(event, model, option, index);
  }

 private:
  static QRectF box(const QRect& row) {
    return {row.left() + 0.0, row.top() + (row.height() - kBox) / 2.0, kBox, kBox};
  }

  const LegendList& legend_;
  const Theme* theme_ = &theme_for(ThemeMode::kLight);
};

LegendList::LegendList(QWidget* parent)
    : QWidget(parent), filter_(new QLineEdit(this)), list_(new QListWidget(this)) {
  filter_->setProperty("role", u"field"_s);
  filter_->setClearButtonEnabled(true);
  filter_->hide();
  list_->setItemDelegate(new LegendDelegate(this));
  list_->setProperty("role", u"legend"_s);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->viewport()->setAutoFillBackground(false);
  own_keys(list_, {Qt::Key_Space});  // which sets a box here
  list_->viewport()->installEventFilter(this);
  set_text(list_, TextSize::kSmall);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(filter_);
  column->addWidget(list_, 1);
  worded(this, [this] {
    filter_->setPlaceholderText(tr("filter lines"));
    filter_->setAccessibleName(tr("Filter of the lines"));
    list_->setAccessibleName(tr("Lines of the plot"));
    list_->setToolTip(tr("A box hides a line (Space); a name chooses it."));
  });
  connect(filter_, &QLineEdit::textChanged, this, [this] {
    apply_filter();
    Q_EMIT shown_changed();
  });
  connect(list_, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
    if (filling_) return;
    const int row = list_->row(item);
    if (item->checkState() == Qt::Checked) {
      hidden_.remove(row);
    } else {
      hidden_.insert(row);
    }
    Q_EMIT shown_changed();
  });
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!filling_ && row >= 0) Q_EMIT chosen(row);
  });
}

void LegendList::set_entries(const QVector<Entry>& entries, const Theme& theme) {
  const bool same = std::equal(entries.begin(), entries.end(), entries_.begin(), entries_.end(),
                               [](const Entry& a, const Entry& b) {
                                 return a.label == b.label && a.can_hide == b.can_hide;
                               });
  if (entries.size() != entries_.size()) hidden_.clear();
  entries_ = entries;
  static_cast<LegendDelegate*>(list_->itemDelegate())->set_theme(theme);
  if (!same) fill();
  mark_focus();
  list_->viewport()->update();
}

void LegendList::fill() {
  const QScopedValueRollback filling(filling_, true);
  list_->clear();
  qsizetype can_hide = 0;
  for (int row = 0; row < entries_.size(); ++row) {
    auto* item = new QListWidgetItem(entries_[row].label, list_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    if (!entries_[row].can_hide) continue;
    ++can_hide;
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(hidden_.contains(row) ? Qt::Unchecked : Qt::Checked);
  }
  if (can_hide < kFilterFrom) filter_->clear();
  filter_->setVisible(can_hide >= kFilterFrom);
  apply_filter();
}

void LegendList::mark_focus() {
  const QScopedValueRollback filling(filling_, true);
  for (int row = 0; row < entries_.size(); ++row) {
    if (entries_[row].strong) return list_->setCurrentRow(row);
  }
  list_->setCurrentRow(-1);
}

void LegendList::apply_filter() {
  const QString words = filter_->text().trimmed();
  for (int row = 0; row < list_->count(); ++row) {
    const bool found = entries_[row].label.contains(words, Qt::CaseInsensitive);
    list_->setRowHidden(row, !found || (bare_ && hidden_.contains(row)));
  }
}

void LegendList::set_bare(bool bare) {
  if (bare_ == bare) return;
  bare_ = bare;
  apply_filter();
  list_->viewport()->update();
}

bool LegendList::shows(int row) const { return !hidden_.contains(row) && !list_->isRowHidden(row); }

// On a box, where a press sets it, or for the menu; else it chooses the line.
bool LegendList::pressed(const QMouseEvent& press) {
  if (press.button() != Qt::LeftButton) return true;
  const QPoint at = press.position().toPoint();
  QListWidgetItem* item = list_->itemAt(at);
  if (item == nullptr || !entries_[list_->row(item)].can_hide || at.x() > kBox + kSpace) return false;
  item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
  return true;
}

bool LegendList::eventFilter(QObject* watched, QEvent* event) {
  const bool press = event->type() == QEvent::MouseButtonPress ||
                     event->type() == QEvent::MouseButtonDblClick;
  if (press && pressed(*static_cast<QMouseEvent*>(event))) return true;
  return QWidget::eventFilter(watched, event);
}

}  // namespace farstate::desktop
