// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/core_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

// %1 stands for a number, a name, or a part that is looked up in turn. The first form that fits is
// taken, so that what is more special comes first.
constexpr const char* kForms[] = {
    // Phases of work.
    QT_TRANSLATE_NOOP("CoreWords", "the generated text"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the model"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the text"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the texts"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the prompt"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the prompts"),
    QT_TRANSLATE_NOOP("CoreWords", "reading what the prompts share"),
    QT_TRANSLATE_NOOP("CoreWords", "reading the weights, %1 of %2 GB"),
    QT_TRANSLATE_NOOP("CoreWords", "making the task's text"),
    QT_TRANSLATE_NOOP("CoreWords", "waiting for the program that tokenises this text"),
    QT_TRANSLATE_NOOP("CoreWords", "generating"), QT_TRANSLATE_NOOP("CoreWords", "attention"),
    QT_TRANSLATE_NOOP("CoreWords", "effective remembrance"),
    QT_TRANSLATE_NOOP("CoreWords", "looking into the states"),
    QT_TRANSLATE_NOOP("CoreWords", "the law of the states"),
    QT_TRANSLATE_NOOP("CoreWords", "stopping"), QT_TRANSLATE_NOOP("CoreWords", "measuring: %1"),
    QT_TRANSLATE_NOOP("CoreWords", "searching a learning rate: step %1 of at most %2"),
    QT_TRANSLATE_NOOP("CoreWords", "step %1 of %2"),
    QT_TRANSLATE_NOOP("CoreWords", "%1: %2 tokens, %3, sample %4 of %5"),
    QT_TRANSLATE_NOOP("CoreWords", "%1: %2 tokens, sample %3 of %4"),
    QT_TRANSLATE_NOOP("CoreWords", "%1: %2 letters, sample %3 of %4"),
    QT_TRANSLATE_NOOP("CoreWords", "depth %1"), QT_TRANSLATE_NOOP("CoreWords", "%1, seed %2: %3"),
    QT_TRANSLATE_NOOP("CoreWords", "base: %1"),
    // Where a kept state comes from.
    QT_TRANSLATE_NOOP("CoreWords", "%1, edited"),
    QT_TRANSLATE_NOOP("CoreWords", "%1, read from %2"),
    QT_TRANSLATE_NOOP("CoreWords", "after %1 token of %2"),
    QT_TRANSLATE_NOOP("CoreWords", "after %1 tokens of %2"),
    QT_TRANSLATE_NOOP("CoreWords", "its own text"), QT_TRANSLATE_NOOP("CoreWords", "file %1"),
    // Events.
    QT_TRANSLATE_NOOP("CoreWords", "forked from run %1 after %2 steps"),
    QT_TRANSLATE_NOOP("CoreWords", "forked from %1"), QT_TRANSLATE_NOOP("CoreWords", "saved in %1"),
    QT_TRANSLATE_NOOP("CoreWords", "step %1 was passed over: %2"),
    QT_TRANSLATE_NOOP("CoreWords", "%1 from here"), QT_TRANSLATE_NOOP("CoreWords", "zero state"),
    QT_TRANSLATE_NOOP("CoreWords", "state passing, without the convolution context, P(zero) %1"),
    QT_TRANSLATE_NOOP("CoreWords", "state passing, P(zero) %1"),
    QT_TRANSLATE_NOOP("CoreWords", "truncated BPTT, without the convolution context, P(zero) %1"),
    QT_TRANSLATE_NOOP("CoreWords", "truncated BPTT, P(zero) %1"),
    QT_TRANSLATE_NOOP("CoreWords", "random noise, sigma %1, P(zero) %2"),
    QT_TRANSLATE_NOOP("CoreWords", "fitted noise, %1"),
    QT_TRANSLATE_NOOP("CoreWords", "correlated noise, rank %1, %2"),
    QT_TRANSLATE_NOOP("CoreWords", "mixture of %1, P(zero) %2"),
    QT_TRANSLATE_NOOP("CoreWords", "of final states of %1 windows, P(zero) %2"),
    QT_TRANSLATE_NOOP("CoreWords", "of final states, momentum %1, P(zero) %2"),
    QT_TRANSLATE_NOOP("CoreWords", "of all states of %1 windows, P(zero) %2"),
    QT_TRANSLATE_NOOP("CoreWords", "of all states, momentum %1, P(zero) %2"),
    // The law of a head's states.
    QT_TRANSLATE_NOOP("CoreWords", "All elements of all %1 states are %2."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "One Gaussian, mean %1 and standard deviation %2, describes all elements of this head, as "
        "far as %3 states can tell."),
    QT_TRANSLATE_NOOP("CoreWords", "A Gaussian per head is not enough: %1. Measured on %2 states."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "its elements are correlated (the first direction holds %1 % of the variance, %2 % if "
        "independent; RMS correlation %3 in a row, %4 in a column; as few as %5 independent "
        "elements out of %6)"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "its elements are correlated (the first %1 directions hold %2 % of the variance, %3 % if "
        "independent; RMS correlation %4 in a row, %5 in a column; as few as %6 independent "
        "elements out of %7)"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "a single state is of low rank (effective rank %1, %2 if independent)"),
    QT_TRANSLATE_NOOP("CoreWords", "whole states differ in size (by %1 %, standard deviation)"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "its elements are not Gaussian (excess kurtosis %1, KS distance %2)"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "its elements differ (their means by %1 % of the head's standard deviation, their "
        "standard deviations by a factor of %2)"),
    // The search for a learning rate, and what a training takes.
    QT_TRANSLATE_NOOP("CoreWords", "Too few steps were made to tell."),
    QT_TRANSLATE_NOOP("CoreWords",
                      "The loss changes by no more than it scatters; search up to a higher rate."),
    QT_TRANSLATE_NOOP("CoreWords",
                      "Suggested: %1, a tenth of %2, the largest rate at which the smoothed loss "
                      "(%3) is still within its scatter of the smallest (%4)."),
    QT_TRANSLATE_NOOP("CoreWords",
                      "Suggested: %1, a tenth of %2, the largest rate at which the smoothed loss "
                      "(%3) is still within its scatter of the smallest (%4). It had not risen by "
                      "the end of the search, so a higher rate may do as well."),
    QT_TRANSLATE_NOOP("CoreWords", "choose a smaller batch or context, or a smaller model"),
    QT_TRANSLATE_NOOP("CoreWords", "choose fewer or shorter sequences to measure"),
    QT_TRANSLATE_NOOP("CoreWords", "%1 would bring it to about %2 GB"),
    QT_TRANSLATE_NOOP("CoreWords", "this machine has no bf16 instructions; float32 is faster here"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "How long it takes isn't known: %1 is in memory in %2, and a second of "
                      "training can be timed in float32 alone."),
    // The law of the model.
    QT_TRANSLATE_NOOP("CoreWords", "One variance for all heads is enough: %1."),
    QT_TRANSLATE_NOOP("CoreWords", "A Gaussian per head is enough: %1."),
    QT_TRANSLATE_NOOP("CoreWords", "Every element needs a Gaussian of its own: %1."),
    QT_TRANSLATE_NOOP("CoreWords", "Independent noise could do, but not Gaussian noise: %1."),
    QT_TRANSLATE_NOOP("CoreWords", "Independent noise cannot stand in for the states: %1."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "of %1 heads, %2 have elements that depend on each other, %3 elements that are not "
        "Gaussian, %4 elements that differ, and %5 another mean or variance than all heads "
        "together (standard deviation %6; of a head %7 to %8)"),
    // Notes.
    QT_TRANSLATE_NOOP("CoreWords", "Of the positions %1 only those up to %2 were reached."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Histograms, quantiles, cosines and distances between distributions rest on %1 of %2 "
        "elements of each state, to stay within %3 MB; means, standard deviations, skewness and "
        "kurtosis on all."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The trained context is not recorded, or longer than the sequences: there is no "
        "distribution to compare with."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The law of the states was not looked for: it takes %1 sequences or more, and there are "
        "%2."),
    QT_TRANSLATE_NOOP("CoreWords",
                      "Position %1 lies outside the sequences of %2 tokens; %3 is shown."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The model's matrices are in bfloat16 and have no gradients: which tokens the prediction "
        "leans on needs the precision float32."),
    QT_TRANSLATE_NOOP("CoreWords", "Stopped before all that was asked for was measured."),
    QT_TRANSLATE_NOOP("CoreWords", "\"%1\" is not finite everywhere."),
    QT_TRANSLATE_NOOP("CoreWords", "%1 sequences of %2 tokens overlap in %3 tokens of text: %4"),
    // Presets and figures of the paper.
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 %1, 500 steps (figure 1)"),
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 %1, 100 steps (the four interventions)"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Post-training of state-spaces/mamba2-%1 as in Buitrago Ruiz and Gu 2025, the run behind "
        "its curves of perplexity by position; on text like that of its pre-training (the Pile; "
        "which part is not known)."),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Post-training of state-spaces/mamba2-%1 as in Buitrago Ruiz and Gu 2025, the short run "
        "behind its comparison of four laws of the initial state; on text like that of its "
        "pre-training (the Pile; which part is not known)."),
    QT_TRANSLATE_NOOP("CoreWords", "The built-in model, %1 steps"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "Shows the failure past the training context and its cure in seconds."),
    QT_TRANSLATE_NOOP("CoreWords", "A checkpoint of the paper on a small machine"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "The paper's recipe cut down to what a night can do: 50 steps of 16 windows, a hundred "
        "and sixtieth of its tokens. Our own choice, not a run of the paper."),
    QT_TRANSLATE_NOOP("CoreWords",
                      "figure 1 of the paper (arXiv:2507.02782) shows state passing; the other "
                      "laws are arms beside it"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "a public reimplementation whose author read the paper zeroes a row with 0.1; whether that "
        "is the paper's own value is not known, and the authors' blog post names none"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "readers say that the pseudocode of the appendix passes the recurrent state alone"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "random noise: the paper has one standard deviation for all layers and "
                      "heads; a reader's notes say 1"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "fitted noise: the authors' blog post (goombalab.github.io, July 2025) says "
                      "the final states"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "fitted noise: over which steps the states are gathered is not known; our choice"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "a tenth of the pre-training peak, as readers quote the paper; that peak is "
                      "five times GPT-3's %1 (arXiv:2005.14165, table 2.1), as Mamba was trained "
                      "(arXiv:2312.00752, appendix E)"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "no schedule is stated; a public reimplementation rises over 50 steps and stays"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "not stated; Mamba's pre-training (arXiv:2312.00752, appendix E)"),
    QT_TRANSLATE_NOOP("CoreWords", "not stated; AdamW as in Mamba's pre-training"),
    QT_TRANSLATE_NOOP("CoreWords", "not stated; Mamba's pre-training"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "our choice: the least memory; the numbers are those of the whole batch up to rounding"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "our choice: less memory for more time; the numbers are the same"),
    QT_TRANSLATE_NOOP("CoreWords", "the precision of the post-training is not known; our choice"),
    QT_TRANSLATE_NOOP("CoreWords", "caption of figure 1 of the paper, for Mamba-2"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "the blog post said 100 steps when it appeared and 500 a day later, with the "
                      "same figures; these curves lie above those of 500 steps"),
    QT_TRANSLATE_NOOP("CoreWords", "the paper; the context of the pre-training"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "500 steps are said to be about 0.1 % of the pre-training's 300 billion "
                      "tokens, which is 2^19 tokens a step: 256 x 2048"),
    QT_TRANSLATE_NOOP("CoreWords", "our recipe for the built-in model: docs/DEMO.md"),
    QT_TRANSLATE_NOOP("CoreWords", "our choice: a tenth of the paper's"),
    QT_TRANSLATE_NOOP("CoreWords", "our choice: a sixteenth of the paper's"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "our choice: of the order of the paper's rates, and lower than that of its "
                      "130m, since a batch is a sixteenth; train --find-lr looks for a better one"),
    QT_TRANSLATE_NOOP("CoreWords", "our choice"),
    QT_TRANSLATE_NOOP("CoreWords", "no schedule is stated; our choice"),
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 780m, %1, %2"),
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 %1, zero-shot"),
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 %1, fine-tuned"),
    QT_TRANSLATE_NOOP("CoreWords", "Mamba-2 %1, fine-tuned with fitted noise"),
    QT_TRANSLATE_NOOP("CoreWords", "few-shot"), QT_TRANSLATE_NOOP("CoreWords", "fine-tuned"),
    QT_TRANSLATE_NOOP("CoreWords", "base"), QT_TRANSLATE_NOOP("CoreWords", "state passing"),
    QT_TRANSLATE_NOOP("CoreWords", "TBTT"),
    QT_TRANSLATE_NOOP(
        "CoreWords",
        "Buitrago Ruiz and Gu 2025 (arXiv:2507.02782); digitised from the figure, so approximate"),
    QT_TRANSLATE_NOOP("CoreWords",
                      "Buitrago Ruiz and Gu 2025 (arXiv:2507.02782); table in the authors' blog"),
    // Several findings in a row.
    QT_TRANSLATE_NOOP("CoreWords", "%1; %2")};

