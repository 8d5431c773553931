// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/comparison_setup.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <filesystem>

#include "app/desktop/core_words.h"
#include "app/desktop/models/comparison_cost.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/size_text.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/check_box.h"
#include "app/desktop/widgets/choice_box.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/wording.h"
#include "core/store/run_store.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPresetLetters = 16;  // in sight; the list shows all
constexpr int kIndent = 8, kSpace = 8;
constexpr int kArmWidth = 232;  // of a column of arms

QString count(int64_t n) { return QLocale().toString(static_cast<qint64>(n)); }

QFont name_font() { return text_font(TextSize::kBody, QFont::Medium); }
QFont detail_font() { return text_font(TextSize::kSmall); }

QLineEdit* text_field(QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setProperty("role", u"field"_s);
  field->setAcceptDrops(false);
  return field;
}

// What is free where runs are kept; negative: not known.
int64_t free_bytes(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path place;
  try {
    place = fs::absolute(folder.empty() ? RunStore::default_path() : folder);
  } catch (const std::exception&) {
    return -1;
  }
  while (!place.empty() && !fs::exists(place, error) && place != place.parent_path()) {
    place = place.parent_path();
  }
  const fs::space_info space = fs::space(place, error);
  return error ? -1 : static_cast<int64_t>(space.available);
}

QPushButton* small_button(const Words& text, QWidget* parent) {
  QPushButton* button = with_text(new QPushButton(parent), text);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

}  // namespace

ArmSwitch::ArmSwitch(std::optional<Intervention> law, QWidget* parent)
    : QCheckBox(parent), law_(law), theme_(&theme_for(ThemeMode::kLight)) {
  worded(this, [this] {
    setText(law_ ? intervention_name(*law_) : tr("Base, as loaded"));
    setAccessibleName(text());
    setAccessibleDescription(detail());
  });
  setFocusPolicy(law ? Qt::TabFocus : Qt::NoFocus);
  setAttribute(Qt::WA_Hover);
  if (!law) setChecked(true);
}

QString ArmSwitch::detail() const {
  if (!law_) return tr("always measured");
  if (*law_ == Intervention::kZero) return tr("the control: training as such");
  return intervention_detail(*law_);
}

void ArmSwitch::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize ArmSwitch::minimumSizeHint() const {
  const int text = std::max(QFontMetrics(name_font()).horizontalAdvance(this->text()),
                            QFontMetrics(detail_font()).horizontalAdvance(detail()));
  return {kIndent + kCheckBox + kLineSampleWidth + 2 * kSpace + text, sizeHint().height()};
}

QSize ArmSwitch::sizeHint() const {
  const int text = QFontMetrics(name_font()).height() + QFontMetrics(detail_font()).height();
  return {text_room(kArmWidth) - 8, text + 7};
}

void ArmSwitch::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const bool lit = law_ && isEnabled();
  if (lit && (underMouse() || hasFocus())) {
    p.setPen(hasFocus() ? QPen(theme_->accent, 1) : QPen(Qt::NoPen));
    p.setBrush(theme_->hover);
    p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
  }
  paint_check_box(p, QRectF(kIndent, (height() - kCheckBox) / 2.0, kCheckBox, kCheckBox),
                  isChecked(), lit, *theme_);
  const int line_x = kIndent + kCheckBox + kSpace;
  LineStyle line = law_ ? intervention_line(*law_, theme_->dark) : base_line(theme_->dark);
  if (!isEnabled()) line.color = theme_->faint;
  paint_line_sample(p, QRectF(line_x, 0, kLineSampleWidth, height()), line);
  const int text_x = line_x + kLineSampleWidth + kSpace;
  const QFontMetrics name(name_font()), small(detail_font());
  const int top = (height() - name.height() - small.height()) / 2;
  p.setFont(name_font());
  p.setPen(isEnabled() ? theme_->text : theme_->faint);
  p.drawText(text_x, top + name.ascent(), text());
  p.setFont(detail_font());
  p.setPen(isEnabled() ? theme_->muted : theme_->faint);
  p.drawText(text_x, top + name.height() + small.ascent(), detail());
}

