// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/settings.h"

#include <QUrl>

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

}  // namespace farstate::desktop
