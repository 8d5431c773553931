// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/command_line.h"

#include <gtest/gtest.h>

namespace farstate::desktop {
namespace {

Options parse(const QString& line) {
  return parse_arguments((QStringLiteral("farstate-desktop ") + line).split(QLatin1Char(' ')));
}

TEST(CommandLine, ReadsEveryOption) {
  const Options o = parse(QStringLiteral(
      "models/m2 --data book.txt --shot a.png --after 2.5 --run --theme dark --size 1024x600 "
      "--sheet models/other"));
  EXPECT_TRUE(o.complaint.isEmpty());
  EXPECT_EQ(o.recipe.model.model, "models/m2");
  EXPECT_EQ(o.recipe.data.path, "book.txt");
  EXPECT_EQ(o.shot, QStringLiteral("a.png"));
  EXPECT_EQ(o.shot_after, 2.5);
  EXPECT_TRUE(o.run);
  EXPECT_EQ(o.theme, ThemeMode::kDark);
  EXPECT_EQ(o.size, QSize(1024, 600));
  EXPECT_EQ(o.sheet, QStringLiteral("models/other"));
}

TEST(CommandLine, KnowsASessionByItsEnding) {
  const Options o = parse(QStringLiteral("work/today.farstate-session"));
  EXPECT_TRUE(o.complaint.isEmpty());
  EXPECT_EQ(o.session, QStringLiteral("work/today.farstate-session"));
  EXPECT_EQ(o.recipe.model.model, RunConfig().model.model);
  EXPECT_FALSE(o.size_given);
}

TEST(CommandLine, NamesWhatItCannotUse) {
  for (const char* line : {"--size big", "--theme blue", "--after soon", "a b", "--nonsense",
                           "--experiment zero --seeds none", "--seeds 2", "--steps 0",
                           "--experiment zero --run", "--task haystack", "--task passkey --run"}) {
    EXPECT_FALSE(parse(QString::fromLatin1(line)).complaint.isEmpty()) << line;
  }
}

TEST(CommandLine, ReadsAnExperiment) {
  const Options o =
      parse(QStringLiteral("demo --experiment zero,random-noise:sigma=0.3 --seeds 2 --steps 40"));
  EXPECT_TRUE(o.complaint.isEmpty());
  ASSERT_TRUE(o.experiment);
  EXPECT_EQ(o.experiment->arms, (std::vector<std::string>{"zero", "random-noise:sigma=0.3"}));
  EXPECT_EQ(o.experiment->seeds, 2);
  EXPECT_EQ(o.recipe.train.steps, 40);
  EXPECT_FALSE(parse(QStringLiteral("demo")).experiment);
}

TEST(CommandLine, ReadsATask) {
  EXPECT_EQ(parse(QStringLiteral("demo --task copying --after 20")).task, "copying");
  EXPECT_EQ(parse(QStringLiteral("demo")).task, "");
}

TEST(CommandLine, PrintsHelpAndVersion) {
  EXPECT_TRUE(parse(QStringLiteral("--help")).print.contains(QStringLiteral("--shot")));
  EXPECT_TRUE(parse(QStringLiteral("--version")).print.contains(QStringLiteral("0.1.0")));
}

}  // namespace
}  // namespace farstate::desktop
