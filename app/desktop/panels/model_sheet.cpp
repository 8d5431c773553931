// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/model_sheet.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <array>

#include "app/desktop/core_words.h"
#include "app/desktop/size_text.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/memory_bars.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"
#include "resources/embedded_models.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array kPrecisions = {"auto", "float32", "bfloat16"};

QString from(const std::string& text) { return QString::fromStdString(text); }

QString number(int64_t n) { return QLocale().toString(qint64(n)); }

// A size that the report leaves at 0 was not found.
QString known(int64_t n) { return n > 0 ? number(n) : QStringLiteral("–"); }

QString known(const std::string& text) { return text.empty() ? QStringLiteral("–") : from(text); }

QString times(int64_t a, int64_t b) {
  return a > 0 && b > 0 ? QStringLiteral("%1 × %2").arg(number(a), number(b)) : QStringLiteral("–");
}

int index_of(const std::string& precision) {
  for (size_t i = 0; i < kPrecisions.size(); ++i) {
    if (precision == kPrecisions[i]) return static_cast<int>(i);
  }
  return 0;
}

QLabel* wrapped(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->hide();
  return label;
}

void show_text(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

QLabel* heading(const Words& title, QWidget* parent) {
  QLabel* label = with_text(new QLabel(parent), title);
  set_text(label, TextSize::kBody, QFont::DemiBold);
  return label;
}

}  // namespace

ModelSheet::ModelSheet(QWidget* over) : Sheet([] { return tr("Load"); }, over) {
  facts_ = new QWidget(this);
  auto* columns = new QHBoxLayout(facts_);
  columns->setContentsMargins(0, 0, 0, 0);
  columns->setSpacing(36);
  for (const bool files : {false, true}) {
    auto* column = new QVBoxLayout;
    column->setSpacing(5);
    column->addWidget(heading([files] { return files ? tr("Files") : tr("Model"); }, facts_));
    if (files) {
      make_file_rows(column);
    } else {
      make_model_rows(column);
    }
    column->addStretch(1);
    columns->addLayout(column, 1);
  }
  body()->addWidget(facts_);
  make_memory();
  notes_ = wrapped(this);
  notes_->setProperty("role", u"muted"_s);
  warning_ = wrapped(this);
  warning_->setObjectName(u"warning"_s);
  body()->addWidget(notes_);
  body()->addWidget(warning_);
  body()->addStretch(1);
  worded(this, [this] {
    if (isHidden()) return;
    say_title();
    if (report_ && answered()) show_report(ModelReport(*report_));
  });
}

ElidedLabel* ModelSheet::add_row(QVBoxLayout* column, const Words& name) {
  auto* value = new ElidedLabel(this);
  value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  column->addLayout(field_row(muted_label(name, this), value));
  return value;
}

void ModelSheet::make_model_rows(QVBoxLayout* column) {
  architecture_ = add_row(column, [] { return tr("architecture"); });
  parameters_ = add_row(column, [] { return tr("parameters"); });
  heads_ = add_row(column, [] { return tr("layers × heads"); });
  state_ = add_row(column, [] { return tr("state per head, P × N"); });
  width_ = add_row(column, [] { return tr("model width D"); });
  groups_ = add_row(column, [] { return tr("groups"); });
  vocabulary_ = add_row(column, [] { return tr("vocabulary"); });
  trained_ = add_row(column, [] { return tr("trained on"); });
}

void ModelSheet::make_file_rows(QVBoxLayout* column) {
  format_ = add_row(column, [] { return tr("format"); });
  files_ = add_row(column, [] { return tr("read from"); });
  dtype_ = add_row(column, [] { return tr("precision in the file"); });
  precision_ = new Segmented(
      [] { return tr("precision in memory"); },
      {[] { return tr("auto"); }, [] { return tr("float32"); }, [] { return tr("bfloat16"); }},
      this);
  column->addLayout(
      field_row(muted_label([] { return tr("precision in memory"); }, this), precision_));
  tokenizer_ = add_row(column, [] { return tr("tokenizer"); });
  browse_ = with_text(new QPushButton(this), [] { return tr("Choose tokenizer…"); });
  browse_->setProperty("role", u"small"_s);
  browse_->setFocusPolicy(Qt::TabFocus);
  column->addWidget(browse_, 0, Qt::AlignRight);
  connect(precision_, &Segmented::changed, this, [this](int index) {
    source_.precision = kPrecisions[static_cast<size_t>(index)];
    Q_EMIT source_changed();
  });
  connect(browse_, &QPushButton::clicked, this, &ModelSheet::browse_tokenizer);
}

void ModelSheet::make_memory() {
  memory_ = new QWidget(this);
  auto* column = new QVBoxLayout(memory_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(5);
  available_ = muted_label({}, memory_);
  column->addLayout(field_row(heading([] { return tr("Memory"); }, memory_), available_));
  bars_ = new MemoryBars(memory_);
  fits_ = wrapped(memory_);
  fits_->setProperty("role", u"danger"_s);
  column->addWidget(bars_);
  column->addWidget(fits_);
  body()->addWidget(memory_);
}

void ModelSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  bars_->set_theme(theme);
}

void ModelSheet::ask(const ModelSource& source) {
  if (source.model != source_.model || !isVisible()) {
    facts_->hide();
    memory_->hide();
    show_text(notes_, {});
  }
  source_ = source;
  report_.reset();
  say_title();
  const QSignalBlocker blocker(precision_);
  precision_->choose(index_of(source.precision));
  set_stage(Stage::kAsking, tr("Looking at the files…"));
}

