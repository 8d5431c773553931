// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that follow the language while the program runs.
#pragma once

#include <QString>
#include <concepts>
#include <functional>

class QObject;

namespace farstate::desktop {

// Calls `say` now and again whenever the language of the application changes, for as long as
// `owner` lives: worded(label, [label] { label->setText(tr("Seed")); });
void worded(QObject* owner, std::function<void()> say);

// A text that is handed to a widget: [] { return tr("Seed"); } is said anew in each language. A
// plain string, such as the name of a file, is said once and may be replaced later.
class Words {
 public:
  Words() = default;
  Words(const QString& fixed) : fixed_(fixed) {}
  template <std::invocable Say>
  requires(!std::same_as<Say, Words>) Words(Say say) : say_(std::move(say)) {}

  QString operator()() const { return say_ ? say_() : fixed_; }

  // Calls `set` with the text now, and again whenever it has changed, as long as `owner` lives.
  template <class Set>
  void tell(QObject* owner, Set set) const {
    if (say_) {
      worded(owner, [say = say_, set = std::move(set)]() mutable { set(say()); });
    } else {
      set(fixed_);
    }
  }

 private:
  QString fixed_;
  std::function<QString()> say_;
};

// A label, button or action with this text.
template <class Thing>
Thing* with_text(Thing* thing, const Words& text) {
  text.tell(thing, [thing](const QString& said) { thing->setText(said); });
  return thing;
}

template <class Menu>
Menu* with_title(Menu* menu, const Words& title) {
  title.tell(menu, [menu](const QString& said) { menu->setTitle(said); });
  return menu;
}

}  // namespace farstate::desktop
