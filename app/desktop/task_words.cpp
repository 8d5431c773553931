// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/task_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "app/desktop/models/arm_groups.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int64_t kAround = 150;  // bytes kept on each side of what matters
constexpr int64_t kWorthAGap = 120;
constexpr size_t kFirstAnswers = 12, kLastAnswers = 24;
constexpr int64_t kFar = 8;  // times the trained length: where a failure shows

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

bool begins_letter(const std::string& text, int64_t at) {
  return (static_cast<unsigned char>(text[static_cast<size_t>(at)]) & 0xC0) != 0x80;
}

// The nearest place at or before `at` where no letter is cut.
int64_t whole(const std::string& text, int64_t at) {
  at = std::clamp<int64_t>(at, 0, static_cast<int64_t>(text.size()));
  while (at > 0 && at < static_cast<int64_t>(text.size()) && !begins_letter(text, at)) --at;
  return at;
}

// Answers that are shown, and the evidence that goes with so many.
std::vector<TextSpan> kept_spans(const TaskSample& sample) {
  std::vector<TextSpan> spans;
  const std::vector<TextSpan>& answers = sample.answers;
  const bool few = answers.size() <= kFirstAnswers + kLastAnswers;
  for (size_t i = 0; i < answers.size(); ++i) {
    if (few || i < kFirstAnswers || i + kLastAnswers >= answers.size()) spans.push_back(answers[i]);
  }
  if (sample.evidence.size() <= kFirstAnswers + kLastAnswers) {
    spans.insert(spans.end(), sample.evidence.begin(), sample.evidence.end());
  }
  return spans;
}

// What is shown, as ranges of bytes that neither touch nor leave a gap too short to be worth one.
std::vector<TextSpan> shown_ranges(const TaskSample& sample) {
  const auto size = static_cast<int64_t>(sample.text.size());
  std::vector<TextSpan> ranges{{0, std::min(kAround, size)}};
  for (const TextSpan& span : kept_spans(sample)) {
    ranges.push_back({span.begin - kAround, span.end + kAround});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const TextSpan& a, const TextSpan& b) { return a.begin < b.begin; });
  std::vector<TextSpan> joined;
  for (const TextSpan& range : ranges) {
    const TextSpan cut{whole(sample.text, range.begin), whole(sample.text, range.end)};
    if (!joined.empty() && cut.begin - joined.back().end < kWorthAGap) {
      joined.back().end = std::max(joined.back().end, cut.end);
    } else {
      joined.push_back(cut);
    }
  }
  return joined;
}

// Tokens of a part are not counted, so their number is an estimate by its share of the letters.
QString gap_text(const TaskSample& sample, int64_t bytes, int64_t prompt_tokens) {
  const int64_t prompt = sample.answers.empty() ? 0 : sample.answers.front().begin;
  if (prompt_tokens <= 0 || prompt <= 0) return tr(" … %1 letters … ").arg(count(bytes));
  const double share = static_cast<double>(bytes) / static_cast<double>(prompt);
  const auto tokens = static_cast<int64_t>(share * static_cast<double>(prompt_tokens) + 0.5);
  return tr(" … about %1 tokens … ").arg(count(std::max<int64_t>(1, tokens)));
}

struct Mark {
  TextSpan span;
  TextPiece::Kind kind;
  int64_t answer;
};

// Answers before evidence: where one is the other, it is shown as the answer.
std::vector<Mark> marks_of(const TaskSample& sample) {
  std::vector<Mark> marks;
  for (size_t i = 0; i < sample.answers.size(); ++i) {
    marks.push_back({sample.answers[i], TextPiece::Kind::kAnswer, static_cast<int64_t>(i)});
  }
  for (const TextSpan& span : sample.evidence) {
    const bool covered = std::any_of(
        sample.answers.begin(), sample.answers.end(),
        [&](const TextSpan& a) { return a.begin < span.end && span.begin < a.end; });
    if (!covered) marks.push_back({span, TextPiece::Kind::kEvidence, -1});
  }
  std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
    return a.span.begin < b.span.begin;
  });
  return marks;
}

// A point and what it holds: "18 of 20 (0.90)".
QString points_text(const ScorePoint& p) {
  return tr("%1 of %2 (%3)").arg(count(p.correct), count(p.trials), share_text(p.share));
}

QString range_text(const ScorePoint& p) {
  return p.seeds > 1 ? tr("%1 seeds from %2 to %3")
                           .arg(p.seeds)
                           .arg(share_text(p.low), share_text(p.high))
                     : tr("interval %1 to %2").arg(share_text(p.low), share_text(p.high));
}

QString place_text(int64_t length, int64_t limit, const TaskFace& face) {
  const QString plain = length_text(length, face);
  const bool of_tokens = std::string_view(face.unit) == "tokens";  // as T is
  if (!of_tokens || limit <= 0 || length % limit != 0 || length == limit) return plain;
  return tr("%1T = %2").arg(count(length / limit), plain);
}

