// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/attention_panel.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/desktop/head_name.h"
#include "app/desktop/plots/live_plot.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/sample_style.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/matrix_view.h"
#include "app/desktop/widgets/token_view.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMatrixWidth = 250;
constexpr size_t kNamed = 3;        // tokens that the sentence names
constexpr double kStrongest = 0.55;  // share of colour in the ground of the strongest token

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t value) { return QLocale().toString(qint64(value)); }

// As a word in a sentence: what can't be seen has a name.
QString quoted(const TokenPreview& token) {
  QString text = QString::fromStdString(token.text);
  if (text.isEmpty()) return tr("an empty token");
  if (text == u" "_s) return tr("a space");
  if (text == u"\n"_s) return tr("a line feed");
  text.replace(u'\n', u"\\n"_s).replace(u'\t', u"\\t"_s);
  return u"“%1”"_s.arg(text);
}

QString signed_text(double value) {
  const QString size = value_text(std::abs(value));
  return value < 0 ? u'−' + size : u'+' + size;
}

double largest_size(const std::vector<float>& values) {
  double largest = 0;
  for (const float v : values) {
    if (std::isfinite(v)) largest = std::max(largest, std::abs(double(v)));
  }
  return largest;
}

// The tokens that the prediction leans on most, for or against.
std::vector<size_t> strongest(const std::vector<float>& leaning, size_t wanted) {
  std::vector<size_t> order(leaning.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return !(std::abs(leaning[i]) > 0); });
  wanted = std::min(wanted, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(wanted), order.end(),
                    [&](size_t a, size_t b) {
                      return std::abs(leaning[a]) > std::abs(leaning[b]);
                    });
  order.resize(wanted);
  return order;
}

QString prediction_of(const AttentionReport& a) {
  return tr("Most likely next: %1, %2 %.")
      .arg(quoted(a.predicted), value_text(100 * a.probability));
}

QString leaning_sentence(const AttentionReport& a) {
  if (a.leaning.empty()) {
    return tr("Which tokens this leans on is not known: the model's matrices are in bfloat16 and "
              "have no gradients.");
  }
  if (a.leaning.size() != a.tokens.size()) return tr("Which tokens this leans on is not known.");
  QStringList named;
  for (const size_t i : strongest(a.leaning, kNamed)) {
    named.push_back(tr("%1 (%2)").arg(quoted(a.tokens[i]), signed_text(a.leaning[i])));
  }
  if (named.isEmpty()) return tr("It leans on none of these tokens.");
  return tr("It leans most on %1 nats.").arg(named.join(u", "_s));
}

}  // namespace

AttentionPanel::AttentionPanel(Focus* focus, QWidget* parent)
    : QFrame(parent), focus_(focus), theme_(&theme_for(ThemeMode::kLight)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  pages_ = new QStackedWidget(this);
  empty_ = muted_label(QString(), this);
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  auto* views = new QWidget(this);
  auto* row = new QHBoxLayout(views);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(20);
  row->addWidget(make_matrix(), 2);
  row->addWidget(make_text(), 3);
  pages_->addWidget(empty_);
  pages_->addWidget(views);
  column->addWidget(pages_);
  connect(focus_, &Focus::head_changed, this, &AttentionPanel::follow_focus);
  connect(focus_, &Focus::pins_changed, this, &AttentionPanel::follow_focus);
  connect(matrix_, &MatrixView::pointed, this, &AttentionPanel::mark);
  connect(tokens_, &TokenView::pointed, this, [this](std::optional<size_t> token) {
    mark(token ? std::optional(static_cast<int64_t>(*token)) : std::nullopt);
  });
  worded(this, [this] { show_attention(); });
}

