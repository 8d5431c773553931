// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/settings.h"

#include <QApplication>
#include <QStyle>
#include <QUrl>
#include <algorithm>

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

// A path holds slashes, which would open groups.
QString context_key(const QString& source) {
  return u"stated_context/"_s + QString::fromLatin1(QUrl::toPercentEncoding(source));
}

}  // namespace

std::unique_ptr<QSettings> open_settings() {
  return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, u"farstate"_s,
                                     u"farstate-desktop"_s);
}

int64_t stated_context(const QString& source) {
  return open_settings()->value(context_key(source), 0).toLongLong();
}

void remember_stated_context(const QString& source, int64_t context) {
  const auto settings = open_settings();
  if (context > 0) {
    settings->setValue(context_key(source), qint64(context));
  } else {
    settings->remove(context_key(source));
  }
}

bool hints_wanted() { return open_settings()->value(u"hints"_s, true).toBool(); }
void remember_hints_wanted(bool wanted) { open_settings()->setValue(u"hints"_s, wanted); }

bool twins_wanted() { return open_settings()->value(u"twins"_s, true).toBool(); }
void remember_twins_wanted(bool wanted) { open_settings()->setValue(u"twins"_s, wanted); }

int remembered_view(const QString& name, int usual) {
  return open_settings()->value(u"views/"_s + name, usual).toInt();
}
void remember_view(const QString& name, int chosen) {
  open_settings()->setValue(u"views/"_s + name, chosen);
}

ThemeMode remembered_theme() {
  const QString name = open_settings()->value(u"theme"_s).toString();
  return name == u"light" ? ThemeMode::kLight : name == u"dark" ? ThemeMode::kDark : ThemeMode::kSystem;
}
void remember_theme(ThemeMode mode) {
  const char* const names[] = {"light", "dark", "system"};
  open_settings()->setValue(u"theme"_s, QLatin1StringView(names[static_cast<int>(mode)]));
}

int remembered_text_size() { 
  return std::clamp(open_settings()->value(u"text_size"_s, 100).toInt(), 80, 150);
}
void remember_text_size(int percent) { open_settings()->setValue(u"text_size"_s, percent); }

bool reduced_motion() {
  return open_settings()->value(u"reduced_motion"_s, false).toBool() ||
         QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
}
void remember_reduced_motion(bool reduced) {
  open_settings()->setValue(u"reduced_motion"_s, reduced);
}

}  // namespace farstate::desktop
