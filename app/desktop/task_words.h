// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of the tasks says in words. All of it is a pure function of what was read or scored.
#pragma once

#include <QString>
#include <QVector>
#include <string>
#include <vector>

#include "app/desktop/models/score_book.h"
#include "core/results/run_info.h"

namespace farstate::desktop {

// How a task looks to a person; what it does is core/tasks.
struct TaskFace {
  const char* name;   // of kTaskNames
  bool depths;
  const char* unit;   // of a length
  bool many_answers;  // in one sample
};
const std::vector<TaskFace>& task_faces();
const TaskFace& task_face(const std::string& name);

QString task_title(const std::string& name);  // "Passkey"
QString task_about(const std::string& name);  // what it asks, in a sentence
QString kind_name(const std::string& kind);   // "qa1: one fact"
QString mode_name(const std::string& mode);   // "free-running"

QString share_text(double share);  // "0.85"
QString length_text(int64_t length, const TaskFace& face);  // "1,024 tokens"

// The model's answer in words: "Right: it goes on with “48213”."
bool is_right(const TaskTrial& trial);
QString verdict(const TaskTrial& trial, const TaskFace& face);

// Part of a sample as it is shown.
struct TextPiece {
  enum class Kind { kPlain, kEvidence, kAnswer, kGap };
  Kind kind = Kind::kPlain;
  QString text;          // of a gap: how much is left out, in words
  int64_t answer = -1;   // which one
  bool operator==(const TextPiece&) const = default;
};
// The text around what matters; what lies between is said to be left out. Long texts of many answers
// keep the first and the last of them. `prompt_tokens` is the text's before the first answer; 0: not
// known, and gaps are told in letters.
std::vector<TextPiece> pieces_of(const TaskSample& sample, int64_t prompt_tokens);

// What the scores show, claiming no more than they hold. `limit` is the length that the model was
// trained to, 0: not known.
QString score_words(const TaskFace& face, const std::vector<ScoreLayer>& layers,
                    const ScoreFilter& filter, int64_t limit);

// What it means that the model on screen is asked this, as a sentence.
QString readiness_words(const ModelInfo* model, const RunConfig* recipe, const std::string& task);

}  // namespace farstate::desktop
