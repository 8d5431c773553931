// SPDX-License-Identifier: GPL-3.0-or-later
// What the program remembers from one start to the next, in one file of the person's settings.
#pragma once

#include <QSettings>
#include <cstdint>
#include <memory>

#include "app/desktop/theme.h"

namespace farstate::desktop {

std::unique_ptr<QSettings> open_settings();

// The training context that a person has stated for a model which does not record it; 0: none.
int64_t stated_context(const QString& source);
void remember_stated_context(const QString& source, int64_t context);

// Hints point at what to look at and what to do, until a person switches them off for good.
bool hints_wanted();
void remember_hints_wanted(bool wanted);

// Choosing an initial state shows what post-training with it made of the built-in model.
bool twins_wanted();
void remember_twins_wanted(bool wanted);

// Which of its choices a control showed last, by the name that it has in a session.
int remembered_view(const QString& name, int usual);
void remember_view(const QString& name, int chosen);

ThemeMode remembered_theme();
void remember_theme(ThemeMode mode);

// Percent of the usual size of all text.
int remembered_text_size();
void remember_text_size(int percent);

// Nothing moves by itself: as this program's setting says, or the desktop's.
bool reduced_motion();
void remember_reduced_motion(bool reduced);

}  // namespace farstate::desktop