// Where a failure to carry on shows: at the scored length nearest to eight times the limit and
// beyond it.
const ScorePoint* far_point(const std::vector<ScorePoint>& points, int64_t limit) {
  const ScorePoint* best = nullptr;
  const auto off = [&](const ScorePoint& p) {
    const double ratio = static_cast<double>(p.length) / static_cast<double>(kFar * limit);
    return ratio < 1 ? 1 / ratio : ratio;
  };
  for (const ScorePoint& p : points) {
    if (p.length <= limit) continue;
    if (best == nullptr || off(p) < off(*best)) best = &p;
  }
  return best;
}

ScorePoint within(const std::vector<ScorePoint>& points, int64_t limit) {
  ScorePoint sum;
  for (const ScorePoint& p : points) {
    if (p.length > limit) continue;
    sum.correct += p.correct;
    sum.trials += p.trials;
  }
  if (sum.trials > 0) sum.share = static_cast<double>(sum.correct) / double(sum.trials);
  return sum;
}

QString reach_words(const ScoreLayer& layer, const std::vector<ScorePoint>& points, int64_t limit,
                    const TaskFace& face) {
  const ScorePoint* far = limit > 0 ? far_point(points, limit) : &points.back();
  QString text = layer.running ? tr("%1, so far: ").arg(layer.name) : tr("%1: ").arg(layer.name);
  const ScorePoint near = limit > 0 ? within(points, limit) : points.front();
  if (near.trials > 0 && (far == nullptr || limit > 0 || far->length != points.front().length)) {
    text += limit > 0 ? tr("up to %1 it is right in %2").arg(length_text(limit, face), points_text(near))
                      : tr("at %1 it is right in %2")
                            .arg(length_text(points.front().length, face), points_text(near));
    if (far != nullptr) text += tr(", ");
  }
  if (far != nullptr) {
    text += tr("at %1 in %2, %3").arg(place_text(far->length, limit, face), points_text(*far),
                                      range_text(*far));
  }
  return text + tr(".");
}

// The arm or the weights that do best at the same place.
QString best_words(const std::vector<ScoreLayer>& layers, const ScoreLayer& main,
                   const ScorePoint& at, const ScoreFilter& filter) {
  const ScoreLayer* best = nullptr;
  ScorePoint best_point = at;
  for (const ScoreLayer& layer : layers) {
    if (&layer == &main || layer.source == ScoreLayer::Source::kPaper) continue;
    for (const ScorePoint& p : points_by_length(layer, filter)) {
      if (p.length == at.length && p.share > best_point.share) {
        best = &layer;
        best_point = p;
      }
    }
  }
  if (best == nullptr) return {};
  const bool apart = best_point.low > at.high;
  return tr(" Best there: %1 with %2 (%3)%4")
      .arg(best->name, share_text(best_point.share), range_text(best_point),
           apart ? tr(".") : tr("; the ranges overlap."));
}

// What the untouched model does at the same place, where the words are about another.
QString base_words(const std::vector<ScoreLayer>& layers, const ScoreLayer& main,
                   const ScorePoint& at, const ScoreFilter& filter) {
  for (const ScoreLayer& layer : layers) {
    if (&layer == &main || layer.law || layer.source == ScoreLayer::Source::kPaper) continue;
    for (const ScorePoint& p : points_by_length(layer, filter)) {
      if (p.length != at.length) continue;
      return tr(" %1, there: %2 (%3).").arg(layer.name, share_text(p.share), range_text(p));
    }
  }
  return {};
}

bool several_seeds(const std::vector<ScoreLayer>& layers) {
  return std::any_of(layers.begin(), layers.end(), [](const ScoreLayer& layer) {
    return layer.source != ScoreLayer::Source::kPaper && layer.seeds.size() > 1;
  });
}

}  // namespace

const std::vector<TaskFace>& task_faces() {
  static const std::vector<TaskFace> faces = {{"passkey", true, "tokens", false},
                                              {"babilong", false, "tokens", false},
                                              {"copying", false, "letters", true},
                                              {"register", false, "tokens", true}};
  return faces;
}

const TaskFace& task_face(const std::string& name) {
  for (const TaskFace& face : task_faces()) {
    if (face.name == name) return face;
  }
  return task_faces().front();
}

QString task_title(const std::string& name) {
  if (name == "passkey") return tr("Passkey");
  if (name == "babilong") return tr("BABILong");
  if (name == "copying") return tr("Copying");
  return tr("Register");
}

QString task_about(const std::string& name) {
  if (name == "passkey") {
    return tr("A key of five digits is hidden in a long text and asked for at its end.");
  }
  if (name == "babilong") {
    return tr("Facts about people and things are hidden in a long text; a question follows.");
  }
  if (name == "copying") {
    return tr("A string of letters is to be written once more, also longer ones than were trained.");
  }
  return tr("Keys whose values change as the text goes on; after a key its newest value is to follow.");
}

QString kind_name(const std::string& kind) {
  if (kind == "qa1") return tr("qa1: one fact");
  if (kind == "qa2") return tr("qa2: two facts");
  if (kind == "qa3") return tr("qa3: three facts");
  if (kind == "qa4") return tr("qa4: two things related");
  if (kind == "qa5") return tr("qa5: who gave what to whom");
  if (kind == "qa6") return tr("qa6: yes or no");
  return QString::fromStdString(kind);
}

