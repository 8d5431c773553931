// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/top_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "app/desktop/core_words.h"
#include "app/desktop/run_buttons.h"
#include "app/desktop/text_room.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/widgets/segmented.h"
#include "app/desktop/widgets/status_row.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kShortestName = 118, kIconAlone = 60;

}  // namespace

TopBar::TopBar(const Actions& actions, const Menus& menus, QWidget* parent)
    : QFrame(parent), theme_(&theme_for(ThemeMode::kLight)) {
  setObjectName(u"topbar"_s);
  setProperty("role", u"bar"_s);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(Theme::kGap, 7, Theme::kGap, 7);
  row->setSpacing(8);
  model_ = add_chip([] { return tr("Model"); }, menus.models);
  text_ = add_chip([] { return tr("Text"); }, menus.texts);
  row->addSpacing(14);
  run_ = add_button(actions.run);
  run_->setProperty("role", u"primary"_s);
  set_text(run_, TextSize::kBody, QFont::DemiBold);
  step_ = add_button(actions.step);
  stop_ = add_button(actions.stop);
  reset_ = add_button(actions.reset);
  row->addSpacing(14);
  pages_ = new Segmented([] { return tr("What the window shows"); },
                         {[] { return tr("Measure"); }, [] { return tr("Generate"); },
                          [] { return tr("Experiment"); }, [] { return tr("Tasks"); },
                          [] { return tr("Theory"); }},
                         this);
  worded(this, [this] {
    pages_->setToolTip(tr(
        "Measure the model over a text, let it read and write one, compare initial states, let it "
        "answer what a long text says, or see why it fails"));
  });
  row->addWidget(pages_);
  row->addStretch(1);
  dot_ = new StateDot(this);
  live_ = new QLabel(this);
  set_text(live_, TextSize::kBody, QFont::Medium);
  recipe_ = new ElidedButton(this);
  recipe_->setProperty("role", u"chip"_s);
  recipe_->setFocusPolicy(Qt::TabFocus);
  recipe_->set_longest(260);  // its tip has all of it
  recipe_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  worded(this, [this] { recipe_->setAccessibleName(tr("Recipe")); });
  connect(recipe_, &QToolButton::clicked, actions.copy_recipe, &QAction::trigger);
  themes_ = new QToolButton(this);
  themes_->setProperty("role", u"button"_s);
  themes_->setProperty("square", true);
  themes_->setMenu(menus.themes);
  themes_->setPopupMode(QToolButton::InstantPopup);
  themes_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    themes_->setToolTip(tr("Light, dark or as the system"));
    themes_->setAccessibleName(tr("Theme"));
  });
  auto* live = new QHBoxLayout;
  live->setSpacing(6);
  live->addWidget(dot_);
  live->addWidget(live_);
  row->addLayout(live);
  row->addSpacing(4);
  row->addWidget(recipe_);
  row->addWidget(themes_);
  with_font_of(this, [this] { arrange(); });
}

// The status row says the state as well, icons what their tips name, and a menu copies the recipe: a
// narrow window needs the room.
void TopBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  arrange();
}

void TopBar::arrange() {
  const auto has_room_for = [this](int pixels) { return width() >= text_room(pixels); };
  const bool wide = has_room_for(1360);
  live_->setVisible(wide);
  dot_->setVisible(wide);
  recipe_->setVisible(has_room_for(1120));
  for (ElidedButton* chip : {model_, text_}) {
    chip->set_shortest(has_room_for(980) ? kShortestName : kIconAlone);
    chip->updateGeometry();
  }
  themes_->setVisible(has_room_for(740));  // the menu View has them, too
  for (QPushButton* button : {step_, stop_, reset_}) {
    button->setText(wide ? button->accessibleName() : QString());
  }
}

ElidedButton* TopBar::add_chip(const Words& name, QMenu* menu) {
  auto* chip = new ElidedButton(this);
  chip->setProperty("role", u"button"_s);
  chip->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  chip->setPopupMode(QToolButton::InstantPopup);
  chip->setFocusPolicy(Qt::TabFocus);
  name.tell(chip, [chip](const QString& said) { chip->setAccessibleName(said); });
  chip->set_longest(240);
  chip->set_shortest(kShortestName);  // the recipe gives way first
  chip->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  chip->setMenu(menu);
  layout()->addWidget(chip);
  return chip;
}

// Follows its action, but for the text, which carries no key here.
QPushButton* TopBar::add_button(QAction* action) {
  auto* button = new QPushButton(action->text(), this);
  button->setFocusPolicy(Qt::TabFocus);
  connect(button, &QPushButton::clicked, action, &QAction::trigger);
  const auto follow = [button, action] {
    button->setAccessibleName(action->text());
    if (!button->text().isEmpty()) button->setText(action->text());
    button->setEnabled(action->isEnabled());
    button->setToolTip(
        tr("%1 (%2)", "action, key")
            .arg(action->toolTip(), action->shortcut().toString(QKeySequence::NativeText)));
  };
  connect(action, &QAction::changed, button, follow);
  follow();
  layout()->addWidget(button);
  return button;
}

void TopBar::set_theme(const Theme& theme, ThemeMode mode) {
  theme_ = &theme;
  model_->setIcon(themed_icon(u"model"_s, theme.muted, theme.faint));
  text_->setIcon(themed_icon(u"text"_s, theme.muted, theme.faint));
  step_->setIcon(themed_icon(u"step"_s, theme.text, theme.faint));
  stop_->setIcon(themed_icon(u"stop"_s, theme.text, theme.faint));
  reset_->setIcon(themed_icon(u"reset"_s, theme.text, theme.faint));
  themes_->setIcon(themed_icon(mode == ThemeMode::kSystem ? u"system"_s
                               : mode == ThemeMode::kDark ? u"dark"_s
                                                          : u"light"_s,
                               theme.text));
  show_primary(state_);
}

void TopBar::show_primary(RunState state) {
  const bool pauses = buttons_for(state).primary == RunButtons::Primary::kPause;
  run_->setIcon(themed_icon(pauses ? u"pause"_s : u"play"_s, theme_->on_accent, theme_->faint));
}

void TopBar::show_update(const RunnerUpdate& update) {
  const bool live = update.state == RunState::kRunning || update.state == RunState::kEvaluating ||
                    update.state == RunState::kExperimenting;
  dot_->show_state(update.state, *theme_);
  live_->setText(live ? tr("Live") : state_text(update.state));
  if (update.state != state_) {
    state_ = update.state;
    show_primary(state_);
  }
  model_->setText(update.model ? QString::fromStdString(update.model->name) : tr("No model"));
  text_->setText(update.data ? core_words(update.data->name) : tr("No text"));
  const QString source = update.model ? QString::fromStdString(update.model->source) : QString();
  model_->setToolTip(source.isEmpty() ? model_->text() : source);
  text_->setToolTip(text_->text());
}

void TopBar::show_recipe(const RunConfig& recipe) {
  QString text = QString::fromStdString(summary(recipe));
  QString changes;
  for (const RecipeChange& change : recipe.changes) {
    changes += u'\n';
    changes += tr("from step %1: %2 = %3")
                   .arg(QString::number(change.step), QString::fromStdString(change.key),
                        QString::fromStdString(change.value));
  }
  const auto count = static_cast<int>(recipe.changes.size());
  if (count > 0) text += tr(" · %Ln change(s)", nullptr, count);
  recipe_->setText(text);
  recipe_->setToolTip(tr("%1\nClick to copy the recipe.").arg(text + changes));
}

}  // namespace farstate::desktop
