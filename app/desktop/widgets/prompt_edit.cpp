// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/widgets/prompt_edit.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QSignalBlocker>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "app/desktop/size_text.h"
#include "app/desktop/text_room.h"
#include "app/desktop/theme.h"
#include "app/desktop/widgets/elided_button.h"
#include "app/desktop/wording.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kExcerpt = 1000;  // characters

QString local_file(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

}  // namespace

bool PromptEditor::canInsertFromMimeData(const QMimeData* source) const {
  return !isReadOnly() && (source->hasText() || !local_file(*source).isEmpty());
}

void PromptEditor::insertFromMimeData(const QMimeData* source) {
  const QString path = local_file(*source);
  if (!path.isEmpty()) {
    Q_EMIT file_given(path);
  } else if (source->hasText()) {
    Q_EMIT inserting(source->text());
  }
}

void PromptEditor::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && event->modifiers().testFlag(Qt::ControlModifier)) {
    Q_EMIT submitted();
    return;
  }
  QPlainTextEdit::keyPressEvent(event);
}

PromptEdit::PromptEdit(QWidget* parent) : QWidget(parent) {
  editor_ = new PromptEditor(this);
  editor_->setProperty("role", u"field"_s);
  worded(this, [this] {
    editor_->setPlaceholderText(
        tr("Type or paste a prompt, or drop a text file here. Ctrl+Enter starts."));
    editor_->setAccessibleName(tr("Prompt"));
  });
  editor_->setTabChangesFocus(true);
  editor_->setUndoRedoEnabled(true);
  held_ = new ElidedButton(this);
  held_->setProperty("role", u"chip"_s);
  held_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  held_->setLayoutDirection(Qt::RightToLeft);
  worded(this, [this] { held_->setToolTip(tr("Let go of this prompt")); });
  held_->setFocusPolicy(Qt::TabFocus);
  held_->hide();
  open_ = new QToolButton(this);
  open_->setProperty("role", u"quiet"_s);
  worded(this, [this] {
    open_->setText(tr("Open…"));
    open_->setToolTip(tr("Open a text file as the prompt, of any length"));
  });
  open_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  open_->setFocusPolicy(Qt::TabFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(editor_);
  connect(editor_, &PromptEditor::inserting, this, &PromptEdit::insert);
  connect(editor_, &PromptEditor::file_given, this, &PromptEdit::open_file);
  connect(editor_, &PromptEditor::submitted, this, &PromptEdit::submitted);
  connect(editor_, &QPlainTextEdit::textChanged, this, &PromptEdit::changed);
  connect(held_, &QToolButton::clicked, this, &PromptEdit::clear);
  connect(open_, &QToolButton::clicked, this, &PromptEdit::choose_file);
  with_font_of(editor_, [this] { set_lines(lines_); });
}

void PromptEdit::set_theme(const Theme& theme) {
  open_->setIcon(themed_icon(u"folder"_s, theme.muted, theme.faint));
  held_->setIcon(themed_icon(u"close"_s, theme.muted, theme.faint));
}

void PromptEdit::set_lines(int lines) {
  constexpr int kFrame = 16;
  lines_ = lines;
  editor_->setFixedHeight(lines * editor_->fontMetrics().lineSpacing() + kFrame);
}

bool PromptEdit::empty() const {
  return file_.isEmpty() && pasted_.empty() && editor_->document()->isEmpty();
}

void PromptEdit::write_to(GenerationRequest& request) const {
  request.prompt.clear();
  request.prompt_file = file_.toStdString();
  if (!file_.isEmpty()) return;
  request.prompt = pasted_.empty() ? editor_->toPlainText().toStdString() : pasted_;
}

QString PromptEdit::held_text() const { return held_->isHidden() ? QString() : held_->text(); }

// Inserted at the cursor, in place of what is selected. A document of megabytes would freeze the
// window, so it never becomes one.
void PromptEdit::insert(const QString& text) {
  QTextCursor cursor = editor_->textCursor();
  const qsizetype rest = editor_->document()->characterCount() - 1 -
                         (cursor.selectionEnd() - cursor.selectionStart());
  if (rest + text.size() <= kMostTyped) {
    cursor.insertText(text);
    editor_->ensureCursorVisible();
    return;
  }
  QString whole = editor_->toPlainText();
  whole.replace(cursor.selectionStart(), cursor.selectionEnd() - cursor.selectionStart(), text);
  pasted_ = whole.toStdString();
  hold(tr("pasted text"), static_cast<int64_t>(pasted_.size()), whole.left(kExcerpt));
}

void PromptEdit::open_file(const QString& path) {
  QFile file(path);
  if (QFileInfo(path).isDir() || !file.open(QIODevice::ReadOnly)) {
    Q_EMIT refused(tr("%1 can't be read as a prompt: choose a text file.").arg(path));
    return;
  }
  pasted_.clear();
  file_ = path;
  // Four bytes are the most that a character takes; a cut one at the end falls to left().
  const QString excerpt = QString::fromUtf8(file.read(4 * kExcerpt)).left(kExcerpt);
  hold(QFileInfo(path).fileName(), file.size(), excerpt);
}

void PromptEdit::choose_file() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a text as the prompt"));
  if (!path.isEmpty()) open_file(path);
}

void PromptEdit::hold(const QString& name, int64_t bytes, const QString& excerpt) {
  const QSignalBlocker blocker(editor_);
  held_->setText(tr("%1 · %2", "name, size").arg(name, size_text(bytes)));
  held_->show();
  const bool all = excerpt.toUtf8().size() >= bytes;
  editor_->setPlainText(all ? excerpt : excerpt + tr("…"));
  editor_->setReadOnly(true);
  Q_EMIT changed();
}

void PromptEdit::clear() {
  {
    const QSignalBlocker blocker(editor_);
    pasted_.clear();
    pasted_.shrink_to_fit();
    file_.clear();
    held_->hide();
    editor_->setReadOnly(false);
    editor_->clear();
  }
  Q_EMIT changed();
}

}  // namespace farstate::desktop
