// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/story/report.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QLocale>
#include <QPdfWriter>
#include <QTextDocument>
#include <QWidget>

#include "app/desktop/comparison_cards.h"
#include "app/desktop/experiment_words.h"
#include "app/desktop/intervention_style.h"
#include "app/desktop/main_window.h"
#include "app/desktop/models/arm_groups.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/plots/qcp.h"
#include "app/desktop/rendering.h"
#include "app/desktop/story/guess_fields.h"
#include "app/desktop/story/curve_numbers.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "core/base/file.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

constexpr int kResolution = 96;       // so that the pixels of the screen are those of the page
constexpr double kMargin = 18;        // millimetres
constexpr QSize kCard(640, 290);      // of each plot on the page
constexpr int kBetween = 14;

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

QString from(const std::string& text) { return QString::fromStdString(text); }

// Text and cards one under the other, with a new page where the next does not fit.
class PdfPage {
 public:
  explicit PdfPage(QPdfWriter& pdf) : pdf_(pdf), painter_(&pdf) {}

  void add_text(const QString& html) {
    QTextDocument document;
    document.setDocumentMargin(0);
    document.setDefaultFont(text_font(TextSize::kBody));
    document.setDefaultStyleSheet(
        u"h1 { font-size: 18pt; } h2 { font-size: 12pt; } td { padding-right: 14px; } "
        "p, td { color: #1c2026; }"_s);
    document.setHtml(html);
    document.setTextWidth(width());
    const double height = document.size().height();
    make_room(height);
    // Longer than a page: cut where it ends.
    for (double done = 0; done < height;) {
      const double room = std::min(height - done, this->height() - y_);
      painter_.save();
      painter_.translate(0, y_ - done);
      document.drawContents(&painter_, QRectF(0, done, width(), room));
      painter_.restore();
      done += room;
      y_ += room;
      if (done < height) next();
    }
    y_ += kBetween;
  }

  void add_card(QWidget& card) {
    const double scale = width() / static_cast<double>(card.width());
    make_room(card.height() * scale);
    painter_.save();
    painter_.translate(0, y_);
    painter_.scale(scale, scale);
    paint_card(painter_, card);
    painter_.restore();
    y_ += card.height() * scale + kBetween;
  }

 private:
  double width() const { return pdf_.width(); }
  double height() const { return pdf_.height(); }

  void make_room(double needed) {
    if (y_ > 0 && y_ + needed > height()) next();
  }
  void next() {
    pdf_.newPage();
    y_ = 0;
  }

  QPdfWriter& pdf_;
  QCPPainter painter_;
  double y_ = 0;
};

