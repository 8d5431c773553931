// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/facts.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "app/desktop/intervention_style.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

const QString kOfState = u".<initial state>"_s;

bool is_initial_state(const QString& name) {
  for (const Intervention kind : kInterventions) {
    if (QString::fromStdString(to_string(kind)) == name) return true;
  }
  return false;
}

}  // namespace

QString type_name(FactType type) {
  switch (type) {
    case FactType::kTruth:
      return QCoreApplication::translate("Story", "true or false");
    case FactType::kNumber:
      return QCoreApplication::translate("Story", "a number");
    case FactType::kText:
      return QCoreApplication::translate("Story", "a text");
  }
  return {};
}

// Meanings are for who writes a story and stand in the documentation; they are not translated.
const QList<FactInfo>& known_facts() {
  using enum FactType;
  static const QList<FactInfo> facts = {
      {u"loaded"_s, kTruth, u"a model and a text are open"_s},
      {u"model"_s, kText, u"name of the open model, \"demo\""_s},
      {u"twin"_s, kText, u"initial state that the shown curves were post-trained with; \"base\": none"_s},
      {u"layers"_s, kNumber, u"of the model"_s},
      {u"heads"_s, kNumber, u"of each layer"_s},
      {u"state_numbers"_s, kNumber, u"numbers that the whole state consists of"_s},
      {u"parameters"_s, kNumber, u"of the model"_s},
      {u"vocabulary"_s, kNumber, u"different tokens"_s},
      {u"context"_s, kNumber, u"T, the tokens that each training window had"_s},
      {u"length"_s, kNumber, u"tokens of a measured sequence"_s},
      {u"initial_state"_s, kText, u"the choice in the panel, \"state-passing\""_s},
      {u"sigma"_s, kNumber, u"of random noise, in the panel"_s},
      {u"state"_s, kText,
       u"what the program does: \"idle\", \"loading\", \"ready\", \"running\", \"paused\", "
       "\"measuring\", \"experiment\", \"stopping\", \"failed\""_s},
      {u"running"_s, kTruth, u"training goes on"_s},
      {u"paused"_s, kTruth, u"training is held between two steps"_s},
      {u"measuring"_s, kTruth, u"curves are being measured"_s},
      {u"steps"_s, kNumber, u"optimizer steps done since the weights were loaded"_s},
      {u"steps_here"_s, kNumber, u"optimizer steps done since the card was opened"_s},
      {u"page"_s, kText, u"\"measure\", \"generate\", \"experiment\", \"tasks\" or \"theory\""_s},
      {u"column"_s, kText, u"what the right column shows: \"story\" or \"inspect\""_s},
      {u"pins_chosen"_s, kTruth, u"a person has set a pin"_s},
      {u"pin_a"_s, kNumber, u"position of pin A"_s},
      {u"pin_b"_s, kNumber, u"position of pin B"_s},
      {u"states_read"_s, kTruth, u"the states at both pins have been looked into"_s},
      {u"hovered"_s, kNumber, u"position of the cursor in the plots over position"_s},
      {u"hovered_dropped"_s, kNumber, u"dropped tokens at the cursor of effective remembrance"_s},
      {u"perplexity_of"_s, kText, u"tokens that perplexity is over: \"all\" or \"predictable\""_s},
      {u"swept"_s, kNumber, u"position that the newest measurement has come to"_s},
      {u"measured"_s, kTruth, u"the untouched model is measured to the end"_s},
      {u"within"_s, kNumber, u"mean perplexity of the untouched model in [T/2, T)"_s},
      {u"past"_s, kNumber, u"the same in [8T, 16T)"_s},
      {u"ratio"_s, kNumber, u"past / within"_s},
      {u"remembrance"_s, kNumber,
       u"effective remembrance of the untouched model, half of the tokens dropped"_s},
      {u"growth"_s, kNumber,
       u"norm of the head that changes most, at the end, over its norm at T"_s},
      {u"within_now"_s, kNumber, u"the same, of the newest measurement after training"_s},
      {u"past_now"_s, kNumber, u"as above"_s},
      {u"ratio_now"_s, kNumber, u"as above"_s},
      {u"remembrance_now"_s, kNumber, u"as above"_s},
      {u"growth_now"_s, kNumber, u"as above"_s},
      {u"measured"_s + kOfState, kTruth, u"the same, of the newest model of that initial state"_s},
      {u"within"_s + kOfState, kNumber, u"as above"_s},
      {u"past"_s + kOfState, kNumber, u"as above"_s},
      {u"ratio"_s + kOfState, kNumber, u"as above"_s},
      {u"remembrance"_s + kOfState, kNumber, u"as above"_s},
      {u"growth"_s + kOfState, kNumber, u"as above"_s},
      {u"task"_s, kText, u"the chosen task: \"passkey\", \"babilong\", \"copying\", \"register\""_s},
      {u"scored"_s, kTruth, u"the chosen task has scores of this model"_s},
      {u"guess_made"_s, kTruth, u"the guess was compared with the curve"_s},
      {u"guess_factor"_s, kNumber, u"the factor by which the guess was off, on average"_s},
      {u"questions"_s, kNumber, u"of the story"_s},
      {u"answered"_s, kNumber, u"questions with an answer"_s},
      {u"right"_s, kNumber, u"questions whose first answer was right"_s},
      {u"report_exported"_s, kTruth, u"the report was written since the story began"_s},
  };
  return facts;
}

QString initial_state_of(const QString& fact) {
  const qsizetype dot = fact.indexOf(u'.');
  return dot < 0 ? QString() : fact.mid(dot + 1);
}

std::optional<FactType> fact_type(const QString& name) {
  QString listed = name;
  if (const QString kind = initial_state_of(name); !kind.isEmpty()) {
    if (!is_initial_state(kind)) return std::nullopt;
    listed = name.left(name.indexOf(u'.')) + kOfState;
  }
  for (const FactInfo& info : known_facts()) {
    if (info.name == listed) return info.type;
  }
  return std::nullopt;
}

QString fact_text(const FactValue& value) {
  if (const QString* text = std::get_if<QString>(&value)) {
    return is_initial_state(*text) ? intervention_name(intervention_from_string(text->toStdString()))
                                   : *text;
  }
  if (const bool* truth = std::get_if<bool>(&value)) {
    return *truth ? QCoreApplication::translate("Story", "yes")
                  : QCoreApplication::translate("Story", "no");
  }
  const double number = std::get<double>(value);
  if (!std::isfinite(number)) return u"∞"_s;
  if (number == std::round(number) || std::abs(number) >= 100) {
    return QLocale().toString(std::round(number), 'f', 0);
  }
  // Two digits that count, so that 0.021 and 0.018 are not the same.
  const int leading = static_cast<int>(std::floor(std::log10(std::abs(number))));
  const int decimals = leading >= 1 ? 1 : std::clamp(1 - leading, 2, 4);
  return QLocale().toString(number, 'f', decimals);
}

}  // namespace farstate::desktop
