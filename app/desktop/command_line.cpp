// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/command_line.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

#include "app/desktop/opening.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

void read_size(const QString& text, Options& out) {
  static const QRegularExpression form(u"^(\\d{3,5})x(\\d{3,5})$"_s);
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch()) {
    out.complaint = tr("--size wants WIDTHxHEIGHT, such as 1440x900, and got \"%1\".").arg(text);
    return;
  }
  out.size_given = true;
  out.size = {match.captured(1).toInt(), match.captured(2).toInt()};
}

void read_theme(const QString& text, Options& out) {
  if (text == u"light") {
    out.theme = ThemeMode::kLight;
  } else if (text == u"dark") {
    out.theme = ThemeMode::kDark;
  } else if (text == u"system") {
    out.theme = ThemeMode::kSystem;
  } else {
    out.complaint = tr("--theme wants light, dark or system, and got \"%1\".").arg(text);
  }
}

void read_language(const QString& text, Options& out) {
  out.language = language_from(text);
  if (!out.language) {
    out.complaint = tr("--language wants system, en or zh_CN, and got \"%1\".").arg(text);
  }
}

void read_format(const QString& text, Options& out) {
  out.render.png = text == u"png" || text == u"both";
  out.render.svg = text == u"svg" || text == u"both";
  if (!out.render.png && !out.render.svg) {
    out.complaint = tr("--format wants png, svg or both, and got \"%1\".").arg(text);
  }
}

void read_scale(const QString& text, Options& out) {
  bool read = false;
  out.render.scale = text.toDouble(&read);
  if (!read || !(out.render.scale >= 0.5 && out.render.scale <= 8)) {
    out.complaint = tr("--scale wants a number from 0.5 to 8, and got \"%1\".").arg(text);
  }
}

void read_count(const QString& option, const QString& text, int64_t& value, Options& out) {
  bool read = false;
  const int64_t wanted = text.toLongLong(&read);
  if (!read || wanted < 1) {
    out.complaint = tr("%1 wants a number of at least 1, and got \"%2\".").arg(option, text);
    return;
  }
  value = wanted;
}

void read_task(const QString& text, Options& out) {
  out.task = text.toStdString();
  if (std::find(std::begin(kTaskNames), std::end(kTaskNames), out.task) == std::end(kTaskNames)) {
    out.complaint =
        tr("--task wants passkey, babilong, copying or register, and got \"%1\".").arg(text);
  } else if (out.run || !out.prompt.isEmpty() || out.experiment) {
    out.complaint = tr("--task doesn't go with --run, --prompt or --experiment: choose one of them.");
  }
}

void read_intervention(const QString& text, Options& out) {
  try {
    out.recipe.intervention.kind = intervention_from_string(text.toStdString());
  } catch (const Error& error) {
    out.complaint = QString::fromStdString(error.what());
  }
}

void read_model(const QString& path, Options& out) {
  if (kind_of(path) == Opening::Kind::kSession) {
    out.session = path;
  } else {
    out.recipe.model.model = path.toStdString();
  }
}

}  // namespace