ComparisonSetup::ComparisonSetup(QWidget* parent)
    : Card([] { return tr("Comparison"); }, parent), theme_(&theme_for(ThemeMode::kLight)) {
  make_header();
  body()->addWidget(make_body());
  const auto changed = [this] { update_words(); };
  for (ArmSwitch* arm : arms_) connect(arm, &QCheckBox::toggled, this, changed);
  connect(more_, &QLineEdit::textChanged, this, changed);
  connect(folder_, &QLineEdit::textChanged, this, changed);
  connect(order_, &Segmented::changed, this, changed);
  connect(seeds_, qOverload<int>(&QSpinBox::valueChanged), this, changed);
  for (QSpinBox* field : {steps_, every_}) {
    connect(field, qOverload<int>(&QSpinBox::valueChanged), this, &ComparisonSetup::edit);
  }
  for (const Intervention law :
       {Intervention::kZero, Intervention::kRandomNoise, Intervention::kFittedNoise,
        Intervention::kStatePassing, Intervention::kTbtt}) {
    arm(law)->setChecked(true);
  }
  connect(presets_, &QComboBox::activated, this, [this](int index) {
    if (index > 0) Q_EMIT preset_chosen(known_presets_[static_cast<size_t>(index - 1)]);
  });
  show_presets({});
  show_recipe({});
  fold(false);
  worded(this, [this] {
    show_presets(known_presets_);
    show_recipe(recipe_);
  });
}

void ComparisonSetup::make_header() {
  summary_ = new ElidedLabel(this);
  summary_->setProperty("role", u"muted"_s);
  fold_ = new QToolButton(this);
  fold_->setProperty("role", u"quiet"_s);
  worded(this, [this] { fold_->setText(tr("Set up")); });
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setCheckable(true);
  fold_->setFocusPolicy(Qt::TabFocus);
  another_ = small_button([] { return tr("Start another"); }, this);
  worded(this, [this] {
    another_->setToolTip(tr("End this comparison as it stands and start one as it is set up now"));
  });
  stop_ = small_button([] { return tr("Stop"); }, this);
  worded(this,
         [this] { stop_->setToolTip(tr("End all runs where they are, and measure them there")); });
  primary_ = small_button({}, this);
  primary_->setProperty("role", u"primary"_s);
  set_text(primary_, TextSize::kBody, QFont::DemiBold);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{summary_, fold_, another_, stop_, primary_}) {
    add_to_header(widget);
  }
  connect(fold_, &QToolButton::toggled, this, [this](bool open) { fold(!open); });
  connect(another_, &QPushButton::clicked, this, &ComparisonSetup::start_wanted);
  connect(stop_, &QPushButton::clicked, this, &ComparisonSetup::stop_wanted);
  connect(primary_, &QPushButton::clicked, this, &ComparisonSetup::act);
}

QWidget* ComparisonSetup::make_body() {
  content_ = new QWidget(this);
  auto* column = new QVBoxLayout(content_);
  column->setContentsMargins(0, 2, 0, 0);
  column->setSpacing(7);
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(4);
  grid_->setVerticalSpacing(1);
  base_ = new ArmSwitch(std::nullopt, content_);
  worded(this, [this] {
    base_->setToolTip(
        tr("The untouched checkpoint: what all arms start from and are compared with."));
  });
  base_->setAttribute(Qt::WA_TransparentForMouseEvents);
  for (const Intervention law : kInterventions) {
    arms_[static_cast<size_t>(law)] = new ArmSwitch(law, content_);
  }
  column->addLayout(grid_);
  more_ = text_field(content_);
  more_->setPlaceholderText(u"random-noise:sigma=0.3, state-passing:zero_probability=0.5"_s);
  worded(this, [this] {
    more_->setToolTip(
        tr("More arms: a law and the settings in which it differs, key=value, separated "
           "by colons; arms separated by commas"));
  });
  auto* more_name = muted_label([] { return tr("more arms"); }, content_);
  more_name->setBuddy(more_);
  worded(this, [this, more_name] { more_->setAccessibleName(more_name->text()); });
  auto* more_row = new QHBoxLayout;
  more_row->setSpacing(8);
  more_row->addWidget(more_name);
  more_row->addWidget(more_, 1);
  column->addLayout(more_row);
  column->addLayout(make_numbers());
  column->addLayout(make_keeping());
  facts_ = muted_label({}, content_);
  facts_->setWordWrap(true);
  find_rate_ = small_button({}, content_);
  find_rate_->setProperty("role", u"small"_s);
  worded(find_rate_, [this] {
    find_rate_->setText(tr("Find rate…"));
    find_rate_->setToolTip(
        tr("Try learning rates from small to large and see where the loss turns"));
  });
  connect(find_rate_, &QPushButton::clicked, this, &ComparisonSetup::rate_wanted);
  auto* facts_row = new QHBoxLayout;
  facts_row->setSpacing(8);
  facts_row->addWidget(facts_, 1);
  facts_row->addWidget(make_presets(), 0, Qt::AlignTop);
  facts_row->addWidget(find_rate_, 0, Qt::AlignTop);
  problem_ = new QLabel(content_);
  problem_->setProperty("role", u"danger"_s);
  problem_->setWordWrap(true);
  column->addLayout(facts_row);
  column->addWidget(problem_);
  place_arms();
  return content_;
}

