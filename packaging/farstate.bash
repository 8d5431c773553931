# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for farstate and farstate-desktop. Commands and options are those that the program's own
# --help lists, so they cannot fall behind it.

_farstate_words() {  # of the help of "$@"
  "$@" --help 2>/dev/null | grep -oE -- '^ +(-[A-Za-z], *)?--[a-z][a-z-]*' | grep -oE -- '--[a-z-]+'
}

_farstate_commands() {
  "$@" --help 2>/dev/null | awk '/^[A-Z].*:$/ { on = /ubcommands/ } on && /^  [a-z]/ { print $1 }'
}

_farstate() {
  local word=${COMP_WORDS[COMP_CWORD]} command=("${COMP_WORDS[0]}") i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if _farstate_commands "${command[@]}" | grep -qxF -- "${COMP_WORDS[i]}"; then
      command+=("${COMP_WORDS[i]}")
    else
      break
    fi
  done
  COMPREPLY=()
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_farstate_words "${command[@]}")" -- "$word")
  elif ((i == COMP_CWORD)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_farstate_commands "${command[@]}")" -- "$word")
  fi
}

complete -o default -F _farstate farstate farstate-desktop
