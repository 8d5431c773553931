// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/generate_panel.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <cmath>

#include "app/desktop/panels/sampling_panel.h"
#include "app/desktop/panels/state_shelf.h"
#include "app/desktop/panels/text_card.h"
#include "app/desktop/plots/color_ramp.h"
#include "app/desktop/plots/norm_map.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/settings.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/next_token_view.h"
#include "app/desktop/widgets/prompt_edit.h"
#include "app/desktop/widgets/ramp_legend.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/start_from.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRightColumn = 324;
constexpr int kLow = 560;     // a page lower than this has fewer lines for the prompt
constexpr int kNarrow = 560;  // a map narrower than this has no room for the note on its columns

QString nats(double value) { return QLocale().toString(value, 'f', 2); }

}  // namespace

GeneratePanel::GeneratePanel(Runner* runner, QWidget* parent) : QFrame(parent), runner_(runner) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::kGap);
  auto* left = new QSplitter(Qt::Vertical, this);
  left->setHandleWidth(Theme::kGap);
  left->setChildrenCollapsible(false);
  text_ = new TextCard(left);
  left->addWidget(text_);
  left->addWidget(make_map_card());
  left->setStretchFactor(0, 3);
  left->setStretchFactor(1, 2);
  left->setSizes({3200, 1600});
  row->addWidget(left, 1);
  row->addWidget(make_right_column());
  connect_parts();
  connect_shelf();
  worded(this, [this] {
    show_scale();
    show_thinning();
    if (generation_ != nullptr) show_generation();
  });
}

Card* GeneratePanel::make_map_card() {
  auto* card = new Card([] { return tr("State map"); }, this);
  map_ = new NormMap(&norms_, card);
  map_->set_token_text([this](int64_t position) { return token_text(position); });
  thinned_ = muted_label({}, card);
  set_text(thinned_, TextSize::kSmall);
  map_legend_ = new RampLegend(card);
  map_legend_->set_ramp([gradient = viridis()](double share) mutable {
    return QColor(gradient.color(share, QCPRange(0, 1)));
  });
  map_scale_ = new Segmented([] { return tr("Norms are relative to"); },
                             {[] { return tr("largest"); }, [] { return tr("prompt end"); }}, card);
  map_scale_->setObjectName(QStringLiteral("view.norm-scale"));
  worded(this, [this] {
    map_scale_->setToolTip(
        tr("Colours are each head's norm, relative to its largest in this text so far (linear) or "
           "to its value at the end of the prompt (logarithmic)"));
  });
  card->add_to_header(thinned_);
  card->add_to_header(map_legend_);
  card->add_to_header(map_scale_);
  card->body()->addWidget(map_, 1);
  return card;
}

Card* GeneratePanel::make_next_card() {
  auto* card = new Card([] { return tr("Next token"); }, this);
  entropy_ = muted_label({}, card);
  worded(this, [this] {
    entropy_->setToolTip(tr("Of the whole distribution, before temperature and top-p"));
  });
  card->add_to_header(entropy_);
  next_ = new NextTokenView(card);
  card->body()->addWidget(next_, 1);
  divergence_ = muted_label({}, card);
  divergence_->hide();
  card->body()->addWidget(divergence_);
  return card;
}

QWidget* GeneratePanel::make_right_column() {
  auto* content = new QWidget;
  content->setObjectName(u"columns"_s);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGap);
  sampling_ = new SamplingPanel(content);
  shelf_ = new StateShelf(content);
  column->addWidget(make_next_card());
  column->addWidget(sampling_);
  column->addWidget(shelf_, 1);
  auto* scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  set_text_width(scroll, kRightColumn);
  scroll->setFocusPolicy(Qt::NoFocus);
  return scroll;
}