QLayout* ComparisonSetup::make_numbers() {
  seeds_ = count_field(1, 99, 1, content_);
  set_text_width(seeds_, 56);
  seeds_->setValue(3);
  steps_ = count_field(1, 10000000, 50, content_);
  every_ = count_field(0, 10000000, 5, content_);
  worded(this, [this] {
    every_->setSpecialValueText(tr("about 10 in all"));
    const int text = every_->fontMetrics().horizontalAdvance(every_->specialValueText());
    set_text_width(every_, static_cast<int>(text / text_scale()) + 24);
    every_->setToolTip(
        tr("Steps between two curves of the held-out text, which the slider goes "
           "through; they cost time. Fewer where a curve costs more than the training "
           "between"));
  });
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  const std::pair<Words, QSpinBox*> fields[] = {{[] { return tr("seeds"); }, seeds_},
                                                {[] { return tr("steps"); }, steps_},
                                                {[] { return tr("curve every (steps)"); }, every_}};
  for (const auto& [name, field] : fields) {
    auto* label = muted_label(name, content_);
    label->setBuddy(field);
    name.tell(field, [at = field](const QString& said) { at->setAccessibleName(said); });
    row->addWidget(label);
    row->addWidget(field);
    row->addSpacing(10);
  }
  row->addStretch(1);
  return row;
}

QWidget* ComparisonSetup::make_presets() {
  presets_ = new ChoiceBox(content_);
  presets_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  presets_->setMinimumContentsLength(kPresetLetters);
  worded(this, [this] { presets_->setAccessibleName(tr("Preset")); });
  preset_row_ = new QWidget(content_);
  auto* preset_row = new QHBoxLayout(preset_row_);
  preset_row->setContentsMargins(0, 0, 0, 0);
  preset_row->addWidget(muted_label([] { return tr("preset"); }, preset_row_));
  preset_row->addWidget(presets_);
  return preset_row_;
}

// In which order, and where to.
QLayout* ComparisonSetup::make_keeping() {
  order_ = new Segmented([] { return tr("Order of the runs"); },
                         {[] { return tr("interleaved"); }, [] { return tr("one after another"); }},
                         content_);
  worded(this, [this] {
    order_->setToolTip(
        tr("Interleaved: runs take turns of a few steps, so that all curves grow "
           "together"));
  });
  keeping_ = new Segmented(
      [] { return tr("Where runs are kept"); },
      {[] { return tr("beside the store"); }, [] { return tr("in a folder"); }}, content_);
  worded(this, [this] {
    keeping_->setToolTip(
        tr("The store keeps recipes, curves and events. The trained models are kept in a folder, "
           "beside the store or where you say, so that they can be loaded and gone on with."));
  });
  folder_ = text_field(content_);
  worded(this, [this] {
    folder_->setPlaceholderText(tr("folder"));
    folder_->setAccessibleName(tr("Folder for the runs"));
  });
  browse_ = small_button([] { return tr("Choose…"); }, content_);
  browse_->setProperty("role", u"small"_s);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(order_);
  row->addSpacing(10);
  row->addWidget(muted_label([] { return tr("kept"); }, content_));
  row->addWidget(keeping_);
  row->addWidget(folder_, 1);
  row->addWidget(browse_);
  row->addStretch(0);
  const auto show_folder = [this, row](int keeping) {
    folder_->setVisible(keeping == 1);
    browse_->setVisible(keeping == 1);
    row->setStretch(row->count() - 1, keeping == 1 ? 0 : 1);
    update_words();
  };
  folder_->hide();
  browse_->hide();
  row->setStretch(row->count() - 1, 1);
  connect(keeping_, &Segmented::changed, this, show_folder);
  connect(browse_, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder for the runs"));
    if (!folder.isEmpty()) folder_->setText(folder);
  });
  return row;
}

