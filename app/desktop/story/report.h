// SPDX-License-Identifier: GPL-3.0-or-later
// What a lesson leaves behind: the plots, what they were made with, the guess and the answers, as a
// PDF.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <vector>

#include "app/desktop/result_cards.h"
#include "app/desktop/story/guess.h"

namespace farstate::desktop {

class MainWindow;

struct ReportAnswer {
  QString question, first, right;
  bool correct = false;
};

struct Report {
  QString story;  // its title; empty: none was open
  QDateTime when;
  QString model, text;            // what was open
  QList<ResultsFile> results;     // the base, then the others
  std::vector<std::pair<QString, QString>> recipes;  // name of a result, one line
  std::vector<std::pair<QString, QString>> numbers;  // what, value
  Guess guess;
  QString guess_verdict;
  std::vector<ReportAnswer> answers;
};
Report report_of(const MainWindow& window);

QByteArray pdf_of(const Report& report);
// Throws Error(kBadInput) and leaves an old file as it is.
void write_report(const QString& path, const Report& report);

}  // namespace farstate::desktop