QString mode_name(const std::string& mode) {
  if (mode == "generated") return tr("free-running");
  if (mode == "predicted") return tr("text given");
  return QString::fromStdString(mode);
}

QString share_text(double share) { return QLocale().toString(share, 'f', 2); }

QString length_text(int64_t length, const TaskFace& face) {
  return std::string_view(face.unit) == "letters" ? tr("%1 letters").arg(count(length))
                                                   : tr("%1 tokens").arg(count(length));
}

bool is_right(const TaskTrial& trial) {
  return trial.marks.total > 0 && trial.marks.correct == trial.marks.total;
}

QString verdict(const TaskTrial& trial, const TaskFace& face) {
  if (!trial.problem.empty()) return QString::fromStdString(trial.problem);
  const Marks& marks = trial.marks;
  if (marks.total == 1) return is_right(trial) ? tr("Right.") : tr("Wrong.");
  const QString share = tr("%1 of %2").arg(count(marks.correct), count(marks.total));
  const QString of = std::string_view(face.unit) == "letters" ? tr("%1 letters right.").arg(share)
                                                               : tr("%1 answers right.").arg(share);
  return is_right(trial) ? tr("Right: %1").arg(of) : of;
}

std::vector<TextPiece> pieces_of(const TaskSample& sample, int64_t prompt_tokens) {
  using Kind = TextPiece::Kind;
  std::vector<TextPiece> pieces;
  const auto add = [&](Kind kind, int64_t begin, int64_t end, int64_t answer) {
    if (begin >= end) return;
    const auto length = static_cast<size_t>(end - begin);
    pieces.push_back({kind,
                      QString::fromStdString(sample.text.substr(static_cast<size_t>(begin), length)),
                      answer});
  };
  const std::vector<Mark> marks = marks_of(sample);
  int64_t at = 0;
  for (const TextSpan& range : shown_ranges(sample)) {
    if (range.begin > at) {
      pieces.push_back({Kind::kGap, gap_text(sample, range.begin - at, prompt_tokens), -1});
    }
    at = range.begin;
    for (const Mark& mark : marks) {
      if (mark.span.end <= at) continue;
      if (mark.span.begin >= range.end) break;
      add(Kind::kPlain, at, mark.span.begin, -1);
      at = std::max(at, mark.span.begin);
      add(mark.kind, at, std::min(mark.span.end, range.end), mark.answer);
      at = std::min(mark.span.end, range.end);
    }
    add(Kind::kPlain, at, range.end, -1);
    at = range.end;
  }
  const auto size = static_cast<int64_t>(sample.text.size());
  if (at < size) pieces.push_back({Kind::kGap, gap_text(sample, size - at, prompt_tokens), -1});
  return pieces;
}

QString score_words(const TaskFace& face, const std::vector<ScoreLayer>& layers,
                    const ScoreFilter& filter, int64_t limit) {
  const ScoreLayer* main = nullptr;
  for (const ScoreLayer& layer : layers) {
    if (layer.source == ScoreLayer::Source::kPaper || points_by_length(layer, filter).empty()) {
      continue;
    }
    if (main == nullptr || layer.source == ScoreLayer::Source::kModel) main = &layer;
  }
  if (main == nullptr) return {};
  const std::vector<ScorePoint> points = points_by_length(*main, filter);
  QString text = reach_words(*main, points, limit, face);
  const ScorePoint* far = limit > 0 ? far_point(points, limit) : &points.back();
  if (far != nullptr) text += base_words(layers, *main, *far, filter);
  if (far != nullptr) text += best_words(layers, *main, *far, filter);
  text += several_seeds(layers)
              ? tr(" Where there are several seeds, ranges are those of the seeds; else they are "
                   "Wilson's 95 % intervals over the trials.")
              : tr(" Intervals are Wilson's, 95 %, over the trials; it is one seed, and another "
                   "training may come out otherwise.");
  if (std::string_view(face.unit) == "letters") {
    text += tr(" Letters of one string hang together, so the intervals are too narrow.");
  }
  if (std::string_view(face.name) == "register") {
    text += tr(" State passing gives a row the state that an unrelated row left, with values of "
               "keys that this row has not set yet: a model can learn to keep them, or to distrust "
               "what it carries, and either may cost recall within T.");
  }
  return text;
}

QString readiness_words(const ModelInfo* model, const RunConfig* recipe, const std::string& task) {
  if (model == nullptr) return {};
  if (recipe != nullptr && recipe->task.name == task) {
    return tr("The open text is this task's: Post-training at the left and the page Experiment "
              "train on it, and curves by position are measured on it.");
  }
  if (model->text == task) return tr("This model was trained on such text.");
  if (model->source == "embedded") {
    return tr("This built-in model has read nothing like this task: what it answers says little "
              "until it is trained on it.");
  }
  return tr("It isn't known whether this model has ever read such text. Scores near chance within T "
            "say that it has to be trained on the task first.");
}

}  // namespace farstate::desktop
