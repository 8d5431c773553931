// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/wording.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTranslator>
#include <memory>

namespace farstate::desktop {
namespace {

using namespace Qt::StringLiterals;

// Another language: every text with an accent before it.
class Accented : public QTranslator {
 public:
  bool isEmpty() const override { return false; }
  QString translate(const char*, const char* text, const char*, int) const override {
    return u"´"_s + QString::fromUtf8(text);
  }
};

QString seed() { return QCoreApplication::translate("WordingTest", "Seed"); }

TEST(Wording, IsSaidAtOnceAndAgainInEachLanguage) {
  QObject owner;
  worded(&owner, [&owner] { owner.setObjectName(seed()); });
  EXPECT_EQ(owner.objectName(), u"Seed");
  Accented language;
  QCoreApplication::installTranslator(&language);
  EXPECT_EQ(owner.objectName(), u"´Seed");
  QCoreApplication::removeTranslator(&language);
  EXPECT_EQ(owner.objectName(), u"Seed");
}

TEST(Wording, EndsWithItsOwner) {
  int said = 0;
  auto owner = std::make_unique<QObject>();
  worded(owner.get(), [&said] { ++said; });
  EXPECT_EQ(said, 1);
  owner.reset();
  Accented language;
  QCoreApplication::installTranslator(&language);
  QCoreApplication::removeTranslator(&language);
  EXPECT_EQ(said, 1);
}

}  // namespace
}  // namespace farstate::desktop
