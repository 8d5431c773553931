// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/help/help_pages.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>

#include "app/desktop/main_window.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/initial_state_panel.h"
#include "app/desktop/panels/inspector_panel.h"
#include "app/desktop/panels/model_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/remedy_panel.h"
#include "app/desktop/panels/training_panel.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

struct Topic {
  const char* name;
  const char* title;
};

constexpr Topic kTopics[] = {
    {"measure", QT_TRANSLATE_NOOP("farstate::desktop", "Measuring")},
    {"state", QT_TRANSLATE_NOOP("farstate::desktop", "The state")},
    {"perplexity", QT_TRANSLATE_NOOP("farstate::desktop", "Perplexity")},
    {"remembrance", QT_TRANSLATE_NOOP("farstate::desktop", "Effective remembrance")},
    {"model", QT_TRANSLATE_NOOP("farstate::desktop", "Model and text")},
    {"initial-state", QT_TRANSLATE_NOOP("farstate::desktop", "Initial states")},
    {"repair", QT_TRANSLATE_NOOP("farstate::desktop", "Repair")},
    {"training", QT_TRANSLATE_NOOP("farstate::desktop", "Training")},
    {"inspector", QT_TRANSLATE_NOOP("farstate::desktop", "The inspector")},
    {"generate", QT_TRANSLATE_NOOP("farstate::desktop", "Generating")},
    {"experiment", QT_TRANSLATE_NOOP("farstate::desktop", "Comparing initial states")},
    {"tasks", QT_TRANSLATE_NOOP("farstate::desktop", "Tasks")},
    {"theory", QT_TRANSLATE_NOOP("farstate::desktop", "Theory")},
    {"sessions", QT_TRANSLATE_NOOP("farstate::desktop", "Sessions")}};

QString read(const QString& language, const QString& topic) {
  QFile file(u":/help/%1/%2.md"_s.arg(language, topic));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace

QStringList help_topics() {
  QStringList names;
  for (const Topic& topic : kTopics) names.push_back(QLatin1StringView(topic.name));
  return names;
}

QString help_title(const QString& name) {
  for (const Topic& topic : kTopics) {
    if (name == QLatin1StringView(topic.name)) {
      return QCoreApplication::translate("farstate::desktop", topic.title);
    }
  }
  return {};
}

QString help_page(const QString& topic) {
  const QString page = read(QLocale().name(), topic);
  return page.isEmpty() ? read(u"en"_s, topic) : page;
}

QString help_gist(const QString& topic) {
  const QStringList paragraphs = help_page(topic).trimmed().split(u"\n\n"_s);
  QString gist = paragraphs.first();
  if (gist.endsWith(u':') || gist.endsWith(u'：')) gist += u'\n' + paragraphs.value(1);
  gist += u'\n' + paragraphs.last();
  return gist.remove(u'*');
}

QString help_topic(const MainWindow& window, const QWidget* at) {
  const PlotsPanel& plots = *window.plots();
  const std::pair<const QWidget*, const char*> parts[] = {
      {plots.card(u"state"_s), "state"},
      {plots.card(u"perplexity"_s), "perplexity"},
      {plots.card(u"effrem"_s), "remembrance"},
      {window.model_panel(), "model"},
      {window.initial_state(), "initial-state"},
      {window.remedy(), "repair"},
      {window.training(), "training"},
      {window.inspector(), "inspector"}};
  for (const auto& [part, topic] : parts) {
    const bool holds = part != nullptr && at != nullptr && (part == at || part->isAncestorOf(at));
    if (holds) return QLatin1StringView(topic);
  }
  return window.page();
}

}  // namespace farstate::desktop