QWidget* AttentionPanel::make_matrix() {
  auto* part = new QWidget(this);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  title_ = new ElidedLabel(part);
  set_text(title_, TextSize::kBody, QFont::DemiBold);
  matrix_ = new MatrixView(part);
  worded(this, [this] {
    setAccessibleName(tr("Hidden attention"));
    matrix_->setAccessibleName(tr("Hidden attention"));
  });
  matrix_->set_square(false);
  matrix_->set_lower_triangle(true);
  bar_ = new SignedBar(part);
  matrix_caption_ = new ElidedLabel(part);
  matrix_caption_->setProperty("role", u"muted"_s);
  set_text(matrix_caption_, TextSize::kSmall);
  worded(this, [this] {
    matrix_caption_->setText(tr("row: token written at · column: token read"));
    matrix_caption_->setToolTip(tr(
        "M[i][j] of y_i = Σ M[i][j] x_j: how much of the input at token j the head still holds and "
        "reads out at token i. At the left: the share that comes from before the window."));
  });
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(matrix_, 1);
  row->addWidget(bar_);
  column->addWidget(title_);
  column->addLayout(row, 1);
  column->addWidget(matrix_caption_);
  with_font_of(part, [part] {
    part->setMinimumWidth(text_room(kMatrixWidth / 2));
    part->setMaximumWidth(text_room(kMatrixWidth));
  });
  return part;
}

QWidget* AttentionPanel::make_text() {
  auto* part = new QWidget(this);
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  sentence_ = new QLabel(part);
  sentence_->setTextFormat(Qt::RichText);
  sentence_->setWordWrap(true);
  older_ = muted_label(QString(), part);
  set_text(older_, TextSize::kSmall);
  older_->setWordWrap(true);
  tokens_ = new TokenView;
  worded(this, [this] { tokens_->setAccessibleName(tr("Tokens of the window")); });
  auto* scroll = new QScrollArea(part);
  scroll->setProperty("role", u"inner"_s);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(tokens_);
  with_font_of(tokens_, [this, scroll] {
    scroll->setMinimumHeight(tokens_->fontMetrics().height() + 4);
  });
  tokens_->setAutoFillBackground(false);
  // The prediction comes after the last token, which is where reading begins.
  QScrollBar* bar = scroll->verticalScrollBar();
  connect(bar, &QScrollBar::rangeChanged, bar, [bar](int, int last) { bar->setValue(last); });
  legend_ = muted_label(QString(), part);
  set_text(legend_, TextSize::kSmall);
  legend_->setTextFormat(Qt::RichText);
  legend_->setMinimumWidth(1);
  column->addWidget(sentence_);
  column->addWidget(scroll, 1);
  column->addWidget(legend_);
  column->addWidget(older_);
  return part;
}

void AttentionPanel::set_theme(const Theme& theme) {
  theme_ = &theme;
  matrix_->set_theme(theme);
  bar_->set_theme(theme);
  tokens_->set_theme(theme);
  show_attention();
}

void AttentionPanel::show_report(std::shared_ptr<const StateReport> report) {
  report_ = std::move(report);
  show_attention();
}

// The views here are widgets that draw themselves at once.
QList<LivePlot*> AttentionPanel::plots() const { return {}; }

bool AttentionPanel::shows_attention() const { return pages_->currentWidget() != empty_; }

// What is shown keeps its own name: it is of the head and the position that the answer is about.
void AttentionPanel::follow_focus() {
  const AttentionReport* a = report_ && report_->attention ? &*report_->attention : nullptr;
  QStringList parts;
  if (a != nullptr && a->index != focus_->head()) {
    parts.push_back(tr("The focus is now on %1.").arg(head_name(focus_->head())));
  }
  const auto& pins = focus_->pins();
  const std::optional<int64_t> last = std::max(pins[Focus::kA], pins[Focus::kB]);
  const int64_t end = a != nullptr ? a->first + static_cast<int64_t>(a->tokens.size()) : 0;
  if (a != nullptr && last && *last != end) {
    parts.push_back(tr("The last pin is now at %1.").arg(count(*last)));
  }
  older_->setText(parts.isEmpty()
                      ? QString()
                      : tr("Older: %1 Reading anew.").arg(parts.join(u' ')));
  older_->setVisible(!parts.isEmpty());
}

void AttentionPanel::show_attention() {
  const bool any = report_ && report_->attention && !report_->attention->tokens.empty();
  pages_->setCurrentIndex(any ? 1 : 0);
  empty_->setText(
      report_ ? tr("The answer holds no attention: pin a position that has tokens before it.")
              : tr("Pin a position in the state map: here is what the head in focus reads from "
                   "the tokens before it, and which of them the prediction leans on."));
  follow_focus();
  if (!any) return;
  const AttentionReport& attention = *report_->attention;
  const auto n = static_cast<int64_t>(attention.tokens.size());
  title_->setText(tr("%1 · tokens %2 to %3")
                      .arg(head_title(attention.index), count(attention.first + 1),
                           count(attention.first + n)));
  show_matrix(attention);
  show_leaning(attention);
}

