// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/model_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>

#include "app/desktop/intervention_style.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/number_field.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr int kLongest = 1 << 24;

QString from(const std::string& text) { return QString::fromStdString(text); }

// The checkpoint's own word for its initial state, in the window's words where they are known.
QString trained_with_text(const std::string& law) {
  for (const Intervention kind : kInterventions) {
    if (to_string(kind) == law) return intervention_name(kind).toLower();
  }
  return from(law);
}

}  // namespace

ModelPanel::ModelPanel(QMenu* open, QWidget* parent) : Card([] { return tr("Model"); }, parent) {
  open_ = new ElidedButton(this);
  open_->setProperty("role", u"chip"_s);
  open_->setProperty("opens", u"menu"_s);
  worded(this, [this] { open_->setText(tr("Open…")); });
  open_->setMenu(open);
  open_->setPopupMode(QToolButton::InstantPopup);
  open_->setFocusPolicy(Qt::TabFocus);
  worded(this, [this] {
    open_->setToolTip(tr("Open a model; or drop a folder, a file or a text on the window"));
  });
  add_to_header(open_);
  name_ = add_row([] { return tr("name"); });
  architecture_ = add_row([] { return tr("architecture"); });
  shape_ = add_row([] { return tr("layers × heads"); });
  parameters_ = add_row([] { return tr("parameters"); });
  state_ = add_row([] { return tr("state per head"); });
  trained_ = new ElidedLabel(this);
  context_ = count_field(0, kLongest, 64, this);
  set_text_width(context_, 104);
  worded(this, [this] {
    context_->setSpecialValueText(tr("not recorded"));
    context_->setPrefix(tr("T = "));
    context_->setAccessibleName(tr("trained on"));
    context_->setToolTip(
        tr("The model does not record the context T that it was trained on. State it to see it in "
           "the plots."));
  });
  QHBoxLayout* trained = field_row(muted_label([] { return tr("trained on"); }, this), trained_);
  trained->addWidget(context_);
  body()->addLayout(trained);
  text_ = add_row([] { return tr("held-out text"); });
  connect(context_, qOverload<int>(&QSpinBox::valueChanged), this, &ModelPanel::context_stated);
  show_model(nullptr, nullptr, 0);
}

ElidedLabel* ModelPanel::add_row(const Words& name) {
  auto* value = new ElidedLabel(this);
  value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  body()->addLayout(field_row(muted_label(name, this), value));
  return value;
}

void ModelPanel::show_model(const ModelInfo* model, const DataInfo* text, int64_t stated_context) {
  const QLocale locale;
  const auto number = [&locale](int64_t n) { return locale.toString(qint64(n)); };
  const auto times = [&](int64_t a, int64_t b) { return tr("%1 × %2").arg(number(a), number(b)); };
  const QString none = tr("–");
  name_->setText(model != nullptr ? from(model->name) : none);
  name_->setToolTip(model != nullptr ? from(model->source) : QString());
  architecture_->setText(model != nullptr ? from(model->architecture) : none);
  shape_->setText(model != nullptr ? times(model->layers, model->heads) : none);
  parameters_->setText(model != nullptr ? number(model->parameters) : none);
  state_->setText(model != nullptr ? times(model->head_dim, model->state_dim) : none);
  const bool recorded = model == nullptr || model->trained_context > 0;
  QString trained = none;
  if (model != nullptr && recorded) {
    const QString context = tr("T = %1").arg(number(model->trained_context));
    trained = model->trained_with.empty()
                  ? context
                  : tr("%1, %2", "context, initial state")
                        .arg(context, trained_with_text(model->trained_with));
  }
  trained_->setText(trained);
  trained_->setVisible(recorded);
  context_->setVisible(!recorded);
  const QSignalBlocker blocker(context_);
  context_->setValue(static_cast<int>(std::clamp<int64_t>(stated_context, 0, kLongest)));
  text_->setText(text != nullptr ? tr("%1 tokens").arg(number(text->held_out_tokens)) : none);
}

}  // namespace farstate::desktop