void GeneratePanel::connect_parts() {
  connect(text_, &TextCard::start_wanted, this, [this] { runner_->generate(request()); });
  connect(text_, &TextCard::go_on_wanted, this, [this] { runner_->go_on(sampling_->config()); });
  connect(text_, &TextCard::one_wanted, this, [this] {
    SamplingConfig one = sampling_->config();
    one.tokens = 1;
    runner_->go_on(one);
  });
  connect(text_, &TextCard::stop_wanted, this, [this] { runner_->stop(); });
  connect(text_, &TextCard::chosen, shelf_, &StateShelf::select_token);
  // Token i, from 0, takes the axis of the map from i to i + 1.
  connect(text_, &TextCard::pointed, this, [this](std::optional<int64_t> token) {
    map_->follow_cursor(token ? std::optional(static_cast<double>(*token) + 0.5) : std::nullopt);
  });
  connect(map_, &NormMap::pointed_at, this, [this](std::optional<double> x) {
    text_->flow()->show_cursor(x ? std::optional(static_cast<int64_t>(*x)) : std::nullopt);
  });
  connect(map_, &NormMap::head_clicked, shelf_, &StateShelf::toggle_head);
  connect(map_, &NormMap::colors_changed, this, &GeneratePanel::show_scale);
  connect(map_scale_, &Segmented::changed, this, [this](int scale) {
    map_->set_scale(static_cast<NormMap::Scale>(scale));
    show_scale();
  });
}

void GeneratePanel::connect_shelf() {
  connect(shelf_, &StateShelf::heads_changed, this, [this] { map_->set_chosen(shelf_->chosen()); });
  connect(shelf_, &StateShelf::keep_wanted, this, [this](const QString& name, int64_t position) {
    runner_->keep_state(name.toStdString(), position);
  });
  connect(shelf_, &StateShelf::forget_wanted, this,
          [this](const QString& name) { runner_->drop_state(name.toStdString()); });
  connect(shelf_, &StateShelf::save_wanted, this, [this](const QString& name, const QString& path) {
    runner_->write_state(name.toStdString(), path.toStdString());
  });
  connect(shelf_, &StateShelf::load_wanted, this, [this](const QString& name, const QString& path) {
    runner_->read_state(name.toStdString(), path.toStdString());
  });
  connect(shelf_, &StateShelf::start_from_wanted, this, [this](const QString& name) {
    text_->start_from()->choose(InitialState::Kind::kKept, name.toStdString());
  });
  // Noise is drawn from the seed that is shown, so that the same clicks give the same text.
  connect(shelf_, &StateShelf::edit_wanted, this, [this](StateEdit edit) {
    edit.seed = sampling_->config().seed;
    runner_->edit_state({edit});
  });
  connect(shelf_, &StateShelf::start_edit_wanted, this, [this](StateEdit edit) {
    edit.seed = sampling_->config().seed;
    text_->start_from()->add_edit(edit);
  });
}

void GeneratePanel::read(const QString& prompt) {
  text_->prompt()->clear();
  text_->prompt()->insert(prompt);
  runner_->generate(request());
}

void GeneratePanel::show_request(const GenerationRequest& request) {
  text_->prompt()->clear();
  text_->prompt()->insert(QString::fromStdString(request.prompt));
  if (!request.prompt_file.empty()) {
    text_->prompt()->open_file(QString::fromStdString(request.prompt_file));
  }
  InitialState initial = request.initial;
  // A kept state lives with the model that made it.
  if (initial.kind == InitialState::Kind::kKept) initial = {};
  text_->start_from()->show_initial(initial);
  sampling_->show_config(request.sampling);
}

GenerationRequest GeneratePanel::request() const {
  GenerationRequest request;
  text_->prompt()->write_to(request);
  request.initial = text_->start_from()->initial();
  request.sampling = sampling_->config();
  return request;
}

void GeneratePanel::set_theme(const Theme& theme) {
  text_->set_theme(theme);
  sampling_->set_theme(theme);
  next_->set_theme(theme);
  map_->set_theme(theme);
  map_legend_->set_theme(theme);
}

