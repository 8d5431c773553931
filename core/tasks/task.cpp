// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/task.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/tasks/babilong.h"
#include "core/tasks/copying.h"
#include "core/tasks/passkey.h"
#include "core/tasks/register.h"

namespace farstate {

std::unique_ptr<Task> make_task(const TaskConfig& config, std::shared_ptr<const Tokenizer> tokenizer) {
  if (config.name == "passkey") return make_passkey(config, std::move(tokenizer));
  if (config.name == "babilong") return make_babilong(config, std::move(tokenizer));
  if (config.name == "copying") return make_copying(config);
  if (config.name == "register") return make_register(config, std::move(tokenizer));
  throw Error(ErrorKind::kBadUsage,
              fmt::format("There is no task \"{}\"; choose one of {}.", config.name,
                          fmt::join(kTaskNames, ", ")));
}

}  // namespace farstate
