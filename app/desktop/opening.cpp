// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/opening.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include "app/desktop/core_words.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/panels/model_sheet.h"
#include "app/desktop/panels/text_sheet.h"
#include "app/desktop/session/session.h"
#include "app/desktop/wording.h"
#include "resources/embedded_models.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto kPatience = 400ms;

QString from(const std::string& text) { return QString::fromStdString(text); }

QString name_of(const QString& path) {
  const QString name = QFileInfo(path).fileName();
  return name.isEmpty() ? path : name;
}

// The one path of this machine that is dragged; else why there is none.
struct Dragged {
  QString path, problem;
};

Dragged dragged_path(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  if (urls.isEmpty()) return {};
  if (urls.size() > 1) {
    return {{},
            Opening::tr("One model or one text can be opened at a time, and these are %1 files.")
                .arg(urls.size())};
  }
  if (!urls.front().isLocalFile()) {
    return {{}, Opening::tr("Only files and folders of this machine can be opened.")};
  }
  return {urls.front().toLocalFile(), {}};
}

}  // namespace

Opening::Kind kind_of(const QString& path) {
  const QFileInfo file(path);
  if (file.suffix() == QLatin1StringView(kSessionSuffix)) return Opening::Kind::kSession;
  static const QStringList endings = {u"safetensors"_s, u"bin"_s, u"json"_s};
  const bool model = file.isDir() || endings.contains(file.suffix().toLower());
  return model ? Opening::Kind::kModel : Opening::Kind::kText;
}

Opening::Opening(Runner* runner, QWidget* over) : QObject(over), runner_(runner) {
  recent_models_ = new RecentFiles(u"models"_s, this);
  recent_texts_ = new RecentFiles(u"texts"_s, this);
  model_sheet_ = new ModelSheet(over);
  text_sheet_ = new TextSheet(over);
  loading_sheet_ = new Sheet([] { return tr("Load"); }, over);
  for (Sheet* sheet : {static_cast<Sheet*>(model_sheet_), static_cast<Sheet*>(text_sheet_),
                       loading_sheet_}) {
    connect(sheet, &Sheet::accepted, this, &Opening::accept);
    connect(sheet, &Sheet::cancelled, this, &Opening::cancel);
  }
  worded(this, [this] {
    model_sheet_->set_warning(loss_warning());
    text_sheet_->set_warning(loss_warning());
  });
  connect(model_sheet_, &ModelSheet::source_changed, this, [this] {
    model_sheet_->ask(model_sheet_->source());
    runner_->inspect(model_sheet_->source());
  });
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    if (shown() == nullptr) show_sheet(loading_sheet_);
  });
}

void Opening::set_theme(const Theme& theme) {
  model_sheet_->set_theme(theme);
  text_sheet_->set_theme(theme);
  loading_sheet_->set_theme(theme);
}

Sheet* Opening::shown() const {
  for (Sheet* sheet : {static_cast<Sheet*>(model_sheet_), static_cast<Sheet*>(text_sheet_),
                       loading_sheet_}) {
    if (!sheet->isHidden()) return sheet;
  }
  return nullptr;
}

void Opening::show_sheet(Sheet* sheet) {
  Sheet* before = shown();
  sheet->open();
  if (before != nullptr && before != sheet) before->hide();
}

void Opening::choose_model_folder() {
  const QString folder =
      QFileDialog::getExistingDirectory(model_sheet_->window(), tr("Open a model's folder"));
  if (!folder.isEmpty()) look_at_model(folder);
}

void Opening::choose_model_file() {
  const QString file = QFileDialog::getOpenFileName(
      model_sheet_->window(), tr("Open a model's file"), {},
      tr("Weights and configurations (*.safetensors *.bin *.json);;All files (*)"));
  if (!file.isEmpty()) look_at_model(file);
}

void Opening::choose_text() {
  const QString file =
      QFileDialog::getOpenFileName(model_sheet_->window(), tr("Open a text file"), {},
                                   tr("Text (*.txt *.md *.jsonl);;All files (*)"));
  if (!file.isEmpty()) look_at_text(file);
}

void Opening::look_at(const QString& path) {
  switch (kind_of(path)) {
    case Kind::kModel:
      return look_at_model(path);
    case Kind::kText:
      return look_at_text(path);
    case Kind::kSession:
      Q_EMIT session_wanted(path);
  }
}

void Opening::look_at_model(const QString& path) {
  loading_ = false;
  ModelSource source;
  source.model = path.toStdString();
  model_sheet_->ask(source);
  model_sheet_->set_warning(loss_warning());
  show_sheet(model_sheet_);
  runner_->inspect(source);
}

void Opening::look_at_text(const QString& path) {
  loading_ = false;
  DataConfig data = recipe_.data;
  data.path = path.toStdString();
  data.tokens.clear();
  data.generated.clear();
  text_sheet_->ask(data);
  text_sheet_->set_warning(loss_warning());
  show_sheet(text_sheet_);
  runner_->preview(recipe_.model, data);
}