QString row(const QString& name, const QString& value) {
  return u"<tr><td>%1</td><td>%2</td></tr>"_s.arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString table(const std::vector<std::pair<QString, QString>>& rows) {
  QString html = u"<table>"_s;
  for (const auto& [name, value] : rows) html += row(name, value);
  return html + u"</table>"_s;
}

QString title_of(const Report& report) {
  if (report.experiment != nullptr) return tr("Comparison of initial states");
  return report.story.isEmpty() ? tr("Farstate report") : report.story;
}

QString head_of(const Report& report) {
  const QString title = title_of(report);
  return u"<h1>%1</h1>"_s.arg(title.toHtmlEscaped()) +
         table({{tr("date"), QLocale().toString(report.when, QLocale::ShortFormat)},
                {tr("model"), report.model},
                {tr("text"), report.text}});
}

QString guess_of(const Report& report) {
  QString html = u"<h2>%1</h2><table>"_s.arg(tr("The guess").toHtmlEscaped());
  for (size_t i = 0; i < report.guess.positions.size(); ++i) {
    html += row(tr("perplexity at position %1").arg(QLocale().toString(qint64(report.guess.positions[i]))),
                fact_text(report.guess.values[i]));
  }
  return html + u"</table><p>%1</p>"_s.arg(report.guess_verdict.toHtmlEscaped());
}

QString answers_of(const Report& report) {
  QString html = u"<h2>%1</h2>"_s.arg(tr("The answers").toHtmlEscaped());
  for (const ReportAnswer& answer : report.answers) {
    const QString verdict =
        answer.first.isEmpty() ? tr("not answered")
        : answer.correct       ? tr("%1: right").arg(answer.first)
                               : tr("%1: wrong; right is: %2").arg(answer.first, answer.right);
    html += u"<p><b>%1</b><br>%2</p>"_s.arg(answer.question.toHtmlEscaped(), verdict.toHtmlEscaped());
  }
  return html;
}

QString section(const QString& title, const QString& html) {
  return u"<h2>%1</h2>%2"_s.arg(title.toHtmlEscaped(), html);
}

QString paragraph(const QString& text) { return u"<p>%1</p>"_s.arg(text.toHtmlEscaped()); }

void add_experiment(PdfPage& page, const Experiment& experiment) {
  const ExperimentWords words = experiment_words(experiment);
  page.add_text(section(tr("What it shows"), paragraph(words.shows)));
  if (!words.open.isEmpty()) {
    page.add_text(section(tr("What it leaves open"), paragraph(words.open)));
  }
  page.add_text(section(tr("Perplexity at a position"), comparison_html(experiment)));
  const Theme& theme = theme_for(ThemeMode::kLight);
  for (const auto& card : comparison_cards(experiment, theme)) {
    apply_theme(*card, theme);
    lay_out(*card, kCard);
    page.add_card(*card);
  }
}

// Of one run there is no more to say than what was measured of it.
QString limits_of_measurement() {
  return paragraph(tr("Measured on one text, with the model as it is: another text gives other "
                      "numbers, and a difference between two trained models may be chance. How far "
                      "chance carries, several seeds show, with the zero state as their control."));
}

// The plots that a lesson speaks of, in the light theme whatever the window's is.
void add_plots(PdfPage& page, const Report& report) {
  if (report.results.isEmpty()) return;
  const QStringList wanted = {u"state"_s, u"perplexity"_s, u"effrem"_s, u"distribution"_s};
  for (const ResultCard& card : result_cards(report.results, theme_for(ThemeMode::kLight))) {
    if (!wanted.contains(card.plot)) continue;
    apply_theme(*card.widget, theme_for(ThemeMode::kLight));
    lay_out(*card.widget, kCard);
    page.add_card(*card.widget);
  }
}

void add_losses(PdfPage& page, const LossPlot::Record& losses) {
  if (losses.history.empty()) return;
  const Theme& theme = theme_for(ThemeMode::kLight);
  Card card([] { return tr("Training loss"); });
  auto* plot = new LossPlot;
  plot->set_record(losses);
  card.body()->addWidget(plot);
  apply_theme(card, theme);
  plot->set_theme(theme);
  lay_out(card, kCard);
  page.add_card(card);
}

// A twin was trained before, by whoever made it; its own recipe is that of the measurement alone.
bool is_twin(const Measurement& m, const MainWindow& window) {
  const Measurement* base = window.book().base();
  return base != nullptr && m.recipe.model.model != base->recipe.model.model;
}

QString name_of(const Measurement& m, const MainWindow& window) {
  if (&m == window.book().base()) return from(m.recipe.model.model);
  return tr("%1, %2 steps")
      .arg(intervention_name(m.intervention), QLocale().toString(qint64(m.step)));
}

QString recipe_of(const Measurement& m, const MainWindow& window) {
  const bool untouched = &m == window.book().base();
  if (untouched || is_twin(m, window)) return tr("%1 as loaded").arg(from(m.recipe.model.model));
  return tr("%1, %2 steps").arg(from(summary(m.recipe)), QLocale().toString(qint64(m.step)));
}

void add_result(Report& report, const Measurement& m, const MainWindow& window) {
  ResultsFile file;
  file.name = name_of(m, window);
  file.measurement = m;
  file.model.name = file.name.toStdString();
  file.model.trained_context = window.trained_context();
  if (window.states() != nullptr && window.states()->step == m.step) file.states = window.states();
  report.results.push_back(file);
  report.recipes.emplace_back(file.name, recipe_of(m, window));
  const CurveNumbers numbers = 
      numbers_of(m, window.trained_context(), window.plots()->perplexity_series());
  const auto add = [&](const QString& what, std::optional<double> value) {
    if (value) report.numbers.emplace_back(u"%1: %2"_s.arg(file.name, what), fact_text(*value));
  };
  add(tr("perplexity in [T/2, T)"), numbers.within);
  add(tr("perplexity in [8T, 16T)"), numbers.past);
  add(tr("effective remembrance at half"), numbers.remembrance);
}

// The one that the arms share, and what each of them was asked for.
void add_recipes(Report& report) {
  report.recipes.emplace_back(tr("shared"),
                              from(summary(run_config_from_json(report.experiment->recipe))));
  for (const ArmGroup& group : arm_groups(*report.experiment)) {
    report.recipes.emplace_back(group.name, from(group.arm));
  }
}

void add_answers(Report& report, const StoryRun& run, const QString& language) {
  for (size_t i = 0; i < run.story()->steps.size(); ++i) {
    const std::vector<Question>& questions = run.story()->card(i, language).questions;
    for (size_t j = 0; j < questions.size(); ++j) {
      const Question& question = questions[j];
      const std::optional<int> first = run.answers(i)[j].first;
      report.answers.push_back({question.text, first ? question.choices.value(*first) : QString(),
                                question.choices.value(question.right), first == question.right});
    }
  }
}

}  // namespace

