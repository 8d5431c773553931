// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/screens.h"

#include <QComboBox>
#include <QDir>
#include <QPushButton>
#include <QTabBar>

#include "app/desktop/export/export_sheet.h"
#include "app/desktop/help/help_desk.h"
#include "app/desktop/hints.h"
#include "app/desktop/main_window.h"
#include "app/desktop/opening.h"
#include "app/desktop/panels/comparison_setup.h"
#include "app/desktop/panels/experiment_panel.h"
#include "app/desktop/panels/generate_panel.h"
#include "app/desktop/panels/model_sheet.h"
#include "app/desktop/panels/plots_panel.h"
#include "app/desktop/panels/preset_sheet.h"
#include "app/desktop/panels/rate_sheet.h"
#include "app/desktop/panels/results_panel.h"
#include "app/desktop/panels/tasks_panel.h"
#include "app/desktop/rendering.h"
#include "app/desktop/story/story_teller.h"
#include "app/desktop/widgets/notice_banner.h"
#include "app/desktop/widgets/reading_sheet.h"
#include "app/desktop/widgets/segmented.h"
#include "core/base/error.h"

namespace farstate::desktop {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kWatch = 100ms;
constexpr auto kSettle = 400ms;  // until a new size, theme or language has been painted
constexpr int kPatience = 180;   // seconds for a scene on a slow machine
constexpr int64_t kStepsInSight = 12;
constexpr size_t kWhyCard = 3;

}  // namespace

QString Screens::Look::name() const {
  return u"%1-%2-%3x%4"_s.arg(theme == ThemeMode::kDark ? u"dark"_s : u"light"_s,
                              language == Language::kChinese ? u"zh"_s : u"en"_s)
      .arg(size.width())
      .arg(size.height());
}

const std::vector<Screens::Look>& Screens::looks() {
  static const std::vector<Look> all = [] {
    std::vector<Look> made;
    for (const QSize size : {QSize(1440, 900), QSize(1024, 600)}) {
      for (const Language language : {Language::kEnglish, Language::kChinese}) {
        for (const ThemeMode theme : {ThemeMode::kLight, ThemeMode::kDark}) {
          made.push_back({theme, language, size});
        }
      }
    }
    return made;
  }();
  return all;
}

Screens::Screens(MainWindow& window, const QString& folder)
    : QObject(&window), window_(window), folder_(folder), facts_(window) {
  make_scenes();
  watch_.setInterval(kWatch);
  connect(&watch_, &QTimer::timeout, this, &Screens::wait);
  begin_scene();
}

bool Screens::idle() const { return window_.state() == RunState::kReady; }

bool Screens::holds(const QString& fact) const {
  const auto value = facts_.fact(fact);
  return value && *value == FactValue(true);
}

void Screens::make_scenes() {
  add_curves();
  add_sheets();
  add_reading();
  add_comparing();
  add_teaching();
}

void Screens::add_curves() {
  scenes_.push_back({u"measure"_s, [] {}, [this] { return idle() && holds(u"measured"_s); },
                     [this] { window_.hints()->person_acted(); }});  // which hide the pages
  scenes_.push_back({u"states"_s,
                     [this] {
                       const int64_t context = window_.trained_context();
                       for (const auto& [pin, at] : {std::pair{Focus::kA, context / 2},
                                                     std::pair{Focus::kB, 16 * context}}) {
                         const auto sample =
                             window_.plots()->perplexity()->sample_near(static_cast<double>(at));
                         window_.focus()->set_pin(pin, sample.value_or(at));
                       }
                     },
                     [this] { return idle() && holds(u"states_read"_s); }});
  auto* view = window_.plots()->findChild<Segmented*>(u"view.state-as"_s);
  QTabBar* tabs = window_.plots()->results()->tabs();
  scenes_.push_back({u"heads"_s,
                     [view, tabs] {
                       view->pick(1);
                       tabs->setCurrentIndex(ResultsPanel::kHeads);
                     },
                     [this] { return idle(); }, [view] { view->pick(0); }});
  scenes_.push_back({u"attention"_s, [tabs] { tabs->setCurrentIndex(ResultsPanel::kAttention); },
                     [this] { return idle(); }, [tabs] { tabs->setCurrentIndex(ResultsPanel::kLoss); }});
  scenes_.push_back({u"twin"_s, [this] { window_.show_twin(Intervention::kStatePassing); },
                     [this] { return idle() && holds(u"measured.state-passing"_s); },
                     [this] { window_.show_base(); }});
  scenes_.push_back({u"training"_s, [this] { window_.run_main_action(); },
                     [this] {
                       if (window_.steps_done() < kStepsInSight) return false;
                       if (window_.state() == RunState::kRunning) window_.run_main_action();
                       return window_.state() == RunState::kPaused;
                     },
                     [this] { window_.actions().reset->trigger(); }});
}

void Screens::add_sheets() {
  const auto reading = [this](const QString& name, auto open) {
    scenes_.push_back({name, open, [this] { return window_.help()->sheet()->isVisible(); },
                       [this] { window_.help()->sheet()->dismiss(); }});
  };
  reading(u"keys"_s, [this] { window_.help()->show_keys(); });
  reading(u"help"_s, [this] { window_.help()->explain(u"state"_s); });
  reading(u"diagnostics"_s, [this] { window_.help()->show_diagnostics(); });
  scenes_.push_back({u"export"_s, [this] { window_.exporter()->open_sheet(nullptr); },
                     [this] { return window_.exporter()->sheet()->isVisible(); },
                     [this] { window_.exporter()->sheet()->dismiss(); }});
  scenes_.push_back({u"refused"_s,
                     [this] { window_.opening()->look_at_model(u"/models/none.safetensors"_s); },
                     [this] {
                       return window_.opening()->model_sheet()->stage() != Sheet::Stage::kAsking;
                     },
                     [this] { window_.opening()->model_sheet()->cancel()->click(); }});
  scenes_.push_back({u"error"_s,
                     [this] {
                       window_.notice()->show_notice(
                           NoticeBanner::Severity::kError,
                           u"/models/none.safetensors: there is no such file."_s);
                     },
                     [this] { return window_.notice()->isVisible(); },
                     [this] { window_.notice()->dismiss(); }});
}

