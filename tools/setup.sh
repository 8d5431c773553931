# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Sourced by run.sh and test.sh. farstate_build TARGET… installs what is missing, fetches LibTorch
# (and nvcc, if farstate_wants_nvcc is set or there is a GPU) and builds; a second call finds all of
# it there and takes a moment.

root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

# python3-pip downloads LibTorch's wheel and python3 unpacks it.
farstate_packages=(
  g++ cmake ninja-build ccache python3 python3-pip ca-certificates
  nlohmann-json3-dev libfmt-dev libcli11-dev libutf8proc-dev zlib1g-dev
  libpcre2-dev libxxhash-dev libsqlite3-dev libprotozero-dev
  libgtest-dev libgmock-dev
  qt6-base-dev qt6-svg-dev libqcustomplot-dev libspdlog-dev
  qt6-tools-dev qt6-l10n-tools qt6-translations-l10n
)
# The window's own typeface has no Chinese.
farstate_chinese_font=fonts-wqy-microhei
farstate_torch_version=2.11.0
farstate_nvcc_version=13.0.88
farstate_wants_nvcc=
farstate_build_dir=$root/build/release

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 1
}

# ----- packages

farstate_missing_packages() {
  local package
  local -A have=()
  while read -r package; do
    have[$package]=1
  done < <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${farstate_packages[@]}" \
    2>/dev/null | sed -n 's/^installed //p')
  for package in "${farstate_packages[@]}"; do
    [[ -n ${have[$package]:-} ]] || printf '%s\n' "$package"
  done
}