Report report_of(const MainWindow& window) {
  Report report;
  report.when = QDateTime::currentDateTime();
  if (window.model() != nullptr) report.model = from(window.model()->name);
  if (window.data() != nullptr) report.text = from(window.data()->name);
  if (window.page() == u"experiment" && window.experiment_panel()->experiment() != nullptr) {
    report.experiment = window.experiment_panel()->experiment();
    add_recipes(report);
    return report;
  }
  const MeasurementBook& book = window.book();
  if (book.base() != nullptr) add_result(report, *book.base(), window);
  for (const Measurement* m : book.earlier()) add_result(report, *m, window);
  if (book.current() != nullptr && book.current() != book.base()) {
    add_result(report, *book.current(), window);
  }
  report.losses = window.plots()->results()->loss()->record();
  const StoryRun& run = *window.story()->run();
  if (!run.active()) return report;
  const QString language = window.story()->language();
  report.story = run.story()->title(language);
  if (run.guess().made) {
    report.guess = run.guess();
    report.guess_verdict = guess_verdict(run.guess_factor());
  }
  add_answers(report, run, language);
  return report;
}

QByteArray pdf_of(const Report& report) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter pdf(&buffer);
    pdf.setResolution(kResolution);
    pdf.setPageSize(QPageSize(QPageSize::A4));
    pdf.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Millimeter);
    pdf.setTitle(title_of(report));
    pdf.setCreator(u"Farstate"_s);
    PdfPage page(pdf);
    page.add_text(head_of(report));
    if (report.experiment != nullptr) add_experiment(page, *report.experiment);
    if (!report.numbers.empty()) {
      page.add_text(section(tr("What was measured"), table(report.numbers)));
      page.add_text(section(tr("What it leaves open"), limits_of_measurement()));
    }
    add_plots(page, report);
    add_losses(page, report.losses);
    if (!report.guess.empty()) page.add_text(guess_of(report));
    if (!report.answers.empty()) page.add_text(answers_of(report));
    if (!report.recipes.empty()) {
      page.add_text(section(tr("Recipes"), table(report.recipes)));
    }
  }
  return bytes;
}

void write_report(const QString& path, const Report& report) {
  const QByteArray bytes = pdf_of(report);
  write_file_atomic(path.toStdString(), std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
}

}  // namespace farstate::desktop