void Screens::add_reading() {
  scenes_.push_back({u"generate"_s,
                     [this] { window_.generate(u"Room kettle teal lantern red kettle"_s); },
                     [this] { return idle() && window_.generate_panel()->norms().columns() > 32; }});
  scenes_.push_back({u"model"_s, [this] { window_.opening()->look_at_model(u"english"_s); },
                     [this] {
                       return window_.opening()->model_sheet()->stage() != Sheet::Stage::kAsking;
                     },
                     [this] { window_.opening()->model_sheet()->cancel()->click(); }});
}

void Screens::add_comparing() {
  ExperimentPanel* page = window_.experiment_panel();
  scenes_.push_back({u"experiment"_s, [this] { window_.show_page(u"experiment"_s); },
                     [page] { return !page->setup()->summary().isEmpty(); }});
  scenes_.push_back({u"preset"_s,
                     [page] {
                       page->setup()->presets()->setCurrentIndex(1);
                       Q_EMIT page->setup()->presets()->activated(1);
                     },
                     [page] { return page->preset_sheet() != nullptr; },
                     [page] { page->preset_sheet()->cancel()->click(); }});
  scenes_.push_back({u"rate"_s, [page] { page->setup()->find_rate()->click(); },
                     [page] { return page->rate_sheet()->stage() != Sheet::Stage::kAsking; },
                     [page] { page->rate_sheet()->cancel()->click(); }});
  scenes_.push_back({u"comparison"_s,
                     [this] {
                       window_.start_experiment({{"zero", "fitted-noise", "state-passing"},
                                                 2,
                                                 runs_.path().toStdString(),
                                                 true});
                     },
                     [this, began = false]() mutable {
                       began = began || !idle();
                       return began && idle();
                     }});
}

void Screens::add_teaching() {
  scenes_.push_back({u"task"_s,
                     [this] {
                       window_.open_built_in("register");
                       window_.show_task("register");
                     },
                     [this, asked = false]() mutable {
                       const bool there = idle() && window_.model()->name == "register";
                       if (!there) return false;
                       if (!asked) window_.tasks_panel()->score();
                       asked = true;
                       return window_.tasks_panel()->has_scores() && idle();
                     }});
  scenes_.push_back({u"theory"_s, [this] { window_.show_theory(); }, [this] { return idle(); }});
  scenes_.push_back({u"story"_s,
                     [this] {
                       window_.open_built_in("demo");
                       window_.open_story(embedded_story(u"intro"_s));
                     },
                     [this] { return idle() && holds(u"measured"_s); }});
  scenes_.push_back({u"story-why"_s, [this] { window_.story()->run()->go_to(kWhyCard); },
                     [this] { return idle(); }});
  scenes_.push_back({u"presenter"_s, [this] { window_.set_presenting(true); },
                     [this] { return idle(); }, [this] { window_.set_presenting(false); }});
  scenes_.push_back({u"story-end"_s,
                     [this] {
                       StoryRun& run = *window_.story()->run();
                       run.go_to(run.story()->steps.size() - 1);
                     },
                     [this] { return idle(); }, [this] { window_.story()->close(); }});
}

void Screens::begin_scene() {
  if (scene_ == scenes_.size()) {
    Q_EMIT ended();
    return;
  }
  put_on(looks().front());  // the large one, which has all parts in sight
  shown_ = false;
  since_begin_.start();
  watch_.start();
}

void Screens::wait() {
  if (window_.error()) {
    watch_.stop();
    Q_EMIT failed(QString::fromStdString(window_.error()->message));
    return;
  }
  if (!shown_) {
    const RunState state = window_.state();
    shown_ = state == RunState::kReady || state == RunState::kPaused;
    if (shown_) scenes_[scene_].show();
  } else if (scenes_[scene_].ready()) {
    watch_.stop();
    look_ = 0;
    begin_look();
  }
  if (watch_.isActive() && since_begin_.elapsed() > 1000LL * kPatience) {
    watch_.stop();
    Q_EMIT failed(tr("The picture \"%1\" could not be taken: what it shows did not come in %2 s.")
                      .arg(scenes_[scene_].name)
                      .arg(kPatience));
  }
}

void Screens::put_on(const Look& look) {
  set_language(look.language);
  window_.set_theme(look.theme);
  window_.resize(look.size);
}

void Screens::begin_look() {
  put_on(looks()[look_]);
  QTimer::singleShot(kSettle, this, &Screens::take);
}

void Screens::take() {
  const QString file =
      QDir(folder_).filePath(u"%1-%2.png"_s.arg(scenes_[scene_].name, looks()[look_].name()));
  try {
    write_picture(file, png_of(window_.grab().toImage(), {window_.windowTitle(), {}}));
  } catch (const Error& error) {
    Q_EMIT failed(QString::fromStdString(error.what()));
    return;
  }
  if (++look_ < looks().size()) {
    begin_look();
  } else {
    end_scene();
  }
}

void Screens::end_scene() {
  scenes_[scene_].leave();
  ++scene_;
  QTimer::singleShot(kSettle, this, &Screens::begin_scene);
}

}  // namespace farstate::desktop
