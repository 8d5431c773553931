// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/language.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <memory>

#include "app/desktop/settings.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr Language kAll[] = {Language::kSystem, Language::kEnglish, Language::kChinese};

QString code_of(Language language) {
  switch (language) {
    case Language::kSystem:
      return u"system"_s;
    case Language::kEnglish:
      return u"en"_s;
    case Language::kChinese:
      break;
  }
  return u"zh_CN"_s;
}

QString settings_key() { return u"language"_s; }

// English for all whose language there is no translation into.
QLocale locale_of(Language language) {
  switch (language) {
    case Language::kSystem:
      return QLocale::system();
    case Language::kEnglish:
      return {QLocale::English, QLocale::UnitedStates};
    case Language::kChinese:
      break;
  }
  return {QLocale::Chinese, QLocale::China};
}

// Our texts and, beneath them, those of Qt's own dialogs. It stays installed and changes what it
// holds, so that a change of language is one event and no moment without words.
class Catalogue : public QTranslator {
 public:
  explicit Catalogue(QObject* parent) : QTranslator(parent) {}

  void open(const QLocale& locale) {
    chosen_ = ours_.load(locale, u"farstate"_s, u"_"_s, u":/translations"_s);
    if (!chosen_) ours_.load(u":/translations/farstate_en.qm"_s);  // the plural forms
    qt_ = std::make_unique<QTranslator>();
    if (chosen_) {
      static_cast<void>(qt_->load(locale, u"qtbase"_s, u"_"_s,
                                  QLibraryInfo::path(QLibraryInfo::TranslationsPath)));
    }
  }

  bool isEmpty() const override { return false; }
  QString translate(const char* context, const char* text, const char* hint,
                    int count) const override {
    const QString said = ours_.translate(context, text, hint, count);
    return said.isNull() && qt_ != nullptr ? qt_->translate(context, text, hint, count) : said;
  }

 private:
  QTranslator ours_;
  std::unique_ptr<QTranslator> qt_;
  bool chosen_ = false;
};

Catalogue* catalogue() {
  QCoreApplication* app = QCoreApplication::instance();
  auto* found = dynamic_cast<Catalogue*>(
      app->findChild<QTranslator*>(u"catalogue"_s, Qt::FindDirectChildrenOnly));
  if (found != nullptr) return found;
  auto* made = new Catalogue(app);
  made->setObjectName(u"catalogue"_s);
  QCoreApplication::installTranslator(made);
  return made;
}

Language chosen = Language::kSystem;

}  // namespace

QString language_name(Language language) {
  return language == Language::kChinese ? u"简体中文"_s : u"English"_s;
}

std::optional<Language> language_from(const QString& code) {
  for (const Language language : kAll) {
    if (code == code_of(language)) return language;
  }
  return std::nullopt;
}

void set_language(Language language) {
  chosen = language;
  const QLocale locale = locale_of(language);
  QLocale::setDefault(locale);
  Catalogue* words = catalogue();
  words->open(locale);
  QEvent changed(QEvent::LanguageChange);
  QCoreApplication::sendEvent(QCoreApplication::instance(), &changed);
}

Language language_chosen() { return chosen; }

Language remembered_language() {
  const QString code = open_settings()->value(settings_key()).toString();
  return language_from(code).value_or(Language::kSystem);
}

void remember_language(Language language) {
  open_settings()->setValue(settings_key(), code_of(language));
}

}  // namespace farstate::desktop
