# SPDX-License-Identifier: GPL-3.0-or-later
# farstate_warnings(target): what we hold our own code to. Headers of others are system headers.
function(farstate_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor
    -Woverloaded-virtual -Werror=return-type)
endfunction()
