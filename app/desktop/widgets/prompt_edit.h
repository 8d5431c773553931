// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>
#include <QWidget>

#include "core/session/generation.h"

class QToolButton;

namespace farstate::desktop {

class ElidedButton;
struct Theme;

// The editor below: text goes in as it is typed; what is dropped or pasted is asked for first.
class PromptEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  using QPlainTextEdit::QPlainTextEdit;

 Q_SIGNALS:
  void inserting(const QString& text);
  void file_given(const QString& path);
  void submitted();  // Ctrl+Enter

 protected:
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;
  void keyPressEvent(QKeyEvent* event) override;
};

// A prompt of any length: typed, pasted, dropped or a file. What is too long to be edited is kept
// as it came, and shown by its beginning and its size.
class PromptEdit : public QWidget {
  Q_OBJECT
 public:
  static constexpr qsizetype kMostTyped = 200'000;  // characters that can be edited

  explicit PromptEdit(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void set_lines(int lines);
  void open_file(const QString& path);
  void choose_file();
  void clear();
  void insert(const QString& text);  // at the cursor, as a paste does

  bool empty() const;
  void write_to(GenerationRequest& request) const;
  PromptEditor* editor() const { return editor_; }
  // For whoever lays this out: opens a file; shows what is held, and lets go of it.
  QToolButton* open_button() const { return open_; }
  ElidedButton* held_button() const { return held_; }
  QString held_text() const;  // of the chip: what is held and how large it is; empty: it is typed

 Q_SIGNALS:
  void changed();
  void submitted();
  void refused(const QString& sentence);

 private:
  void hold(const QString& name, int64_t bytes, const QString& excerpt);

  PromptEditor* editor_;
  ElidedButton* held_;
  QToolButton* open_;
  int lines_ = 3;
  std::string pasted_;  // too long for the editor
  QString file_;
};

}  // namespace farstate::desktop
