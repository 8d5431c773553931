// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/session/runner.h"

class QMimeData;

namespace farstate::desktop {

class ModelSheet;
class RecentFiles;
class Sheet;
class TextSheet;
struct Theme;

// The way from a wish to a loaded model or text: dialogs, drops and recent files lead to a sheet
// that shows what the runner knows of it, and from there to loading, which can be cancelled.
class Opening : public QObject {
  Q_OBJECT
 public:
  enum class Kind { kModel, kText, kSession };

  // `over` is what the sheets cover.
  Opening(Runner* runner, QWidget* over);

  void set_theme(const Theme& theme);
  void show_recipe(const RunConfig& recipe) { recipe_ = recipe; }
  void expect_load(const RunConfig& recipe);  // it was just told to the runner
  // True: the update's error is one that a sheet shows.
  bool show_update(const RunnerUpdate& update);

  void choose_model_folder();
  void choose_model_file();
  void choose_text();
  void look_at(const QString& path);  // a model, a text or a session, whichever it is
  void look_at_model(const QString& path);
  void look_at_text(const QString& path);

  // What letting go of it would do, in words: a title and a detail. No title: nothing.
  static std::pair<QString, QString> drop_hint(const QMimeData& dragged);
  void drop(const QMimeData& dropped);

  // Of trained weights that loading anything would lose; empty: there are none.
  QString loss_warning() const;

  RecentFiles* recent_models() const { return recent_models_; }
  RecentFiles* recent_texts() const { return recent_texts_; }
  ModelSheet* model_sheet() const { return model_sheet_; }
  TextSheet* text_sheet() const { return text_sheet_; }
  Sheet* loading_sheet() const { return loading_sheet_; }
  Sheet* shown() const;  // the sheet that is open, or none

 Q_SIGNALS:
  void load_wanted(const farstate::ModelSource& model, const farstate::DataConfig& data);
  void session_wanted(const QString& path);
  void refused(const QString& sentence);

 private:
  void show_sheet(Sheet* sheet);
  void accept();
  void cancel();
  void follow_answers(const RunnerUpdate& update);
  bool follow_loading(const RunnerUpdate& update);
  void remember(const RunnerUpdate& update);

  Runner* runner_;
  RecentFiles *recent_models_, *recent_texts_;
  ModelSheet* model_sheet_;
  TextSheet* text_sheet_;
  Sheet* loading_sheet_;  // for what is loaded without a question before it
  QTimer patience_;       // short loading shows no sheet
  RunConfig recipe_;
  uint64_t epoch_ = 0, epoch_before_load_ = 0;
  bool loading_ = false;  // a sheet's action is under way
  int64_t step_ = 0, saved_step_ = 0;
  std::shared_ptr<const ModelInfo> model_;
  std::shared_ptr<const ModelReport> report_;  // the last ones that were shown or passed over
  std::shared_ptr<const TextPreview> preview_;
};

// A folder, or a file with the ending of weights or of a configuration, is a model; a session is
// known by its ending.
Opening::Kind kind_of(const QString& path);

}  // namespace farstate::desktop
