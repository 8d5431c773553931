// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/panels/text_sheet.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include "app/desktop/size_text.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/card.h"
#include "app/desktop/widgets/elided_label.h"
#include "app/desktop/widgets/token_view.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

QString count_text(const TextPreview& preview) {
  if (preview.tokens <= 0) return TextSheet::tr("known once it is read");
  const QString count = QLocale().toString(qint64(preview.tokens));
  return preview.estimated ? TextSheet::tr("about %1, estimated").arg(count) : count;
}

}  // namespace

TextSheet::TextSheet(QWidget* over) : Sheet([] { return tr("Load"); }, over) {
  facts_ = new QWidget(this);
  auto* column = new QVBoxLayout(facts_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(5);
  const auto add_row = [&](const Words& name) {
    auto* value = new ElidedLabel(facts_);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    column->addLayout(field_row(muted_label(name, facts_), value));
    return value;
  };
  size_ = add_row([] { return tr("size"); });
  tokenizer_ = add_row([] { return tr("tokenizer"); });
  count_ = add_row([] { return tr("tokens"); });
  first_ = new QLabel(facts_);
  set_text(first_, TextSize::kBody, QFont::DemiBold);
  tokens_ = new TokenView(facts_);
  column->addSpacing(8);
  column->addWidget(first_);
  column->addSpacing(2);
  column->addWidget(tokens_);
  warning_ = new QLabel(this);
  warning_->setObjectName(u"warning"_s);
  warning_->setWordWrap(true);
  warning_->hide();
  body()->addWidget(facts_);
  body()->addWidget(warning_);
  body()->addStretch(1);
  worded(this, [this] {
    if (isHidden()) return;
    say_question();
    if (preview_ && answered()) show_preview(TextPreview(*preview_));
  });
}

void TextSheet::set_theme(const Theme& theme) {
  Sheet::set_theme(theme);
  tokens_->set_theme(theme);
}

void TextSheet::ask(const DataConfig& data) {
  data_ = data;
  preview_.reset();
  facts_->hide();
  say_question();
}

void TextSheet::say_question() {
  const QString path = QString::fromStdString(data_.path);
  set_title(tr("Open %1").arg(QFileInfo(path).fileName()), path);
  set_stage(Stage::kAsking, tr("Reading the beginning…"));
}

void TextSheet::show_preview(const TextPreview& preview) {
  if (preview.asked != data_.path) return;
  preview_ = preview;
  const QString tokenizer = QString::fromStdString(preview.tokenizer);
  size_->setText(preview.bytes > 0 ? size_text(preview.bytes) : tr("–"));
  tokenizer_->setText(tokenizer == u"bytes"_s ? tr("bytes")
                      : tokenizer.isEmpty()   ? tr("–")
                                              : tokenizer);
  count_->setText(count_text(preview));
  const int shown = static_cast<int>(preview.first.size());
  first_->setText(shown == preview.tokens && !preview.estimated
                      ? tr("All tokens")
                      : tr("First %1 tokens").arg(QLocale().toString(shown)));
  first_->setVisible(shown > 0);
  tokens_->show_tokens(preview.first);
  facts_->setVisible(preview.problem.empty());
  set_stage(preview.problem.empty() ? Stage::kReady : Stage::kRefused,
            QString::fromStdString(preview.problem));
}

void TextSheet::set_warning(const QString& warning) {
  warning_->setText(warning);
  warning_->setVisible(!warning.isEmpty());
}

QString TextSheet::summary() const {
  return QStringList{size_->text(), tokenizer_->text(), count_->text()}.join(u"; "_s);
}

}  // namespace farstate::desktop