QString Opening::loss_warning() const {
  if (step_ == saved_step_) return {};
  return tr("The open model was trained and not saved since. Loading ends it as it is: its "
            "weights are lost.");
}

std::pair<QString, QString> Opening::drop_hint(const QMimeData& data) {
  const Dragged dragged = dragged_path(data);
  if (!dragged.problem.isEmpty()) return {tr("This can't be opened"), dragged.problem};
  if (dragged.path.isEmpty()) return {};
  const Kind kind = kind_of(dragged.path);
  return {kind == Kind::kModel  ? tr("Open as a model")
          : kind == Kind::kText ? tr("Open as a text")
                                : tr("Open the session"),
          name_of(dragged.path)};
}

void Opening::drop(const QMimeData& data) {
  const Dragged dragged = dragged_path(data);
  if (!dragged.problem.isEmpty()) {
    Q_EMIT refused(dragged.problem);
  } else if (!dragged.path.isEmpty()) {
    look_at(dragged.path);
  }
}

void Opening::accept() {
  const bool text = shown() == text_sheet_;
  const ModelSource model = text ? recipe_.model : model_sheet_->source();
  const DataConfig data = text ? text_sheet_->data() : recipe_.data;
  Q_EMIT load_wanted(model, data);
}

void Opening::cancel() {
  Sheet* sheet = shown();
  if (sheet == nullptr) return;
  if (sheet->stage() != Sheet::Stage::kLoading) {
    loading_ = false;
    sheet->dismiss();
    return;
  }
  sheet->set_stage(Sheet::Stage::kCancelling, tr("Cancelling…"));
  runner_->stop();
}

void Opening::expect_load(const RunConfig& recipe) {
  epoch_before_load_ = epoch_;
  Sheet* sheet = shown();
  loading_ = sheet == model_sheet_ || sheet == text_sheet_;
  if (loading_) sheet->set_stage(Sheet::Stage::kLoading, tr("Loading…"));
  loading_sheet_->set_title(tr("Loading %1").arg(name_of(from(recipe.model.model))),
                            find_embedded_model(recipe.model.model) != nullptr ? QString() : from(recipe.model.model));
}

bool Opening::show_update(const RunnerUpdate& update) {
  epoch_ = update.epoch;
  step_ = update.step;
  if (update.step == 0) saved_step_ = 0;
  for (const RunEvent& event : update.events) {
    if (event.kind == "saved") saved_step_ = event.step;
  }
  follow_answers(update);
  const bool shows_error = follow_loading(update);
  remember(update);
  return shows_error;
}

void Opening::follow_answers(const RunnerUpdate& update) {
  if (update.report != nullptr && update.report != report_ && shown() == model_sheet_ &&
      !loading_) {
    model_sheet_->show_report(*update.report);
  }
  if (update.preview != nullptr && update.preview != preview_ && shown() == text_sheet_ &&
      !loading_) {
    text_sheet_->show_preview(*update.preview);
  }
  report_ = update.report;
  preview_ = update.preview;
}

// A load ends well with a new model. Else it was cancelled, or failed with a sentence.
bool Opening::follow_loading(const RunnerUpdate& update) {
  using Stage = Sheet::Stage;
  const bool busy = update.state == RunState::kLoading || update.state == RunState::kStopping;
  const bool at_work =
      busy && (update.state == RunState::kLoading || loading_ || shown() == loading_sheet_);
  if (at_work) {
    if (shown() == nullptr && !patience_.isActive()) {
      loading_sheet_->set_stage(Stage::kLoading);
      patience_.start();
    }
    Sheet* sheet = loading_ ? shown() : loading_sheet_;
    if (sheet != nullptr && sheet->stage() == Stage::kLoading) {
      sheet->show_progress(core_words(update.phase), update.progress);
    }
    return false;
  }
  patience_.stop();
  loading_sheet_->dismiss();
  if (!loading_ || update.epoch <= epoch_before_load_) return false;
  loading_ = false;
  Sheet* sheet = shown();
  const bool loaded = update.model != nullptr && update.model != model_;
  if (sheet == nullptr) return false;
  if (loaded || !update.error) {
    sheet->dismiss();
    return false;
  }
  sheet->set_stage(Stage::kFailed, error_words(update.error->kind, update.error->message));
  return true;
}

void Opening::remember(const RunnerUpdate& update) {
  if (update.model == model_) return;
  model_ = update.model;
  if (model_ == nullptr || update.recipe == nullptr) return;
  const ModelSource& source = update.recipe->model;
  if (source.init.empty() && find_embedded_model(source.model) == nullptr) recent_models_->add(from(source.model));
  if (!update.recipe->data.path.empty()) recent_texts_->add(from(update.recipe->data.path));
}

}  // namespace farstate::desktop
