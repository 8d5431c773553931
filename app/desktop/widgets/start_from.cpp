// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/start_from.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/intervention_style.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/widgets/line_sample.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using Kind = InitialState::Kind;

namespace {

// The two laws that training knows too have the same look here as there.
QIcon icon_of(Kind kind, const Theme& theme) {
  const auto line = [&] {
    if (kind == Kind::kZero) return intervention_line(Intervention::kZero, theme.dark);
    if (kind == Kind::kRandomNoise) {
      return intervention_line(Intervention::kRandomNoise, theme.dark);
    }
    return intervention_line(Intervention::kStatePassing, theme.dark);
  }();
  constexpr double kScale = 2;
  QPixmap picture(QSize(16, 16) * kScale);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  paint_line_sample(painter, QRectF(2 - kLineSampleWidth / 2.0 + 6, 0, kLineSampleWidth, 16), line);
  painter.end();
  return QIcon(picture);
}

}  // namespace

StartFrom::StartFrom(QWidget* parent) : QWidget(parent), theme_(&theme_for(ThemeMode::kLight)) {
  chip_ = new ElidedButton(this);
  chip_->setProperty("role", u"chip"_s);
  chip_->setProperty("opens", u"menu"_s);
  chip_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  chip_->setPopupMode(QToolButton::InstantPopup);
  chip_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    chip_->setAccessibleName(tr("State to start from"));
    chip_->setToolTip(tr("The state that the next start reads its prompt from"));
  });
  menu_ = new QMenu(chip_);
  chip_->setMenu(menu_);
  sigma_ = share_field(0, 1000, 0.1, 2, this);
  worded(this, [this] {
    sigma_->setPrefix(tr("σ "));
    sigma_->setAccessibleName(tr("Standard deviation of the noise"));
  });
  sigma_->setValue(initial_.sigma);
  drop_edits_ = new QToolButton(this);
  drop_edits_->setProperty("role", u"quiet"_s);
  drop_edits_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    drop_edits_->setToolTip(tr("Start without the changes"));
    drop_edits_->setAccessibleName(drop_edits_->toolTip());
  });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  row->addWidget(chip_);
  row->addWidget(drop_edits_);
  row->addWidget(sigma_);
  connect(menu_, &QMenu::aboutToShow, this, &StartFrom::fill_menu);
  connect(sigma_, qOverload<double>(&QDoubleSpinBox::valueChanged), this, [this](double sigma) {
    initial_.sigma = sigma;
    Q_EMIT changed();
  });
  connect(drop_edits_, &QToolButton::clicked, this, &StartFrom::drop_edits);
  worded(this, [this] { show_choice(); });
}

void StartFrom::set_theme(const Theme& theme) {
  theme_ = &theme;
  drop_edits_->setIcon(themed_icon(u"close"_s, theme.muted, theme.faint));
  show_choice();
}

void StartFrom::fill_menu() {
  menu_->clear();
  const auto add = [this](Kind kind, const QString& text, const std::string& name) {
    QAction* action = menu_->addAction(icon_of(kind, *theme_), text);
    action->setCheckable(true);
    action->setChecked(initial_.kind == kind && initial_.name == name);
    connect(action, &QAction::triggered, this, [this, kind, name] { choose(kind, name); });
  };
  add(Kind::kZero, intervention_name(Intervention::kZero), {});
  add(Kind::kRandomNoise, intervention_name(Intervention::kRandomNoise), {});
  menu_->addSeparator();
  for (const std::string& name : kept_) add(Kind::kKept, QString::fromStdString(name), name);
  connect(menu_->addAction(tr("State file…")), &QAction::triggered, this, &StartFrom::choose_file);
}

void StartFrom::choose_file() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Start from the state in a file"), {},
                                                    tr("States (*.safetensors);;All files (*)"));
  if (!path.isEmpty()) choose(Kind::kFile, path.toStdString());
}

void StartFrom::choose(Kind kind, const std::string& name) {
  initial_.kind = kind;
  initial_.name = name;
  show_choice();
  Q_EMIT changed();
}

void StartFrom::add_edit(const StateEdit& edit) {
  initial_.edits.push_back(edit);
  show_choice();
  Q_EMIT changed();
}

void StartFrom::drop_edits() {
  if (initial_.edits.empty()) return;
  initial_.edits.clear();
  show_choice();
  Q_EMIT changed();
}

void StartFrom::show_initial(const InitialState& initial) {
  initial_ = initial;
  const QSignalBlocker quiet(sigma_);
  sigma_->setValue(initial.sigma);
  show_choice();
  Q_EMIT changed();
}

void StartFrom::show_kept(const std::vector<KeptState>& kept) {
  kept_.clear();
  for (const KeptState& state : kept) kept_.push_back(state.name);
  const bool gone = initial_.kind == Kind::kKept &&
                    std::find(kept_.begin(), kept_.end(), initial_.name) == kept_.end();
  if (gone) choose(Kind::kZero);
}

bool StartFrom::carries_text() const {
  return initial_.kind == Kind::kKept || initial_.kind == Kind::kFile;
}

QString StartFrom::text() const { return chip_->text(); }

void StartFrom::show_choice() {
  const QString name = QString::fromStdString(initial_.name);
  QString text;
  switch (initial_.kind) {
    case Kind::kZero:
      text = tr("from: zero state");
      break;
    case Kind::kRandomNoise:
      text = tr("from: random noise");
      break;
    case Kind::kKept:
      text = tr("from: %1", "a kept state").arg(name);
      break;
    case Kind::kFile:
      text = tr("from file: %1").arg(QFileInfo(name).fileName());
      break;
  }
  const auto edits = static_cast<int>(initial_.edits.size());
  if (edits > 0) text += tr(" + %Ln change(s)", nullptr, edits);
  chip_->setText(text);
  chip_->setIcon(icon_of(initial_.kind, *theme_));
  sigma_->setVisible(initial_.kind == Kind::kRandomNoise);
  drop_edits_->setVisible(edits > 0);
  chip_->updateGeometry();
}

}  // namespace farstate::desktop
