// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/help/help_desk.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

#include "app/desktop/diagnostics.h"
#include "app/desktop/event_log.h"
#include "app/desktop/help/help_pages.h"
#include "app/desktop/help/key_table.h"
#include "app/desktop/main_window.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/reading_sheet.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMarkWidth = 14;  // titles need the room more

}  // namespace

HelpDesk::HelpDesk(MainWindow& window)
    : QObject(&window), window_(window), sheet_(new ReadingSheet(window.centralWidget())) {}

void HelpDesk::add_to(QMenu* menu) {
  const auto add = [this](QMenu* to, const Words& text, const QList<QKeySequence>& keys, auto act) {
    QAction* action = with_text(to->addAction(QString()), text);
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, act);
  };
  add(menu, [] { return tr("Explain this"); }, {QKeySequence(QKeySequence::HelpContents)},
      &HelpDesk::explain_focus);
  QMenu* pages = with_title(new QMenu(menu), [] { return tr("Pages"); });
  for (const QString& topic : help_topics()) {
    add(pages, [topic] { return help_title(topic); }, {}, [this, topic] { explain(topic); });
  }
  menu->addMenu(pages);
  add(menu, [] { return tr("Keys"); }, {QKeySequence(u"Ctrl+/"_s), QKeySequence(Qt::Key_Question)},
      &HelpDesk::show_keys);
  menu->addSeparator();
  add(menu, [] { return tr("Errors and warnings"); }, {}, &HelpDesk::show_notices);
  add(menu, [] { return tr("Diagnostics"); }, {}, &HelpDesk::show_diagnostics);
  menu->addSeparator();
}

void HelpDesk::mark_plots() {
  const std::pair<QString, QString> plots[] = {
      {u"state"_s, u"state"_s}, {u"perplexity"_s, u"perplexity"_s}, {u"effrem"_s, u"remembrance"_s}};
  for (const auto& [plot, topic] : plots) {
    if (auto* card = qobject_cast<Card*>(window_.plots()->card(plot))) mark(card, topic);
  }
}

void HelpDesk::mark(Card* card, const QString& topic) {
  auto* button = new QToolButton(card);
  button->setText(u"?"_s);
  button->setProperty("role", u"quiet"_s);
  button->setFocusPolicy(Qt::TabFocus);
  set_text_width(button, kMarkWidth);
  button->setProperty(Card::kGivesWay, true);
  worded(button, [button, topic] {
    button->setToolTip(help_gist(topic));
    button->setAccessibleName(tr("Explain: %1").arg(help_title(topic)));
  });
  connect(button, &QToolButton::clicked, this, [this, topic] { explain(topic); });
  card->add_to_header(button);
}

void HelpDesk::set_theme(const Theme& theme) { sheet_->set_theme(theme); }

void HelpDesk::explain_focus() { explain(help_topic(window_, QApplication::focusWidget())); }

void HelpDesk::explain(const QString& topic) {
  sheet_->show_markdown([topic] { return help_title(topic); }, [topic] { return help_page(topic); });
}

void HelpDesk::show_keys() {
  sheet_->show_markdown([] { return tr("Keys"); }, [this] { return key_table(*window_.menuBar()); });
}

void HelpDesk::show_notices() {
  const QString said = window_.notice()->history();
  sheet_->show_lines([] { return tr("Errors and warnings"); },
                     [said] { return said.isEmpty() ? tr("There were none.") : said; });
}

void HelpDesk::show_diagnostics() {
  std::vector<DiagnosticFact> facts = {
      {u"page"_s, window_.page()},
      {u"recipe"_s, QString::fromStdString(summary(window_.recipe()))}};
  if (const ModelInfo* model = window_.model()) {
    facts.push_back({u"model"_s, u"%1, %2 parameters, %3 layers of %4 heads"_s
                                     .arg(QString::fromStdString(model->name))
                                     .arg(model->parameters)
                                     .arg(model->layers)
                                     .arg(model->heads)});
  }
  facts.push_back({u"steps done"_s, QString::number(window_.steps_done())});
  if (window_.error()) {
    facts.push_back({u"error"_s, QString::fromStdString(window_.error()->message)});
  }
  sheet_->show_lines([] { return tr("Diagnostics"); }, diagnostics_text(facts, last_log_lines()));
}

}  // namespace farstate::desktop
