// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/session/settings_history.h"

#include <QScopedValueRollback>
#include <QUndoCommand>
#include <chrono>
#include <utility>

namespace farstate::desktop {
namespace {

constexpr auto kRest = std::chrono::milliseconds(800);
constexpr int kMostChanges = 200;

// Settings alone: the model and the text change by loading.
RunConfig settings_of(const RunConfig& config) {
  RunConfig out;
  out.intervention = config.intervention;
  out.train = config.train;
  out.measure = config.measure;
  out.seed = config.seed;
  return out;
}

// As the panels call it; what has no panel of its own is called as in the recipe.
QString name_of(const std::string& key) {
  if (key == "intervention.kind") return SettingsHistory::tr("initial state");
  if (key == "train.steps") return SettingsHistory::tr("steps");
  if (key == "train.context") return SettingsHistory::tr("context T");
  if (key == "train.batch") return SettingsHistory::tr("batch");
  if (key == "train.learning_rate") return SettingsHistory::tr("learning rate");
  if (key == "measure.length") return SettingsHistory::tr("measured length");
  if (key == "measure.sequences") return SettingsHistory::tr("measured sequences");
  if (key == "seed") return SettingsHistory::tr("seed");
  return QString::fromStdString(key);
}

QString name_of(const std::vector<std::string>& keys) {
  QStringList names;
  for (const std::string& key : keys) names.push_back(name_of(key));
  return names.size() > 2 ? names.first(2).join(QStringLiteral(", ")) + QStringLiteral(", …")
                          : names.join(QStringLiteral(", "));
}

std::vector<std::string> changed_keys(const RunConfig& before, const RunConfig& after) {
  std::vector<std::string> keys;
  for (const RecipeChange& change : changes_between(before, after, 0)) keys.push_back(change.key);
  return keys;
}

class SettingsChange : public QUndoCommand {
 public:
  SettingsChange(const QString& name, std::vector<std::string> keys, const RunConfig& before,
                 const RunConfig& after, int turn, const std::function<void(const RunConfig&)>& put)
      : QUndoCommand(name),
        before_(before),
        after_(after),
        keys_(std::move(keys)),
        turn_(turn),
        put_(put) {}

  void undo() override { put_(before_); }
  // The stack redoes what is pushed, which is in force already.
  void redo() override {
    if (done_) put_(after_);
    done_ = true;
  }

  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* next) override {
    const auto& other = static_cast<const SettingsChange&>(*next);
    if (other.keys_ != keys_ || other.turn_ != turn_) return false;
    after_ = other.after_;
    return true;
  }

 private:
  RunConfig before_, after_;
  std::vector<std::string> keys_;
  int turn_;
  const std::function<void(const RunConfig&)>& put_;
  bool done_ = false;
};

class ViewChange : public QUndoCommand {
 public:
  static constexpr int kId = 2;

  ViewChange(const QString& name, std::function<void()> back, std::function<void()> again)
      : QUndoCommand(name), back_(std::move(back)), again_(std::move(again)) {}

  void undo() override { back_(); }
  void redo() override {
    if (std::exchange(done_, true)) again_();
  }
  int id() const override { return kId; }

 private:
  std::function<void()> back_, again_;
  bool done_ = false;
};

}  // namespace

SettingsHistory::SettingsHistory(std::function<void(const RunConfig&)> put, QObject* parent)
    : QObject(parent), put_(std::move(put)) {
  stack_.setUndoLimit(kMostChanges);
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, [this] { ++turn_; });
  connect(&stack_, &QUndoStack::indexChanged, this, &SettingsHistory::changed);
}

void SettingsHistory::record(const RunConfig& before, const RunConfig& after) {
  const RunConfig from = settings_of(before), to = settings_of(after);
  if (putting_ || from == to) return;
  rest_.start();
  std::vector<std::string> keys = changed_keys(from, to);
  const QString name = known([keys] { return name_of(keys); });
  stack_.push(new SettingsChange(name, std::move(keys), from, to, turn_, put_));
}

void SettingsHistory::record_view(const Words& name, std::function<void()> back,
                                  std::function<void()> again) {
  if (!putting_) stack_.push(new ViewChange(known(name), std::move(back), std::move(again)));
}

QString SettingsHistory::known(const Words& name) {
  const QString text = name();
  names_.insert(text, name);
  return text;
}

bool SettingsHistory::may(int command, bool settings_too) const {
  if (command < 0 || command >= stack_.count()) return false;
  return settings_too || stack_.command(command)->id() == ViewChange::kId;
}

void SettingsHistory::put_back(const std::function<void()>& act) {
  const QScopedValueRollback<bool> putting(putting_, true);
  ++turn_;
  act();
}

}  // namespace farstate::desktop