Options parse_arguments(const QStringList& arguments) {
  Options out;
  out.recipe.measure.probes.emplace_back("dynamics");  // it costs little, and heads have half-lives
  QCommandLineParser parser;
  const QCommandLineOption help({u"h"_s, u"help"_s}, tr("Show this help."));
  const QCommandLineOption version(u"version"_s, tr("Show the version."));
  const QCommandLineOption data(u"data"_s, tr("Measure and train on this UTF-8 text file."),
                                u"FILE"_s);
  const QCommandLineOption sheet(
      u"sheet"_s, tr("Show what is known of this model or text before it is loaded."), u"PATH"_s);
  const QCommandLineOption shot(u"shot"_s, tr("Write a picture of the window and end."),
                                u"FILE.png"_s);
  const QCommandLineOption after(u"after"_s, tr("Take the picture after so many seconds (3)."),
                                 u"SECONDS"_s);
  const QCommandLineOption run(u"run"_s, tr("Start training once the model is ready."));
  const QCommandLineOption prompt(
      u"prompt"_s, tr("Read this text and go on from it, once the model is ready."), u"TEXT"_s);
  const QCommandLineOption experiment(
      u"experiment"_s,
      tr("Compare these arms once the model is ready, such as zero,state-passing."), u"ARMS"_s);
  const QCommandLineOption task(
      u"task"_s,
      tr("Show this task and score it once the model is ready: passkey, babilong, copying or "
         "register."),
      u"NAME"_s);
  const QCommandLineOption story(
      u"story"_s, tr("Open this story: a folder, or \"intro\"."), u"NAME"_s);
  const QCommandLineOption check(
      u"check"_s, tr("With --story: do every task without a person, print a line for each, and end."));
  const QCommandLineOption seeds(u"seeds"_s, tr("With --experiment: runs of each arm (1)."),
                                 u"COUNT"_s);
  const QCommandLineOption steps(u"steps"_s, tr("Steps of training, or of each arm (200)."),
                                 u"COUNT"_s);
  const QCommandLineOption plots(u"plots"_s, tr("With --shot: a picture of each plot as well."),
                                 u"DIR"_s);
  const QCommandLineOption intervention(
      u"intervention"_s,
      tr("Initial state: zero, random-noise, fitted-noise, state-passing, tbtt, correlated-noise "
         "or mixture."), u"NAME"_s);
  const QCommandLineOption frames(
      u"frames"_s,
      tr("Go through a first minute without a person, with a picture of the window at 1, 5, 10, 20 "
         "and 60 seconds, and end."),
      u"DIR"_s);
  const QCommandLineOption screens(
      u"screens"_s,
      tr("Go through every page without a person, with pictures in both themes and languages and "
         "two sizes, and end."),
      u"DIR"_s);
  const QCommandLineOption responsiveness(
      u"responsiveness"_s,
      tr("Measure without a person how the window keeps up, with so many seconds of training in the "
         "end, print it, and end."),
      u"SECONDS"_s);
  const QCommandLineOption startup(u"startup-times"_s,
                                   tr("Print how long it took until the window was seen."));
  const QCommandLineOption diagnostics(
      u"diagnostics"_s,
      tr("Print versions, the machine, settings, paths and the last lines of the log, and end."));
  const QCommandLineOption theme(u"theme"_s, tr("light, dark or system."), u"THEME"_s);
  const QCommandLineOption language(u"language"_s, tr("system, en or zh_CN."), u"LANGUAGE"_s);
  const QCommandLineOption size(u"size"_s, tr("Size of the window (1440x900)."), u"WxH"_s);
  const QCommandLineOption render(
      u"render"_s,
      tr("Without a window: draw this file of results (farstate measure --json). Given again, the "
         "others are drawn over the first."),
      u"RESULTS.json"_s);
  const QCommandLineOption out_folder(u"out"_s, tr("With --render: folder for the pictures."),
                                      u"DIR"_s, u"."_s);
  const QCommandLineOption format(u"format"_s, tr("With --render: png, svg or both."), u"FORMAT"_s);
  const QCommandLineOption only(u"only"_s, tr("With --render: these plots, by name."),
                                u"NAME,…"_s);
  const QCommandLineOption scale(u"scale"_s,
                                 tr("With --render: pixels of a PNG for each of the size (2)."),
                                 u"FACTOR"_s);
  parser.addOptions({help,  version, data,    intervention, sheet,  shot,    plots,  after,
                     run,   prompt,  experiment, task,      story,  check,   frames, screens, responsiveness, startup,
                     seeds, steps,   theme,   language,     size,   render,  out_folder,
                     format, only,   scale,   diagnostics});
  parser.addPositionalArgument(u"MODEL"_s, tr("A built-in model, a folder, a file inside one, or a session."),
                               u"[MODEL]"_s);
  if (!parser.parse(arguments)) {
    out.complaint = parser.errorText();
    return out;
  }
  const QStringList models = parser.positionalArguments();
  if (models.size() > 1) {
    out.complaint = tr("One model at a time, and there are %1.").arg(models.size());
  }
  if (!models.isEmpty()) read_model(models.front(), out);
  out.recipe.data.path = parser.value(data).toStdString();
  out.sheet = parser.value(sheet);
  out.shot = parser.value(shot);
  out.plots = parser.value(plots);
  if (!out.plots.isEmpty() && out.shot.isEmpty()) {
    out.complaint = tr("--plots goes with --shot.");
  }
  if (parser.isSet(intervention)) read_intervention(parser.value(intervention), out);
  out.run = parser.isSet(run);
  out.frames = parser.value(frames);
  out.screens = parser.value(screens);
  if (parser.isSet(responsiveness)) {
    int64_t seconds = 0;
    read_count(u"--responsiveness"_s, parser.value(responsiveness), seconds, out);
    out.soak_seconds = static_cast<int>(std::min<int64_t>(seconds, 1000000));
  }
  out.startup_times = parser.isSet(startup);
  out.diagnostics = parser.isSet(diagnostics);
  out.prompt = parser.value(prompt);
  if (out.run && !out.prompt.isEmpty()) {
    out.complaint = tr("--run trains and --prompt reads a text: choose one of them.");
  }
  if (parser.isSet(steps)) {
    read_count(u"--steps"_s, parser.value(steps), out.recipe.train.steps, out);
  }
  if (parser.isSet(experiment)) {
    out.experiment.emplace();
    out.experiment->interleaved = true;
    for (const QString& arm : parser.value(experiment).split(u',', Qt::SkipEmptyParts)) {
      out.experiment->arms.push_back(arm.trimmed().toStdString());
    }
    if (parser.isSet(seeds)) {
      read_count(u"--seeds"_s, parser.value(seeds), out.experiment->seeds, out);
    }
    if (out.run || !out.prompt.isEmpty()) {
      out.complaint = tr("--experiment doesn't go with --run or --prompt: choose one of them.");
    }
  } else if (parser.isSet(seeds)) {
    out.complaint = tr("--seeds goes with --experiment.");
  }
  if (parser.isSet(task)) read_task(parser.value(task), out);
  out.story = parser.value(story);
  out.check = parser.isSet(check);
  if (out.check && out.story.isEmpty()) out.complaint = tr("--check goes with --story.");
  if (parser.isSet(theme)) read_theme(parser.value(theme), out);
  if (parser.isSet(language)) read_language(parser.value(language), out);
  if (parser.isSet(size)) read_size(parser.value(size), out);
  out.render.results = parser.values(render);
  out.render.folder = parser.value(out_folder);
  out.render.plots = parser.value(only).split(u',', Qt::SkipEmptyParts);
  if (parser.isSet(format)) read_format(parser.value(format), out);
  if (parser.isSet(scale)) read_scale(parser.value(scale), out);
  if (out.theme) out.render.theme = *out.theme;
  if (parser.isSet(size)) out.render.size = out.size;
  if (parser.isSet(after)) {
    bool read = false;
    out.shot_after = parser.value(after).toDouble(&read);
    if (!read || out.shot_after < 0) {
      out.complaint =
          tr("--after wants a number of seconds, and got \"%1\".").arg(parser.value(after));
    }
  }
  if (parser.isSet(version)) out.print = u"farstate-desktop " FARSTATE_VERSION "\n"_s;
  if (parser.isSet(help)) out.print = parser.helpText();
  return out;
}

}  // namespace farstate::desktop