bool ModelSheet::is_built_in() const { return find_embedded_model(source_.model) != nullptr; }

void ModelSheet::say_title() {
  const QString name = QFileInfo(from(source_.model)).fileName();
  set_title(tr("Open %1").arg(name.isEmpty() ? from(source_.model) : name),
            is_built_in() ? tr("built into the program") : from(source_.model));
}

void ModelSheet::show_report(const ModelReport& report) {
  if (report.asked != source_.model) return;
  const bool other_precision = source_.precision != "auto" && report.problem.empty() &&
                               !report.model.precision.empty() &&
                               report.model.precision != source_.precision;
  if (other_precision) return;
  report_ = report;
  show_model(report);
  show_files(report);
  show_memory(report);
  show_notes(report);
  const bool known_model = report.model.layers > 0;
  facts_->setVisible(known_model || report.problem.empty());
  memory_->setVisible(report.weight_bytes > 0);
  set_stage(report.problem.empty() ? Stage::kReady : Stage::kRefused, from(report.problem));
}

void ModelSheet::show_model(const ModelReport& report) {
  const ModelInfo& m = report.model;
  architecture_->setText(known(m.architecture));
  parameters_->setText(known(m.parameters));
  heads_->setText(times(m.layers, m.heads));
  state_->setText(times(m.head_dim, m.state_dim));
  width_->setText(known(m.model_dim));
  groups_->setText(known(m.groups));
  vocabulary_->setText(known(m.vocabulary));
  trained_->setText(m.trained_context > 0 ? tr("T = %1").arg(number(m.trained_context))
                                          : tr("not recorded"));
}

void ModelSheet::show_files(const ModelReport& report) {
  format_->setText(known(report.format));
  QStringList names;
  for (const std::string& file : report.files) names << QFileInfo(from(file)).fileName();
  files_->setText(is_built_in()       ? tr("the program")
                  : names.isEmpty()   ? QStringLiteral("–")
                  : names.size() <= 2 ? names.join(u", "_s)
                                      : tr("%1 and %2 more").arg(names.front()).arg(names.size() - 1));
  files_->setToolTip(names.size() > 2 ? names.join(QLatin1Char('\n')) : QString());
  dtype_->setText(known(report.model.dtype));
  const QString tokenizer = from(report.model.tokenizer);
  tokenizer_->setText(tokenizer.isEmpty()      ? tr("none found")
                      : tokenizer == u"bytes"_s ? tr("bytes")
                                                : QFileInfo(tokenizer).fileName());
  tokenizer_->setToolTip(tokenizer.contains(QLatin1Char('/')) ? tokenizer : QString());
}

void ModelSheet::show_memory(const ModelReport& r) {
  const QString precision = from(r.model.precision);
  bars_->show_uses({{precision.isEmpty() ? tr("weights") : tr("weights in %1").arg(precision),
                     r.weight_bytes},
                    {tr("state of one sequence"), r.state_bytes},
                    {tr("measuring, about"), r.measure_bytes},
                    {tr("training, about"), r.train_bytes}},
                   r.available_bytes);
  available_->setText(r.available_bytes > 0 ? tr("%1 available").arg(size_text(r.available_bytes))
                                            : QString());
  const auto exceeds = [&r](int64_t bytes) {
    return r.available_bytes > 0 && bytes > r.available_bytes;
  };
  QString sentence;
  if (exceeds(r.weight_bytes)) {
    sentence = r.model.precision == "bfloat16"
                   ? tr("The weights do not fit into the memory that is available now.")
                   : tr("The weights do not fit into the memory that is available now; in "
                        "bfloat16 they need half of what float32 needs.");
  } else if (exceeds(r.measure_bytes)) {
    sentence = tr("Measuring with the default settings does not fit: fewer sequences need less.");
  } else if (exceeds(r.train_bytes)) {
    sentence = tr("It can be measured. Training with the default settings does not fit: a smaller "
                  "batch or context needs less.");
  }
  show_text(fits_, sentence);
}

void ModelSheet::show_notes(const ModelReport& report) {
  QStringList lines;
  for (const std::string& note : report.notes) lines << core_words(note);
  show_text(notes_, lines.join(QLatin1Char('\n')));
}

void ModelSheet::set_warning(const QString& warning) { show_text(warning_, warning); }

void ModelSheet::choose_tokenizer(const QString& path) {
  source_.tokenizer = path.toStdString();
  Q_EMIT source_changed();
}

void ModelSheet::browse_tokenizer() {
  const QString start = QFileInfo(from(source_.model)).isDir()
                            ? from(source_.model)
                            : QFileInfo(from(source_.model)).path();
  const QString file = QFileDialog::getOpenFileName(this, tr("Choose a tokenizer"), start,
                                                    tr("Tokenizer (tokenizer.json *.json)"));
  if (!file.isEmpty()) choose_tokenizer(file);
}

QString ModelSheet::text_of(const QString& name) const {
  for (const QLabel* label : findChildren<QLabel*>()) {
    const auto* value = qobject_cast<const ElidedLabel*>(label->buddy());
    if (value != nullptr && label->text() == name) return value->text();
  }
  return {};
}

QString ModelSheet::memory_sentence() const { return fits_->text(); }
QString ModelSheet::notes() const { return notes_->text(); }

}  // namespace farstate::desktop