void ComparisonSetup::place_arms() {
  const int columns = std::clamp((width() - 2 * Theme::kPad) / text_room(kArmWidth), 2, 4);
  if (columns == columns_) return;
  columns_ = columns;
  int place = 0;
  const auto put = [&](ArmSwitch* arm) {
    grid_->addWidget(arm, place / columns, place % columns);
    ++place;
  };
  put(base_);
  for (ArmSwitch* arm : arms_) put(arm);
}

void ComparisonSetup::resizeEvent(QResizeEvent* event) {
  Card::resizeEvent(event);
  place_arms();
}

void ComparisonSetup::set_theme(const Theme& theme) {
  theme_ = &theme;
  base_->set_theme(theme);
  for (ArmSwitch* arm : arms_) arm->set_theme(theme);
  fold(folded());
}

void ComparisonSetup::fold(bool folded) {
  content_->setVisible(!folded);
  fold_->setChecked(!folded);
  fold_->setIcon(themed_icon(folded ? u"chevron_right"_s : u"chevron_down"_s, theme_->muted));
  update_words();
}

bool ComparisonSetup::folded() const { return content_->isHidden(); }

void ComparisonSetup::show_recipe(const RunConfig& recipe) {
  recipe_ = recipe;
  const QSignalBlocker blockers[] = {QSignalBlocker(steps_), QSignalBlocker(every_)};
  steps_->setValue(static_cast<int>(std::min<int64_t>(recipe.train.steps, steps_->maximum())));
  every_->setValue(
      static_cast<int>(std::min<int64_t>(recipe.train.evaluate_every, every_->maximum())));
  ArmSwitch* mixture = arm(Intervention::kMixture);
  const bool weights = !recipe.intervention.mixture.empty();
  mixture->setEnabled(weights);
  mixture->setToolTip(weights ? QString()
                              : tr("Needs the weights of its laws: set them at the left, "
                                   "or write the arm below."));
  if (!weights) mixture->setChecked(false);
  update_words();
}

void ComparisonSetup::edit() {
  recipe_.train.steps = steps_->value();
  recipe_.train.evaluate_every = every_->value();
  update_words();
  Q_EMIT recipe_changed(recipe_);
}

// Each value's tip says how well it is known: what the paper leaves open is visible as such.
void ComparisonSetup::show_presets(const std::vector<Preset>& presets) {
  known_presets_ = presets;
  presets_->clear();
  preset_row_->setVisible(!presets.empty());
  if (presets.empty()) return;
  presets_->addItem(tr("choose…"));
  for (const Preset& preset : presets) {
    QString tip = u"<b>%1</b><br>%2<table>"_s.arg(core_words(preset.title).toHtmlEscaped(),
                                                  core_words(preset.about).toHtmlEscaped());
    for (const PresetValue& value : preset.values) {
      const QString known = value.known == "stated"     ? tr("stated")
                            : value.known == "inferred" ? tr("inferred")
                            : value.known == "unknown"  ? tr("unknown: our choice")
                                                        : QString::fromStdString(value.known);
      tip +=
          u"<tr><td>%1&nbsp;</td><td>%2&nbsp;</td><td><i>%3</i>&nbsp;</td><td>%4</td></tr>"_s.arg(
              QString::fromStdString(value.key).toHtmlEscaped(),
              QString::fromStdString(value.value).toHtmlEscaped(), known.toHtmlEscaped(),
              core_words(value.source).toHtmlEscaped());
    }
    presets_->addItem(core_words(preset.title));
    presets_->setItemData(presets_->count() - 1, tip + u"</table>"_s, Qt::ToolTipRole);
  }
}

