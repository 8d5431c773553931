// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/model_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include "app/desktop/intervention_style.h"
#include "app/desktop/plots/ticks.h"
#include "app/desktop/theme.h"

namespace farstate::desktop {
namespace {

QString from(const std::string& text) { return QString::fromStdString(text); }

// The checkpoint's own word for its initial state, in the window's words where they are known.
QString trained_with_text(const std::string& law) {
  for (const Intervention kind : kInterventions) {
    if (to_string(kind) == law) return intervention_name(kind).toLower();
  }
  return from(law);
}

}  // namespace

ModelPanel::ModelPanel(QWidget* parent) : Card(tr("Model"), parent) {
  architecture_ = add_row(tr("architecture"));
  shape_ = add_row(tr("layers × heads"));
  parameters_ = add_row(tr("parameters"));
  state_ = add_row(tr("state per head"));
  trained_ = add_row(tr("trained on"));
  text_ = add_row(tr("held-out text"));
  show_model(nullptr, nullptr);
}

QLabel* ModelPanel::add_row(const QString& name) {
  auto* value = new QLabel(this);
  value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  body()->addLayout(field_row(muted_label(name, this), value));
  return value;
}

void ModelPanel::show_model(const ModelInfo* model, const DataInfo* text) {
  const QLocale locale;
  const auto number = [&locale](int64_t n) { return locale.toString(qint64(n)); };
  const auto times = [&](int64_t a, int64_t b) { return tr("%1 × %2").arg(number(a), number(b)); };
  const QString none = tr("–");
  architecture_->setText(model != nullptr ? from(model->architecture) : none);
  shape_->setText(model != nullptr ? times(model->layers, model->heads) : none);
  parameters_->setText(model != nullptr ? number(model->parameters) : none);
  state_->setText(model != nullptr ? times(model->head_dim, model->state_dim) : none);
  QString trained = none;
  if (model != nullptr && model->trained_context > 0) {
    const QString context = tr("T = %1").arg(number(model->trained_context));
    trained = model->trained_with.empty()
                  ? context
                  : tr("%1, %2", "context, initial state")
                        .arg(context, trained_with_text(model->trained_with));
  } else if (model != nullptr) {
    trained = tr("not recorded");
  }
  trained_->setText(trained);
  text_->setText(text != nullptr ? tr("%1 tokens").arg(number(text->held_out_tokens)) : none);
}

}  // namespace farstate::desktop
