// SPDX-License-Identifier: GPL-3.0-or-later
// The store's file: opened with care, and brought to the newest schema step by step.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/store/sqlite.h"

namespace farstate {

// How the schema came to be: the statements of version 1, then what each later version changed. A new
// file takes the same way as an old one. Versions that were released are never edited.
std::span<const char* const> schema_steps();

// Opens the store or makes a new one. Throws Error(kBadInput) and leaves the file as it is where it
// can't be written, is no store, is damaged, or has a newer schema.
std::unique_ptr<sqlite::Database> open_database(
    const std::string& path, std::span<const char* const> steps = schema_steps());

// To look into a store. One that can't be written is read as it is, and `read_only` says in a
// sentence why nothing can be recorded in it. Throws as above; of an older schema too, since that
// can't be brought up to date.
std::unique_ptr<sqlite::Database> open_database_to_read(
    const std::string& path, std::string& read_only,
    std::span<const char* const> steps = schema_steps());

}  // namespace farstate