void AttentionPanel::show_matrix(const AttentionReport& a) {
  const auto n = static_cast<int64_t>(a.tokens.size());
  const SignedScale scale{largest_size(a.weights), true};
  matrix_->set_matrix(n, a.weights, scale);
  matrix_->set_side_column(a.from_before);
  bar_->set_scale(scale);
  matrix_->set_tips([report = report_, n](const MatrixView::Cell& cell) {
    const AttentionReport& at = *report->attention;
    const auto row = static_cast<size_t>(cell.row);
    const QString place = u"%1 %2"_s;
    Tip tip{tr("at token %1").arg(place.arg(count(at.first + cell.row + 1), quoted(at.tokens[row]))),
            {}};
    if (cell.column < 0) {
      tip.rows.push_back({std::nullopt, tr("from before the window"),
                          tr("%1 %").arg(value_text(100 * double(at.from_before[row])))});
      return tip;
    }
    const auto column = static_cast<size_t>(cell.column);
    const double weight = at.weights[row * static_cast<size_t>(n) + column];
    tip.rows.push_back({std::nullopt,
                        tr("reads token %1").arg(place.arg(count(at.first + cell.column + 1),
                                                           quoted(at.tokens[column]))),
                        weight < 0 ? signed_text(weight) : value_text(weight)});
    return tip;
  });
}

void AttentionPanel::show_leaning(const AttentionReport& a) {
  tokens_->show_tokens(a.tokens, a.first);
  const bool known = !a.leaning.empty() && a.leaning.size() == a.tokens.size();
  const SignedScale scale{largest_size(a.leaning), true};
  std::vector<QColor> grounds;
  QStringList words;
  for (size_t i = 0; i < a.tokens.size(); ++i) {
    const double value = known ? double(a.leaning[i]) : 0;
    grounds.push_back(known ? signed_color(kStrongest * scale.strength(value), *theme_)
                            : theme_->hover);
    words.push_back(known ? tr("%1 nats").arg(signed_text(value)) : QString());
  }
  tokens_->set_grounds(grounds);
  tokens_->set_words(words);
  sentence_->setText(u"<b>%1</b> %2"_s.arg(prediction_of(a).toHtmlEscaped(),
                                           leaning_sentence(a).toHtmlEscaped()));
  legend_->setVisible(known);
  legend_->setText(tr("<span style='color:%1'>■</span> supports the prediction &nbsp; "
                      "<span style='color:%2'>■</span> opposes it &nbsp; up to %3 nats")
                       .arg(theme_->positive.name(), theme_->negative.name(),
                            value_text(scale.limit)));
}

void AttentionPanel::mark(std::optional<int64_t> token) {
  matrix_->mark(token);
  tokens_->mark(token ? std::optional(static_cast<size_t>(*token)) : std::nullopt, theme_->cursor);
}

DataTable AttentionPanel::numbers() const {
  DataTable table{{tr("token"), tr("its text"), tr("from before the window"), tr("leaning (nats)")}, {}};
  if (!report_ || !report_->attention) return table;
  const AttentionReport& a = *report_->attention;
  const size_t n = a.tokens.size();
  const auto cell = [](const std::vector<float>& values, size_t i) {
    return i < values.size() ? DataCell(static_cast<double>(values[i])) : DataCell();
  };
  for (size_t i = 0; i < n; ++i) {
    const double place = static_cast<double>(a.first) + static_cast<double>(i) + 1;
    table.columns.push_back(tr("reads token %1").arg(place));
    std::vector<DataCell>& row = table.rows.emplace_back();
    row = {place, QString::fromStdString(a.tokens[i].text), cell(a.from_before, i), cell(a.leaning, i)};
    for (size_t j = 0; j < n; ++j) row.push_back(j <= i ? cell(a.weights, i * n + j) : DataCell());
  }
  return table;
}

}  // namespace farstate::desktop