ExperimentPlan ComparisonSetup::plan() const {
  ExperimentPlan plan;
  for (const Intervention law : kInterventions) {
    if (arm(law)->isChecked()) plan.arms.push_back(to_string(law));
  }
  for (const QString& more : more_->text().split(u',', Qt::SkipEmptyParts)) {
    if (!more.trimmed().isEmpty()) plan.arms.push_back(more.trimmed().toStdString());
  }
  plan.seeds = seeds_->value();
  plan.interleaved = order_->chosen() == 0;
  if (keeping_->chosen() == 1) plan.out = folder_->text().trimmed().toStdString();
  return plan;
}

void ComparisonSetup::set_plan(const ExperimentPlan& plan) {
  QStringList more;
  for (ArmSwitch* arm : arms_) arm->setChecked(false);
  for (const std::string& name : plan.arms) {
    const auto law = std::find_if(std::begin(kInterventions), std::end(kInterventions),
                                  [&](Intervention kind) { return to_string(kind) == name; });
    if (law != std::end(kInterventions) && arm(*law)->isEnabled()) {
      arm(*law)->setChecked(true);
    } else {
      more.push_back(QString::fromStdString(name));
    }
  }
  more_->setText(more.join(u", "_s));
  seeds_->setValue(static_cast<int>(plan.seeds));
  order_->choose(plan.interleaved ? 0 : 1);
  folder_->setText(QString::fromStdString(plan.out));
  keeping_->choose(plan.out.empty() ? 0 : 1);
  Q_EMIT keeping_->changed(keeping_->chosen());
}

RunConfig ComparisonSetup::config() const {
  RunConfig config = recipe_;
  config.changes.clear();
  return config;
}

QString ComparisonSetup::problem() const {
  const ExperimentPlan wanted = plan();
  if (wanted.arms.empty()) return tr("Choose at least one arm.");
  for (const std::string& arm : wanted.arms) {
    if (std::count(wanted.arms.begin(), wanted.arms.end(), arm) > 1) {
      return tr("The arm \"%1\" is there twice.").arg(QString::fromStdString(arm));
    }
    try {
      with_arm(config(), arm);
    } catch (const Error& error) {
      return QString::fromStdString(error.what());
    }
  }
  if (keeping_->chosen() == 1 && wanted.out.empty()) return tr("Name the folder for the runs.");
  return {};
}

QString ComparisonSetup::facts() const {
  const TrainConfig& train = recipe_.train;
  return tr("From the left: T = %1, batch of %2 rows, learning rate %3; measured over %4 tokens of "
            "%5 sequences. Seeds %6.")
      .arg(count(train.context), count(train.batch),
           QLocale().toString(train.learning_rate, 'g', 3), count(recipe_.measure.length),
           count(recipe_.measure.sequences),
           seeds_->value() == 1
               ? QString::number(recipe_.seed)
               : tr("%1 to %2")
                     .arg(recipe_.seed)
                     .arg(recipe_.seed + static_cast<uint64_t>(seeds_->value()) - 1));
}