QString said(const char* form) { return QCoreApplication::translate("CoreWords", form); }

struct Form {
  const char* source;
  QRegularExpression pattern;
  std::vector<int> numbers;  // of the placeholders, in the order of the text
};

std::vector<Form> read_forms() {
  static const QRegularExpression placeholder(u"%(\\d)"_s);
  std::vector<Form> forms;
  for (const char* source : kForms) {
    Form form{source, {}, {}};
    const QString text = QString::fromUtf8(source);
    QString pattern;
    qsizetype at = 0;
    for (auto match = placeholder.globalMatch(text); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      pattern += QRegularExpression::escape(text.mid(at, found.capturedStart() - at)) + u"(.+?)"_s;
      form.numbers.push_back(found.captured(1).toInt());
      at = found.capturedEnd();
    }
    pattern += QRegularExpression::escape(text.mid(at));
    form.pattern.setPattern(QRegularExpression::anchoredPattern(pattern));
    forms.push_back(std::move(form));
  }
  return forms;
}

QString translated(const QString& sentence) {
  static const std::vector<Form> forms = read_forms();
  if (sentence.isEmpty()) return sentence;
  // What findings have in brackets may have semicolons, too.
  static const QRegularExpression row(u"^([a-z][^()]*\\([^()]*\\)); (.+)$"_s);
  if (const auto match = row.match(sentence); match.hasMatch()) {
    return said("%1; %2").arg(translated(match.captured(1)), translated(match.captured(2)));
  }
  for (const Form& form : forms) {
    const QString translation = said(form.source);
    if (translation == QString::fromUtf8(form.source)) continue;  // English, or not translated
    const QRegularExpressionMatch match = form.pattern.match(sentence);
    if (!match.hasMatch()) continue;
    static const QRegularExpression placeholder(u"%(\\d)"_s);
    QString out;
    qsizetype at = 0;
    for (auto part = placeholder.globalMatch(translation); part.hasNext();) {
      const QRegularExpressionMatch found = part.next();
      const auto place =
          std::find(form.numbers.begin(), form.numbers.end(), found.captured(1).toInt());
      out += translation.mid(at, found.capturedStart() - at);
      if (place != form.numbers.end()) {
        out += translated(match.captured(1 + static_cast<int>(place - form.numbers.begin())));
      }
      at = found.capturedEnd();
    }
    return out + translation.mid(at);
  }
  return sentence;
}

}  // namespace

QString core_words(const std::string& sentence) {
  return translated(QString::fromStdString(sentence));
}

QString error_words(ErrorKind kind, const std::string& message) {
  const auto heading = [kind] {
    switch (kind) {
      case ErrorKind::kBadUsage:
        return QT_TRANSLATE_NOOP("CoreWords", "A setting is wrong:");
      case ErrorKind::kBadInput:
        return QT_TRANSLATE_NOOP("CoreWords", "A file can't be used as it is:");
      case ErrorKind::kOutOfMemory:
        return QT_TRANSLATE_NOOP("CoreWords", "Memory doesn't suffice:");
      case ErrorKind::kDiverged:
        return QT_TRANSLATE_NOOP("CoreWords", "The numbers are no longer finite:");
      case ErrorKind::kInterrupted:
        return QT_TRANSLATE_NOOP("CoreWords", "It was interrupted:");
      case ErrorKind::kInternal:
        break;
    }
    return QT_TRANSLATE_NOOP("CoreWords", "A mistake of the program:");
  }();
  const QString sentence = QString::fromStdString(message);
  const QString above = said(heading);
  return above == QString::fromUtf8(heading) ? sentence : above + u'\n' + sentence;
}

}  // namespace farstate::desktop