void GeneratePanel::show_update(const RunnerUpdate& update) {
  if (update.epoch != epoch_ || (generation_ != nullptr && update.generation == nullptr)) forget();
  epoch_ = update.epoch;
  if (update.model != model_) show_model(update.model);
  if (update.generation != generation_) {
    const bool another = generation_ == nullptr || generation_->id != update.generation->id;
    generation_ = update.generation;
    if (another) begin(*generation_);
    append(update.generated);
    show_generation();
  } else if (generation_ != nullptr) {
    append(update.generated);
  }
  const auto stage = generation_ ? generation_->stage : Generation::Stage::kNone;
  text_->show_state(update.state, stage, model_.get());
  const bool waits = !is_running(stage) && !generate_hint(update.state, model_.get()).isEmpty();
  shelf_->show_buttons(waits ? GenerateButtons{} : generate_buttons(update.state, stage));
}

void GeneratePanel::show_model(const std::shared_ptr<const ModelInfo>& model) {
  model_ = model;
  const int64_t layers = model ? model->layers : 0, heads = model ? model->heads : 0;
  map_->set_shape(layers, heads);
  shelf_->set_model(layers, heads);
  const int64_t recorded = model ? model->trained_context : 0;
  map_->set_trained_context(
      recorded > 0 || !model ? recorded : stated_context(QString::fromStdString(model->source)));
}

void GeneratePanel::begin(const Generation& generation) {
  norms_.clear();
  shelf_->select_token(std::nullopt);
  text_->begin(generation);
  map_->set_boundary(0);
  map_->changed();
}

void GeneratePanel::forget() {
  generation_.reset();
  norms_.clear();
  text_->forget();
  text_->start_from()->show_kept({});
  shelf_->select_token(std::nullopt);
  shelf_->show_generation(nullptr);
  map_->set_boundary(0);
  map_->changed();
  next_->show_prediction({}, {});
  entropy_->clear();
  divergence_->hide();
}

void GeneratePanel::append(const std::vector<GeneratedToken>& tokens) {
  if (tokens.empty()) return;
  text_->append(tokens);
  for (const GeneratedToken& token : tokens) {
    norms_.add(token.index + 1, token.norms, token.prompt);
  }
  show_thinning();
  map_->changed();
}

void GeneratePanel::show_thinning() {
  const int64_t gap = norms_.widest_gap();
  thinned_->setText(gap > 1 ? tr("up to %1 tokens a column").arg(gap) : QString());
}

void GeneratePanel::show_generation() {
  const Generation& g = *generation_;
  text_->show_generation(g);
  shelf_->show_generation(&g);
  const bool writes = !text_->flow()->tokens().empty() && !text_->flow()->tokens().back().prompt;
  map_->set_boundary(writes ? g.prompt_tokens : 0);
  next_->show_prediction(g.next, g.before_edit);
  entropy_->setText(g.next.empty() ? QString() : tr("entropy %1 nats").arg(nats(g.entropy)));
  divergence_->setVisible(!g.before_edit.empty());
  divergence_->setText(tr("KL %1 nats from before the edit\n"
                          "Filled: as it is now. Outlined: before.")
                           .arg(nats(g.edit_divergence)));
}

QString GeneratePanel::entropy_text() const { return entropy_->text(); }

QString GeneratePanel::divergence_text() const {
  return divergence_->isHidden() ? QString() : divergence_->text();
}

void GeneratePanel::show_scale() {
  if (map_->scale() == NormMap::Scale::kOfLargest) {
    map_legend_->set_ends(tr("0"), tr("1×"));
  } else {
    const Extent range = map_->color_range();
    map_legend_->set_ends(tr("%1×").arg(short_number(range.low)),
                          tr("%1×").arg(short_number(range.high)));
  }
}

// Line feeds and long tokens would tear a tip apart.
QString GeneratePanel::token_text(int64_t position) const {
  const auto& tokens = text_->flow()->tokens();
  if (position < 1 || static_cast<size_t>(position) > tokens.size()) return {};
  const TokenFlow::Token& token = tokens[static_cast<size_t>(position) - 1];
  return tr("“%1”, %2").arg(token.text.simplified().left(24),
                            token.prompt ? tr("prompt") : tr("written"));
}

void GeneratePanel::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  text_->set_compact(event->size().height() < kLow);
  thinned_->setVisible(event->size().width() >= text_room(kRightColumn + kNarrow));
}

QList<LivePlot*> GeneratePanel::plots() const { return {map_}; }

}  // namespace farstate::desktop
