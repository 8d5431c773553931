// SPDX-License-Identifier: GPL-3.0-or-later
// What is left behind as a PDF: of what was measured the plots, the numbers and what they were made
// with; of a lesson also the guess and the answers; of a comparison, where its page is shown, what it
// says and what it leaves open.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <vector>

#include "app/desktop/plots/loss_plot.h"
#include "app/desktop/result_cards.h"
#include "app/desktop/story/guess.h"
#include "core/results/experiment.h"

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
  LossPlot::Record losses;        // of the training that led to the last of them
  std::vector<std::pair<QString, QString>> recipes;  // name of a result, one line
  std::vector<std::pair<QString, QString>> numbers;  // what, value
  Guess guess;
  QString guess_verdict;
  std::vector<ReportAnswer> answers;
  std::shared_ptr<const Experiment> experiment;  // null: it is about what was measured
};
Report report_of(const MainWindow& window);

QByteArray pdf_of(const Report& report);
// Throws Error(kBadInput) and leaves an old file as it is.
void write_report(const QString& path, const Report& report);

}  // namespace farstate::desktop