void ComparisonSetup::update_words() {
  const QString wrong = problem();
  const QString said = wrong.isEmpty() ? warning() : wrong;
  facts_->setText(facts());
  problem_->setText(said);
  problem_->setVisible(!said.isEmpty());
  bool arms_read = true;
  try {
    for (const std::string& arm : plan().arms) with_arm(config(), arm);
  } catch (const Error&) {
    arms_read = false;
  }
  if (more_->property("wrong").toBool() == arms_read) {
    more_->setProperty("wrong", !arms_read);
    more_->style()->unpolish(more_);
    more_->style()->polish(more_);
  }
  const bool start = may_.primary == ExperimentButtons::Primary::kStart;
  const QString hint = start ? experiment_hint(state_, has_model_) : QString();
  primary_->setText(primary_text(may_.primary));
  primary_->setEnabled(may_.act && (!start || (wrong.isEmpty() && hint.isEmpty())));
  primary_->setToolTip(!hint.isEmpty() ? hint : start ? wrong : QString());
  stop_->setVisible(!start);
  stop_->setEnabled(may_.stop);
  another_->setVisible(may_.another && !folded());
  another_->setEnabled(wrong.isEmpty());
  find_rate_->setEnabled(has_model_ && buttons_for(state_).settings &&
                         (state_ == RunState::kReady || state_ == RunState::kPaused));
  update_summary();
}

// Before the start what it will take, then how far it is.
void ComparisonSetup::update_summary() {
  QString text = progress_, details;
  const bool start = may_.primary == ExperimentButtons::Primary::kStart;
  if (text.isEmpty() && start && cost_ != nullptr && problem().isEmpty() &&
      cost_question(recipe_) == cost_question(cost_->recipe)) {
    details = QString::fromStdString(cost_->problem);
    if (cost_->problem.empty() && cost_->estimate.fits) {
      text = cost_text(comparison_cost(*cost_, recipe_, plan()));
      details = cost_details(cost_->estimate, recipe_, plan());
    }
  }
  if (summary_->text() != text) summary_->setText(text);
  if (summary_->toolTip() != details) summary_->setToolTip(details);
}

QString ComparisonSetup::summary() const { return summary_->text(); }

// What a person should know before the start and what keeps nothing from it.
QString ComparisonSetup::warning() const {
  const bool start = may_.primary == ExperimentButtons::Primary::kStart;
  if (!start || cost_ == nullptr || !cost_->problem.empty() ||
      cost_question(recipe_) != cost_question(cost_->recipe)) {
    return {};
  }
  const ExperimentPlan wanted = plan();
  const ComparisonCost cost = comparison_cost(*cost_, recipe_, wanted);
  if (!cost.fits) {
    return tr("It needs about %1 of memory, and there are %2; %3.")
        .arg(size_text(cost.memory), size_text(cost_->estimate.bytes_available),
             cost_->estimate.advice.empty() ? tr("choose a smaller batch or model")
                                            : core_words(cost_->estimate.advice));
  }
  const int64_t room = free_bytes(wanted.out);
  if (room < 0 || cost.disk <= room) return {};
  return tr("Its weights need about %1 on the disk, and %2 are free there: choose fewer arms or "
            "seeds, or another folder.")
      .arg(size_text(cost.disk), size_text(room));
}

void ComparisonSetup::show_cost(std::shared_ptr<const CostAnswer> answer) {
  if (answer == cost_) return;
  cost_ = std::move(answer);
  update_words();
}

void ComparisonSetup::show_state(RunState state, bool has_model, const StageCount& runs) {
  const ExperimentButtons may = experiment_buttons(state, runs);
  if (state == state_ && has_model == has_model_ && may == may_) return;
  state_ = state;
  has_model_ = has_model;
  may_ = may;
  for (QSpinBox* field : {steps_, every_}) {
    set_locked(field, buttons_for(state).settings ? QString() : settings_hint(state));
  }
  update_words();
}

void ComparisonSetup::show_progress(const Experiment* experiment) {
  QString text;
  if (experiment != nullptr && experiment->running) {
    text = tr("%1 · %2 %", "phase, share")
               .arg(core_words(experiment->phase))
               .arg(static_cast<int>(100 * std::clamp(experiment->progress, 0.0, 1.0)));
  }
  progress_ = text;
  update_summary();
}

void ComparisonSetup::act() {
  switch (may_.primary) {
    case ExperimentButtons::Primary::kStart:
      Q_EMIT start_wanted();
      return;
    case ExperimentButtons::Primary::kPauseAll:
      Q_EMIT pause_wanted();
      return;
    case ExperimentButtons::Primary::kResumeAll:
      Q_EMIT resume_wanted();
      return;
  }
}

}  // namespace farstate::desktop
