// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/stop.h"

#include "core/base/error.h"

namespace farstate {
namespace {
thread_local const std::stop_token* current = nullptr;
}

StopScope::StopScope(std::stop_token token) : token_(std::move(token)), outer_(current) {
  current = &token_;
}

StopScope::~StopScope() { current = outer_; }

bool stop_requested() { return current != nullptr && current->stop_requested(); }

void throw_if_stopped() {
  if (stop_requested()) throw Error(ErrorKind::kInterrupted, "Stopped on request.");
}

}  // namespace farstate