farstate_install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [[ -f $farstate_build_dir/build.ninja ]] \
      || say "No apt-get here. The build needs what Debian calls: ${farstate_packages[*]}"
    return
  fi
  local missing=() as_root=() log
  mapfile -t missing < <(farstate_missing_packages)
  ((${#missing[@]})) || return 0

  local options=(-o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0)
  if ((EUID != 0)); then
    # Without a terminal sudo cannot ask for a password.
    if command -v sudo >/dev/null && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; then
      as_root=(sudo)
    else
      fail "These packages are missing, and installing them needs root. Please run:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    fi
  fi
  say "Installing packages that the build needs: ${missing[*]}"
  log=$(mktemp)
  as_root+=(env DEBIAN_FRONTEND=noninteractive)
  # A list of one broken source must not stop an installation that the others can serve.
  "${as_root[@]}" apt-get "${options[@]}" -q update >"$log" 2>&1 \
    || say "apt-get update reports errors; trying with the lists that are there."
  if ! "${as_root[@]}" apt-get "${options[@]}" -q install -y --no-install-recommends \
    "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    fail "apt-get could not install the packages. The lines above say why."
  fi
  rm -f "$log"
}

# ----- LibTorch

farstate_has_gpu() {
  [[ -z ${FARSTATE_CPU_ONLY:-} && -e /dev/nvidiactl ]] && nvidia-smi -L 2>/dev/null | grep -q GPU
}

# Whether a folder holds all that a program for the CPU needs.
farstate_torch_loads() {
  local dir=$1
  [[ -e $dir/torch/include/ATen/ATen.h ]] \
    && [[ -e $dir/torch/include/torch/csrc/api/include/torch/torch.h ]] \
    && grep -qs "\"$farstate_torch_version\"" "$dir/torch/include/torch/headeronly/version.h" \
    && python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' \
      "$dir/torch/lib/libtorch_cpu.so" 2>/dev/null
}

farstate_pip_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -m pip --version >/dev/null 2>&1; then
      printf '%s' "$python"
      return
    fi
  done
  fail "No python3 with pip was found. On Debian: apt-get install python3-pip"
}

# farstate_download INTO WHAT REMEDY REQUIREMENTS…: the wheels of these files of tools/.
farstate_download() {
  local into=$1 what=$2 remedy=$3 arch python level file
  shift 3
  arch=$(uname -m)
  python=$(farstate_pip_python) || exit 1
  # The wheels are only unpacked, so their Python version need not be the one that runs pip.
  local options=(--no-deps --no-cache-dir --require-hashes --only-binary :all: --dest "$into"
    --implementation cp --python-version 3.11 --abi cp311 --abi none)
  for level in 2_28 2_27 2_25 2_18 2_17; do
    options+=(--platform "manylinux_${level}_$arch")
  done
  options+=(--platform "manylinux2014_$arch" --platform "manylinux2010_$arch")
  for file in "$@"; do
    options+=(-r "$root/tools/$file")
  done
  [[ -t 2 ]] || options+=(--quiet --progress-bar off)

  if ! "$python" -m pip download "${options[@]}" >&2 2>"$into/log"; then
    cat "$into/log" >&2
    if grep -q "DO NOT MATCH" "$into/log"; then
      fail "A downloaded file is not the one expected, so it was not used."
    elif grep -q "No matching distribution" "$into/log"; then
      fail "pip finds no $what for $arch: its package index cannot be" \
        "reached, or does not offer it. Check the network, set PIP_INDEX_URL to another index," \
        "or $remedy."
    fi
    fail "$what could not be downloaded. Try again, or $remedy."
  fi
}

# farstate_unpack WHEELS TARGET cpu|cuda|nvcc: of wheels what a C++ program needs. For the CPU
# alone, half of LibTorch is left out.
farstate_unpack() {
  python3 - "$@" <<'PYTHON'
import pathlib, re, sys, zipfile

wheels, target, variant = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
wanted = r"torch/(lib|include)/|torch\.libs/|[^/]+\.dist-info/.*licen[cs]e"
programs = r"nvidia/cu13/(bin|nvvm/bin)/[^/.]+$"
unwanted = r"torch/lib/(libtorch_python|libshm)"
if variant == "cpu":
    wanted += r"|nvidia/cu13/lib/lib(cudart|cupti)\.so"
    unwanted += r"|torch/lib/(libtorch|libtorch_cuda.*|libc10_cuda|lib.*nvrtc|lib.*nvshmem)\.so"
elif variant == "cuda":
    wanted += r"|nvidia/"
else:
    wanted += r"|nvidia/cu13/(bin|include|nvvm)/"
for wheel in sorted(wheels.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if re.match(wanted, name, re.IGNORECASE) and not re.match(unwanted, name):
                file = archive.extract(name, target)
                if re.match(programs, name):
                    pathlib.Path(file).chmod(0o755)
    wheel.unlink()
PYTHON
}

# Makes the cache's folder and waits for other starts that are at work there. Afterwards nobody else
# is, so what lies there was left by an interrupted start. Sets the variable lock; ends by closing it.
farstate_lock_cache() {
  local cache=$1
  mkdir -p "$cache" 2>/dev/null || fail "Cannot write to $cache. Set XDG_CACHE_HOME elsewhere."
  exec {lock}>"$cache/lock"
  if ! flock -n "$lock"; then
    say "Another start is installing something there. Waiting for it."
    flock "$lock"
  fi
  rm -rf "$cache"/partial.* "$cache"/old.*
}

# A folder for what is under way, gone when the shell ends. Wants so many kilobytes of room.
farstate_make_part() {
  local cache=$1 what=$2 room=$3
  (($(df -Pk "$cache" | awk 'NR == 2 {print $4}') > room)) \
    || fail "$what needs $((room / 1000)) MB in $cache for a while; less is free."
  part=$(mktemp -d "$cache/partial.XXXXXX") || exit 1
  # shellcheck disable=SC2064  # the folder of now
  trap "rm -rf '$part'" EXIT
  mkdir "$part/wheels" "$part/new" || exit 1
}

farstate_install_torch() {
  if [[ -n ${LIBTORCH_DIR:-} ]]; then
    [[ -e $LIBTORCH_DIR/lib/libtorch_cpu.so ]] \
      || fail "LIBTORCH_DIR is $LIBTORCH_DIR, but it has no lib/libtorch_cpu.so."
    LIBTORCH_DIR=$(readlink -f "$LIBTORCH_DIR")
    export LIBTORCH_DIR
    return
  fi
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/farstate
  local dir=$cache/libtorch-$farstate_torch_version
  local stamp=$dir/complete variant=cpu lock
  # The stamp says "2.11.0 cpu" or "2.11.0 cuda".
  if [[ -f $stamp ]]; then
    [[ $(<"$stamp") == "$farstate_torch_version cuda" ]] && return
    farstate_has_gpu || return 0
  fi

  farstate_lock_cache "$cache"
  ! farstate_has_gpu || variant=cuda
  if [[ ! -f $stamp ]] && farstate_torch_loads "$dir"; then
    printf '%s cpu\n' "$farstate_torch_version" >"$stamp"
  fi
  if [[ ! -f $stamp || $(<"$stamp") != "$farstate_torch_version "@(cuda|"$variant") ]]; then
    # In a subshell, so that a failure can be survived where an older copy does. bash ignores
    # set -e in there, so farstate_fetch_torch checks each step itself.
    if ! (farstate_fetch_torch "$cache" "$dir" "$variant"); then
      [[ -f $stamp ]] || exit 1
      say "Going on with the LibTorch that is there, which does not use the GPU."
    fi
  fi
  exec {lock}>&-
}

farstate_fetch_torch() {
  local cache=$1 dir=$2 variant=$3 part room=2500000 size="0.5 GB"
  local requirements=(requirements-libtorch.txt)
  if [[ $variant == cuda ]]; then
    requirements+=(requirements-libtorch-cuda.txt)
    room=11000000 size="2.5 GB, as there is a GPU; FARSTATE_CPU_ONLY=1 avoids that"
  fi
  farstate_make_part "$cache" LibTorch "$room"
  say "Downloading LibTorch $farstate_torch_version ($size) into $cache; once for all copies."
  farstate_download "$part/wheels" "LibTorch $farstate_torch_version" \
    "set LIBTORCH_DIR to a copy of LibTorch" "${requirements[@]}"
  say "Unpacking LibTorch."
  farstate_unpack "$part/wheels" "$part/new" "$variant" \
    || fail "LibTorch could not be unpacked. The lines above say why."
  farstate_torch_loads "$part/new" || fail "The unpacked LibTorch does not load."
  printf '%s %s\n' "$farstate_torch_version" "$variant" >"$part/new/complete" || exit 1
  if [[ -e $dir ]]; then
    mv "$dir" "$(mktemp -u "$cache/old.XXXXXX")" || exit 1
  fi
  mv "$part/new" "$dir" || exit 1
  rm -rf "$cache"/old.*
}

# ----- nvcc

# Whether the machine has one that knows compute capability 12.0, as cmake/Nvcc.cmake wants it.
farstate_has_nvcc() {
  local nvcc version
  for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
    version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    [[ -n $version && $(printf '%s\n' 12.8 "$version" | sort -V | head -n 1) == 12.8 ]] && return
  done
  return 1
}

farstate_install_nvcc() {
  [[ ${FARSTATE_CUDA:-} != OFF ]] || return 0
  ! farstate_has_nvcc || return 0
  local cache=${XDG_CACHE_HOME:-$HOME/.cache}/farstate
  local dir=$cache/nvcc-$farstate_nvcc_version lock
  [[ ! -f $dir/complete ]] || return 0
  farstate_lock_cache "$cache"
  [[ -f $dir/complete ]] || (farstate_fetch_nvcc "$cache" "$dir") || exit 1
  exec {lock}>&-
}

farstate_fetch_nvcc() {
  local cache=$1 dir=$2 part
  farstate_make_part "$cache" nvcc 500000
  say "Downloading nvcc $farstate_nvcc_version (0.1 GB) into $cache; once for all copies."
  farstate_download "$part/wheels" "nvcc $farstate_nvcc_version" \
    "set FARSTATE_CUDA=OFF to go on without the CUDA kernels" requirements-nvcc.txt
  farstate_unpack "$part/wheels" "$part/new" nvcc \
    || fail "nvcc could not be unpacked. The lines above say why."
  "$part/new/nvidia/cu13/bin/nvcc" --version >/dev/null || fail "The unpacked nvcc does not start."
  printf '%s\n' "$farstate_nvcc_version" >"$part/new/complete" || exit 1
  rm -rf "$dir"
  mv "$part/new" "$dir" || exit 1
}

# ----- building

farstate_configure() {
  local log
  say "Configuring."
  log=$(mktemp)
  if ! (cd "$root" && cmake --preset release "$@") >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "CMake could not configure the build. The lines above say why."
  fi
  rm -f "$log"
}

# A file that includes LibTorch takes up to 2 GB to compile.
farstate_jobs() {
  local jobs memory
  jobs=$(nproc)
  memory=$(awk '/^MemAvailable/ {print int($2 / 2000000)}' /proc/meminfo)
  ((memory < jobs)) && jobs=$memory
  ((jobs > 0)) || jobs=1
  printf '%s' "$jobs"
}

farstate_build() {
  # Services and containers may start without HOME.
  : "${HOME:=$(getent passwd "$EUID" | cut -d: -f6)}"
  export HOME
  farstate_install_packages
  farstate_install_torch

  if [[ -n $farstate_wants_nvcc ]] || farstate_has_gpu; then
    farstate_install_nvcc
  fi

  # CMake remembers what it found of LibTorch; another copy means a fresh start.
  local used=$farstate_build_dir/libtorch-used place
  place=${LIBTORCH_DIR:-}
  if [[ -z $place ]]; then
    place=${XDG_CACHE_HOME:-$HOME/.cache}/farstate/libtorch-$farstate_torch_version
    place="$place $(<"$place/complete")"
  fi
  if [[ ! -f $farstate_build_dir/build.ninja ]]; then
    farstate_configure
    printf '%s\n' "$place" >"$used"
  elif [[ -f $used && $(<"$used") != "$place" ]]; then
    farstate_configure --fresh
    printf '%s\n' "$place" >"$used"
  elif [[ -n $farstate_wants_nvcc && ${FARSTATE_CUDA:-} != OFF ]] \
    && ! grep -qs '^FARSTATE_NVCC:.*/nvcc$' "$farstate_build_dir/CMakeCache.txt"; then
    farstate_configure  # there was none when run.sh configured
  fi
  # Leave alone a limit that the user chose.
  if ccache -p 2>/dev/null | grep -q '^(default) max_size'; then
    export CCACHE_MAXSIZE=3G
  fi
  ninja -C "$farstate_build_dir" -j "$(farstate_jobs)" "$@" >&2 \
    || fail "The build failed. The lines above say why."
}
