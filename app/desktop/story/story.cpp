// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/story.h"

#include <QFile>
#include <QRegularExpression>

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

const QRegularExpression& placeholder() {
  static const QRegularExpression form(u"\\{([a-z_]+(?:\\.[a-z-]+)?)\\}"_s);
  return form;
}

}  // namespace

QString Story::language_for(const QString& wanted) const {
  if (cards.contains(wanted)) return wanted;
  const QString kind = wanted.section(u'_', 0, 0);
  if (cards.contains(kind)) return kind;
  for (const QString& language : cards.keys()) {
    if (language.section(u'_', 0, 0) == kind) return language;
  }
  return cards.contains(u"en"_s) ? u"en"_s : cards.firstKey();
}

QString Story::title(const QString& language) const {
  const QString shown = language_for(language);
  return titles.contains(shown) ? titles[shown] : titles.isEmpty() ? id : titles.first();
}

const StoryCard& Story::card(size_t step, const QString& language) const {
  return cards.find(language_for(language))->at(step);
}

int64_t Story::questions() const {
  int64_t count = 0;
  for (const StoryCard& card : cards.first()) count += static_cast<int64_t>(card.questions.size());
  return count;
}

QString embedded_story(const QString& name) {
  const QString folder = u":/stories/"_s + name;
  return QFile::exists(folder + u"/story.json"_s) ? folder : QString();
}

QStringList placeholders(const QString& text) {
  QStringList names;
  for (auto found = placeholder().globalMatch(text); found.hasNext();) {
    names.push_back(found.next().captured(1));
  }
  return names;
}

QString filled(const QString& text, const Facts& facts) {
  QString out;
  qsizetype from = 0;
  for (auto found = placeholder().globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    const auto value = facts.fact(match.captured(1));
    out += text.mid(from, match.capturedStart() - from);
    out += value ? fact_text(*value) : u"—"_s;
    from = match.capturedEnd();
  }
  return out + text.mid(from);
}

}  // namespace farstate::desktop
