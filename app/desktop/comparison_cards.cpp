// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/comparison_cards.h"

#include <QCoreApplication>
#include <QVBoxLayout>

#include "app/desktop/models/arm_curves.h"
#include "app/desktop/models/arm_table.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString title_of(ArmQuantity quantity) {
  const QString titles[] = {tr("Perplexity by position"),
                            tr("Standard deviation of the state's elements by position"),
                            tr("Effective remembrance"), tr("Training loss")};
  return titles[static_cast<int>(quantity)];
}

// The base behind, then each arm by its mean.
ArmPlot::Content content_of(const Experiment& experiment, ArmQuantity quantity, bool dark) {
  ArmPlot::Content all;
  for (const ArmGroup& group : arm_groups(experiment)) {
    const ArmPlot::Content one = arm_content(experiment, group, quantity, {}, dark);
    all.over = one.over;
    all.log_x = one.log_x;
    all.log_y = one.log_y;
    for (ArmPlot::Curve curve : one.curves) {
      const bool base = curve.rank == ArmPlot::Rank::kBehind;
      if (base && !all.curves.isEmpty()) continue;
      if (!base && curve.rank != ArmPlot::Rank::kMean) continue;
      if (!base) curve.name = group.name;
      all.curves.push_back(curve);
    }
  }
  return all;
}

std::shared_ptr<QWidget> card_of(const Experiment& experiment, ArmQuantity quantity,
                                 const Theme& theme) {
  const ArmPlot::Content content = content_of(experiment, quantity, theme.dark);
  const auto x = ArmPlot::x_extent(content), y = ArmPlot::y_extent(content);
  if (content.curves.size() < 2 || !x || !y) return nullptr;  // the base alone compares nothing
  auto card = std::make_shared<Card>(title_of(quantity));
  auto* plot = new ArmPlot(card.get());
  plot->set_theme(theme);
  plot->show(content, x, y);
  const bool positions = content.over == ArmPlot::Over::kPosition;
  plot->set_trained_context(positions ? experiment.context : 0);
  auto* legend = new CurveLegend(card.get());
  legend->set_wrapping(true);
  legend->set_entries(plot->legend());
  card->body()->addWidget(legend);
  card->body()->addWidget(plot, 1);
  return card;
}

}  // namespace

QList<std::shared_ptr<QWidget>> comparison_cards(const Experiment& experiment,
                                                 const Theme& theme) {
  QList<std::shared_ptr<QWidget>> cards;
  for (const ArmQuantity quantity : {ArmQuantity::kPerplexity, ArmQuantity::kState,
                                     ArmQuantity::kRemembrance, ArmQuantity::kLoss}) {
    if (auto card = card_of(experiment, quantity, theme)) cards.push_back(std::move(card));
  }
  return cards;
}

QString comparison_html(const Experiment& experiment) {
  ArmTable table;
  table.show(&experiment, {}, {});
  QString html = u"<table><tr>"_s;
  for (int c = 0; c < table.columnCount(); ++c) {
    const QString name = table.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    html += u"<th align=\"%1\">%2</th>"_s.arg(c == 0 ? u"left"_s : u"right"_s,
                                              name.toHtmlEscaped().replace(u'\n', u"<br>"_s));
  }
  for (int r = 0; r < table.rowCount(); ++r) {
    html += u"</tr><tr>"_s;
    for (int c = 0; c < table.columnCount(); ++c) {
      const QModelIndex cell = table.index(r, c);
      const bool best = cell.data(ArmTable::kBestRole).toBool();
      const QString text = cell.data().toString().toHtmlEscaped();
      html += u"<td align=\"%1\">%2</td>"_s.arg(c == 0 ? u"left"_s : u"right"_s,
                                                best ? u"<b>%1</b>"_s.arg(text) : text);
    }
  }
  return html + u"</tr></table>"_s;
}

}  // namespace farstate::desktop
