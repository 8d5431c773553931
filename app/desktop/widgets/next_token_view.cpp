// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/next_token_view.h"

#include <QLocale>
#include <QPainter>
#include <algorithm>

#include "app/desktop/theme.h"
#include "app/desktop/widgets/token_text.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {
namespace {

constexpr int kRow = 18, kBar = 10;
constexpr size_t kFromBefore = 4;  // rows that tokens of before may take

std::optional<double> probability_in(const std::vector<NextToken>& tokens, int64_t id) {
  const auto found =
      std::find_if(tokens.begin(), tokens.end(), [id](const auto& t) { return t.id == id; });
  return found == tokens.end() ? std::nullopt : std::optional(found->probability);
}

}  // namespace

std::vector<NextTokenView::Row> prediction_rows(const std::vector<NextToken>& now,
                                                const std::vector<NextToken>& before) {
  using Row = NextTokenView::Row;
  std::vector<Row> rows;
  const size_t first = NextTokenView::kMostRows - (before.empty() ? 0 : kFromBefore);
  const auto add = [&](const NextToken& token) {
    if (std::any_of(rows.begin(), rows.end(), [&](const Row& r) { return r.id == token.id; })) {
      return;
    }
    rows.push_back({token.id, QString::fromStdString(token.text), probability_in(now, token.id),
                    probability_in(before, token.id)});
  };
  for (size_t i = 0; i < std::min(first, now.size()); ++i) add(now[i]);
  for (size_t i = 0; i < std::min(kFromBefore, before.size()); ++i) add(before[i]);
  for (size_t i = first; i < now.size() && rows.size() < NextTokenView::kMostRows; ++i) add(now[i]);
  return rows;
}

NextTokenView::NextTokenView(QWidget* parent)
    : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  set_text(this, TextSize::kSmall);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  worded(this, [this] { setAccessibleName(tr("Next token")); });
}

void NextTokenView::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

void NextTokenView::show_prediction(const std::vector<NextToken>& now,
                                    const std::vector<NextToken>& before) {
  rows_ = prediction_rows(now, before);
  compares_ = !before.empty();
  now_bound_ = now.empty() ? 1 : now.back().probability;
  before_bound_ = before.empty() ? 1 : before.back().probability;
  if (!rows_.empty()) {
    setAccessibleDescription(
        tr("%1 with %2").arg(rows_[0].text, probability_text(rows_[0].now, now_bound_)));
  }
  update();
}

QSize NextTokenView::sizeHint() const { return {240, static_cast<int>(kMostRows) * kRow}; }

QString NextTokenView::probability_text(const std::optional<double>& p, double bound) const {
  const auto percent = [](double share) {
    const double value = 100 * share;
    if (value < 0.01) return tr("<0.01 %");
    return tr("%1 %").arg(QLocale().toString(value, 'f', value < 1 ? 2 : 1));
  };
  return p ? percent(*p) : tr("≤%1").arg(percent(bound).remove(QLatin1Char('<')));
}

void NextTokenView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  if (rows_.empty()) {
    painter.setPen(theme_->muted);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("Nothing is predicted yet."));
    return;
  }
  const QFontMetrics metrics = painter.fontMetrics();
  const int number = metrics.horizontalAdvance(tr("100.0 %"));
  const int words = width() * 3 / 10;
  const int numbers = number + (compares_ ? number + 10 : 0);
  const int room = std::max(width() - words - numbers - 14, 10);
  double most = 0.05;
  for (const Row& row : rows_) most = std::max({most, row.now.value_or(0), row.before.value_or(0)});
  const auto length = [&](double p) { return std::max(1.0, room * p / most); };
  for (size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const QRect line(0, static_cast<int>(i) * kRow, width(), kRow);
    painter.save();
    painter.setClipRect(QRect(0, line.top(), words, kRow));
    paint_token_text(painter, token_text(row.text, metrics), line, *theme_);
    painter.restore();
    const double top = line.top() + (kRow - kBar) / 2.0;
    if (row.now) {
      painter.fillRect(QRectF(words + 6, top, length(*row.now), kBar),
                       theme_->accent);
    }
    if (compares_ && row.before) {
      painter.setPen(QPen(theme_->text, 1));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(QRectF(words + 6.5, top - 1.5, length(*row.before), kBar + 2));
    }
    QRect right = line.adjusted(0, 0, -1, 0);
    if (compares_) {
      painter.setPen(theme_->muted);
      painter.drawText(right, Qt::AlignRight | Qt::AlignVCenter,
                       probability_text(row.before, before_bound_));
      right.adjust(0, 0, -number - 10, 0);
    }
    painter.setPen(theme_->text);
    painter.drawText(right, Qt::AlignRight | Qt::AlignVCenter,
                     probability_text(row.now, now_bound_));
  }
}

}  // namespace farstate::desktop
