// SPDX-License-Identifier: GPL-3.0-or-later
// What can be drawn of files of results, one card each.
#pragma once

#include <QList>
#include <QString>
#include <memory>

#include "app/desktop/theme.h"
#include "core/results/results.h"
#include "core/session/runner.h"

class QWidget;

namespace farstate::desktop {

// A file of results as the plots of the window take it.
struct ResultsFile {
  QString name;  // of the file, without folder and ending
  Measurement measurement;
  MeasuredModel model;
  std::shared_ptr<const StateReport> states;  // null: none
};
// Throws Error(kBadInput) where the file's recipe is none of ours.
ResultsFile results_file(const Results& results, const QString& path);

struct ResultCard {
  QString plot;  // what it shows: "state"
  QString name;  // of the picture's file: "state", and of the second file's map "state-2"
  QString title;
  std::shared_ptr<QWidget> widget;
};

// All cards that there is something of. The first file is the base; curves of the others are drawn
// over its curves, and maps are drawn for each.
QList<ResultCard> result_cards(const QList<ResultsFile>& files, const Theme& theme);

}  // namespace farstate::desktop
